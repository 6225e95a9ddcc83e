"""Every playthrough file is re-played and must come out the same, line by line."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from tests.playthroughs import FOLDER, redraw

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path):
    text = path.read_text()
    assert redraw(text).splitlines() == text.splitlines()


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_two_playthroughs_one_solo_and_one_with_other_options(key):
    texts = [path.read_text() for path in FILES if path.read_text().startswith(f"game {key}\n")]
    assert len(texts) >= 2
    if 1 in GAMES[key].seats:
        assert any("\nseats 1\n" in text for text in texts)
    assert any("\noption " in text for text in texts)
