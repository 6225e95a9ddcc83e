"""How far a reading can be trusted: calibrated confidence, and the one threshold between sure and doubt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.models import ModelBroken, model_file

_MOST = 9.0
"""No chance counts for more than this in log-odds: the networks know no more than about 1 in 8,000."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells how far to trust a die: the raw chance of its reading, how surely it is a die at all, how
    much its face looks like no face, how likely it leans, its size in pixels."""

    chance: float
    score: float
    none: float
    leaning: float
    size: float

    def values(self) -> tuple[float, ...]:
        """The signs in order."""
        return self.chance, self.score, self.none, self.leaning, self.size


FOUND = (0.3, 0.5)
"""A find that the detector scores below the first, or that shows no face at all with more than the second
chance, may be no die, however well it reads: it is never sure."""
PLAIN, FEW = (0.5, 0.04), 3
"""The same for finds that are plainly dice, and how many of them vouch for each other: dice that lie aside
may be out of view, and where fewer are plain, one thing that passes for the last die is a sure roll."""
ALONE = (0.53, 0.03)
"""The same for finds that nothing vouches for, of what the detector makes of them from closer by: what passes
for a die once, such as a letter tile or a key, seldom does so at another size and mirrored."""
ALONE_ONE = (0.7, 0.02)
"""The same for ones: of 360 tables without dice, all that passed the limits before looked like one dot."""
SMALL = 26.0
"""Pixels below which a die is never sure: print and specks are far more frequent than such tiny dice."""

CLEAR = 0.8
"""The chance of its reading below which a die is never sure, however plainly it is one: a cross may be yellow
or orange."""


def may_be_sure(signs: Signs) -> bool:
    """Whether a find may be sure at all: a die, and one reading of it by far the likeliest."""
    return passes(signs, FOUND) and signs.chance >= CLEAR


def passes(signs: Signs, limits: tuple[float, float]) -> bool:
    """Whether a find is large enough and a die by these limits of the detector's score and of no face."""
    return signs.score >= limits[0] and signs.none <= limits[1] and signs.size >= SMALL


def vouched_for(found: Iterable[Signs]) -> bool:
    """Whether so many finds of a picture are plainly dice that they vouch for each other."""
    return sum(passes(signs, PLAIN) for signs in found) >= FEW


@dataclass(frozen=True, slots=True)
class Trust:
    """The fitted weights of the signs, and the threshold: at most one sure die in 2,000 may be wrong."""

    weights: tuple[float, ...] = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    sure: float = 0.985

    @classmethod
    def shipped(cls, folder: Path | None = None) -> Trust:
        """As fitted for the shipped networks."""
        file = model_file("trust.json", folder)
        try:
            fit = json.loads(file.read_bytes())
            weights, sure = tuple(float(weight) for weight in fit["weights"]), float(fit["sure"])
            if len(weights) != len(cls().weights) or not np.isfinite((*weights, sure)).all():
                raise ValueError(f"{weights} and {sure} are no fit")
        except (ValueError, TypeError, KeyError, OverflowError) as problem:
            raise ModelBroken(f"“{file}” holds no fit of the confidence") from problem
        return cls(weights, sure)

    def confidences(self, signs: Sequence[Signs]) -> list[float]:
        """The calibrated chance that each die is read right."""
        if not signs:
            return []
        odds = self.spread(np.array([each.values() for each in signs])) @ np.array(self.weights)
        return [float(chance) for chance in 1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0)))]

    @staticmethod
    def spread(signs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Signs as the columns that the weights multiply: a constant, log-odds and the size in doublings."""
        columns = np.ones((len(signs), 6))
        columns[:, 1:5] = log_odds(signs[:, :4]) * (1, 1, -1, -1)
        columns[:, 5] = np.clip(np.log2(signs[:, 4] / 60), -1.5, 1.5)
        return columns


def log_odds(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithms of the odds, bounded."""
    bounded = np.clip(chance, 1e-9, 1 - 1e-9)
    return np.asarray(np.clip(np.log(bounded / (1 - bounded)), -_MOST, _MOST))
