"""The example of docs/api.md joins and plays a whole game on a real server."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

from tests.web.rig import free_port, room_of, served

EXAMPLE = Path(__file__).parents[2] / "docs" / "play_a_game.py"


def test_two_copies_of_the_example_play_a_game(tmp_path: Path) -> None:
    log, table, _, app = room_of(tmp_path)
    table.open("regenwormen", {"short_game": True, "fail_without_tile": "turn"})
    with served(app, free_port()) as url:
        players = [
            subprocess.Popen([sys.executable, EXAMPLE, url, name], stdout=subprocess.PIPE, text=True)
            for name in ("Robin", "Alex")
        ]
        give_up = threading.Event()
        while len(table.view().lobby.players) < 2 and not give_up.wait(0.02):
            assert all(player.poll() is None for player in players)
        table.start()
        told = [json.loads(player.communicate(timeout=200)[0]) for player in players]
    outcome = table.view().state.outcome()  # type: ignore[union-attr]
    assert outcome is not None
    assert told[0] == told[1] and told[0]["scores"] == list(outcome.scores)
    log.close()


def test_the_example_is_short() -> None:
    lines = [line for line in EXAMPLE.read_text().splitlines() if line.strip()]
    assert len(lines) <= 35
