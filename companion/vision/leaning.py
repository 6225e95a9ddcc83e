"""Which dice lean: those that are seen from another side than all the others.

A die's upper face tells from where the die is seen. Its middle is lifted away from the middle of the whole
die, and it is foreshortened that way: a face lifted by v, as a complex number, has the shape −4v². For dice
that lie flat on one table this slant changes evenly over the picture (the camera sees more of a die's side
the farther the die is from straight below it). A die that leans has another slant than the others promise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import Find
from companion.vision.sides import Complex, edge, shapes, spots

Reals = NDArray[np.float64]

LIFT_NOISE, SHAPE_NOISE = (0.02, 0.7), (0.05, 1.0)
"""How exactly lifts (in edges) and shapes are measured on any die, and that times its edge in pixels, which
adds to it on small ones. Somewhat more than what `python -m companion.vision.train leaning` suggests, which
leaves large errors out."""
_CHANGED = 0.3
"""What a change (squared) from one look to the next adds to the noise (squared) of a measure."""
_GROWTH = 0.14
"""How much the slant changes from the middle of the picture to its edge, before any die is seen."""
_MIDDLE_SPREAD, _GROWTH_SPREAD = 0.12, 0.1
"""How far the slant in the middle may be from none, and that change from the usual one."""
_ROUNDS = 10
_MISFIT = 1.0
"""A die that misses by more than so many times its noise counts less for the others."""


def oddness(finds: Sequence[Find], size: tuple[int, int], before: Sequence[Find] = ()) -> list[float]:
    """For each find, how many times its noise its slant is off from what the others promise.

    `before` are the same finds at the look before: one that was then seen otherwise is known less exactly.
    """
    if not finds:
        return []
    corners, lifts, forms = _measures(finds)
    edges = edge(corners)
    noises = [_noise(of, edges) for of in (LIFT_NOISE, SHAPE_NOISE)]
    if before:
        _, old_lifts, old_forms = _measures(before)
        for noise, off in zip(noises, (lifts - old_lifts, forms - old_forms), strict=True):
            noise += _CHANGED * np.abs(off) ** 2 / 2
    slants, exactness = slanted(lifts, forms, *noises)
    places = (spots(corners).mean(axis=1) - complex(*size) / 2) / (size[0] / 2)
    trust = np.array([find.score for find in finds]) ** 2 / exactness**2
    promised, unsure = _promised(places, slants, exactness, trust)
    odd: list[float] = (np.abs(slants - promised) / np.sqrt(exactness**2 + unsure)).tolist()
    return odd


def _measures(finds: Sequence[Find]) -> tuple[NDArray[np.float32], Complex, Complex]:
    """The corners, lifts and shapes of faces."""
    corners = np.stack([find.corners for find in finds])
    return corners, np.array([complex(*(find.lift or (0.0, 0.0))) for find in finds]), shapes(corners)


def _noise(of: tuple[float, float], edges: Reals) -> Reals:
    """The noise (squared) of measures with these two parts of it on dice with these edges."""
    return np.asarray(of[0] ** 2 + (of[1] / edges) ** 2)


def slanted(lifts: Complex, forms: Complex, first: Reals, second: Reals) -> tuple[Complex, Reals]:
    """The slants that lifts and shapes with this noise (squared) tell together, and theirs."""
    slant = lifts
    for _ in range(2):
        sure = 1 / first + 64 * np.abs(slant) ** 2 / second
        pull = (lifts - slant) / first - 8 * np.conj(slant) * (forms + 4 * slant**2) / second
        slant = slant + pull / sure
    return slant, 1 / np.sqrt(sure)


def _promised(places: Complex, slants: Complex, noise: Reals, trust: Reals) -> tuple[Complex, Reals]:
    """The slant that the other dice promise for each die's place, and how uncertain (squared) that is.

    A straight line through what the others show: their mean slant at their mean place, and from there a
    growth in every direction alike.
    """
    moments = np.stack([places, slants, np.abs(places) ** 2, (places.conj() * slants).real], axis=1)
    others = use = (1 - np.eye(len(places))) * trust
    for _ in range(_ROUNDS):
        weight = use.sum(axis=1) + _MIDDLE_SPREAD**-2
        place, slant, wide, along = (use @ moments).T
        place, slant = place / weight, slant / weight
        sure = wide.real - weight * np.abs(place) ** 2 + _GROWTH_SPREAD**-2
        growth = along.real - weight * (place.conj() * slant).real + _GROWTH * _GROWTH_SPREAD**-2
        away = places - place[:, None]
        promised = slant[:, None] + (growth / sure)[:, None] * away
        misfit = np.abs(slants - promised) / noise
        use = others * np.minimum(1, _MISFIT / np.maximum(misfit, 1e-6)) ** 2
    return promised.diagonal(), 1 / weight + np.abs(away.diagonal()) ** 2 / (2 * sure)
