"""The most likely joint reading: which dice seen are which of the dice due, all weighed together.

Every die seen is one of the kinds expected or a stranger; no kind is used more often than there are such
dice. Summing over all such assignments (counts of used kinds are the states of a small chain) gives each
die's chance of being each kind, given all the others; the best assignment is found along the same chain.
Several lamps may be tried: a lamp under which everything fits together outweighs the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]

MISSING = 0.005
"""How likely a die that should lie there is not among those seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """The kinds in play; of each at least `due`, at most `most` (dice that may stay in view included)."""

    kinds: tuple[str, ...]
    due: tuple[int, ...]
    most: tuple[int, ...]


def expected(due: Sequence[str], lying: Sequence[str] = ()) -> Expected:
    """What to expect when these kinds are due and those may stay lying in view."""
    kinds = tuple(sorted({*due, *lying}))
    counts = tuple(list(due).count(kind) for kind in kinds)
    return Expected(
        kinds, counts, tuple(n + list(lying).count(k) for n, k in zip(counts, kinds, strict=True))
    )


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """Each die's best kind (an index into the kinds, or their number for a stranger), the chances of every
    kind for every die (the last column: stranger), and the chance of every lamp."""

    best: tuple[int, ...]
    chances: Weights
    lamps: Weights


def assign(weights: Weights, stranger: Weights, expect: Expected, lamps: Weights | None = None) -> Assignment:
    """Weigh all assignments. `weights[lamp, die, kind]` is how well a die fits a kind under a lamp,
    `stranger[die]` how well it fits being none of them, `lamps` how likely each lamp is beforehand."""
    count, dice, kinds = weights.shape
    prior = np.full(count, 1.0 / count) if lamps is None else lamps / lamps.sum()
    states = list(product(*(range(most + 1) for most in expect.most)))
    index = {state: i for i, state in enumerate(states)}
    steps = _steps(states, index, kinds)
    final = _final(states, expect)
    outside = np.broadcast_to(stranger, (count, dice))

    forward = [_start(count, len(states))]
    for die in range(dice):
        forward.append(_advance(forward[-1], weights[:, die], outside[:, die], steps))
    backward = [np.broadcast_to(final, (count, len(states)))]
    for die in reversed(range(dice)):
        backward.append(_retreat(backward[-1], weights[:, die], outside[:, die], steps))
    backward.reverse()
    evidence = (forward[-1] * final).sum(axis=1) * prior
    total = max(evidence.sum(), 1e-300)
    chances = np.zeros((dice, kinds + 1))
    for die in range(dice):
        for kind, (sources, targets) in enumerate(steps):
            joint = forward[die][:, sources] * backward[die + 1][:, targets]
            chances[die, kind] = float((joint.sum(axis=1) * weights[:, die, kind] * prior).sum() / total)
        joint = (forward[die] * backward[die + 1]).sum(axis=1)
        chances[die, kinds] = float((joint * outside[:, die] * prior).sum() / total)
    lamp = int(np.argmax(evidence))
    best = _best(weights[lamp], outside[lamp], steps, final)
    return Assignment(best, chances, evidence / total)


_Steps = list[tuple[NDArray[np.intp], NDArray[np.intp]]]


def _steps(states: list[tuple[int, ...]], index: dict[tuple[int, ...], int], kinds: int) -> _Steps:
    steps: _Steps = []
    for kind in range(kinds):
        pairs = []
        for state in states:
            after = (*state[:kind], state[kind] + 1, *state[kind + 1 :])
            if after in index:
                pairs.append((index[state], index[after]))
        sources, targets = zip(*pairs, strict=True)
        steps.append((np.array(sources, np.intp), np.array(targets, np.intp)))
    return steps


def _final(states: list[tuple[int, ...]], expect: Expected) -> Weights:
    """A state's weight at the end: every die due that was not seen costs."""
    missing = [
        sum(max(0, due - used) for due, used in zip(expect.due, state, strict=True)) for state in states
    ]
    return np.array([MISSING**n for n in missing], np.float64)


def _start(count: int, states: int) -> Weights:
    start = np.zeros((count, states))
    start[:, 0] = 1.0
    return start


def _advance(before: Weights, weights: Weights, outside: Weights, steps: _Steps) -> Weights:
    after = before * outside[:, None]
    for kind, (sources, targets) in enumerate(steps):
        after[:, targets] += before[:, sources] * weights[:, kind, None]
    return after


def _retreat(after: Weights, weights: Weights, outside: Weights, steps: _Steps) -> Weights:
    before = after * outside[:, None]
    for kind, (sources, targets) in enumerate(steps):
        before[:, sources] += after[:, targets] * weights[:, kind, None]
    return np.asarray(before)


def _best(weights: Weights, outside: Weights, steps: _Steps, final: Weights) -> tuple[int, ...]:
    dice, kinds = weights.shape
    value = np.full(len(final), -np.inf)
    value[0] = 0.0
    with np.errstate(divide="ignore"):
        scores, strange, end = np.log(weights), np.log(outside), np.log(final)
    taken = np.full((dice, len(final)), kinds, np.intp)
    origin = np.tile(np.arange(len(final)), (dice, 1))
    for die in range(dice):
        after = value + strange[die]
        for kind, (sources, targets) in enumerate(steps):
            offer = value[sources] + scores[die, kind]
            better = offer > after[targets]
            after[targets[better]] = offer[better]
            taken[die, targets[better]] = kind
            origin[die, targets[better]] = sources[better]
        value = after
    state = int(np.argmax(value + end))
    best = []
    for die in reversed(range(dice)):
        best.append(int(taken[die, state]))
        state = int(origin[die, state])
    return tuple(reversed(best))
