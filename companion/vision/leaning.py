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
from companion.vision.sides import edge, shapes

Reals = NDArray[np.float64]

LIFT_NOISE = ((0.048, 1.4), (0.03, 0.8))
SHAPE_NOISE = ((0.1, 2.6), (0.06, 1.6))
"""How exactly lifts (in edges) and shapes are measured on any die, and that times its edge in pixels, which
adds to it on small ones; at the first look and at the exact one. Somewhat more than what
`python -m companion.vision.train leaning` suggests, which leaves large errors out."""
_CHANGED = 0.3
"""What a change (squared) from the first look to the exact one adds to the noise (squared) of a measure."""
_USUAL, _SPREAD = (0.0, 0.0, 0.14), (0.12, 0.12, 0.1)
"""The slant in the middle of the picture (x, y) and its change towards the edge, before any die is seen, and
how far they may be from that."""
_COMPLEX = np.array([1, 1j])
_ROUNDS = 4
_MISFIT = 2.0
"""A die that misses by more than so many times its noise counts less for the others."""


def oddness(finds: Sequence[Find], size: tuple[int, int], before: Sequence[Find] = ()) -> list[float]:
    """For each find, how many times its noise its slant is off from what the others promise.

    `before` are the same finds at the first look: one that was then seen otherwise is known less exactly.
    """
    if not finds:
        return []
    corners, lifts, forms = _measures(finds)
    edges, looks = edge(corners), np.array([find.exact for find in finds], int)
    noises = [_noise(np.array(of)[looks], edges) for of in (LIFT_NOISE, SHAPE_NOISE)]
    if before:
        _, old_lifts, old_forms = _measures(before)
        for noise, off in zip(noises, (lifts - old_lifts, forms - old_forms), strict=True):
            noise += _CHANGED * np.square(off).mean(axis=1)
    slants, exactness = slanted(lifts, forms, *noises)
    places = (corners.mean(axis=1) - np.array(size) / 2) / (size[0] / 2)
    trust = np.array([find.score for find in finds]) ** 2 / exactness**2
    promised, unsure = _promised(places, slants, exactness, trust)
    off = np.linalg.norm(slants - promised, axis=1)
    return [float(value) for value in off / np.sqrt(exactness**2 + unsure)]


def _measures(finds: Sequence[Find]) -> tuple[NDArray[np.float32], Reals, Reals]:
    """The corners, lifts and shapes of faces."""
    corners = np.stack([find.corners for find in finds])
    return corners, np.array([find.lift or (0.0, 0.0) for find in finds]), shapes(corners)


def _noise(of: Reals, edges: Reals) -> Reals:
    """The noise (squared) of measures with these two parts of it on dice with these edges."""
    return np.asarray(of[:, 0] ** 2 + (of[:, 1] / edges) ** 2)


def slanted(lifts: Reals, forms: Reals, first: Reals, second: Reals) -> tuple[Reals, Reals]:
    """The slants [die, (x, y)] that lifts and shapes with this noise (squared) tell together, and theirs."""
    lift, form = lifts @ _COMPLEX, forms @ _COMPLEX
    slant = lift
    for _ in range(2):
        sure = 1 / first + 64 * np.abs(slant) ** 2 / second
        pull = (lift - slant) / first - 8 * np.conj(slant) * (form + 4 * slant**2) / second
        slant = slant + pull / sure
    return np.stack([slant.real, slant.imag], axis=1), 1 / np.sqrt(sure)


def _promised(places: Reals, slants: Reals, noise: Reals, trust: Reals) -> tuple[Reals, Reals]:
    """The slant that the other dice promise for each die's place, and how uncertain (squared) that is."""
    rows = np.zeros((len(places), 2, 3))
    rows[:, 0, 0] = rows[:, 1, 1] = 1
    rows[:, :, 2] = places
    turned = rows.transpose(0, 2, 1)
    squares, pulls = turned @ rows, (turned @ slants[:, :, None])[:, :, 0]
    prior = np.diag(1 / np.square(_SPREAD))
    others = (1 - np.eye(len(places))) * trust
    use = others
    for _ in range(_ROUNDS):
        spread = np.linalg.inv(prior + np.tensordot(use, squares, 1))
        model = (spread @ (prior @ _USUAL + use @ pulls)[:, :, None])[:, :, 0]
        off = slants[None] - np.einsum("jak,ik->ija", rows, model)
        misfit = np.linalg.norm(off, axis=2) / noise
        use = others * np.minimum(1, _MISFIT / np.maximum(misfit, 1e-6)) ** 2
    promised = (rows @ model[:, :, None])[:, :, 0]
    unsure = np.einsum("iak,ikl,ial->i", rows, spread, rows) / 2
    return promised, unsure
