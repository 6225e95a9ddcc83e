"""Pictures turned by quarters: labels turn with them, and a camera that hangs upside down reads as well."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.evaluate import Tally
from companion.vision.labelled import Labelled, Truth
from companion.vision.reader import Reader
from companion.vision.train.turned import changed, turned, words
from companion.vision.world import SETS

PICTURES = Path(__file__).parent.parent / "fixtures" / "images" / "keer_op_keer_2"


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_a_box_stays_around_its_die(quarters: int, scale: float) -> None:
    image = np.zeros((60, 100, 3), np.uint8)
    image[10:30, 70:80] = 255
    die = Truth("pip", ("3",), (70.0, 10.0, 10.0, 20.0))
    (there,) = changed(Labelled("a.jpg", None, (die,), (), ()), image.shape, quarters, scale).dice
    seen = turned(image, quarters, scale)
    x, y, across, down = (round(value) for value in there.box)
    assert (seen[y : y + down, x : x + across] == 255).all()
    assert (seen == 255).sum() == 3 * across * down


@pytest.mark.parametrize(("name", "surely"), [("p_036", True), ("p_039", False)])
def test_dice_are_read_alike_by_a_camera_that_hangs_any_way_round(name: str, surely: bool) -> None:
    image = np.asarray(cv2.imread(str(PICTURES / f"{name}.jpg"), cv2.IMREAD_COLOR), np.uint8)
    reader = Reader()
    readings = [reader.read(turned(image, way, 1.0), SETS["keer_op_keer_2"]) for way in range(4)]
    upright, *others = (sorted(spot.die for spot in reading.dice) for reading in readings)
    assert len(upright) == 7 and others == [upright] * 3
    assert not surely or all(reading.roll is not None for reading in readings)


def test_a_tally_is_told_in_words() -> None:
    tally = Tally(fair=8, right=6, sure=4, sure_wrong=1, rolls=4, rolls_right=3, rolls_sure=2, uneven=2)
    assert words("all ways", tally) == (
        "all ways: of 8 dice 75.0 % right, 50.0 % sure, 1 sure but wrong; of 4 rolls 75.0 % right,"
        " 50.0 % sure, 0 sure but wrong; of 2 cocked or cut off 0.0 % told"
    )
    assert words("upright", Tally(fair=2, right=2)) == (
        "upright: of 2 dice 100.0 % right, 0.0 % sure, 0 sure but wrong"
    )
