"""What the reader makes of a die that fills the picture: `python -m companion.vision.train close LABELS`.

Dice of labelled photographs are cut out one by one, with more or less of what lies around, and magnified.
Neighbours in view may be read as well; only the die in the middle counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.evaluate import Reads, Tally, judged, read_pictures, share
from companion.vision.labelled import Box, Labelled, Truth, centre_in, labelled
from companion.vision.reader import Reader
from companion.vision.reading import Image
from companion.vision.world import SETS

MARGINS = (0.05, 0.15, 0.3, 0.6)
"""How much is left around the die on each side, in parts of its longer side."""
PIP = 0.5
"""What lies on a die and is less than this part as large is a pip."""
_LEAST = 40.0
"""Dice smaller than this many pixels are not magnified."""


def add(parts: Any) -> None:
    """Register the part `close`."""
    parser = parts.add_parser("close", help="measure how dice are read that fill the picture")
    parser.add_argument("labels", type=Path, help="labels.json of photographs")
    parser.add_argument("--count", type=int, default=250, help="how many dice, drawn by chance")
    parser.add_argument("--times", type=int, default=4, help="how many times they are magnified")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read each die alone with each margin, and say how many were right and how many sure."""
    cv2.setNumThreads(1)
    reader = Reader(arguments.models)
    pictures = labelled(arguments.labels, SETS)
    load = read_pictures(arguments.labels.parent)
    chosen = list(drawn(pictures, arguments.count))
    for margin in MARGINS:
        for due in (None, ("pip",)):
            cut = (alone(load(each.file), each, die, margin, arguments.times) for each, die in chosen)
            words = "any number of dice" if due is None else "one die"
            print(f"margin {margin}, {words} due: {counted(reader, cut, due)}", flush=True)  # noqa: T201
    return 0


def drawn(pictures: list[Labelled], count: int, seed: int = 1) -> Iterator[tuple[Labelled, Truth]]:
    """So many dice of pictures, by chance, each with its picture."""
    dice = [(each, die) for each in pictures for die in each.dice if min(die.box[2:]) >= _LEAST]
    for index in np.random.default_rng(seed).permutation(len(dice))[:count].tolist():
        yield dice[index]


def alone(image: Image, each: Labelled, die: Truth, margin: float, times: int) -> tuple[Image, Labelled]:
    """The picture of one die with this margin, so many times as large, and what is known of it."""
    left, top, wide, high = die.box
    half = max(wide, high) * (0.5 + margin)
    x, y = left + wide / 2, top + high / 2
    rows, columns = image.shape[:2]
    west, north = max(0, int(x - half)), max(0, int(y - half))
    east, south = min(columns, int(x + half)), min(rows, int(y + half))
    cut = cv2.resize(image[north:south, west:east], None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    box = ((left - west) * times, (top - north) * times, wide * times, high * times)
    return np.asarray(cut, np.uint8), replace(each, dice=(replace(die, box=box),), ignore=())


def counted(reader: Reads, cut: Iterator[tuple[Image, Labelled]], due: tuple[str, ...] | None) -> str:
    """How many dice were read right and surely, and how many pips on them were taken for dice, in words."""
    total, pips = Tally(), 0
    for image, each in cut:
        reading = reader.read(image, due)
        total.add(judged(each, reading).tally)
        (die,) = each.dice
        pips += sum(
            centre_in(spot.box, die.box) and _size(spot.box) < PIP * die.size for spot in reading.dice
        )
    right, sure = share(total.right, total.fair), share(total.sure, total.fair)
    return (
        f"of {total.fair} dice {right} % right, {sure} % sure, {total.sure_wrong} sure but wrong;"
        f" {pips} pips taken for dice"
    )


def _size(box: Box) -> float:
    return float((box[2] * box[3]) ** 0.5)
