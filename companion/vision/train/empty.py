"""What the reader makes of tables without dice: `python -m companion.vision.train empty`.

Pictures of seeds that no network learnt from, crowded with things that are no dice, every second one on
print. A roll that is sure there is a mistake; so is every single die that is.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.dice import Die, Roll
from companion.vision.evaluate import Reads
from companion.vision.reader import Reader
from companion.vision.reading import Image
from companion.vision.world import SETS, Wish, random_scene, render
from companion.vision.world.surfaces import printed_surface

_SEED = 90002
"""Tables of this seed are learnt from by no network."""
_WISH = Wish(960, 720, empty=1.0, clutter=1.0)
ASIDE: dict[str, Roll] = {
    "the last worm die": tuple(Die("worm", face) for face in ("1", "1", "3", "3", "3", "5", "worm")),
    "the last white die": tuple(Die(kind, "3") for kind in SETS["clever"] if kind != "white"),
}
"""What lies aside and may be in view or not; on these tables it is not."""
_FEW = ("worm", "pip", "white", "colour", "number", "special")
DUE: dict[str, tuple[str, ...] | None] = {
    **{game: None if game == "pips" else dice for game, dice in SETS.items()},
    **{f"one {kind} die": (kind,) for kind in _FEW},
    "two worm dice": ("worm", "worm"),
    "the last worm die": ("worm",),
    "the last white die": ("white",),
}
"""What may be due: the whole set of each game, any ordinary dice, and the last die or two of a throw, which
clutter passes for far more easily."""


def add(parts: Any) -> None:
    """Register the part `empty`."""
    parser = parts.add_parser("empty", help="measure how often dice are seen on cluttered tables without any")
    parser.add_argument("--count", type=int, default=120, help="how many pictures")
    parser.add_argument("--first", type=int, default=0, help="number of the first picture")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read every table as if these dice were due, and say how often anything was sure."""
    cv2.setNumThreads(1)
    seen = sure_of_nothing(Reader(arguments.models), arguments.count, arguments.first)
    for name in DUE:
        print(  # noqa: T201
            f"{name}: of {arguments.count} empty tables {seen[name].rolls} gave a sure roll,"
            f" {seen[name].pictures} at least one die; {seen[name].sure} dice were sure",
            flush=True,
        )
    return 0


@dataclass(slots=True)
class Seen:
    """How many empty tables gave a sure roll, how many any die, and how many dice were sure."""

    rolls: int = 0
    pictures: int = 0
    sure: int = 0


def sure_of_nothing(reader: Reads, count: int, first: int = 0) -> dict[str, Seen]:
    """What a reader sees on so many empty tables from the first on, for each number of dice due."""
    told = {name: Seen() for name in DUE}
    for number in range(first, first + count):
        image = bare_table(number)
        for name, due in DUE.items():
            reading = reader.read(image, due, ASIDE.get(name, ()))
            told[name].rolls += reading.roll is not None
            told[name].pictures += bool(reading.dice)
            told[name].sure += sum(die.sure for die in reading.dice)
    return told


def bare_table(number: int) -> Image:
    """One of the tables."""
    rng = np.random.default_rng([_SEED, number])
    bank = [printed_surface(rng)] if number % 2 else None
    return render(random_scene(_WISH, rng, bank), rng)[0]
