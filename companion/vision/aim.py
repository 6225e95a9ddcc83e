"""Aiming: a third look that finds a face's corners more exactly than the detector can at its coarse scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import Find
from companion.vision.faces import SIZE, Floats, planes, rectified
from companion.vision.models import session
from companion.vision.reading import Image
from companion.vision.sides import edge, tops

AIM_MARGIN = 0.27
"""Part of the crop's side left around the expected face: room for a face that lies elsewhere."""
SETTLED = 0.15
"""A face that moved by less than this part of an edge needs no second look from its new place."""
SAME_FACE = 0.5
"""Faces nearer to each other than this part of an edge are one: dice cannot lie in each other."""
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
_TURNED = np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]], np.float64)
_EIGHTH = np.array([[1, 1], [-1, 1]], np.float64) / np.sqrt(2)


class Aim:
    """The network that corrects corners."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        self._session = session(path, threads)

    def corrected(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        """The finds with their corners set right, one a die."""
        if not finds:
            return []
        first = self._once(picture, finds)
        far = moved(_corners(finds), _corners(first)) > SETTLED
        settled = [find for find, off in zip(first, far, strict=True) if not off]
        again = [find for find, off in zip(first, far, strict=True) if off]
        return tops(different([*settled, *(self._once(picture, again) if again else ())]))

    def restarted(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        """The finds as seen when starting from a square turned by an eighth, which may end at other corners;
        those that end elsewhere than on the same face stay as they were."""
        starts = [
            replace(find, corners=quad) for find, quad in zip(finds, _eighth(_corners(finds)), strict=True)
        ]
        ends = self._once(picture, self._once(picture, starts))
        far = moved(_corners(finds), _corners(ends)) > SAME_FACE
        return [find if off else end for find, end, off in zip(finds, ends, far, strict=True)]

    def steadied(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        """The finds with corners and lifts averaged over looks from all four sides: each errs differently."""
        if not finds:
            return []
        turned = [replace(find, corners=np.roll(find.corners, k, axis=0)) for k in range(4) for find in finds]
        looks = self._once(picture, turned)
        quads = _corners(looks).reshape(4, len(finds), 4, 2)
        corners = np.stack([_in_step(look, quads[0]) for look in quads]).mean(axis=0)
        lifts = np.array([look.lift for look in looks]).reshape(4, len(finds), 2).mean(axis=0)
        return [
            replace(find, corners=quad, lift=(x, y))
            for find, quad, (x, y) in zip(finds, corners, lifts.tolist(), strict=True)
        ]

    def _once(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        starts = squared(_corners(finds))
        crops = np.stack([rectified(picture, start, SIZE, AIM_MARGIN) for start in starts])
        told = self._session.run(None, {"crops": planes(crops.astype(np.float32) / np.float32(255))})[0]
        places = told.reshape(-1, 5, 2)
        corners = placed(starts, places[:, :4])
        lifts = (placed(starts, places[:, 4:])[:, 0] - starts.mean(axis=1)) / edge(corners)[:, None]
        return [
            replace(find, corners=quad, lift=(x, y))
            for find, quad, (x, y) in zip(finds, corners, lifts.tolist(), strict=True)
        ]


def _corners(finds: Sequence[Find]) -> Floats:
    return np.stack([find.corners for find in finds])


def _eighth(corners: Floats) -> Floats:
    """The squares nearest to faces, turned by an eighth."""
    squares = squared(corners)
    middle = squares.mean(axis=-2, keepdims=True)
    return np.asarray(middle + (squares - middle) @ _EIGHTH, np.float32)


def _in_step(quads: Floats, others: Floats) -> Floats:
    """The corners of each face in the order nearest to that of the other."""
    ways = np.stack([np.roll(quads, k, axis=1) for k in range(4)])
    nearest = np.square(ways - others).sum(axis=(2, 3)).argmin(axis=0)
    return np.asarray(ways[nearest, np.arange(len(quads))])


def moved(before: Floats, after: Floats) -> NDArray[np.float64]:
    """How far the middle and size of faces have moved, in edges."""
    size = edge(after)
    shift = np.linalg.norm(after.mean(axis=-2) - before.mean(axis=-2), axis=-1)
    return np.asarray(shift / size + np.abs(edge(before) / size - 1))


def different(finds: Sequence[Find]) -> list[Find]:
    """One find a face, the likeliest first."""
    kept: list[tuple[Find, tuple[float, float]]] = []
    for find in sorted(finds, key=lambda each: -each.score):
        reach, centre = SAME_FACE * float(edge(find.corners)), find.centre
        if all(math.dist(centre, other) > reach for _, other in kept):
            kept.append((find, centre))
    return [find for find, _ in kept]


def squared(corners: Floats) -> Floats:
    """The squares nearest to faces of four corners each: same middle, about the same size and turn."""
    middle = corners.mean(axis=-2, keepdims=True)
    away = (corners - middle).astype(np.float64)
    cos, sin = ((away * square).sum(axis=(-2, -1)) for square in (_SQUARE, _TURNED))
    half = edge(corners) / 2 / np.maximum(np.hypot(cos, sin), 1e-9)
    turned = (half * cos)[..., None, None] * _SQUARE + (half * sin)[..., None, None] * _TURNED
    return np.asarray(middle + turned, np.float32)


def placed(starts: Floats, offsets: Floats) -> Floats:
    """Points told in units of half an edge from the middle of squares, as points of the picture."""
    middle = starts.mean(axis=-2, keepdims=True)
    right = (starts[..., 1:2, :] - starts[..., :1, :]) / 2
    down = (starts[..., 3:, :] - starts[..., :1, :]) / 2
    return np.asarray(middle + offsets[..., :1] * right + offsets[..., 1:] * down, np.float32)
