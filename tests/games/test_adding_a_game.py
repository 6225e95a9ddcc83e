"""The page about adding a game: its example is put on the shelf and played."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from companion.advice import BOTS, play
from companion.games import GAMES
from companion.log import Log
from companion.table import Table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding-a-game.md"


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


def test_the_page_tells_every_place_that_knows_a_game_by_name():
    keys = "|".join(GAMES)
    named = re.compile(rf"""["'/]({keys})["'./]|companion\.games\.({keys})\b""")
    page = PAGE.read_text()
    for file in sorted((ROOT / "companion").rglob("*")):
        place = file.relative_to(ROOT)
        if file.suffix not in (".py", ".html", ".js") or Path("companion/games") in place.parents:
            continue
        if named.search(file.read_text()):
            told = (f"`{place}`", *(f"`{folder}`" for folder in place.parents))
            assert any(words in page for words in told), f"{place} is not told"
