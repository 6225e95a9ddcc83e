from __future__ import annotations

import numpy as np
import pytest

from companion.vision.detector import Find
from companion.vision.leaning import oddness

SIZE = (1280, 960)
PLACES = ((300, 300), (900, 250), (600, 500), (350, 700), (1000, 800), (700, 150))


def lying(x: float, y: float, lift: tuple[float, float]) -> Find:
    square = np.array([[-20, -20], [20, -20], [20, 20], [-20, 20]], np.float32) + np.array([x, y], np.float32)
    box = np.array([x - 22, y - 22, x + 22, y + 22], np.float32)
    return Find(0.9, box, square, np.zeros(4, np.float32), lift)


def flat(x: float, y: float, tilt: float = 0.1) -> Find:
    """A die seen by a camera above the middle that leans a little: sides show more towards the edges."""
    return lying(x, y, (0.2 * (x - 640) / 640, tilt + 0.2 * (y - 480) / 640))


def test_flat_dice_are_not_odd_wherever_they_lie_and_however_the_camera_leans() -> None:
    for tilt in (0.0, 0.15, -0.2):
        assert max(oddness([flat(x, y, tilt) for x, y in PLACES], SIZE)) < 0.05


@pytest.mark.parametrize("count", [4, 6])
def test_the_one_that_leans_stands_out(count: int) -> None:
    dice = [flat(x, y) for x, y in PLACES[:count]]
    x, y = dice[1].lift or (0.0, 0.0)
    dice[1] = lying(*PLACES[1], (x - 0.2, y + 0.1))
    odd = oddness(dice, SIZE)
    assert odd[1] > 0.11
    assert max(odd[:1] + odd[2:]) < odd[1] / 2


def test_a_die_alone_is_given_the_benefit_of_the_doubt() -> None:
    assert oddness([lying(300, 300, (0.1, 0.1))], SIZE)[0] < 0.05
    assert oddness([], SIZE) == []
