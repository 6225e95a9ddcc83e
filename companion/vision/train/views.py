"""What the reader makes of ordinary dice seen from above and from the side, near and far.

`python -m companion.vision.train views --scenes DIR` renders pictures of seeds that no network learnt from,
and reads them with any number of dice due, as photographs are.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import cv2

from companion.vision.evaluate import Tally, evaluate, figures, read_pictures
from companion.vision.labelled import labelled
from companion.vision.reader import Reader
from companion.vision.train.calibrate import make_scenes
from companion.vision.world import Wish

TILTS = ((0.0, 15.0), (15.0, 35.0), (35.0, 50.0), (50.0, 65.0))
"""Degrees from looking straight down."""
SIZES = ((30.0, 50.0), (50.0, 100.0), (100.0, 200.0))
"""Pixels, in pictures 800 wide."""
_SEED = 810001
"""Scenes of this seed and the eleven after it are learnt from by no network."""


def add(parts: Any) -> None:
    """Register the part `views`."""
    parser = parts.add_parser("views", help="measure how ordinary dice are read from above and from the side")
    parser.add_argument(
        "--scenes", type=Path, required=True, help="folder of rendered scenes, made if missing"
    )
    parser.add_argument("--count", type=int, default=40, help="how many scenes for each tilt and size")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the scenes of every tilt and size, and say how many dice were right and how many sure."""
    cv2.setNumThreads(1)
    reader = Reader(arguments.models)
    for tilt in TILTS:
        whole = Tally()
        for size in SIZES:
            tally = seen(reader, arguments.scenes, tilt, size, arguments.count)
            print(words(tilt, size, tally), flush=True)  # noqa: T201
            whole.add(tally)
        print(words(tilt, (SIZES[0][0], SIZES[-1][1]), whole), flush=True)  # noqa: T201
    return 0


def seen(
    reader: Reader, scenes: Path, tilt: tuple[float, float], size: tuple[float, float], count: int
) -> Tally:
    """What became of the dice of so many scenes of one tilt and size."""
    number = TILTS.index(tilt) * len(SIZES) + SIZES.index(size)
    wish = Wish(
        800, 600, pixels=size, least_tilt=tilt[0], most_tilt=tilt[1], oblique=1, empty=0, cocked=0, stacked=0
    )
    labels = make_scenes(scenes / f"{number:02d}", count, wish, _SEED + number, games=("pips",))
    report = evaluate(reader, labelled(labels, {}), read_pictures(labels.parent), time.perf_counter)
    return report.groups()["all"]["all"]


def words(tilt: tuple[float, float], size: tuple[float, float], tally: Tally) -> str:
    """A tally in words."""
    told = figures(tally)
    return (
        f"tilt {tilt[0]:.0f}–{tilt[1]:.0f}°, {size[0]:.0f}–{size[1]:.0f} px: of {told['dice']} dice"
        f" {told['dice_right']} % right, {told['dice_sure']} % sure, {told['sure_wrong']} sure but wrong;"
        f" {told['reported_real']} % of what was reported are dice"
    )
