"""Aiming: a third look that finds a face's corners more exactly than the detector can at its coarse scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.vision.detector import Find
from companion.vision.faces import SIZE, Floats, planes, rectified
from companion.vision.models import session
from companion.vision.reading import Image
from companion.vision.sides import tops

AIM_MARGIN = 0.27
"""Part of the crop's side left around the expected face: room for a face that lies elsewhere."""
SETTLED = 0.15
"""A face that moved by less than this part of an edge needs no second look from its new place."""
SAME_FACE = 0.5
"""Faces nearer to each other than this part of an edge are one: dice cannot lie in each other."""
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)


class Aim:
    """The network that corrects corners."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        self._session = session(path, threads)

    def corrected(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        """The finds with their corners set right, one a die."""
        first = self._once(picture, finds)
        far = [moved(before, after) > SETTLED for before, after in zip(finds, first, strict=True)]
        again = self._once(picture, [find for find, off in zip(first, far, strict=True) if off])
        settled = [find for find, off in zip(first, far, strict=True) if not off]
        return tops(different([*settled, *again]))

    def _once(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        if not finds:
            return []
        starts = [squared(find.corners) for find in finds]
        crops = np.stack([rectified(picture, start, SIZE, AIM_MARGIN) for start in starts])
        told = self._session.run(None, {"crops": planes(crops.astype(np.float32) / np.float32(255))})[0]
        return [
            mended(find, start, places.reshape(5, 2))
            for find, start, places in zip(finds, starts, told, strict=True)
        ]


def moved(before: Find, after: Find) -> float:
    """How far a face's middle and size have moved, in edges."""
    size = edge(after.corners)
    shift = after.corners.mean(axis=0) - before.corners.mean(axis=0)
    return float(np.hypot(*shift)) / size + abs(edge(before.corners) / size - 1)


def mended(find: Find, start: Floats, places: Floats) -> Find:
    """The find with the corners and the lift that the network told for a crop around `start`."""
    corners = placed(start, places[:4])
    x, y = (placed(start, places[4:])[0] - start.mean(axis=0)) / edge(corners)
    return replace(find, corners=corners, lift=(float(x), float(y)))


def different(finds: Sequence[Find]) -> list[Find]:
    """One find a face, the likeliest first."""
    kept: list[Find] = []
    for find in sorted(finds, key=lambda each: -each.score):
        reach = SAME_FACE * edge(find.corners)
        if all(np.hypot(*(find.corners.mean(axis=0) - other.corners.mean(axis=0))) > reach for other in kept):
            kept.append(find)
    return kept


def edge(corners: Floats) -> float:
    """The edge of a square as large as the face."""
    return float(np.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 16.0)))


def squared(corners: Floats) -> Floats:
    """The square nearest to four corners: same middle, about the same size and turn."""
    middle = corners.mean(axis=0)
    away = (corners - middle).astype(np.float64)
    ideal = _SQUARE.astype(np.float64)
    cos, sin = float((away * ideal).sum()), float((ideal[:, 0] * away[:, 1] - ideal[:, 1] * away[:, 0]).sum())
    angle = np.arctan2(sin, cos)
    half = edge(corners) / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(middle + half * ideal @ turn, np.float32)


def placed(start: Floats, offsets: Floats) -> Floats:
    """Corners told in units of half an edge from the middle of a square, as points of the picture."""
    middle = start.mean(axis=0)
    right, down = (start[1] - start[0]) / 2, (start[3] - start[0]) / 2
    return np.asarray(middle + offsets[:, :1] * right + offsets[:, 1:] * down, np.float32)
