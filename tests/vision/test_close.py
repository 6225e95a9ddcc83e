"""Dice cut out one by one, to measure how the reader fares when one fills the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.dice import Die
from companion.vision.labelled import Labelled, Truth
from companion.vision.reading import Image, Reading, Spotted
from companion.vision.train.close import alone, counted, drawn

DIE = Truth("pip", ("3",), (100.0, 50.0, 60.0, 40.0))
SMALL = Truth("pip", ("1",), (300.0, 50.0, 60.0, 30.0))
PICTURE = Labelled("a.jpg", None, (DIE, SMALL), ((0.0, 0.0, 9.0, 9.0),), ())
IMAGE = np.zeros((200, 400, 3), np.uint8)


class Threes:
    """Reads a three that fills three quarters of the picture, surely."""

    def read(self, image: Image, due: tuple[str, ...] | None) -> Reading:
        high, wide = image.shape[:2]
        box = (wide / 8, high / 8, 0.75 * wide, 0.75 * high)
        return Reading((Spotted(Die("pip", "3"), box, 0.99, "flat", (), sure=True),), None, ())


class Pips:
    """Reads a die, and two of its pips as dice."""

    def read(self, image: Image, due: tuple[str, ...] | None) -> Reading:
        boxes = ((15.0, 15.0, 150.0, 150.0), (40.0, 40.0, 30.0, 30.0), (100.0, 100.0, 30.0, 30.0))
        return Reading(tuple(Spotted(Die("pip", "2"), box, 0.9, "flat", ()) for box in boxes), None, ())


def test_a_die_is_cut_out_with_its_margin_magnified_and_inside_the_picture() -> None:
    cut, label = alone(IMAGE, PICTURE, DIE, 0.5, 2)
    assert cut.shape == (240, 240, 3) and label.ignore == ()
    assert [die.box for die in label.dice] == [(60.0, 80.0, 120.0, 80.0)]
    edge, _ = alone(IMAGE, PICTURE, Truth("pip", ("1",), (0.0, 0.0, 40.0, 40.0)), 0.5, 1)
    assert edge.shape == (60, 60, 3)


def test_only_dice_that_are_large_enough_are_drawn() -> None:
    assert list(drawn([PICTURE], 5)) == [(PICTURE, DIE)]


def test_right_and_sure_dice_are_counted() -> None:
    wrong = Truth("pip", ("4",), DIE.box)
    cut = iter([alone(IMAGE, PICTURE, die, 0.2, 1) for die in (DIE, wrong)])
    assert counted(Threes(), cut, None) == (
        "of 2 dice 50.0 % right, 100.0 % sure, 1 sure but wrong; 0 pips taken for dice"
    )


def test_pips_that_are_taken_for_dice_are_counted() -> None:
    cut = iter([alone(IMAGE, PICTURE, replace(DIE, box=(20.0, 20.0, 150.0, 150.0)), 0.1, 1)])
    assert counted(Pips(), cut, ("pip",)).endswith("2 pips taken for dice")
