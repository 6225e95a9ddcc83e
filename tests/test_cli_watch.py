"""`companion watch` on small clips, with a reader that needs no network."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.vision.reading import Image
from tests.test_eye import HERE, THERE, PaleReader, hand, picture

NUDGED = (HERE[0], (2, 150, 120))


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.vision.reader.Reader", PaleReader)


def clip(folder: Path, *parts: tuple[Image, int]) -> Path:
    images = [image for image, count in parts for _ in range(count)]
    for n, image in enumerate(images):
        cv2.imwrite(str(folder / f"frame_{n:03}.png"), image)
    return folder


def watched(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["watch", "--game", "regenwormen", "--dice", "worm,worm", "--json", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_roll_is_told_within_six_frames_of_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = clip(tmp_path, (picture(), 3), (picture(*THERE), 1), (picture(*HERE), 12))
    (line,) = watched(capsys, str(folder))
    assert line["roll"] == ["worm:3", "worm:5"]
    assert 4 < int(str(line["frame"])) <= 4 + 6
    assert line["confidence"] == pytest.approx(0.998, abs=1e-3)
    assert list(line) == ["frame", "roll", "confidence"]


def test_a_clip_that_begins_in_full_movement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = clip(tmp_path, (picture(*THERE), 1), (picture(*HERE), 8))
    assert [line["roll"] for line in watched(capsys, str(folder))] == [["worm:3", "worm:5"]]


def test_dice_that_lie_still_from_the_first_frame_were_not_thrown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    passing = [(hand(n), 1) for n in range(1, 8)]
    folder = clip(tmp_path, (picture(*HERE), 8), *passing, (picture(*HERE), 12))
    assert watched(capsys, str(folder)) == []


def test_a_hand_adds_no_line_and_a_nudged_die_adds_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    passing = [(hand(n), 1) for n in range(1, 8)]
    folder = clip(
        tmp_path, (picture(), 3), (picture(*HERE), 8), *passing, (picture(*HERE), 8), (picture(*NUDGED), 8)
    )
    lines = watched(capsys, str(folder))
    assert [line["roll"] for line in lines] == [["worm:3", "worm:5"], ["worm:3", "worm:2"]]
    assert int(str(lines[1]["frame"])) >= 3 + 8 + 7 + 8
    assert watched(capsys, str(folder)) == lines


def test_every_throw_is_due_again_after_the_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = clip(tmp_path, (picture(), 3), (picture(*HERE), 8), (picture(), 6), (picture(*THERE), 8))
    assert [line["roll"] for line in watched(capsys, str(folder))] == [
        ["worm:3", "worm:5"],
        ["worm:1", "worm:2"],
    ]


def test_the_pace_matters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = clip(tmp_path, (picture(), 3), (picture(*HERE), 8))
    slow = watched(capsys, "--fps", "5", str(folder))
    quick = watched(capsys, "--fps", "60", str(folder))
    assert slow[0]["frame"] == 6
    assert quick == []


def test_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = clip(tmp_path, (picture(), 3), (picture(*HERE), 8))
    assert main(["watch", "--game", "regenwormen", "--dice", "worm,worm", str(folder)]) == 0
    assert capsys.readouterr().out == "frame 7: worm:3 worm:5 (confidence 0.998)\n"


def test_a_clip_without_a_roll_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = clip(tmp_path, (picture(*HERE), 12))  # nothing moves
    assert main(["watch", "--game", "regenwormen", "--dice", "worm,worm", "--json", str(folder)]) == 0
    told = capsys.readouterr()
    assert told.out == "" and "no roll was trusted" in told.err


def test_a_film_too_small_to_hold_a_die(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "tiny.avi"
    out = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 15, (8, 8))
    for _ in range(3):
        out.write(np.zeros((8, 8, 3), np.uint8))
    out.release()
    assert main(["watch", "--game", "regenwormen", str(film)]) == 2
    assert "cannot be played" in capsys.readouterr().err


def test_a_film_with_a_name_that_is_not_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "caf\udce9.avi"
    film.write_bytes(b"a film")
    assert main(["watch", "--game", "regenwormen", str(film)]) == 2
    out = capsys.readouterr()
    assert "caf?.avi” cannot be played, for its name is not in UTF-8: rename it." in out.err
    assert out.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "chess", "x"], "there is no game “chess”: choose one of"),
        (["--game", "regenwormen", "--dice", "worm,dragon", "x"], "has no die “dragon”: choose from worm"),
        (["--game", "regenwormen", "--dice", ",", "x"], "--dice names no die"),
        (["--game", "regenwormen", "--fps", "0", "x"], "--fps must be more than 0"),
        (["--game", "regenwormen", "--fps", "inf", "x"], "and 1000 at most"),
        (["--game", "regenwormen", "nowhere"], "no clip or folder “nowhere”"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", *arguments]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert sentence in out.err
    assert out.err.count("\n") == 1
