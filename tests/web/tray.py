"""`companion serve --camera sim` in a hurry: over this tray time passes faster, and the hand can be told.

Only the clock and the chance are the test's: the dice fall before the simulated camera and go through
stillness, reader and watch as always. What to throw is written into the folder, and so is what came to lie.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion import cli
from companion.advice import throw_dice
from companion.cli import serve
from companion.table import Table
from companion.vision.tray import Tray

FASTER = 2.0
"""So many seconds pass for the camera in one of ours; more would leave no time for the pages."""
HASTE = 5.0


class Hand:
    """Throws what is due: by chance, or what is wished for, once."""

    def __init__(self, folder: Path, table: Table, seed: int) -> None:
        self.tray = Tray(
            seed=seed,
            clock=lambda: FASTER * time.monotonic(),
            sleep=lambda seconds: time.sleep(seconds / FASTER),
            haste=HASTE,
        )
        self._wish, self._lies = folder / "wish.txt", folder / "lies.txt"
        self._table, self._chance = table, Random(seed)

    def throw(self) -> None:
        """Take up all but what stays, and let the dice fall."""
        due = self._table.due()
        if due is None:
            return
        wish = json.loads(self._wish.read_text()) if self._wish.exists() else {}
        self._wish.unlink(missing_ok=True)
        self.tray.brighten(wish.get("light", 1.0))
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
