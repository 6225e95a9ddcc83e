"""The whole eye on clips of the simulated tray: every game, with hands, shadows, lamps and a nudge."""

from __future__ import annotations

import pytest

from companion.vision.reader import Reader
from companion.vision.train.clips import Tally, play
from companion.vision.world import SETS

GAMES = list(enumerate((game for game in SETS if game != "pips"), start=500))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=1)


@pytest.mark.parametrize(("seed", "game"), GAMES)
def test_only_throw_and_nudge_are_rolls_both_right_and_in_time(seed: int, game: str, reader: Reader) -> None:
    tally = Tally()
    play(reader, game, seed, tally)
    assert (tally.due, tally.trusted, tally.right) == (2, 2, 2)
    assert (tally.moving, tally.false, tally.late) == (0, 0, 0)
