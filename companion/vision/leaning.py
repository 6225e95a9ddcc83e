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
    # In each row of what the dice are worth another one is left out, in the last none.
    worth = np.concatenate([1 - np.eye(len(finds)), np.ones((1, len(finds)))]) * trust
    lines = _lines(places, sines, exactness, worth)
    camera = _likeliest(lines, exactness)
    missed, unsure = lines.missed[camera].diagonal(), lines.unsure[camera].diagonal()
    odds: list[float] = (np.abs(missed) / np.sqrt(exactness**2 + unsure)).tolist()
    return odds


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
    """Straight lines through sines [camera, row]: by how much dice miss what each promises at their places
    [camera, row, die], how uncertain (squared) that is, and how strange (squared) the line itself is."""

    missed: Complex
    unsure: Reals
    strange: Reals


def _lines(places: Complex, sines: Complex, noise: Reals, worth: Reals) -> _Lines:
    """The line of each camera for each row of what dice are worth: a mean sine at their mean place, and from
    there a growth in every direction alike. Dice that miss it count less."""
    middles, spreads, _ = np.array(_CAMERAS).T
    spread = spreads.real[:, None]
    left = sines - middles[:, None]
    along = (places.conj() * left).real
    same = np.ones(left.shape)
    moments = np.stack([places * same, left, np.abs(places) ** 2 * same, along], axis=2)
    use = worth = np.repeat(worth[None], len(left), axis=0)
    for _ in range(_ROUNDS):
        weight = use.sum(axis=2) + spread**-2
        place, sine, wide, grown = (use @ moments).transpose(2, 0, 1)
        place, sine = place / weight, sine / weight
        sure = wide.real - weight * np.abs(place) ** 2 + _GROWTH_SPREAD**-2
        growth = (grown.real - weight * (place.conj() * sine).real + _GROWTH * _GROWTH_SPREAD**-2) / sure
        away = places - place[..., None]
        missed = left[:, None] - sine[..., None] - growth[..., None] * away
        before, far = use, np.maximum(np.abs(missed) / noise, _MISFIT)
        use = worth * (_MISFIT / far) ** 2
        if np.abs(use - before).max() <= _SETTLED * worth.max():
            break
    strange = np.abs(sine - growth * place) ** 2 / spread**2 + (growth - _GROWTH) ** 2 / _GROWTH_SPREAD**2
    return _Lines(missed, 1 / weight[..., None] + np.abs(away) ** 2 / (2 * sure[..., None]), strange)


def _likeliest(lines: _Lines, noise: Reals) -> int:
    """The camera that fits all dice best, as the last row counts them."""
    off = np.minimum(np.abs(lines.missed[:, -1]) / noise, _FAR_OFF)
    unlikely = np.array([camera[2] for camera in _CAMERAS])
    return int(np.argmin((off**2).sum(axis=1) + lines.strange[:, -1] + unlikely))
