from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.dice import Die, Roll
from companion.vision.evaluate import evaluate, figures
from companion.vision.labelled import NotLabels, labelled, matched
from companion.vision.reading import Image, Reading, Spotted
from companion.vision.report import page

SETS = {"geizen": ("pip",) * 2}


def label(face: str, x: int, **more: object) -> dict[str, object]:
    return {"kind": "pip", "face": face, "box": [x, 10, 40, 40], "state": "flat", "readable": True, **more}


def spot(face: str, x: float, sure: bool = True) -> Spotted:
    corners = ((x, 10.0), (x + 40, 10.0), (x + 40, 50.0), (x, 50.0))
    return Spotted(Die("pip", face), (x, 10, 40, 40), 0.999, sure=sure, top_face=corners)


class Told:
    """Reads what it was told to."""

    def __init__(self, *readings: Reading) -> None:
        self._readings = list(readings)

    def read(self, image: Image, due: tuple[str, ...] | None, lying: Roll = ()) -> Reading:
        assert image.shape == (60, 200, 3)
        return self._readings.pop(0)


def written(folder: Path, *pictures: list[dict[str, object]]) -> Path:
    conditions = {"look": "varied", "surface": "felt", "lighting": "dim", "camera_tilt": 7.0, "die_px": 44.0}
    images = [
        {"game": "geizen", "file": f"{i}.png", "dice": dice, **conditions} for i, dice in enumerate(pictures)
    ]
    path = folder / "labels.json"
    path.write_text(json.dumps({"note": "", "images": images}))
    return path


def blank(_: str) -> Image:
    return np.zeros((60, 200, 3), np.uint8)


def test_a_perfect_reading_scores_full_marks(tmp_path: Path) -> None:
    path = written(tmp_path, [label("3", 10), label("5", 80)])
    dice = (spot("5", 81), spot("3", 12))
    report = evaluate(
        Told(Reading(dice, tuple(s.die for s in dice))), labelled(path, SETS), blank, lambda: 0.0
    )
    result = figures(report.groups()["lighting"]["dim"])
    assert result["dice_right"] == result["rolls_right"] == result["rolls_sure"] == 100
    assert result["sure_wrong"] == result["rolls_sure_wrong"] == 0


def test_wrong_missing_invented_and_cocked_dice_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, [label("3", 10), label("5", 80)], [label("1", 10, state="cocked")])
    first = (spot("4", 12), spot("6", 150, sure=False))
    second = (spot("1", 10),)
    readings = Told(Reading(first), Reading(second, (Die("pip", "1"),)))
    report = evaluate(readings, labelled(path, SETS), blank, lambda: 0.0)
    tally = report.groups()["all"]["all"]
    assert (tally.fair, tally.found, tally.right, tally.sure_wrong, tally.invented) == (2, 1, 0, 1, 1)
    assert (tally.uneven, tally.uneven_caught, tally.rolls, tally.rolls_right) == (1, 0, 1, 0)
    assert tally.rolls_sure_uneven == 1, "a sure roll over a die that does not lie flat"
    assert [verdict.labelled.file for verdict in report.worst()] == ["0.png", "1.png"]


def test_a_die_that_is_sure_but_not_there_is_sure_but_wrong(tmp_path: Path) -> None:
    path = written(tmp_path, [label("3", 10)])
    dice = (spot("3", 12), spot("6", 150))
    report = evaluate(Told(Reading(dice)), labelled(path, SETS), blank, lambda: 0.0)
    result = figures(report.groups()["all"]["all"])
    assert (result["dice_sure"], result["sure_wrong"], result["sure_right"]) == (100, 1, 50)


def test_photographs_know_no_game_and_may_ignore_dice(tmp_path: Path) -> None:
    path = tmp_path / "photos.json"
    die = {"box": [10, 10, 40, 40], "value": "skull", "means": 1}
    record = {"file": "a.jpg", "source": "s", "dice": [die], "ignore": [[100, 0, 60, 60]]}
    path.write_text(json.dumps([record]))
    (picture,) = labelled(path, {})
    assert picture.due is None and picture.dice[0].faces == ("skull", "1")
    report = evaluate(Told(Reading((spot("1", 10), spot("2", 110)))), [picture], blank, lambda: 0.0)
    assert figures(report.groups()["source"]["s"])["dice_right"] == 100
    assert figures(report.groups()["source"]["s"])["reported_real"] == 100


def test_the_page_shows_the_worst_pictures(tmp_path: Path) -> None:
    import cv2

    path = written(tmp_path, [label("3", 10), label("5", 80)])
    cv2.imwrite(str(tmp_path / "0.png"), blank(""))
    report = evaluate(Told(Reading((spot("4", 12),))), labelled(path, SETS), blank, lambda: 0.0)
    html = page(report, tmp_path)
    assert "pip:3 read as pip:4" in html and "pip:5 not found" in html and "data:image/jpeg" in html


def test_files_that_hold_no_labels_are_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    with pytest.raises(NotLabels, match=r"bad\.json"):
        labelled(bad, SETS)


PHOTOGRAPH = {"file": "a.jpg", "source": "us", "dice": [{"box": [1, 2, 30, 30], "value": 3}]}


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ([], "a list of pictures is needed"),
        ({"pictures": []}, "a list of pictures is needed"),
        ([PHOTOGRAPH, {"file": "b.jpg", "dice": []}], r"picture 2 in .* has no 'source'"),
        ([PHOTOGRAPH | {"dice": [{"box": [1, 2], "value": 3}]}], "picture 1 .* cannot be understood"),
        ([PHOTOGRAPH | {"dice": [{"box": [1, 2, -3, 4], "value": 3}]}], "is no box of x, y, width and"),
        ([PHOTOGRAPH | {"dice": [{"box": [10**400, 2, 3, 4], "value": 3}]}], "cannot be understood"),
        ([PHOTOGRAPH | {"ignore": [[1, 2]]}], "picture 1 .* cannot be understood"),
        ([PHOTOGRAPH | {"file": 3}], "3 is no name of a file"),
        (["a.jpg"], "picture 1 .* cannot be understood"),
    ],
)
def test_what_is_wrong_with_labels_is_said(records: object, words: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(records))
    with pytest.raises(NotLabels, match=words):
        labelled(file, {})


def test_labels_may_be_sparse_and_have_a_mark_at_their_beginning(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([PHOTOGRAPH | {"source": None, "angle": None}]), encoding="utf-8-sig")
    (one,) = labelled(file, {})
    assert dict(one.conditions)["source"] == "?" and one.dice[0].box == (1, 2, 30, 30)


def test_labels_too_deep_to_read_are_none(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text("[" * 100_000)
    with pytest.raises(NotLabels, match="not JSON"):
        labelled(file, {})


def test_matching_is_one_to_one_and_by_overlap_first() -> None:
    boxes = [(0.0, 0.0, 10.0, 10.0), (5.0, 0.0, 10.0, 10.0)]
    assert matched(boxes, [(5.0, 0.0, 10.0, 10.0)]) == [(1, 0)]
    assert matched([(100.0, 0.0, 10.0, 10.0)], boxes) == []
