"""Join a table and play at random: `python docs/play_a_game.py http://127.0.0.1:8017 Robin`.

Only the standard library is needed. Dice are typed in, so this works at a table without a camera
(for Keer op Keer 2 the faces of its dice would have to be added below).
"""

import json
import random
import sys
import time
import urllib.request

TABLE, NAME = sys.argv[1], sys.argv[2]
token = ""


def ask(path, body=None):
    body = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(TABLE + path, body, {"X-Seat-Token": token} if token else {})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


token = ask("/api/join", {"name": NAME})["token"]
while (state := ask("/api/state"))["phase"] != "over":
    throw = state["throw"]
    if state["legal"] and not (throw and random.random() < 0.6):
        ask("/api/choose", {"choice": random.choice(state["legal"]), "choices_made": state["choices_made"]})
    elif throw and throw["seat"] == state["you"]:
        faces = {"worm": ["1", "2", "3", "4", "5", "worm"]}  # all others have 1 to 6
        dice = [f"{kind}:{random.choice(faces.get(kind, list('123456')))}" for kind in throw["kinds"]]
        ask("/api/roll", {"dice": dice})
    else:
        time.sleep(0.05)  # somebody else's turn; GET /api/events would tell when to look again
print(json.dumps(state["outcome"]))
