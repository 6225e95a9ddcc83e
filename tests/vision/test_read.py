from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.vision.cameras import ClipCamera
from companion.vision.detector import Find
from companion.vision.evaluate import read_pictures
from companion.vision.models import model_file
from companion.vision.pictures import picture
from companion.vision.reader import one_more
from companion.vision.reading import CameraLost

PICTURE = Path(__file__).parent.parent / "fixtures" / "images" / "clever" / "p_012.jpg"


def test_read_prints_one_json_line_a_picture_and_goes_on_after_a_bad_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    missing = tmp_path / "missing.jpg"
    assert main(["read", "--game", "clever", "--json", str(bad), str(PICTURE), str(missing)]) == 2
    out, err = capsys.readouterr()
    first, good, last = (json.loads(line) for line in out.splitlines())
    assert first.keys() == last.keys() == {"file", "error"} and first["file"] == str(bad)
    assert good.keys() == {"file", "dice", "roll", "doubts", "ms"}
    assert good["dice"] and good["ms"] > 0
    assert (good["roll"] is None) == bool(good["doubts"])
    for die in good["dice"]:
        assert die.keys() == {"kind", "face", "box", "confidence", "sure", "state", "alternatives"}
        assert 0 <= die["confidence"] <= 1 and len(die["box"]) == 4
    assert "bad.jpg" in err and "Traceback" not in err


def test_a_picture_too_large_to_open_does_not_stop_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    huge = tmp_path / "huge.png"
    cv2.imwrite(str(huge), np.zeros((16, 16), np.uint8))
    content = bytearray(huge.read_bytes())
    content[16:24] = (100_000).to_bytes(4, "big") * 2
    content[29:33] = zlib.crc32(content[12:29]).to_bytes(4, "big")
    huge.write_bytes(content)
    assert main(["read", "--game", "clever", "--json", str(huge), str(PICTURE)]) == 2
    first, good = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first.keys() == {"file", "error"} and first["file"] == str(huge)
    assert good["dice"]
    with pytest.raises(CameraLost, match=r"huge\.png.*is not a picture"):
        ClipCamera(tmp_path).next()
    with pytest.raises(FileNotFoundError, match=r"huge\.png cannot be read"):
        read_pictures(tmp_path)("huge.png")


def test_a_picture_with_a_name_that_is_not_utf_8_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    strange = tmp_path / "caf\udce9.jpg"
    strange.write_bytes(PICTURE.read_bytes())
    assert main(["read", "--game", "clever", "--json", str(strange)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["file"] == str(strange) and line["dice"]


@pytest.mark.parametrize("missing", [1, 2, 200])
def test_a_picture_that_lacks_its_last_bytes_is_read(missing: int, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(PICTURE.read_bytes()[:-missing])
    image, whole = picture(cut), picture(PICTURE)
    assert image is not None and whole is not None
    assert np.abs(image[:-32].astype(int) - whole[:-32]).max() < 8


def turned(content: bytes, orientation: int) -> bytes:
    """A JPEG that asks to be shown turned."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0" + struct.pack("<2sHIH", b"II", 42, 8, 1) + entry + bytes(4)
    return content[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + content[2:]


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_half_a_picture_is_none_whichever_way_it_is_shown(orientation: int, tmp_path: Path) -> None:
    content = turned(PICTURE.read_bytes(), orientation)
    (tmp_path / "whole.jpg").write_bytes(content)
    whole = picture(tmp_path / "whole.jpg")
    assert whole is not None and (whole.shape[0] > whole.shape[1]) == (orientation > 4)
    for part in (0.1, 0.5, 0.7, 0.9):
        (tmp_path / "part.jpg").write_bytes(content[: int(part * len(content))])
        assert picture(tmp_path / "part.jpg") is None


def test_a_picture_without_its_finer_parts_is_none(tmp_path: Path) -> None:
    image = cv2.imread(str(PICTURE))
    assert image is not None
    _, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    for part in (0.3, 0.6, 0.99):
        (tmp_path / "part.jpg").write_bytes(content.tobytes()[: int(part * len(content))])
        assert picture(tmp_path / "part.jpg") is None


def test_a_picture_too_small_to_hold_a_die_is_none(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "tiny.png"), np.zeros((15, 40, 3), np.uint8))
    assert picture(tmp_path / "tiny.png") is None
    with pytest.raises(CameraLost, match=r"tiny\.png.*is not a picture"):
        ClipCamera(tmp_path).next()
    assert picture(tmp_path / "no\0name.png") is None


def test_lines_are_plain_ascii_whatever_a_file_is_called(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    named = tmp_path / "würfel 🎲.jpg"
    named.write_bytes(PICTURE.read_bytes())
    assert main(["read", "--game", "clever", "--json", str(named)]) == 0
    line = capsys.readouterr().out
    assert line.isascii() and json.loads(line)["file"] == str(named)


@pytest.mark.parametrize("name", ["nowhere.jpg", "n" * 300])
def test_a_file_that_is_not_there_does_not_stop_the_others(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--game", "clever", name, str(PICTURE)]) == 2
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == f"{name} is not there, or is no picture that can be read"
    assert second.startswith(str(PICTURE))


def test_read_speaks_to_people_without_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--game", "pips", str(PICTURE)]) == 0
    assert "pip:" in capsys.readouterr().out


def test_an_empty_table_has_no_dice(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.full((480, 640, 3), 128, np.uint8))
    assert main(["read", "--game", "regenwormen", "--json", str(grey)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["dice"] == [] and line["roll"] is None and line["doubts"] == ["No dice can be seen."]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "ludo"], "there is no game “ludo”"),
        (["--game", "clever", "--dice", "pink"], "“pink”"),
        (["--game", "clever", "--lying", "blue:9"], "a blue die shows 1, 2, 3, 4, 5, 6"),
        (["--game", "pips", "--lying", "pip:3"], "--lying needs the dice due"),
        (["--game", "clever", "--dice", "blue,worm"], "clever has no die “worm”: choose from white, yellow"),
        (["--game", "clever", "--dice", "blue,blue"], "2 dice “blue” are more than the 1 of clever"),
        (["--game", "clever", "--lying", "worm:3"], "clever has no die “worm”"),
        (["--game", "pips", "--dice", "white"], "pips has no die “white”: choose from pip"),
    ],
)
def test_mistakes_are_told_in_one_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", *arguments, str(PICTURE)]) == 2
    err = capsys.readouterr().err
    assert words in err and len(err.splitlines()) == 1


def labels_in(folder: Path) -> Path:
    box = [10, 10, 50, 50]
    record = {"game": "clever", "file": "a.png", "look": "varied", "surface": "felt", "lighting": "dim"}
    record |= {"camera_tilt": 3, "die_px": 50, "dice": [{"kind": "blue", "face": "1", "box": box}]}  # type: ignore[dict-item]
    labels = folder / "labels.json"
    labels.write_text(json.dumps({"note": "", "images": [record]}))
    return labels


def test_evaluate_prints_figures_and_writes_a_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    image = cv2.imread(str(PICTURE))
    assert image is not None
    cv2.imwrite(str(tmp_path / "a.png"), image)
    labels = labels_in(tmp_path)
    report = tmp_path / "out.html"
    asked = ["evaluate", str(labels), "--images", str(tmp_path), "--report", str(report), "--json"]
    assert main(asked) == 0
    tables = json.loads(capsys.readouterr().out)
    assert tables["all"]["all"]["pictures"] == 1 and tables["game"]["clever"]["dice_right"] == 0
    assert "blue:1 not found" in report.read_text(encoding="utf-8")
    assert main(["evaluate", str(labels), "--images", str(tmp_path / "nowhere")]) == 2
    assert main(["evaluate", str(report), "--images", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_report_that_cannot_be_written_is_told_before_any_picture_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["evaluate", str(labels_in(tmp_path)), "--images", str(tmp_path), "--report"]
    assert main([*asked, str(tmp_path / "no folder" / "out.html")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert "the report cannot be written to" in err
    kept = tmp_path / "out.html"
    kept.write_text("the last report")
    assert main([*asked, str(kept)]) == 2
    assert kept.read_text() == "the last report"


def test_a_picture_that_cannot_be_read_does_not_end_an_evaluation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    labels = labels_in(tmp_path)
    records = json.loads(labels.read_text())["images"]
    labels.write_text(json.dumps({"images": [*records, records[0] | {"file": "broken.png"}]}))
    (tmp_path / "a.png").write_bytes(PICTURE.read_bytes())
    (tmp_path / "broken.png").write_text("no picture")
    assert main(["evaluate", str(labels), "--images", str(tmp_path), "--json"]) == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["all"]["all"]["pictures"] == 1
    assert "broken.png cannot be read and was left out" in told.err


COLOURS = model_file("colours.onnx").read_bytes()


@pytest.mark.parametrize(
    ("broken", "content"),
    [
        ("trust.json", b"[1, 2]"),
        ("trust.json", b'{"weights": [NaN, 1, 1, 1, 1, 1], "sure": 0.9}'),
        ("trust.json", b'{"weights": [1, 1], "sure": 0.9}'),
        ("detector.onnx", b"[1, 2]"),
        ("detector.onnx", COLOURS),
    ],
    ids=["no fit", "no number", "too few", "no model", "another model"],
)
def test_damaged_models_are_told_in_a_sentence(
    broken: str, content: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    for file in model_file("trust.json").parent.iterdir():
        (models / file.name).write_bytes(content if file.name == broken else file.read_bytes())
    labels = str(labels_in(tmp_path))
    assert main(["evaluate", labels, "--images", str(tmp_path), "--models", str(models)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and broken in told and "install the companion again" in told


def test_an_evaluation_without_pictures_leaves_no_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    command = ["evaluate", str(labels_in(tmp_path)), "--images", str(tmp_path), "--report", str(page)]
    assert main(command) == 2
    assert "name the folder of the pictures with --images" in capsys.readouterr().err
    assert not page.exists()
    page.touch()
    assert main(command) == 2 and page.exists(), "what was there stays"


@pytest.mark.parametrize("words", [["read"], ["watch", "--game", "clever", "--fps", "abc", "x"], ["fly"]])
def test_mistakes_in_arguments_are_one_sentence_too(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("companion: ") and told.endswith("--help\n") and told.count("\n") == 1


def test_a_face_looked_for_again_is_not_found_where_another_lies() -> None:
    """Two doubtful finds of one die must not both end on its face: that would be two dice."""
    square = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
    at = [
        Find(
            0.6, np.array([x, 0, x + 40, 40], np.float32), np.array([x, 0], np.float32) + square, np.zeros(4)
        )
        for x in (0, 3, 90)
    ]
    assert one_more([], at[0]), "a die alone"
    assert one_more([at[0]], at[2])
    assert not one_more([at[0], at[2]], at[1])
