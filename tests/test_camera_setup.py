"""The setup page with the real camera setup behind it, looking at a rendered mat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from companion import eye as eye_module
from companion.cli.setup import CameraSetup
from companion.dice import Die
from companion.eye import Eye
from companion.log import Log
from companion.table import Table
from companion.vision.calibration import stored
from companion.vision.page import Box
from companion.vision.reading import Frame, Image, Reading
from companion.vision.stillness import small_of
from companion.web import create_app
from tests.test_calibration import TAPPED, TILTED, WARM, Scene, off, table
from tests.web.rig import PIN


class Listening:
    """A reader that remembers what it was told about zone and white."""

    def __init__(self) -> None:
        self.zone: Any = None
        self.white: Any = None

    def read(self, image: Image, due: Any, lying: Any = (), zone: Any = None, white: Any = None) -> Reading:
        self.zone, self.white = zone, white
        return Reading(roll=tuple(Die(kind, "1") for kind in due))


class Room:
    """A table, its eye without a camera, and the host's phone on the setup page."""

    def __init__(self, log: Log, state: Path, **chosen: Any) -> None:
        self.table, self.reader, self.state = Table(log), Listening(), state
        self.eye = Eye(self._none, self.reader, self.table)
        self.setup = CameraSetup(self.eye, self.reader, self.table, state, **chosen)
        app = create_app(self.table, secret="s", pin=PIN, setup=self.setup)
        self.host: FlaskClient = app.test_client()
        self.host.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
        self.host.post("/host", data={"pin": PIN})

    def _none(self) -> Any:
        raise AssertionError("no camera in this test")

    def see(self, image: Image) -> None:
        for at in range(8):
            self.eye.see(Frame(image, small_of(image), at / 15))

    def zone(self) -> tuple[tuple[float, float], ...]:
        """The corners drawn on the page."""
        points = re.search(r'class="zone" points="([^"]*)"', self.host.get("/setup").text)
        assert points is not None
        pairs = [pair.split(",") for pair in points[1].split()]
        return tuple((float(x), float(y)) for x, y in pairs)


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No camera runs here that would have to settle."""
    monkeypatch.setattr(eye_module, "SETTLE_S", 0.0)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path)
    yield log
    log.close()


@pytest.fixture
def room(log: Log, tmp_path: Path) -> Room:
    return Room(log, tmp_path)


def test_one_tap_takes_zone_scale_and_white_from_the_mat(room: Room) -> None:
    scene = Scene(TILTED)
    room.see(scene.shoot(WARM))
    assert "Not chosen yet" in room.host.get("/setup").text
    assert room.host.post("/setup/mat").status_code == 303
    page = room.host.get("/setup").text
    assert "The zone comes from the mat." in page
    assert "The view is good." in page
    assert off(room.zone(), scene.truth(scene.sheet.zone)) < 2
    kept = stored(room.state / "calibration.json")
    assert kept is not None
    assert kept == room.eye.calibration
    assert kept.px_per_mm == pytest.approx(3.2, abs=0.3)
    assert room.eye._locked
    assert room.host.post("/setup/read").status_code == 303
    assert off(room.reader.zone, scene.truth(scene.sheet.zone)) < 2
    red, green, blue = room.reader.white
    assert (red, green) == (pytest.approx(0.85, rel=0.05), 1.0)
    assert blue == pytest.approx(0.85 / 0.55, rel=0.05)


def test_a_bump_is_said_on_the_page_and_a_new_look_puts_it_right(room: Room) -> None:
    room.see(Scene(TILTED).shoot(WARM))
    room.host.post("/setup/mat")
    room.setup.check()
    assert room.table.view().trouble is None
    moved = Scene(tuple((x + 14, y - 6) for x, y in TILTED))
    room.see(moved.shoot(WARM))
    room.setup.check()
    assert "The camera or the mat was bumped" in room.host.get("/setup/now").text
    room.host.post("/setup/mat")
    assert room.table.view().trouble is None
    assert off(room.zone(), moved.truth(moved.sheet.zone)) < 2


def test_a_bump_is_said_without_a_mat_too(room: Room) -> None:
    room.see(table(dice=1))
    room.host.post("/setup/corners", data={"points": " ".join(f"{x} {y}" for x, y in TAPPED)})
    room.see(table(dice=2))
    room.setup.check()
    assert room.table.view().trouble is None
    room.see(table(dice=3, push=(20, 9)))
    room.setup.check()
    assert "The camera was bumped" in room.host.get("/setup/now").text


def test_a_covered_mat_is_refused_with_what_to_do_and_the_old_zone_stays(room: Room) -> None:
    scene = Scene()
    room.see(scene.shoot())
    room.host.post("/setup/mat")
    before = room.eye.calibration
    room.see(scene.cover(Box(0, 0, 40, 210)).shoot())
    refused = room.host.post("/setup/mat", headers={"X-Fragment": "y"})
    assert refused.status_code == 409
    assert "Only 2 of the mat" in refused.text
    assert room.eye.calibration is before
    assert room.eye._locked, "it holds the light of the calibration that still counts"


def test_what_the_configuration_says_about_dice_and_locking_is_heeded(log: Log, tmp_path: Path) -> None:
    room = Room(log, tmp_path, lock=False, die_mm=8.0)
    room.see(Scene(TILTED).shoot())
    room.host.post("/setup/mat")
    assert "The dice are too small" in room.host.get("/setup/now").text
    assert not room.eye._locked


def test_no_picture_yet(room: Room) -> None:
    refused = room.host.post("/setup/mat", headers={"X-Fragment": "y"})
    assert refused.status_code == 409
    assert "plugged in" in refused.text
    assert not np.any(room.setup.size())
