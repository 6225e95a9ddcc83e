"""`companion serve --camera sim` in a hurry: over this tray dice fall faster, and the hand can be told.

Only haste and chance are the test's, and for a throw at wish how sure is sure enough: the dice fall before
the simulated camera and go through stillness, reader and watch as always. What to throw is written into the
folder, and so is what came to lie.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion import cli
from companion.advice import throw_dice
from companion.cli import serve
from companion.table import Table
from companion.vision import reader
from companion.vision.tray import Tray
from companion.vision.trust import Trust

HASTE = 8.0
"""So many times faster than in life do dice fall."""


class Wary(Trust):
    """The shipped trust, but for one throw nothing may be sure enough."""

    wary = False

    def __getattribute__(self, name: str) -> Any:
        return 2.0 if name == "sure" and type(self).wary else super().__getattribute__(name)


class Hand:
    """Throws what is due: by chance, or what is wished for, once."""

    def __init__(self, folder: Path, table: Table, seed: int) -> None:
        self.tray = Tray(seed=seed, haste=HASTE)
        self._wish, self._lies = folder / "wish.txt", folder / "lies.txt"
        self._table, self._chance = table, Random(seed)

    def throw(self) -> None:
        """Take up all but what stays, and let the dice fall."""
        due = self._table.due()
        if due is None:
            return
        wish = json.loads(self._wish.read_text()) if self._wish.exists() else {}
        self._wish.unlink(missing_ok=True)
        Wary.wary = bool(wish.get("wary"))
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
    reader.Trust = Wary
    return cli.main(["serve", "--camera", "sim", *arguments])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
