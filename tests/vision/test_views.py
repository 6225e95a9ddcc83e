"""Ordinary dice seen from above and from the side: that is what is rendered, read and counted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from companion.vision.evaluate import Tally
from companion.vision.reader import Reader
from companion.vision.sides import shapes
from companion.vision.train.views import SIZES, TILTS, seen, words


def test_dice_from_the_side_are_rendered_read_and_counted(tmp_path: Path) -> None:
    tally = seen(Reader(), tmp_path, TILTS[2], SIZES[1], 2)
    (labels,) = tmp_path.glob("*/labels.json")
    pictures = json.loads(labels.read_text())["images"]
    assert [picture["game"] for picture in pictures] == ["pips", "pips"]
    assert all(35 <= picture["camera_tilt"] <= 50 for picture in pictures)
    faces = np.array([die["top_face"] for picture in pictures for die in picture["dice"]], np.float32)
    assert np.median(np.abs(shapes(faces))) > 0.3, "foreshortened"
    assert tally.pictures == 2
    assert tally.fair >= tally.right > 0


def test_a_tally_is_told_in_words() -> None:
    tally = Tally(fair=8, right=6, sure=4, sure_wrong=1, reported=10, invented=1)
    assert words(TILTS[2], SIZES[1], tally) == (
        "tilt 35–50°, 50–100 px: of 8 dice 75.0 % right, 50.0 % sure, 1 sure but wrong;"
        " 90.0 % of what was reported are dice"
    )
