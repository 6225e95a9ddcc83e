"""The sheet colours: readable words on them, and never alone where an eye may take one for another."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.keer_op_keer_2.sheet import COLOUR_OF
from companion.web.dice_names import letter
from companion.web.translations import LANGUAGES
from tests.web.rig import room_of

STATIC = Path(__file__).parents[2] / "companion" / "web" / "static"
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
AA_TEXT = 4.5
CLOSE = 20.0
"""CIE76 distance below which two patches side by side may be taken for one another."""
SEEN_BY = {
    # Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
Levels = NDArray[np.float64]


def linear(colour: str) -> Levels:
    """#rrggbb as linear RGB."""
    if len(colour) == 4:
        colour = "#" + "".join(2 * digit for digit in colour[1:])
    levels = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    return np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((float(TO_XYZ[1] @ linear(each)) for each in (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def lab(colour: str, eye: str) -> Levels:
    seen = np.clip(np.array(SEEN_BY[eye]) @ linear(colour), 0, 1)
    x, y, z = TO_XYZ @ seen / np.array([0.9505, 1.0, 1.089])
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def named() -> dict[str, str]:
    css = (STATIC / "companion.css").read_text()
    return {name: re.findall(rf"--{name}: (#[0-9a-f]+);", css)[0] for name in COLOURS}


def close_pairs(eye: str) -> set[tuple[str, str]]:
    shown = named()
    return {
        (one, other)
        for one, other in combinations(COLOURS, 2)
        if np.linalg.norm(lab(shown[one], eye) - lab(shown[other], eye)) < CLOSE
    }


def test_the_arithmetic_is_right() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert np.linalg.norm(lab("#ffffff", "everybody") - np.array([100, 0, 0])) < 0.1
    red, green = (lab(colour, "deuteranopia") for colour in ("#a06040", "#70783c"))
    plain = np.linalg.norm(lab("#a06040", "everybody") - lab("#70783c", "everybody"))
    assert np.linalg.norm(red - green) < plain / 2, "brown and olive come together"


@pytest.mark.parametrize("colour", COLOURS)
def test_what_stands_on_a_colour_can_be_read(colour: str) -> None:
    css = (STATIC / "companion.css").read_text()
    rules = re.findall(rf"\.(?:die|shows)-{colour}\b[^{{]*{{([^}}]*)}}", css)
    assert rules
    ink = next(iter(re.findall(r"--pip: (#[0-9a-f]+)", rules[0])), "#2b2420")
    assert contrast(named()[colour], ink) >= AA_TEXT


def test_without_colour_blindness_all_are_far_apart() -> None:
    assert close_pairs("everybody") == set()


def test_some_colours_come_close_for_some_eyes() -> None:
    """Else the letters would be there for nothing, and this file would prove nothing."""
    assert set().union(*(close_pairs(eye) for eye in SEEN_BY))


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_tell_the_colours_apart(tmp_path: Path, language: str) -> None:
    log, _, _, app = room_of(tmp_path)
    with app.test_request_context(headers={"Accept-Language": language}):
        letters = [letter(colour) for colour in (*COLOURS, "white")]
    log.close()
    assert all(letters)
    assert len(set(letters)) == len(letters)


@pytest.mark.parametrize(
    ("key", "colours"),
    [
        ("keer_op_keer_2", ("red", "orange", "yellow", "green", "blue")),
        ("clever", ("yellow", "blue", "green", "orange", "purple")),
        ("geizen", ("green", "yellow", "red")),
    ],
)
def test_every_colour_on_a_sheet_has_its_letter(tmp_path: Path, key: str, colours: tuple[str, ...]) -> None:
    log, table, _, app = room_of(tmp_path)
    phone = app.test_client()
    phone.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    phone.post("/join", data={"name": "Anna"})
    table.join("Bram")
    table.change(key, {})
    lobby = phone.get("/seat").text
    table.start()
    page = phone.get("/seat").text
    log.close()
    with app.test_request_context(headers={"Accept-Language": "en"}):
        for colour in colours:
            shown = re.findall(rf">\s*{letter(colour)}\s*<", page)
            assert shown, f"{colour} stands alone on the sheet of {key}"
            if key == "keer_op_keer_2":
                assert len(shown) >= list(COLOUR_OF.values()).count(colour)
            if key == "geizen":
                assert re.search(rf">{letter(colour)}<", lobby), "the small board of the lobby"
