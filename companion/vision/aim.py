"""Aiming: two looks that find a face's corners more exactly than the detector can at its coarse scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import MUCH_SMALLER, Find
from companion.vision.faces import SIZE, Floats, planes, rectified
from companion.vision.models import session
from companion.vision.reading import Image
from companion.vision.sides import edge, tops

AIM_MARGIN = 0.27
"""Part of the crop's side left around the expected face: room for a face that lies elsewhere."""
FINE_SIZE, FINE_MARGIN = 64, 0.27
"""Side in pixels of the crop of a face that is aimed at already, and the part of it left around the face."""
SETTLED = 0.15
"""A face that moved by less than this part of an edge needs no second look from its new place."""
SAME_FACE = 0.5
"""Faces nearer to each other than this part of an edge are one: dice cannot lie in each other."""
ODD_EDGE = 0.2
"""Log-ratio from which an edge is another than the usual one: dice of one throw are of one size."""
SMALLER, ASIDE = 0.8, 0.3
"""Edge of a start within a face, and how far it is moved towards a side of that, both in its edges."""
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
_TURNED = np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]], np.float64)
_EIGHTH = np.array([[1, 1], [-1, 1]], np.float64) / np.sqrt(2)


class Aim:
    """The networks that correct corners: one from wherever the detector points to, one from there."""

    def __init__(self, corners: Path, slants: Path, threads: int = 1) -> None:
        self._crude = _Look(corners, SIZE, AIM_MARGIN, threads)
        self._fine = _Look(slants, FINE_SIZE, FINE_MARGIN, threads)

    def corrected(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        """The finds with their corners set right, one a die."""
        if not finds:
            return []
        first = self._crude(picture, finds)
        far = moved(_corners(finds), _corners(first)) > SETTLED
        settled = [find for find, off in zip(first, far, strict=True) if not off]
        again = [find for find, off in zip(first, far, strict=True) if off]
        faces = different([*settled, *(self._crude(picture, again) if again else ())])
        return tops(different(self._fine(picture, faces)))

    def restarted(self, picture: Image, finds: Sequence[Find], usual: float | None) -> list[list[Find]]:
        """The finds as seen from other starts, which may end at other corners: first squares turned by an
        eighth, or of the usual edge where theirs is another; then from smaller ones towards each of their
        sides, for a shadow or another side may have passed for a part of the face. Those that end elsewhere
        stay as they were."""
        corners = _corners(finds)
        quads = _eighth(corners)
        if usual is not None:
            grow = usual / edge(corners)
            odd = np.abs(np.log(grow)) > ODD_EDGE
            quads[odd] = _grown(corners[odd], grow[odd])
        starts = np.concatenate([quads, *_aside(corners)])
        rounds = len(starts) // len(finds)
        looks = [replace(find, corners=quad) for find, quad in zip([*finds] * rounds, starts, strict=True)]
        ends = self._fine(picture, self._crude(picture, self._crude(picture, looks)))
        far = moved(starts, _corners(ends)) > SAME_FACE
        kept = [find if off else end for find, end, off in zip([*finds] * rounds, ends, far, strict=True)]
        return [kept[k * len(finds) : (k + 1) * len(finds)] for k in range(rounds)]

    def measured(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        """Finds that are corrected already, once more from there, as the mean of four looks, each turned by a
        quarter more: they err less than one."""
        if not finds:
            return []
        turned = [replace(find, corners=np.roll(find.corners, k, axis=0)) for k in range(4) for find in finds]
        looks = self._fine(picture, turned)
        turns = _corners(looks).reshape(4, len(finds), 4, 2)
        quads = np.mean([np.roll(turn, -k, axis=1) for k, turn in enumerate(turns)], axis=0)
        lifts = np.reshape([look.lift for look in looks], (4, len(finds), 2)).mean(axis=0)
        return [
            replace(find, corners=quad, lift=(x, y))
            for find, quad, (x, y) in zip(finds, quads, lifts.tolist(), strict=True)
        ]


class _Look:
    """One network's look at faces, from the corners that they are thought to have."""

    def __init__(self, path: Path, size: int, margin: float, threads: int) -> None:
        self._session, self._size, self._margin = session(path, threads, "crops"), size, margin

    def __call__(self, picture: Image, finds: Sequence[Find]) -> list[Find]:
        starts = squared(_corners(finds))
        crops = rectified(picture, starts, self._size, self._margin)
        told = self._session.run(None, {"crops": planes(crops.astype(np.float32) / np.float32(255))})[0]
        places = placed(starts, told.reshape(-1, 5, 2))
        corners = places[:, :4]
        lifts = (places[:, 4] - starts.mean(axis=1)) / edge(corners)[:, None]
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


def _aside(corners: Floats) -> list[Floats]:
    """Smaller squares within faces, moved towards each of their sides."""
    squares = squared(corners)
    small = _grown(squares, np.full(len(squares), SMALLER))
    right, down = squares[:, 1:2] - squares[:, :1], squares[:, 3:] - squares[:, :1]
    return [small + ASIDE * way for way in (right, -right, down, -down)]


def _grown(corners: Floats, by: NDArray[np.float64]) -> Floats:
    """The squares nearest to faces, so many times as large."""
    squares = squared(corners)
    middle = squares.mean(axis=-2, keepdims=True)
    return np.asarray(middle + (squares - middle) * by[:, None, None], np.float32)


def moved(before: Floats, after: Floats) -> NDArray[np.float64]:
    """How far the middle and size of faces have moved, in edges."""
    size = edge(after)
    shift = np.linalg.norm(after.mean(axis=-2) - before.mean(axis=-2), axis=-1)
    return np.asarray(shift / size + np.abs(edge(before) / size - 1))


def different(finds: Sequence[Find]) -> list[Find]:
    """One find a face, the likeliest first."""
    ranked = sorted(finds, key=lambda each: -each.score)
    kept: list[tuple[Find, tuple[float, float]]] = []
    for find, reach in zip(ranked, (SAME_FACE * edge(_corners(ranked))).tolist(), strict=True):
        centre = find.centre
        if all(math.dist(centre, at) > reach or _much_smaller(find, other) for other, at in kept):
            kept.append((find, centre))
    return [find for find, _ in kept]


def _much_smaller(one: Find, other: Find) -> bool:
    """Whether one of two finds is a pip of the other, or that a heap around it: which, is not told here."""
    small, large = sorted((one.size, other.size))
    return small < MUCH_SMALLER * large


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
