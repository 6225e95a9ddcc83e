"""How far a reading is trusted: the threshold's rule, weak finds, and crosses whatever the lamp."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.dice import Die
from companion.vision.colours import own_balanced, yellowness
from companion.vision.judge import Noted
from companion.vision.labelled import Labelled, Truth
from companion.vision.reader import Reader
from companion.vision.reading import Spotted
from companion.vision.train import calibrate
from companion.vision.train.calibrate import MOST_WRONG, fitted, signs_of, threshold
from companion.vision.trust import FOUND, PLAIN, Signs, Trust, may_be_sure, passes, vouched_for


def test_the_threshold_lets_one_wrong_die_in_two_thousand_pass_and_no_second():
    chances = np.linspace(1.0, 0.5, 3000)
    good = np.ones(3000, bool)
    good[[2100, 2600]] = False
    sure = threshold(chances, good)
    assert chances[2600] < sure <= chances[2100]
    assert (~good & (chances >= sure)).sum() / (chances >= sure).sum() <= MOST_WRONG


def test_where_the_surest_die_is_wrong_nothing_is_sure():
    assert threshold(np.array([0.99, 0.9, 0.8]), np.array([False, True, True])) == 1.0


def test_networks_that_find_no_die_are_told_and_fitted_to_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(calibrate, "Reader", lambda *_, **__: _Told([]))
    asked = Namespace(scenes=tmp_path / "scenes", count=1, draw_only=False, photos=None, models=tmp_path)
    assert calibrate.run(asked) == 1
    assert "let the networks learn longer" in capsys.readouterr().out
    assert not (tmp_path / "trust.json").exists()


class _Told:
    """A reader that tells of a die, 40 pixels wide, at each of these places; those to the right are plain."""

    def __init__(self, places: list[tuple[float, float]]) -> None:
        self._places = places

    def noted(self, _image: object, _due: object) -> list[Noted]:
        signs = Signs(0.99, 0.4, 0.01, 0.1, 40)
        return [Noted(Spotted(Die("pip", "4"), (x, y, 40, 40), 0.0), signs, x > 50) for x, y in self._places]


def test_what_is_no_die_counts_as_wrong_and_what_nobody_can_read_not_at_all():
    reader = _Told([(0, 0), (100, 0), (200, 0), (300, 0), (400, 0)])
    dice = (
        Truth("pip", ("4",), (0, 0, 40, 40)),
        Truth("pip", ("5",), (100, 0, 40, 40)),
        Truth("pip", ("4",), (200, 0, 40, 40), state="cocked"),
    )
    picture = Labelled("x.jpg", None, dice, ((395, 0, 60, 60),), ())
    rows = signs_of(reader, np.zeros((50, 500, 3), np.uint8), picture)
    assert [row[-1] for row in rows] == [1, 0, 0], "right, wrong, invented; neither cocked nor ignored"
    assert [row[-3] for row in rows] == [1, 1, 0]
    assert [row[-2] for row in rows] == [0, 1, 1], "as the reader says"


@pytest.mark.parametrize(
    ("change", "found", "plain"),
    [
        ({}, True, True),
        ({"score": 0.4}, True, False),
        ({"score": 0.2}, False, False),
        ({"none": 0.3}, True, False),
        ({"none": 0.6}, False, False),
        ({"size": 15}, False, False),
    ],
    ids=["a die", "vague", "hardly there", "hardly a face", "no face", "tiny"],
)
def test_what_may_be_no_die_is_never_sure_and_no_company(
    change: dict[str, float], found: bool, plain: bool
) -> None:
    die = Signs(0.999, 0.7, 0.001, 0.0, 40)
    asked = replace(die, **change)
    assert may_be_sure(asked) is passes(asked, FOUND) is found
    assert passes(asked, PLAIN) is plain
    assert vouched_for([die, die, asked]) is plain


def test_a_reading_with_a_rival_is_never_sure_however_plainly_a_die_is_seen():
    cross = Signs(0.78, 0.95, 0.0, 0.0, 80)
    assert passes(cross, PLAIN) and not may_be_sure(cross)
    assert may_be_sure(replace(cross, chance=0.9))


class _Closer:
    """A detector that tells this of every face from closer by, and notes how many it was asked about."""

    def __init__(self, score: float) -> None:
        self.score, self.asked = score, 0

    def closer(self, _picture: object, faces: list[object]) -> list[float]:
        self.asked += len(faces)
        return [self.score] * len(faces)


@pytest.mark.parametrize(
    ("changes", "any_number", "closer", "asked", "plain"),
    [
        ([{}] * 3, False, 0.1, 0, "yyy"),
        ([{}] * 3, True, 0.6, 3, "yyy"),
        ([{}] * 3, True, 0.5, 3, "nnn"),
        ([{}] * 2, False, 0.6, 2, "yy"),
        ([{}, {"face": "1"}], False, 0.6, 2, "yn"),
        ([{}, {"face": "1"}], False, 0.75, 2, "yy"),
        ([{}] * 3 + [{"chance": 0.78}], False, 0.1, 0, "yyyn"),
        ([{}, {"chance": 0.78}, {"state": "cocked"}], True, 0.1, 1, "nny"),
    ],
    ids=["company", "any number", "no die closer by", "few", "a dot", "a one", "a rival", "cocked"],
)
def test_a_die_is_plain_in_company_or_looked_at_from_closer_by(
    changes: list[dict[str, Any]], any_number: bool, closer: float, asked: int, plain: str
) -> None:
    noted = []
    for change in changes:
        die = Die("pip", change.get("face", "4"))
        spot = Spotted(die, (0, 0, 40, 40), 0.0, change.get("state", "flat"))
        noted.append(Noted(spot, Signs(change.get("chance", 0.999), 0.7, 0.001, 0.0, 40)))
    reader = Reader(threads=1)
    detector = reader._detector = _Closer(closer)
    told = reader._plain(np.zeros((50, 50, 3), np.uint8), noted, any_number)
    assert detector.asked == asked
    assert "".join("y" if each.plain else "n" for each in told) == plain


def test_no_sign_speaks_against_itself():
    rng = np.random.default_rng(1)
    signs = rng.uniform(0.05, 0.95, (400, 5))
    signs[:, 4] = 60
    weights = fitted(signs, signs[:, 2] > 0.4)  # as if looking like no face made a reading right
    assert (weights[1:] >= 0).all()


def test_the_shipped_confidence_grows_with_the_chance_and_never_with_leaning():
    trust = Trust.shipped()
    plain, weak, leaning = trust.confidences(
        [Signs(0.99, 0.7, 0.01, 0.1, 60), Signs(0.7, 0.7, 0.01, 0.1, 60), Signs(0.99, 0.7, 0.01, 0.9, 60)]
    )
    assert plain > weak and plain >= leaning


@pytest.mark.parametrize("lamp", [(1.0, 1.0, 1.0), (0.45, 0.75, 1.0), (1.0, 0.9, 0.6)])
def test_a_cross_has_its_own_colour_under_any_lamp(lamp):
    crop = np.full((1, 24, 24, 3), 0.85, np.float32)
    green = np.array([0.12, 0.7, 0.5], np.float32)
    for i in range(7, 17):
        crop[0, i, i] = crop[0, i, 23 - i] = green
    seen = own_balanced(crop * np.array(lamp, np.float32))
    assert seen[0, 8, 8] == pytest.approx(green * 0.9 / 0.85, abs=0.02)
    assert seen[0, 12, 7] == pytest.approx([0.9] * 3, abs=0.01)


def test_a_body_too_bright_for_the_camera_stays_so():
    crop = np.full((2, 24, 24, 3), 0.5, np.float32)
    crop[1] = 1.0
    assert own_balanced(crop).mean(axis=(1, 2, 3)) == pytest.approx([0.9, 1.0])


@pytest.mark.parametrize("pale", [0.0, 0.3, 0.5])
def test_yellow_and_orange_are_told_by_their_green_however_pale(pale: float):
    crops = np.full((4, 48, 48, 3), 0.8, np.float32)
    crops[2:] = 1.0  # too bright for the camera: no word
    for crop, green in zip(crops, (0.8, 0.49, 0.8, 0.49), strict=True):
        for i in range(14, 34):
            crop[i - 1 : i + 2, i] = crop[i - 1 : i + 2, 47 - i] = (
                crop[0, 0] * (1 - pale) * np.array([0.05, green, 0.98]) + crop[0, 0] * pale
            )
    yellow, orange, bright, brighter = yellowness(crops)
    assert yellow > 0.8 and orange < 0.5 and yellow - orange > 2
    assert bright == brighter == 0


def _readings(seed: int = 1, count: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """Signs of dice whose chances say too much, and whether each was read right."""
    rng = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-rng.normal(5, 2.5, count)))
    signs = np.stack([chance, *(np.full(count, value) for value in (0.8, 0.01, 0.01, 60.0))], axis=1)
    return signs, rng.random(count) < 1 / (1 + (1 / chance - 1) ** 0.6 * np.e)


def test_the_fit_makes_chances_mean_what_they_say():
    signs, good = _readings()
    spread = Trust.spread(signs)
    fit, start = (
        1 / (1 + np.exp(-(spread @ np.array(w)))) for w in (fitted(signs, good), (0, 1, 0, 0, 0, 0.4))
    )
    for low, high in ((0.0, 0.7), (0.7, 0.95), (0.95, 1.0)):
        inside = (signs[:, 0] >= low) & (signs[:, 0] < high)
        assert fit[inside].mean() == pytest.approx(good[inside].mean(), abs=0.03)
        assert start[inside].mean() > good[inside].mean() + 0.05


def test_wrong_labels_do_less_harm_where_they_are_reckoned_with():
    signs, good = _readings()
    plain = fitted(signs, good)
    good[np.argsort(signs[:, 0])[-20:]] = False
    spoilt, robust = fitted(signs, good), fitted(signs, good, 1 / 100)
    assert abs(robust[1] - plain[1]) < 0.5 * abs(spoilt[1] - plain[1])
    assert spoilt[1] < plain[1]


def test_where_none_is_wrong_all_are_sure():
    assert threshold(np.array([0.99, 0.98, 0.97]), np.ones(3, bool)) == 0.97
