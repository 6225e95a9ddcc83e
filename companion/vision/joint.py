"""The most likely joint reading: which dice seen are which of the dice due, all weighed together.

Every die seen is one of the kinds expected or a stranger; no kind is used more often than there are such
dice. Summing over all such assignments (counts of used kinds are the states of a small chain) gives each
die's chance of being each kind, given all the others; the best assignment is found along the same chain.
Several lamps may be tried: a lamp under which everything fits together outweighs the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]

MISSING = 0.02
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
    count, dice, _ = weights.shape
    prior = np.full(count, 1.0 / count) if lamps is None else lamps / lamps.sum()
    chain = _chain(expect.due, expect.most)
    fits = np.concatenate([weights, np.broadcast_to(stranger[:, None], (count, dice, 1))], axis=2)

    # What may have come before each die, and what may follow it: [die, lamp, way of using it, state after].
    came = np.empty((dice, count, len(chain.sources), len(chain.final)))
    state = np.zeros((count, len(chain.final) + 1))
    state[:, 0] = 1.0
    for die in range(dice):
        came[die] = state.take(chain.sources, axis=1)
        state[:, :-1] = (fits[:, die, None] @ came[die])[:, 0]
    follows = np.empty((dice, count, len(chain.final)))
    ahead = np.zeros((count, len(chain.final) + 1))
    ahead[:, :-1] = chain.final
    for die in reversed(range(dice)):
        follows[die] = ahead[:, :-1]
        ahead[:, :-1] = (fits[:, die, None] @ ahead.take(chain.targets, axis=1))[:, 0]

    evidence = (state[:, :-1] @ chain.final) * prior
    total = max(float(evidence.sum()), 1e-300)
    joint = np.einsum("dlks,dls->ldk", came, follows) * fits
    chances = np.einsum("l,ldk->dk", prior / total, joint)
    return Assignment(_best(fits[int(np.argmax(evidence))], chain), chances, evidence / total)


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """The states of a count of used kinds. For every kind, and last for a stranger: from which state a die of
    it leads to each state, and to which state it leads (one past the last where there is none)."""

    sources: NDArray[np.intp]
    targets: NDArray[np.intp]
    final: Weights
    """A state's weight at the end: every die due that was not seen costs."""


@lru_cache(maxsize=64)
def _chain(due: tuple[int, ...], most: tuple[int, ...]) -> _Chain:
    states = list(product(*(range(n + 1) for n in most)))
    index = {state: i for i, state in enumerate(states)}

    def moved(state: tuple[int, ...], kind: int, by: int) -> int:
        return index.get((*state[:kind], state[kind] + by, *state[kind + 1 :]), len(states))

    stay = list(range(len(states)))
    ways = range(len(most))
    missing = [sum(max(0, n - used) for n, used in zip(due, state, strict=True)) for state in states]
    return _Chain(
        np.array([*([moved(state, kind, -1) for state in states] for kind in ways), stay], np.intp),
        np.array([*([moved(state, kind, 1) for state in states] for kind in ways), stay], np.intp),
        np.array([MISSING**n for n in missing], np.float64),
    )


def _best(fits: Weights, chain: _Chain) -> tuple[int, ...]:
    """The likeliest way of using every die."""
    states = len(chain.final)
    with np.errstate(divide="ignore"):
        scores, end = np.log(fits), np.log(chain.final)
    value = np.full(states + 1, -np.inf)
    value[0] = 0.0
    taken = []
    for score in scores:
        offers = value[chain.sources] + score[:, None]
        taken.append(offers.argmax(axis=0))
        value[:-1] = offers.max(axis=0)
    state = int(np.argmax(value[:-1] + end))
    best = []
    for way in reversed(taken):
        best.append(int(way[state]))
        state = int(chain.sources[best[-1], state])
    return tuple(reversed(best))
