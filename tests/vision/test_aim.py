from __future__ import annotations

import numpy as np
import pytest

from companion.vision.aim import placed, squared


def test_a_square_stays_itself_whatever_its_turn() -> None:
    for degrees in (0, 30, 44, 200):
        turns = np.radians(degrees) + np.arange(4) * np.pi / 2
        corners = (50 + 20 * np.stack([np.cos(turns), np.sin(turns)], axis=1)).astype(np.float32)
        assert squared(corners) == pytest.approx(corners, abs=1e-3)


def test_a_crooked_quad_becomes_a_square_of_its_size_and_middle() -> None:
    crooked = np.array([[0, 0], [40, 6], [46, 40], [-4, 36]], np.float32)
    square = squared(crooked)
    sides = [float(np.hypot(*(square[i] - square[i - 1]))) for i in range(4)]
    assert max(sides) == pytest.approx(min(sides))
    assert square.mean(axis=0) == pytest.approx(crooked.mean(axis=0))


def test_corrections_turn_with_the_die() -> None:
    start = np.array([[0, 0], [0, 20], [-20, 20], [-20, 0]], np.float32)
    still = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    assert placed(start, still) == pytest.approx(start)
    assert placed(start, still + np.array([0.5, 0], np.float32)) == pytest.approx(start + np.array([0, 5]))
