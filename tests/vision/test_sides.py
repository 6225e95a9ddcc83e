from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.detector import Find
from companion.vision.sides import shapes, tops

Box = tuple[float, float, float, float]


def face(corners: list[tuple[float, float]], score: float = 0.8, die: Box | None = None) -> Find:
    """A face; the box of the whole die, where it is not told, goes round the face alone."""
    points = np.array(corners, np.float32)
    box = np.concatenate([points.min(axis=0), points.max(axis=0)])
    return Find(score, box if die is None else np.array(die, np.float32), points, np.zeros(4, np.float32))


TOP = face([(0, 0), (40, 0), (40, 28), (0, 28)], 0.6, (0, 0, 40, 44))
SIDE = face([(0, 28), (40, 28), (38, 44), (2, 44)], 0.9, (0, 10, 40, 50))


def test_a_square_has_no_foreshortening_whatever_its_turn() -> None:
    turns = np.radians(30) + np.arange(4) * np.pi / 2
    square = [(float(20 * np.cos(t)), float(20 * np.sin(t))) for t in turns]
    assert np.abs(shapes(face(square).corners[None])).max() < 1e-3


def test_a_face_seen_from_a_flat_angle_is_foreshortened_along_that_way() -> None:
    half = face([(0, 0), (40, 0), (40, 20), (0, 20)])
    turned = face([(0, 0), (0, 40), (-20, 40), (-20, 0)])
    assert shapes(np.stack([half.corners, turned.corners])) == pytest.approx(
        np.array([2 * np.log(2), -2 * np.log(2)])
    )


def test_the_side_below_a_top_is_no_die_of_its_own() -> None:
    assert tops([SIDE, TOP]) == [TOP]


def test_dice_that_touch_stay_two() -> None:
    beside = face([(41, 0), (81, 0), (81, 28), (41, 28)])
    assert tops([TOP, beside]) == [TOP, beside]


def test_a_speck_at_a_corner_takes_no_die_away() -> None:
    speck = face([(41, 30), (46, 29), (45, 38), (42, 38)], 0.2)
    assert tops([TOP, speck]) == [TOP, speck]


def test_the_other_dice_tell_which_face_is_the_top() -> None:
    die = (0.0, -16.0, 40.0, 28.0)
    upside_down = [
        face([(0, 0), (40, 0), (38, -16), (2, -16)], 0.9, die),
        face([(0, 0), (40, 0), (40, 28), (0, 28)], die=die),
        face([(200, 0), (240, 0), (240, 28), (200, 28)]),
        face([(300, 90), (340, 90), (340, 118), (300, 118)]),
    ]
    assert tops(upside_down) == upside_down[1:]


def test_a_shadow_above_a_plain_face_is_not_the_top_of_it() -> None:
    shadow = face([(2, -16), (38, -16), (40, 0), (0, 0)], 0.14)
    alone = [TOP, shadow]
    others = [
        face([(200, 0), (236, 0), (236, 16), (200, 16)]),
        face([(300, 0), (336, 0), (336, 16), (300, 16)]),
    ]
    assert tops(alone) == [TOP]
    assert tops([*alone, *others]) == [TOP, *others]


def test_dice_that_touch_stay_two_though_one_is_measured_badly() -> None:
    one = face([(0, 0), (40, 0), (40, 20), (0, 20)], die=(0, 0, 40, 45))
    beside = face([(41, 0), (81, 0), (81, 28), (41, 28)], die=(41, 0, 81, 50))
    assert tops([one, beside]) == [one, beside]
    glared = replace(beside, score=0.4)
    assert tops([one, glared]) == [one, glared]
