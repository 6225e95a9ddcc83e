"""Every legal choice of every game is within reach of a phone with script: on the sheet, or by a button."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import GAMES
from tests.web.sheet_checks import HIDDEN, Sitting, out_of_reach

STATIC = Path("companion/web/static")
OPTIONS: dict[str, dict[str, str | bool]] = {
    "clever": {"wasted_pick": True, "passive_skip": True},
    "regenwormen": {"short_game": True, "fail_without_tile": "turn"},
}
"""The ones that allow most, or make an end."""
TABLES = [(key, players) for key, game in GAMES.items() for players in (1, 3) if players in game.seats]


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_every_choice_of_a_whole_game_is_within_reach(tmp_path: Path, key: str, players: int) -> None:
    sitting = Sitting(tmp_path, key, players, **OPTIONS.get(key, {}))
    kinds = set()
    for moment, view in enumerate(sitting.moments()):
        assert view.state is not None
        for seat in sorted(view.state.asked())[:1]:
            fresh = {type(choice).__name__ for choice in view.state.legal(seat)} - kinds
            kinds |= fresh
            if fresh or moment % 4 == 0:
                assert out_of_reach(sitting, seat) == [], view.state
    assert len(kinds) > (key != "geizen")
    sitting.log.close()


def test_the_reroll_of_clever_is_there_beside_many_choices(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "clever")
    sitting.roll()
    state = sitting.table.view().state
    assert state is not None and len(state.legal(0)) > 12
    assert "reroll" in map(str, state.legal(0))
    assert out_of_reach(sitting, 0) == []
    sitting.log.close()


def test_stylesheets_hide_no_choice_but_what_lies_on_the_sheet() -> None:
    css = "".join(path.read_text() for path in sorted(STATIC.rglob("*.css")))
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", css)
    hiding = [
        selector.strip()
        for selectors, what in rules
        if "display: none" in what
        for selector in re.split(r",(?![^(]*\))", selectors)
    ]
    about = [selector for selector in hiding if re.search(r"choice|deed|\.placed|\.big\b", selector)]
    assert len(about) >= 5
    for selector in about:
        only_placed = ":not(:has(.choice:not(.placed)))" in selector
        empty = selector == ".choices:not(:has(*))"
        assert only_placed or empty or selector.endswith(tuple(f".{name}" for name in HIDDEN)), selector
