"""Fixed points of the table by which a bumped camera is noticed where no mat lies.

Little patches of the picture with some structure (grain, a seam, the edge of a box) are kept at the
calibration and looked for again later. On a table without any structure there are none; after a push by more
than a tenth of the picture, or with most of them covered, they are not found. Then nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image

WIDTH = 640
"""Pictures are compared at this width in pixels: a bump that matters moves them by two of these."""
PATCH = 21
"""Pixels: wide enough to be told from its surroundings, small enough that a hand covers few of them."""
REACH = 60
"""Pixels that a landmark is looked for to every side: a tenth of the picture."""
MOST, LEAST = 32, 6
"""Landmarks to keep, and how many must agree before they say anything."""
ALIKE = 0.8
"""Correlation from which a patch is the one that was kept; noise and a changed lamp leave 0.9 and more."""
ALONE = 0.08
"""So much more than any other place near must a patch be like the kept one; a pattern that repeats is not."""
STEP = 1.5
"""Pixels by which landmarks may differ from their common movement."""
SHARE = 0.6
"""Of the landmarks found again must have moved together: dice and boxes move each on their own."""


class Landmark(NamedTuple):
    """A patch of the table: its middle in a picture `WIDTH` wide, its grey levels in hexadecimal digits."""

    x: int
    y: int
    patch: str


def landmarks(image: Image, zone: Sequence[tuple[float, float]] = ()) -> tuple[Landmark, ...]:
    """The most distinct points of a picture, well spread, and outside the zone where the dice fall."""
    grey = _grey(image)
    height, width = grey.shape
    free = np.zeros(grey.shape, np.uint8)
    margin = PATCH // 2 + 1
    free[margin : height - margin, margin : width - margin] = 1
    if len(zone):
        inside = np.array(zone) * (width / image.shape[1])
        covered = cv2.fillConvexPoly(np.zeros_like(free), np.round(inside).astype(np.int32), 1)
        free[cv2.dilate(covered, np.ones((PATCH, PATCH), np.uint8)) > 0] = 0
    corners = cv2.goodFeaturesToTrack(
        cv2.GaussianBlur(grey, (0, 0), 1.5), 4 * MOST, 0.001, PATCH, mask=free, blockSize=7
    )
    found = []
    for x, y in np.zeros((0, 2), int) if corners is None else corners.reshape(-1, 2).round().astype(int):
        patch = _around(grey, x, y, PATCH // 2)
        # A patch with less is lost in the noise the next time.
        if patch.shape == (PATCH, PATCH) and patch.std() >= 5 and _only_here(grey, x, y, patch):
            found.append(Landmark(int(x), int(y), patch.tobytes().hex()))
    return tuple(found[:MOST])


def moved(kept: Sequence[Landmark], image: Image) -> float | None:
    """How far the picture has moved since, as a share of its width; None when that cannot be told."""
    grey = _grey(image)
    steps = [step for landmark in kept if (step := _step(grey, landmark)) is not None]
    if len(steps) < LEAST:
        return None
    before = np.array([(landmark.x, landmark.y) for landmark, _ in steps], np.float32)
    after = np.array([place for _, place in steps], np.float32)
    _, agreed = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=STEP)
    if agreed is None:
        return None
    together = agreed.ravel() > 0
    if together.sum() < max(LEAST, SHARE * len(steps)):
        return None
    return float(np.median(np.hypot(*(after - before)[together].T))) / WIDTH


def _grey(image: Image) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    size = (WIDTH, round(grey.shape[0] * WIDTH / grey.shape[1]))
    if grey.shape[::-1] != size:
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def _around(grey: NDArray[np.uint8], x: int, y: int, reach: int) -> NDArray[np.uint8]:
    return grey[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]


def _only_here(grey: NDArray[np.uint8], x: int, y: int, patch: NDArray[np.uint8]) -> bool:
    """Whether nothing near looks the same, as the squares of a cloth do."""
    like = cv2.matchTemplate(_around(grey, x, y, REACH + PATCH // 2), patch, cv2.TM_CCOEFF_NORMED)
    _, _, _, (column, row) = cv2.minMaxLoc(like)
    cv2.circle(like, (column, row), PATCH // 3, 0.0, -1)
    return float(like.max()) < 1 - ALONE - 0.1


def _step(grey: NDArray[np.uint8], landmark: Landmark) -> tuple[Landmark, tuple[float, float]] | None:
    """Where a landmark is now; None if it is covered, gone, or to be seen at several places."""
    patch = np.frombuffer(bytes.fromhex(landmark.patch), np.uint8).reshape(PATCH, PATCH)
    reach = REACH + PATCH // 2
    near = _around(grey, landmark.x, landmark.y, reach)
    if min(near.shape) < PATCH:
        return None
    like = np.asarray(cv2.matchTemplate(near, patch, cv2.TM_CCOEFF_NORMED), np.float32)
    _, best, _, (column, row) = cv2.minMaxLoc(like)
    if best < ALIKE:
        return None
    others = like.copy()
    cv2.circle(others, (column, row), PATCH // 3, -1.0, -1)
    if float(others.max()) > best - ALONE:
        return None
    left, top = max(0, landmark.x - reach), max(0, landmark.y - reach)
    half = PATCH // 2
    return landmark, (
        left + column + half + _peak(like[row], column),
        top + row + half + _peak(like[:, column], row),
    )


def _peak(values: NDArray[np.float32], at: int) -> float:
    """How far beside this place a parabola through it and its neighbours has its top."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(value) for value in values[at - 1 : at + 2])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend
