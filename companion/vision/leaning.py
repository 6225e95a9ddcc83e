"""Which dice lean: those that are seen from another side than all the others.

A die's upper face tells from where the die is seen. Its middle is lifted away from the middle of the whole
die, and it is foreshortened that way: a face lifted by v, as a complex number, has about the shape −4v².
Seen at an angle a from straight above, the lift (in edges of the face) is sin a / (2 √cos a). For dice that
lie flat on one table that sine, pointing as the lift does, changes evenly over the picture, whether the
camera looks down or from the side. A die that leans has another than the others promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
_LEAST_NOISE, _ASIDE_NOISE = 0.02, 0.1
"""Noise of a sine on any die, and what times the sine (squared) adds to it: faces seen from the side are
narrow, and what is round about them is not."""
_CAMERAS = ((0j, 0.3, 0.0), (-0.75j, 0.2, 2.0))
"""The sine in the middle of the picture before any die is seen, how far off it may be, and how much less
likely that is (in squares of noise): a camera that looks down, held anyhow, or one held upright that looks
from the side."""
_GROWTH, _GROWTH_SPREAD = 0.28, 0.2
"""How much the sine changes from the middle of the picture to its edge before any die is seen, and how far
that may be off."""
_ROUNDS, _SETTLED = 10, 1e-3
"""How often a line is drawn anew at most, and the change of weights from which on it stays."""
_MISFIT = 1.0
"""A die that misses by more than so many times its noise counts less for the others."""
_FAR_OFF = 4.0
"""A die that misses by more than so many times its noise says no more about the camera than one that does by
so many."""


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
    sines, exactness = sines_of(*slanted(lifts, forms, *noises))
    places = (spots(corners).mean(axis=1) - complex(*size) / 2) / (max(size) / 2)
    trust = np.array([find.score for find in finds]) ** 2 / exactness**2
    middle, spread = likeliest(places, sines, exactness, trust)
    lines = _lines(places, sines - middle, exactness, (1 - np.eye(len(places))) * trust, spread)
    odd = np.abs(sines - middle - lines.promised.diagonal())
    odds: list[float] = (odd / np.sqrt(exactness**2 + lines.unsure.diagonal())).tolist()
    return odds


def likeliest(places: Complex, sines: Complex, noise: Reals, trust: Reals) -> tuple[complex, float]:
    """The camera that fits all dice best: the sine it promises in the middle, and how far that may be off."""

    def misfit(camera: tuple[complex, float, float]) -> float:
        middle, spread, unlikely = camera
        lines = _lines(places, sines - middle, noise, trust[None], spread)
        off = np.minimum(np.abs(sines - middle - lines.promised[0]) / noise, _FAR_OFF)
        return float((off**2).sum()) + float(lines.strange[0]) + unlikely

    middle, spread, _ = min(_CAMERAS, key=misfit)
    return middle, spread


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


def sines_of(slants: Complex, noise: Reals) -> tuple[Complex, Reals]:
    """The sines of the angles at which dice with these slants are seen, and their noise."""
    square = np.abs(slants) ** 2
    cosine = np.sqrt(4 * square**2 + 1) - 2 * square
    sines = 2 * slants * np.sqrt(cosine)
    along, across = 4 * cosine**2.5 / (1 + cosine**2), 2 * np.sqrt(cosine)
    spread = noise * np.sqrt((along**2 + across**2) / 2)
    return sines, np.sqrt(spread**2 + _LEAST_NOISE**2 + (_ASIDE_NOISE * np.abs(sines) ** 2) ** 2)


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """Straight lines through sines, one a row: what each promises at every place, how uncertain (squared)
    that is, and how strange (squared) the line itself is."""

    promised: Complex
    unsure: Reals
    strange: Reals


def _lines(places: Complex, sines: Complex, noise: Reals, use: Reals, spread: float) -> _Lines:
    """The line for each row of what dice are worth: a mean sine at their mean place, and from there a growth
    in every direction alike. Dice that miss it count less."""
    moments = np.stack([places, sines, np.abs(places) ** 2, (places.conj() * sines).real], axis=1)
    worth = use
    for _ in range(_ROUNDS):
        weight = use.sum(axis=1) + spread**-2
        place, sine, wide, along = (use @ moments).T
        place, sine = place / weight, sine / weight
        sure = wide.real - weight * np.abs(place) ** 2 + _GROWTH_SPREAD**-2
        growth = (along.real - weight * (place.conj() * sine).real + _GROWTH * _GROWTH_SPREAD**-2) / sure
        away = places - place[:, None]
        promised = sine[:, None] + growth[:, None] * away
        misfit = np.abs(sines - promised) / noise
        before, use = use, worth * np.minimum(1, _MISFIT / np.maximum(misfit, 1e-6)) ** 2
        if np.abs(use - before).max() <= _SETTLED * worth.max():
            break
    strange = np.abs(sine - growth * place) ** 2 / spread**2 + (growth - _GROWTH) ** 2 / _GROWTH_SPREAD**2
    return _Lines(promised, 1 / weight[:, None] + np.abs(away) ** 2 / (2 * sure[:, None]), strange)
