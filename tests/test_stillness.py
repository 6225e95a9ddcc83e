"""Movement on the small stream, and all that only looks like it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.reading import Image
from companion.vision.stillness import Stillness, WrongPicture, small_of

FPS = 15
CLOTH = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 30, (480, 640)).astype(np.float32), (0, 0), 1.5)


def table(*dice: tuple[float, float], turn: float = 0.0, light: float = 1.0) -> np.ndarray:
    """A cloth with white dice of 24 pixels and three dark pips, as linear as a camera is not."""
    picture = 90 + CLOTH
    for x, y in dice:
        box = cv2.boxPoints(((x, y), (24, 24), 20 + turn))
        cv2.fillConvexPoly(picture, np.round(box * 16).astype(np.int32), 240.0, cv2.LINE_AA, 4)
        for step in (-0.3, 0, 0.3):
            spot = (box[0] + box[2]) / 2 + step * (box[2] - box[0])
            cv2.circle(picture, np.round(spot * 16).astype(int).tolist(), 48, 20.0, -1, cv2.LINE_AA, 4)
    return picture * light


def seen(picture: np.ndarray, rng: np.random.Generator, noise: float = 4.0) -> Image:
    """What a camera makes of it: a bent bright end, noise, eight bits; then the small stream."""
    level = 255 * (1 - np.exp(-1.6 * np.clip(picture, 0, None) / 255)) / (1 - np.exp(-1.6))
    noisy = np.clip(level + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)
    return small_of(noisy)


def judged(pictures: list[np.ndarray], noise: float = 4.0) -> str:
    """A letter a frame: s when all lies still, m while it does not or may not yet."""
    rng = np.random.default_rng(2)
    stillness = Stillness()
    return "".join(
        "s" if stillness.see(seen(p, rng, noise), n / FPS) == "still" else "m" for n, p in enumerate(pictures)
    )


LYING = ((200.0, 150.0), (420.0, 300.0))


def test_the_first_frames_are_not_yet_still() -> None:
    assert judged([table(*LYING)] * 8) == "mmssssss"


def test_the_first_frames_are_no_movement_either() -> None:
    rng = np.random.default_rng(3)
    stillness = Stillness()
    assert [stillness.see(seen(table(*LYING), rng), n / FPS) for n in range(3)] == [
        "settling",
        "settling",
        "still",
    ]
    assert stillness.see(seen(table(LYING[0]), rng), 3 / FPS) == "moving"
    assert stillness.see(seen(table(LYING[0]), rng), 4 / FPS) == "settling"


def test_a_die_that_rolls_is_movement_until_two_frames_after_it_lies() -> None:
    rolling = [table((100 + 25 * n, 150), turn=30 * n) for n in range(8)]
    assert judged([*rolling, *[rolling[-1]] * 6]) == "m" * 9 + "sssss"


@pytest.mark.parametrize("turn", [3.0, 8.0, 20.0])
def test_a_die_that_only_turns_a_little_is_movement(turn: float) -> None:
    assert judged([table(*LYING)] * 6 + [table(*LYING, turn=turn)] * 5) == "mmssss" + "mmsss"


def test_a_die_that_creeps_half_a_pixel_a_frame_is_movement() -> None:
    creeping = [table((200 + 1.0 * n, 150)) for n in range(12)]
    assert judged([table((200, 150))] * 4 + creeping).count("s", 5) <= 2


@pytest.mark.parametrize("noise", [0.0, 4.0, 12.0, 25.0])
def test_noise_is_no_movement(noise: float) -> None:
    assert judged([table(*LYING, light=0.6)] * 40, noise) == "mm" + "s" * 38


@pytest.mark.parametrize("depth", [0.05, 0.15, 0.3])
def test_bands_of_a_flickering_lamp_are_no_movement(depth: float) -> None:
    rows = np.arange(480, dtype=np.float32)[:, None]
    lit = [table(*LYING) * (1 + depth * np.sin(2 * np.pi * (rows / 170 + 0.37 * n))) for n in range(30)]
    assert judged(lit) == "mm" + "s" * 28


@pytest.mark.parametrize("step", [0.6, 0.85, 1.2, 1.5])
def test_a_step_of_the_exposure_is_no_movement(step: float) -> None:
    assert judged([table(*LYING)] * 6 + [table(*LYING, light=step)] * 8) == "mm" + "s" * 12


def test_a_die_is_seen_to_move_in_flickering_light() -> None:
    rows = np.arange(480, dtype=np.float32)[:, None]
    lamp = [1 + 0.15 * np.sin(2 * np.pi * (rows / 170 + 0.37 * n)) for n in range(20)]
    pictures = [table((200.0 + (8 * (n - 9) if n > 9 else 0), 150.0)) * lamp[n] for n in range(20)]
    assert judged(pictures)[2:] == "s" * 8 + "m" * 10


def test_a_hot_pixel_is_no_die() -> None:
    still = [table(*LYING) for _ in range(8)]
    for n in range(8):
        still[n][100, 100 + 20 * n] = 255
    assert judged(still, noise=1.0) == "mm" + "s" * 6


def test_a_hand_is_movement_and_its_going_too() -> None:
    hands = []
    for n in range(10):
        picture = table(*LYING)
        cv2.circle(picture, (60 * n, 240), 70, 170.0, -1)
        hands.append(picture)
    assert judged([table(*LYING)] * 4 + hands + [table(*LYING)] * 5) == "mmss" + "m" * 10 + "mmsss"


def test_outside_the_zone_nothing_counts() -> None:
    zone = np.zeros((240, 320), np.uint8)
    zone[:, :160] = 255
    rng = np.random.default_rng(3)
    stillness = Stillness(zone=zone)
    verdicts = [stillness.see(seen(table((60, 60), (400 + 10 * n, 300)), rng), n / FPS) for n in range(6)]
    assert verdicts == ["settling", "settling", "still", "still", "still", "still"]
    assert stillness.see(seen(table((90, 60), (460, 300)), rng), 6 / FPS) == "moving"


def test_a_gap_in_time_counts_as_time() -> None:
    rng = np.random.default_rng(3)
    stillness = Stillness()
    assert stillness.see(seen(table(*LYING), rng), 0.0) == "settling"
    assert stillness.see(seen(table(*LYING), rng), 0.5) == "still"


@pytest.mark.parametrize("wrong", [np.zeros((480, 640), np.uint8), np.zeros((240, 320), np.float32)])
def test_other_pictures_are_refused(wrong: np.ndarray) -> None:
    with pytest.raises(WrongPicture, match="320×240"):
        Stillness().see(wrong, 0.0)
