"""What the reader makes of labelled pictures when they are turned by quarters, and made larger or smaller.

`python -m companion.vision.train turned LABELS.json` reads every picture in each of these ways: a camera may
hang any way round, and figures that hold for one way alone would be luck.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.evaluate import Report, Tally, Verdict, evaluate, figures, read_pictures
from companion.vision.labelled import Box, Labelled, labelled
from companion.vision.reader import Reader
from companion.vision.reading import Image
from companion.vision.world import SETS

WAYS = ((0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0), (0, 0.9), (0, 1.15))
"""Quarters to the left, and how many times as large."""


def add(parts: Any) -> None:
    """Register the part `turned`."""
    parser = parts.add_parser("turned", help="measure the reader on labelled pictures turned every way")
    parser.add_argument("labels", type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the pictures every way, and say how many dice were right and how many rolls sure."""
    cv2.setNumThreads(1)
    reader, load = Reader(arguments.models), read_pictures(arguments.labels.parent)
    pictures = labelled(arguments.labels, {game: dice for game, dice in SETS.items() if game != "pips"})
    size = {each.file: load(each.file).shape[:2] for each in pictures}
    verdicts: list[Verdict] = []
    for quarters, scale in WAYS:

        def picture(file: str, quarters: int = quarters, scale: float = scale) -> Image:
            return turned(load(file), quarters, scale)

        ways = [changed(each, size[each.file], quarters, scale) for each in pictures]
        report = evaluate(reader, ways, picture, time.perf_counter)
        tally = report.groups()["all"]["all"]
        print(words(f"turned by {90 * quarters}°, {scale:.0%} as large", tally), flush=True)  # noqa: T201
        verdicts += report.verdicts
    groups = Report(tuple(verdicts)).groups()
    for name, tally in (groups["all"] | groups.get("game", {}) | groups.get("source", {})).items():
        print(words(f"all ways, {name}", tally))  # noqa: T201
    return 0


def turned(image: Image, quarters: int, scale: float) -> Image:
    """The picture turned by quarters to the left, and so many times as large."""
    if scale != 1:
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    return np.ascontiguousarray(np.rot90(image, quarters))


def changed(each: Labelled, shape: tuple[int, ...], quarters: int, scale: float) -> Labelled:
    """What lies in a picture of this height and width, after it was turned and made larger or smaller."""
    high, wide = shape[0] * scale, shape[1] * scale

    def there(box: Box) -> Box:
        x, y, across, down = (scale * value for value in box)
        return (
            (x, y, across, down),
            (y, wide - x - across, down, across),
            (wide - x - across, high - y - down, across, down),
            (high - y - down, x, down, across),
        )[quarters]

    dice = tuple(replace(die, box=there(die.box)) for die in each.dice)
    return replace(each, dice=dice, ignore=tuple(there(box) for box in each.ignore))


def words(way: str, tally: Tally) -> str:
    """A tally in words."""
    told = figures(tally)
    parts = [f"{way}: of {told['dice']} dice {told['dice_right']} % right, {told['dice_sure']} % sure"]
    parts[0] += f", {told['sure_wrong']} sure but wrong"
    if told["rolls"]:
        parts.append(f"of {told['rolls']} rolls {told['rolls_right']} % right, {told['rolls_sure']} % sure")
        parts[1] += f", {told['rolls_sure_wrong']} sure but wrong"
    if told["uneven"]:
        parts.append(f"of {told['uneven']} cocked or cut off {told['uneven_caught']} % told")
    return "; ".join(parts)
