"""The page about adding a game: its example is put on the shelf and played."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from companion.advice import BOTS, play
from companion.games import GAMES
from companion.log import Log
from companion.table import Table

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


@pytest.fixture
def highest(monkeypatch):
    code = PAGE.read_text().split("```python\n")[1].split("```")[0]
    module = ModuleType("companion.games.highest")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, str(PAGE), "exec"), module.__dict__)
    monkeypatch.setitem(GAMES, "highest", module.HIGHEST)
    return module


def test_the_example_plays_by_itself(highest):
    for seed in range(50):
        *_, last = play(GAMES["highest"], {}, [BOTS["random"]] * 3, Random(seed))
        outcome = last.state.outcome()
        assert outcome.winners == tuple(s for s in range(3) if last.state.kept[s] == max(last.state.kept))


def test_the_example_is_played_at_a_table(highest, tmp_path):
    log = Log(tmp_path)
    table = Table(log)
    table.open("highest", {"start_player": 1}, 2)
    table.join("Anna")
    table.join("Bram")
    table.start()
    for face, keeps in (("2", False), ("5", True), ("4", True)):
        table.roll((f"pip:{face}",))
        if keeps:
            table.choose(table.view().state.turn, "keep")
    assert table.view().phase == "over"
    assert table.view().state.scores() == (4, 5)
    assert table.view().state.outcome().winners == (1,)
    log.close()
