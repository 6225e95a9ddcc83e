from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision import faces
from companion.vision.colours import PLAIN, yellowness
from companion.vision.faces import (
    FACES,
    INKS,
    MARGIN,
    SIZE,
    FaceNetwork,
    halved,
    log_chances,
    planes,
    rectified,
    unspeckled,
)
from companion.vision.models import model_file


@pytest.mark.parametrize("edge", [24, 60, 240])
def test_a_turned_face_comes_out_upright_with_its_corners_in_place(edge: int) -> None:
    side = edge * 4
    image = np.full((side, side, 3), 40, np.uint8)
    turns = np.radians(20) + np.arange(4) * np.pi / 2
    middle = np.array([side / 2, side / 2])
    corners = (middle + edge / np.sqrt(2) * np.stack([np.cos(turns), np.sin(turns)], axis=1)).astype(
        np.float32
    )
    cv2.fillConvexPoly(image, np.round(corners * 16).astype(np.int32), (220, 220, 220), cv2.LINE_AA, 4)
    (crop,) = rectified(image, corners[None])
    near = round(MARGIN * SIZE)
    assert crop.shape == (SIZE, SIZE, 3)
    assert crop[near + 3 : SIZE - near - 3, near + 3 : SIZE - near - 3].min() > 200
    assert crop[: near - 3].max() < 60 and crop[:, SIZE - near + 3 :].max() < 60


def test_a_face_at_the_edge_of_the_picture_or_beyond_still_gives_a_crop() -> None:
    image = np.zeros((60, 60, 3), np.uint8)
    square = np.array([[0, 0], [30, 0], [30, 30], [0, 30]], np.float32)
    for shift in (-15, 45, 500):
        assert rectified(image, square[None] + shift).shape == (1, SIZE, SIZE, 3)


def test_crops_reach_the_networks_as_rgb_planes() -> None:
    stack = np.zeros((1, 4, 4, 3), np.float32)
    stack[..., 2] = 1
    assert planes(stack)[0, 0].min() == 1 and planes(stack)[0, 1:].max() == 0
    assert halved(stack).shape == (1, 2, 2, 3)


def test_the_more_specks_a_face_has_the_more_the_look_without_them_counts() -> None:
    plain = np.full((SIZE, SIZE, 3), 0.1, np.float32)
    cv2.circle(plain, (24, 24), 5, (0.6, 0.6, 0.6), -1)
    specks = np.random.default_rng(1).normal(0, 1, (SIZE, SIZE, 1)).astype(np.float32)
    few, some, many = (plain + strength * specks for strength in (0.02, 0.05, 0.2))
    smooth, shares = unspeckled(np.stack([few, some, many]))
    assert shares[0] == 0 and 0.5 < shares[1] < shares[2] < 1
    assert np.abs(smooth[2] - plain).mean() < 0.5 * np.abs(many - plain).mean()


def test_the_green_in_a_cross_speaks_for_yellow_beside_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    crop = np.full((1, SIZE, SIZE, 3), 0.8, np.float32)
    cv2.line(crop[0], (14, 14), (34, 34), (0.1, 0.75, 0.9), 5)
    cv2.line(crop[0], (34, 14), (14, 34), (0.1, 0.75, 0.9), 5)
    network = FaceNetwork(model_file("faces.onnx"), model_file("colours.onnx"))
    yellow, orange = INKS.index("yellow"), INKS.index("orange")

    def odds() -> float:
        _, inks = network.colours(crop, PLAIN, crosses=True)
        return float(inks[0, yellow] - inks[0, orange])

    both = odds()
    told = float(yellowness(crop)[0])
    monkeypatch.setattr(faces, "yellowness", lambda stack: np.zeros(len(stack), np.float32))
    assert told > 1
    assert both - odds() == pytest.approx(told, abs=1e-3)


def test_a_doubtful_face_is_looked_at_again_unless_it_is_hopeless(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FaceNetwork(model_file("faces.onnx"), model_file("colours.onnx"))
    noise = np.random.default_rng(1).random((4, SIZE, SIZE, 3), np.float32)
    turned: list[int] = []

    def again(_network: FaceNetwork, stack: np.ndarray) -> np.ndarray:
        turned.append(len(stack))
        return np.zeros((len(stack), len(FACES)), np.float32)

    monkeypatch.setattr(faces, "PLAIN_ENOUGH", 1.1)
    monkeypatch.setattr(FaceNetwork, "_turned", again)
    assert (network.marks(noise) == 0).all() and turned == [4]
    network.marks(noise, hopeless=1.0)
    assert turned == [4]


def test_chances_sum_to_one() -> None:
    assert np.exp(log_chances(np.array([3, 1, -800], np.float32))).sum() == pytest.approx(1)
