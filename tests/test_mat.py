"""The printed mat: true to scale in SVG and PDF, with markers a detector finds, from the command line too."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.vision.mat import COLOURS, DICTIONARY, GREYS, MARKERS, PAPERS, WHITE, PaperSize, draw, layout
from companion.vision.page import PT_PER_MM, Box, Words

SHEETS = list(MARKERS)
ROOT = Path(__file__).parent.parent


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width - 1e-9
        and other.x < one.x + one.width - 1e-9
        and one.y < other.y + other.height - 1e-9
        and other.y < one.y + one.height - 1e-9
    )


@pytest.mark.parametrize(("size", "tray"), SHEETS)
def test_nothing_on_the_sheet_overlaps_or_leaves_it(size: PaperSize, tray: bool) -> None:
    sheet = layout(size, tray)
    parts = [*sheet.markers, sheet.zone, *sheet.patches, *([sheet.tray] if sheet.tray else [])]
    for n, part in enumerate(parts):
        assert part.x >= 3
        assert part.y >= 3
        assert part.x + part.width <= sheet.width - 3
        assert part.y + part.height <= sheet.height - 3
        assert not any(overlap(part, other) for other in parts[n + 1 :])
    assert {patch.fill for patch in sheet.patches} >= {*COLOURS, *((g, g, g) for g in GREYS)}
    for marker in sheet.markers:  # a marker is found by the white around it
        halo = marker.inset(-marker.width / 6)
        assert not any(overlap(halo, part) for part in parts if part != marker and part.fill != WHITE)


@pytest.mark.parametrize(("size", "tray"), SHEETS)
def test_a_detector_finds_the_four_markers_where_the_layout_says(size: PaperSize, tray: bool) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, ids, _ = detector.detectMarkers(draw(size, tray).picture(4))
    sheet = layout(size, tray)
    found = {int(n): quad.reshape(4, 2) / 4 for n, quad in zip(ids.ravel(), corners, strict=True)}
    assert sorted(found) == [sheet.first_marker + n for n in range(4)]
    for n, marker in enumerate(sheet.markers):
        assert np.abs(found[sheet.first_marker + n] - np.array(marker.corners)).max() < 0.5


@pytest.mark.parametrize("size", PAPERS)
def test_svg_and_pdf_draw_the_same_page_true_to_scale(size: PaperSize) -> None:
    page = draw(size, game="Clever (één)", dice="6 × dice")
    boxes = [shape for shape in page.shapes if isinstance(shape, Box)]
    words = [shape for shape in page.shapes if isinstance(shape, Words)]
    svg = ET.fromstring(page.svg())
    width, height = PAPERS[size]
    assert (svg.get("width"), svg.get("height")) == (f"{width}mm", f"{height}mm")
    assert svg.get("viewBox") == f"0 0 {width} {height}"
    drawn = svg.findall("{*}rect")[1:]
    for box, rect in zip(boxes, drawn, strict=True):
        assert [float(rect.get(k, "")) for k in ("x", "y", "width", "height")] == pytest.approx(
            [box.x, box.y, box.width, box.height], abs=1e-3
        )
    assert [text.text for text in svg.findall("{*}text")] == [line.text for line in words]

    pdf = page.pdf().decode("cp1252", "replace")
    media = re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert media is not None
    assert [float(side) / PT_PER_MM for side in media.groups()] == pytest.approx([width, height], abs=0.01)
    assert "/PrintScaling /None" in pdf
    drawn_boxes = re.findall(r"^([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re f$", pdf, re.MULTILINE)
    for box, numbers in zip(boxes, drawn_boxes, strict=True):
        x, y, wide, high = map(float, numbers)
        assert [x, height - y - high, wide, high] == pytest.approx(
            [box.x, box.y, box.width, box.height], abs=2e-3
        )
    assert pdf.count(" Tj ET") == len(words)
    assert r"\(één\)" in pdf


def test_the_pdf_is_well_formed() -> None:
    pdf = draw().pdf()
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert pdf[start:].startswith(b"xref\n0 8\n")
    for number, line in enumerate(pdf[start:].splitlines()[3:10], 1):
        assert pdf[int(line[:10]) :].startswith(b"%d 0 obj" % number)
    length = re.search(rb"/Length (\d+) >>\nstream\n", pdf)
    assert length is not None
    assert pdf[length.end() + int(length[1]) :].startswith(b"\nendstream")


def test_the_ruler_is_a_hundred_millimetres_and_both_languages_speak() -> None:
    page = draw()
    assert any(isinstance(shape, Box) and shape.width == 100 for shape in page.shapes)
    text = " ".join(shape.text for shape in page.shapes if isinstance(shape, Words))
    for words in ("Zilveren dienblad", "Silver tray", "Gooi in het grijze vak", "Roll in the grey field"):
        assert words in text


def test_the_command_writes_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mat", "--size", "a3", "--game", "regenwormen", "--out", str(tmp_path)]) == 0
    pdf, svg = sorted(tmp_path.iterdir())
    assert (pdf.name, svg.name) == ("mat-a3-regenwormen.pdf", "mat-a3-regenwormen.svg")
    assert "Silver tray" not in svg.read_text()
    assert "Regenwormen" in svg.read_text()
    assert str(pdf) in capsys.readouterr().out


def test_an_unknown_game_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mat", "--game", "chess", "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "chess" in error
    assert "regenwormen" in error
    assert error.count("\n") == 1


def test_the_ready_made_files_are_what_the_command_makes(tmp_path: Path) -> None:
    ready = sorted((ROOT / "hardware" / "mat").glob("mat-*"))
    assert len(ready) == 8
    for size in PAPERS:
        for plain in ([], ["--plain"]):
            assert main(["mat", "--size", size, "--out", str(tmp_path), *plain]) == 0
    for file in ready:
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), f"renew {file.name}"


def test_a_folder_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["mat", "--out", str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
