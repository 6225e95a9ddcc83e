"""Which dice lean: those whose upper face does not lie over the die as it does for all the others.

Seen from above, the middle of a flat die's upper face is lifted away from the middle of the whole die, by an
amount and in a direction that change evenly over the picture (the camera sees more of a die's side the
farther the die is from straight below it). A die that leans shows more or less of a side than that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import Find

NOISE = 0.04
"""Edges: how exactly a lift is measured."""
_SPREAD = (0.12, 0.12, 0.15)
"""Edges: how far the lift in the middle of the picture, and its change towards the edge, may be from none."""
_ROUNDS = 5
_MISFIT = 2.0
"""A die that misses by more than so many times the noise counts less for the others."""


def oddness(finds: Sequence[Find], size: tuple[int, int]) -> list[float]:
    """For each find, how many edges its lift is off from what the others promise, less what is mere noise."""
    lifts = np.array([find.lift or (0.0, 0.0) for find in finds], np.float64).reshape(-1, 2)
    wide, high = size
    places = (
        np.array([find.centre for find in finds], np.float64).reshape(-1, 2) - (wide / 2, high / 2)
    ) / wide
    weights = np.array([find.score for find in finds]) ** 2
    odd = []
    for i in range(len(finds)):
        others = np.arange(len(finds)) != i
        model, spread = _fitted(places[others], lifts[others], weights[others])
        rows = _rows(places[i : i + 1])
        noise = float(np.sqrt(NOISE**2 + np.mean([row @ spread @ row for row in rows])))
        off = float(np.hypot(*(lifts[i] - rows @ model)))
        odd.append(max(0.0, off - 2 * (noise - NOISE)))
    return odd


def _rows(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two rows (x and y) for each place: what the constants and the change towards the edge add up to."""
    rows = np.zeros((2 * len(places), 3))
    rows[0::2, 0] = rows[1::2, 1] = 1
    rows[:, 2] = places.ravel() * 2
    return rows


def _fitted(
    places: NDArray[np.float64], lifts: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The likeliest even change of the lift over the picture, and how uncertain it is."""
    rows, wanted = _rows(places), lifts.ravel()
    prior = np.diag(1 / np.square(_SPREAD))
    use = np.repeat(weights, 2)
    model, spread = np.zeros(3), np.linalg.inv(prior)
    for _ in range(_ROUNDS):
        weighed = rows * (use / NOISE**2)[:, None]
        spread = np.linalg.inv(weighed.T @ rows + prior)
        model = spread @ (weighed.T @ wanted)
        off = np.hypot(*(wanted - rows @ model).reshape(-1, 2).T)
        use = np.repeat(weights * np.minimum(1, _MISFIT * NOISE / np.maximum(off, 1e-6)) ** 2, 2)
    return np.asarray(model), np.asarray(spread, np.float64)
