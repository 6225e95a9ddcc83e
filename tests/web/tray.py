"""`companion serve --camera sim` in a hurry: over this tray dice fall faster, and the hand can be told.

Only haste and chance are the test's: the dice fall before the simulated camera and go through stillness,
reader and watch as always. What to throw is written into the folder, and so is what came to lie.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import cv2

from companion import cli
from companion.advice import throw_dice
from companion.cli import serve
from companion.table import Table
from companion.vision.reading import Frame, Image
from companion.vision.tray import Tray

HASTE = 8.0
"""So many times faster than in life do dice fall."""
MOVES = 0.75
"""Grey levels in the mean by which two pictures in a row differ while dice fall; noise makes 0.5."""


class Window(Tray):
    """A tray by a window: as soon as dice have come to lie, a cloud may take the light away."""

    dusk: float | None = None
    _before: Image | None = None
    _moved = False

    def next(self) -> Frame | None:
        """As always; the cloud comes when nothing moves any more."""
        frame = super().next()
        assert frame is not None
        moves = self._before is not None and float(cv2.absdiff(frame.small, self._before).mean()) > MOVES
        if self._moved and not moves and self.dusk is not None:
            self.brighten(self.dusk)
            self.dusk = None
        self._before, self._moved = frame.small, moves
        return frame


class Hand:
    """Throws what is due: by chance, or what is wished for, once."""

    def __init__(self, folder: Path, table: Table, seed: int) -> None:
        self.tray = Window(seed=seed, haste=HASTE)
        self._wish, self._lies = folder / "wish.txt", folder / "lies.txt"
        self._table, self._chance = table, Random(seed)

    def throw(self) -> None:
        """Take up all but what stays, and let the dice fall."""
        due = self._table.due()
        if due is None:
            return
        wish = json.loads(self._wish.read_text()) if self._wish.exists() else {}
        self._wish.unlink(missing_ok=True)
        self.tray.brighten(1.0)
        self.tray.dusk = wish.get("light")
        dice = wish.get("dice") or [str(die) for die in throw_dice(due[1], self._chance)]
        self.tray.throw((), due[1].lying)
        stay = len(self.tray.lies)
        self.tray.drop(*dice, fault=wish.get("fault"))
        fallen = self._lies.with_suffix(".new")
        fallen.write_text(" ".join(map(str, self.tray.lies[stay:])))
        fallen.replace(self._lies)


def main(folder: str, seed: str, *arguments: str) -> int:
    """Serve as the command does, with this tray."""

    def told_tray(table: Table) -> tuple[Callable[[], Any], Callable[[], None]]:
        hand = Hand(Path(folder), table, int(seed))
        return lambda: hand.tray, hand.throw

    serve.simulated_tray = told_tray
    return cli.main(["serve", "--camera", "sim", *arguments])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
