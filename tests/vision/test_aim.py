from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.aim import Aim, different, placed, squared
from companion.vision.detector import Find, Floats
from companion.vision.models import model_file
from companion.vision.reading import Image
from companion.vision.sides import edge
from companion.vision.world import Placed, Scene, View, felt, published_looks, render, resting


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


def rendered() -> tuple[Image, Floats, Find]:
    """A die, the corners of its upper face, and a find that is off by some pixels."""
    look = published_looks("pips")["pip"]
    die = Placed("pip", (4.0, -3.0, 8.0), resting("pip", "5", 25.0, look), look)
    view = View(240, 240, distance=400, focal=1500, tilt=8)
    picture, (truth,) = render(Scene((die,), view, felt((70, 90, 50))), np.random.default_rng(2))
    corners = np.array(truth.top_face, np.float32)
    box = np.array([*corners.min(axis=0), *corners.max(axis=0)], np.float32)
    return picture, corners, Find(0.9, box, corners + np.float32(3), np.zeros(4, np.float32))


def off(find: Find, corners: Floats) -> float:
    """How far corners are from the true ones, whichever comes first, in edges."""
    turns = [np.roll(find.corners, k, axis=0) - corners for k in range(4)]
    return float(min(np.linalg.norm(turn, axis=1).max() for turn in turns) / edge(corners))


@pytest.fixture(scope="module")
def aim() -> Aim:
    return Aim(model_file("corners.onnx"), model_file("slants.onnx"))


def test_an_exact_look_finds_the_same_face_whichever_corner_comes_first(aim: Aim) -> None:
    picture, corners, find = rendered()
    turned = [replace(find, corners=np.roll(find.corners, roll, axis=0)) for roll in range(4)]
    first, *others = aim.measured(picture, turned)
    assert off(first, corners) < 0.06
    assert first.lift is not None and np.hypot(*first.lift) < 0.15
    for roll, seen in enumerate(others, 1):
        assert seen.corners == pytest.approx(np.roll(first.corners, roll, axis=0), abs=0.01)
        assert seen.lift == pytest.approx(first.lift, abs=1e-3)
    assert aim.measured(picture, []) == []


def test_a_start_turned_by_an_eighth_is_mended(aim: Aim) -> None:
    picture, corners, find = rendered()
    away = corners - corners.mean(axis=0)
    eighth = corners.mean(axis=0) + (away + away @ np.array([[0, 1], [-1, 0]])) / np.float32(2**0.5)
    ((seen,), *_) = aim.restarted(picture, [replace(find, corners=eighth.astype(np.float32))], None)
    assert off(seen, corners) < 0.12


def test_a_start_beyond_the_face_is_mended_from_within_it(aim: Aim) -> None:
    """As where the shadow of a black die passes for a part of its face."""
    picture, corners, find = rendered()
    right = corners[1] - corners[0]
    beyond = np.stack([corners[0] - 0.3 * right, corners[1], corners[2], corners[3] - 0.3 * right])
    rounds = aim.restarted(picture, [replace(find, corners=beyond.astype(np.float32))], None)
    assert len(rounds) == 5
    assert min(off(seen, corners) for (seen,) in rounds[1:]) < 0.12


def test_a_part_of_a_face_grows_to_the_face_when_the_usual_edge_is_known(aim: Aim) -> None:
    picture, corners, find = rendered()
    part = (corners + np.array([0.35, 0.1], np.float32) * edge(corners) * 0.4 - corners.mean(axis=0)) * 0.35
    small = replace(find, corners=(part + corners.mean(axis=0)).astype(np.float32))
    ((seen,), *_) = aim.restarted(picture, [small], float(edge(corners)) * 1.1)
    assert off(seen, corners) < 0.12
    ((stuck,), *_) = aim.restarted(picture, [small], None)
    assert off(stuck, corners) > 0.3


def test_of_two_finds_of_one_face_one_stays_but_a_pip_within_a_die_does_too() -> None:
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)

    def found(score: float, middle: float, size: float) -> Find:
        corners = unit * np.float32(size) + np.float32(middle - size / 2)
        return Find(score, np.concatenate([corners[0], corners[2]]), corners, np.zeros(4, np.float32))

    die, again, pip = found(0.9, 100, 80), found(0.8, 105, 70), found(0.7, 102, 20)
    assert different([pip, again, die]) == [die, pip]
