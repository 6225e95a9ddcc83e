"""What the detector learns from: crops of the pool's pictures and of photographs, near and far."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.train.pool import Taken
from companion.vision.train.targets import Bytes, Marked, close_up, marked, placed, varied

EDGE = 256
"""Side of a crop in pixels."""
_NEAR = 0.1
"""How often a crop is of dice that fill the picture."""
_LARGE = 640
"""Side in pixels of a picture that one die fills, in the pass that is made for smaller dice."""
_TRIES = 200
"""So many pictures are drawn in search of a die to magnify."""
_PAD = 16
"""Pixels between close-ups that are shown side by side."""
Example = tuple[Bytes, list[Marked]]


def example(source: list[Taken], rng: np.random.Generator) -> Example:
    """A crop of one of the pictures, and its dice."""
    return (near_example if rng.random() < _NEAR else far_example)(source, rng)


def far_example(source: list[Taken], rng: np.random.Generator) -> Example:
    """A part of a picture with dice as large as they are in it."""
    image, dice = _drawn(source, rng)
    shrink = 1.5 * EDGE / min(image.shape[:2])
    if shrink < 0.75:  # a large photograph
        by = max(shrink, 0.2) * float(rng.uniform(0.8, 1.6))
        image = cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
        dice = [placed(die, np.full(2, by, np.float32), np.zeros(2, np.float32)) for die in dice]
    return varied(image, dice, EDGE, rng, 0.4 if shrink < 0.9 else 0.85)


def near_example(source: list[Taken], rng: np.random.Generator) -> Example:
    """A die that all but fills the picture, as the passes of the reader show it: four such pictures made
    small, one that fits, or a part of one so large that only its pips are of the size of dice."""
    match int(rng.integers(0, 3)):
        case 0:
            half = EDGE // 2
            cells = [_magnified(source, half - _PAD, rng) for _ in range(4)]
            filled = [cv2.copyMakeBorder(cell, 0, _PAD, 0, _PAD, cv2.BORDER_REPLICATE) for cell, _ in cells]
            crop = np.vstack([np.hstack(filled[:2]), np.hstack(filled[2:])])
            corners = -np.array([(0, 0), (half, 0), (0, half), (half, half)], np.float32)
            same = np.ones(2, np.float32)
            dice = [
                placed(die, same, by) for (_, here), by in zip(cells, corners, strict=True) for die in here
            ]
            return crop, dice
        case 1:
            return _magnified(source, EDGE, rng)
        case _:
            large, _ = _magnified(source, _LARGE, rng)
            left, top = rng.integers(0, _LARGE - EDGE, 2).tolist()
            return large[top : top + EDGE, left : left + EDGE], []


def _magnified(source: list[Taken], edge: int, rng: np.random.Generator) -> Example:
    """A close-up out of the first picture drawn that has a die to show."""
    for _ in range(_TRIES):
        if (found := close_up(*_drawn(source, rng), edge, rng)) is not None:
            return found
    raise ValueError(f"in {_TRIES} pictures no die is large enough to learn from near by")


def _drawn(source: list[Taken], rng: np.random.Generator) -> Example:
    picture = source[int(rng.integers(0, len(source)))]
    return np.asarray(cv2.imread(str(picture.file)), np.uint8), marked(picture.dice)
