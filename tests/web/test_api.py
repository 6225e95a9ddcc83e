"""The JSON interface: every endpoint, and each refusal with its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.table import Refused
from companion.web import create_app, events
from companion.web.roles import ROLES, PinTries, Role
from tests.web.rig import PIN, room_of

ENGLISH = {"Accept-Language": "en"}
WORMS = ["worm:worm"] * 4 + ["worm:5"] * 4


class Party:
    """A table with clients around it."""

    def __init__(self, folder: Path) -> None:
        self.log, self.table, self.dice, self.app = room_of(folder)
        self.app.testing = True

    def client(self) -> FlaskClient:
        client = self.app.test_client()
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
        return client

    def join(self, name: str) -> FlaskClient:
        client = self.client()
        assert client.post("/api/join", json={"name": name}).status_code == 200
        return client

    def host(self) -> FlaskClient:
        client = self.client()
        assert client.post("/api/host", json={"pin": PIN}).status_code == 200
        return client


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Party]:
    party = Party(tmp_path)
    yield party
    party.log.close()


@pytest.fixture
def playing(party: Party) -> tuple[Party, FlaskClient, FlaskClient]:
    anna, bram = party.join("Anna"), party.join("Bram")
    assert anna.post("/api/start", json={}).status_code == 200
    return party, anna, bram


def error(answer: object, status: int) -> str:
    assert answer.status_code == status, (answer.status_code, answer.text)  # type: ignore[attr-defined]
    return str(answer.json["error"])  # type: ignore[attr-defined]


def test_every_route_has_its_role(party: Party) -> None:
    endpoints = {rule.endpoint for rule in party.app.url_map.iter_rules()}
    assert endpoints == set(ROLES)


def test_a_stranger_may_only_do_what_anyone_may(party: Party) -> None:
    for rule in party.app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and ROLES[rule.endpoint] is not Role.ANYONE:
            answer = party.client().post(rule.rule, headers={"X-Fragment": "yes"})
            assert "seat first" in error(answer, 401), rule.rule


def test_join_gives_a_seat_a_token_and_a_cookie(party: Party) -> None:
    client = party.client()
    answer = client.post("/api/join", json={"name": "Anna"})
    assert answer.json is not None and answer.json["seat"] == 0
    assert client.get("/api/state").json["you"] == 0
    bare = party.client()
    state = bare.get("/api/state", headers={"X-Seat-Token": answer.json["token"]}).json
    assert state["you"] == 0 and bare.get("/api/state").json["you"] is None
    assert client.post("/api/join", json={"name": "Again"}).json["seat"] == 0, "who sits, keeps the seat"


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"name": " "}, 409, "1 to 24 letters"),
        ({"name": "anna"}, 409, "sits here already"),
        ({"name": 5}, 400, "must be given as text"),
        ({"name": "\ud800x"}, 400, "must be given as text"),
        ({"name": "a\u202eb"}, 409, "signs that cannot be shown"),
        ({}, 400, "must be given as text"),
        ([], 400, "JSON object"),
    ],
)
def test_bad_names(party: Party, body: object, status: int, words: str) -> None:
    party.join("Anna")
    assert words in error(party.client().post("/api/join", json=body), status)


def test_broken_json(party: Party) -> None:
    for body in ("{no", "[" * 100_000):
        assert "JSON object" in error(party.client().post("/api/join", data=body), 400)


def test_a_full_table(party: Party) -> None:
    for name in "ABCDEFG":
        party.join(name)
    assert "full" in error(party.client().post("/api/join", json={"name": "H"}), 409)


def test_the_host_opens_a_game(party: Party) -> None:
    host = party.host()
    answer = host.post(
        "/api/games", json={"game": "regenwormen", "options": {"short_game": True}, "seats": 3}
    )
    assert (answer.status_code, answer.json) == (201, {"game": "regenwormen"})
    assert host.get("/api/state").json["options"]["short_game"] is True
    assert [party.join(name) and name for name in "ABC"] == ["A", "B", "C"]
    assert "full: 3 seats" in error(party.client().post("/api/join", json={"name": "D"}), 409)


def test_a_start_player_who_has_still_to_come_can_be_told(party: Party) -> None:
    body = {"game": "regenwormen", "options": {"start_player": 3}, "seats": 4}
    assert party.host().post("/api/games", json=body).status_code == 201
    anna = party.join("Anna")
    assert anna.get("/api/state").json["options"]["start_player"] == 3
    for page in ("/", "/seat", "/table", "/host", "/rules"):
        assert anna.get(page, follow_redirects=True).status_code == 200
    party.join("Bram")
    assert "a seat from 0 to 1" in error(anna.post("/api/start", json={}), 409)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "ludo"}, "there are: " + ", ".join(GAMES)),
        ({"game": "regenwormen", "seats": 9}, "2 to 7"),
        ({"game": "regenwormen", "seats": "many"}, "whole number"),
        ({"game": "regenwormen", "options": {"wind": True}}, "no option “wind”"),
        ({"game": "regenwormen", "options": {"short_game": "yes"}}, "takes off, on"),
        ({"game": "regenwormen", "options": [1]}, "names and values"),
    ],
)
def test_bad_games(party: Party, body: object, words: str) -> None:
    assert words in error(party.host().post("/api/games", json=body), 400)


def test_only_the_host_opens_a_game(party: Party) -> None:
    body = {"game": "regenwormen"}
    assert "token is missing" in error(party.client().post("/api/games", json=body), 401)
    assert "only the host" in error(party.join("Anna").post("/api/games", json=body), 403).lower()


def test_the_pin(party: Party) -> None:
    assert "not the PIN" in error(party.client().post("/api/host", json={"pin": "0"}), 403)
    for _ in range(4):
        party.client().post("/api/host", json={"pin": "0"})
    assert "wait 60 seconds" in error(party.client().post("/api/host", json={"pin": PIN}), 409)


def test_a_pin_that_is_no_text(party: Party) -> None:
    assert "must be given as text" in error(party.client().post("/api/host", json={"pin": "\ud800"}), 400)


def test_pin_tries_come_back_after_a_minute() -> None:
    now = [0.0]
    tries = PinTries("1234", clock=lambda: now[0])
    for _ in range(5):
        with pytest.raises(Refused, match="not the PIN"):
            tries.check("9999")
    with pytest.raises(Refused, match="wait"):
        tries.check("1234")
    now[0] = 61
    tries.check("1234")


def test_start_needs_enough_players_and_the_first_seat(party: Party) -> None:
    anna = party.join("Anna")
    assert "2 to 7 players; 1 are seated" in error(anna.post("/api/start", json={}), 409)
    bram = party.join("Bram")
    assert "first seat" in error(bram.post("/api/start", json={}), 403)
    assert anna.post("/api/start", json={}).json["phase"] == "playing"
    assert "already begun" in error(anna.post("/api/start", json={}), 409).lower()
    assert "has begun" in error(party.client().post("/api/join", json={"name": "Late"}), 409)


def test_a_turn(playing: tuple[Party, FlaskClient, FlaskClient]) -> None:
    _, anna, bram = playing
    state = anna.get("/api/state").json
    assert state["throw"] == {"seat": 0, "kinds": ["worm"] * 8, "lying": []}
    assert (state["asked"], state["legal"], state["rolled"]) == ({}, [], [])
    state = anna.post("/api/roll", json={"dice": WORMS}).json
    assert (state["asked"], state["legal"]) == ({"0": "aside"}, ["aside 5", "aside worm"])
    assert state["rolled"] == WORMS and bram.get("/api/state").json["legal"] == []
    state = anna.post("/api/choose", json={"choice": "aside worm", "choices_made": 0}).json
    assert (state["choices_made"], state["throw"]["kinds"]) == (1, ["worm"] * 4)


def test_a_double_tap_is_harmless_and_a_late_one_refused(
    playing: tuple[Party, FlaskClient, FlaskClient],
) -> None:
    _, anna, _ = playing
    anna.post("/api/roll", json={"dice": WORMS, "rolls_made": 0})
    assert anna.post("/api/roll", json={"dice": WORMS, "rolls_made": 0}).json["rolls_made"] == 1
    tap = {"choice": "aside worm", "choices_made": 0}
    assert anna.post("/api/choose", json=tap).json == anna.post("/api/choose", json=tap).json
    late = {"choice": "aside 5", "choices_made": 0}
    assert "too late" in error(anna.post("/api/choose", json=late), 409)
    undo = {"choices_made": 1}
    assert anna.post("/api/undo", json=undo).json["choices_made"] == 2
    assert anna.post("/api/undo", json=undo).json["legal"] == ["aside 5", "aside worm"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"choice": "aside 3", "choices_made": 0}, 409, "cannot be chosen now"),
        ({"choices_made": 0}, 400, "must be given as text"),
        ({"choice": "aside 5", "choices_made": "x"}, 400, "whole number"),
        ({"choice": "aside 5", "choices_made": True}, 400, "whole number"),
        ({"choice": "aside 5", "seat": 1}, 403, "not your seat"),
    ],
)
def test_bad_choices(
    playing: tuple[Party, FlaskClient, FlaskClient], body: object, status: int, words: str
) -> None:
    _, anna, _ = playing
    anna.post("/api/roll", json={"dice": WORMS})
    assert words in error(anna.post("/api/choose", json=body), status)


@pytest.mark.parametrize(
    ("dice", "status", "words"),
    [
        (["worm:3"], 409, "does not fit"),
        (["worm:9"] * 8, 409, "is no die"),
        (["blue:3"] * 8, 409, "does not fit"),
        (3, 400, "list of dice"),
        ([3], 400, "list of dice"),
        (None, 400, "list of dice"),
    ],
)
def test_bad_rolls(
    playing: tuple[Party, FlaskClient, FlaskClient], dice: object, status: int, words: str
) -> None:
    assert words in error(playing[1].post("/api/roll", json={"dice": dice}), status)


def test_only_the_active_seat_or_the_host_types_a_roll_in(
    playing: tuple[Party, FlaskClient, FlaskClient],
) -> None:
    party, _, bram = playing
    assert "whose throw" in error(bram.post("/api/roll", json={"dice": WORMS}), 403)
    assert party.host().post("/api/roll", json={"dice": WORMS}).status_code == 200


def test_the_sure_reading_is_confirmed(playing: tuple[Party, FlaskClient, FlaskClient]) -> None:
    _, anna, _ = playing
    assert "No roll has been read" in error(anna.post("/api/confirm", json={}), 409)
    assert anna.post("/api/throw", json={}).status_code == 202
    reading = anna.get("/api/state").json["reading"]
    assert reading["sure"] and len(reading["dice"]) == 8
    assert {"kind", "face", "box", "confidence", "sure", "state", "alternatives"} == set(reading["dice"][0])
    taken = anna.post("/api/confirm", json={"rolls_made": 0})
    assert taken.json["asked"] == {"0": "aside"}
    assert anna.post("/api/confirm", json={"rolls_made": 0}).status_code == 200, "a double tap"
    assert "No throw is due" in error(anna.post("/api/confirm", json={}), 409)
    assert "No throw is due" in error(anna.post("/api/throw", json={}), 409)


def test_a_doubtful_reading_is_not_confirmed(playing: tuple[Party, FlaskClient, FlaskClient]) -> None:
    party, anna, _ = playing
    party.dice.doubtful = (3,)
    anna.post("/api/throw", json={})
    assert anna.get("/api/state").json["reading"]["sure"] is False
    assert "not sure" in error(anna.post("/api/confirm", json={}), 409)


def test_a_correction_says_what_it_undid(playing: tuple[Party, FlaskClient, FlaskClient]) -> None:
    _, anna, bram = playing
    assert "No roll" in error(anna.post("/api/correct", json={"dice": WORMS}), 409)
    anna.post("/api/roll", json={"dice": WORMS})
    anna.post("/api/choose", json={"choice": "aside 5", "choices_made": 0})
    assert "whose throw" in error(bram.post("/api/correct", json={"dice": WORMS}), 403)
    state = anna.post("/api/correct", json={"dice": ["worm:worm"] * 4 + ["worm:4"] * 4}).json
    assert state["legal"] == ["aside 4", "aside worm"]
    assert (
        len(state["undid"]) == 1
        and state["undid"][0].startswith("Anna: ")
        and state["undid"][0] in state["said"]
    )


def test_undo(playing: tuple[Party, FlaskClient, FlaskClient]) -> None:
    _, anna, _ = playing
    assert "nothing of yours" in error(anna.post("/api/undo", json={}), 409)


def test_a_throw_without_a_tray(party: Party) -> None:
    app = create_app(party.table, secret="s", pin=PIN)
    client = app.test_client()
    client.post("/api/join", json={"name": "Anna"})
    assert "real dice" in error(client.post("/api/throw", json={}, headers=ENGLISH), 409)


def test_another_origin_is_refused(party: Party) -> None:
    anna = party.join("Anna")
    answer = anna.post("/api/start", json={}, headers={"Origin": "http://elsewhere.example"})
    assert "another site" in error(answer, 403)
    answer = anna.post("/api/start", json={}, headers={"Origin": "http://localhost"})
    assert "2 to 7" in error(answer, 409)


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "127.0.0.1:8017", "192.168.1.20:8017", "[fd00::12]:8017", "[::1]"),
        *("companion", "companion:8017", "Companion.local:8017", "companion.local.", "companion.fritz.box"),
        *("dice.example", "Dice.Example:8017"),
    ],
)
def test_the_table_goes_by_numbers_and_by_names_of_the_home(party: Party, host: str) -> None:
    app = create_app(party.table, secret="s", pin=PIN, names=["", "Dice.example"])
    assert app.test_client().get("/table", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8017", "127.0.0.1.evil.example", "evil.local.example", "[::1"]
)
def test_a_foreign_name_that_leads_here_is_refused(party: Party, host: str) -> None:
    client, headers = party.client(), {"Host": host}
    words = "does not go by the name"
    for address in ("/table", "/", "/static/live.js", "/nowhere"):
        answer = client.get(address, headers=headers)
        assert answer.status_code == 403 and words in answer.text and PIN not in answer.text
    answer = client.post("/host", data={"pin": PIN}, headers={**headers, "Origin": f"http://{host}"})
    assert answer.status_code == 403 and "Set-Cookie" not in answer.headers
    assert words in error(client.post("/api/host", json={"pin": PIN}, headers=headers), 403)


def test_a_forged_token_is_nobody(party: Party) -> None:
    client = party.client()
    for token in (
        "nonsense",
        "WyJwbGF5ZXIiLCJ4Il0.AAAA",
        party.app.extensions["companion"].tokens.of_player("x"),
    ):
        answer = client.post("/api/undo", json={}, headers={"X-Seat-Token": token})
        assert error(answer, 401)


def test_unknown_addresses(party: Party) -> None:
    assert error(party.client().get("/api/nothing"), 404) == "there is nothing here"
    assert error(party.client().get("/api/start"), 405) == "that cannot be done here"


def test_refusals_speak_the_readers_language(party: Party) -> None:
    answer = party.client().post("/api/start", json={}, headers={"Accept-Language": "nl"})
    assert "ga eerst zitten" in error(answer, 401).lower()


def test_a_guest_is_served_by_the_same_phone(party: Party) -> None:
    anna = party.join("Anna")
    anna.post("/lobby/add", data={"name": "Opa", "plays": "guest"})
    party.join("Bram")
    anna.post("/api/start", json={})
    party.table.roll(tuple(["worm:1"] * 8))
    party.table.choose(0, "aside 1")
    party.table.choose(0, "stop")
    assert anna.post("/api/roll", json={"dice": WORMS}).status_code == 200
    state = anna.post("/api/choose", json={"choice": "aside 5", "choices_made": 0, "seat": 1}).json
    assert state["throw"]["seat"] == 1


def test_events_tell_the_version_and_end_with_the_server(party: Party) -> None:
    answer = party.client().get("/api/events")
    assert answer.mimetype == "text/event-stream"
    stream = (piece.decode() for piece in answer.response)  # type: ignore[union-attr]
    first, boot = next(stream), party.app.extensions["companion"].boot
    assert first.startswith("retry: ") and f"data: {boot}-0-0\n\n" in first
    party.table.join("Anna")
    assert next(stream) == f"data: {boot}-1-0\n\n"
    party.table.close()
    assert list(stream) == []


def test_a_heartbeat_comes_while_nothing_happens(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    assert events.HEARTBEAT_S <= 15
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.0)
    stream = events.look_again(party.app.extensions["companion"])
    next(stream)
    assert next(stream) == "event: beat\ndata: \n\n"


def test_the_outcome(party: Party) -> None:
    options = {"short_game": True, "fail_without_tile": "turn"}
    party.table.open("regenwormen", options)
    anna, _ = party.join("Anna"), party.join("Bram")
    party.table.start()
    while (state := party.table.view().state) and state.outcome() is None:
        seat = next(iter(state.asked()), None)
        if seat is None:
            party.table.roll(("worm:1",) * 8)
        else:
            party.table.choose(seat, str(state.legal(seat)[0]))
    told = anna.get("/api/state").json
    assert told["phase"] == "over"
    assert told["outcome"] == {"winners": [0, 1], "scores": [0, 0], "decided_by": "", "rating": ""}
    assert "cannot be chosen" in error(anna.post("/api/choose", json={"choice": "stop"}), 409)
