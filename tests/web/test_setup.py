"""Setting up the camera in the browser, and the camera behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.cli.setup import CameraSetup
from companion.dice import Die
from companion.log import Log
from companion.table import Refused, Table
from companion.vision.calibration import stored, whole_picture
from companion.vision.reading import Frame, Image, Reading, Sentence
from companion.web import create_app
from tests.web.rig import PIN


class DrawnCamera:
    """A camera for the setup page that remembers what was asked of it."""

    def __init__(self) -> None:
        self.said: tuple[Sentence, ...] = ()
        self.chosen = ""
        self.corners: tuple[tuple[float, float], ...] = ()
        self.reading = Reading()
        self.missing: tuple[str, ...] = ()

    def facts(self) -> Mapping[str, str]:
        return {"camera": "drawn", "temperature": "48 °C"}

    def size(self) -> tuple[int, int]:
        return (640, 480)

    def verdict(self) -> tuple[Sentence, ...]:
        return self.said

    def how(self) -> str:
        return self.chosen

    def zone(self) -> tuple[tuple[float, float], ...]:
        return self.corners

    def find_mat(self) -> None:
        raise Refused("no mat")

    def use_corners(self, points: tuple[tuple[float, float], ...]) -> None:
        self.chosen, self.corners = "corners", points

    def use_whole(self) -> None:
        self.chosen = "whole"

    def read(self, kinds: tuple[str, ...]) -> Reading:
        return self.reading

    def ready(self) -> tuple[str, ...]:
        return self.missing


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path)
    yield log
    log.close()


def host_of(log: Log, camera: DrawnCamera | None) -> FlaskClient:
    app = create_app(Table(log), secret="s", pin=PIN, setup=camera)
    host = app.test_client()
    host.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    host.post("/host", data={"pin": PIN})
    return host


def test_only_the_host_sets_up(log: Log) -> None:
    host = host_of(log, DrawnCamera())
    stranger = host.application.test_client()
    assert stranger.get("/setup").status_code == 303
    assert stranger.get("/setup/now").status_code == 404
    assert stranger.post("/setup/whole", headers={"X-Fragment": "y"}).status_code == 401


def test_the_view_is_judged_in_words(log: Log) -> None:
    camera = DrawnCamera()
    host = host_of(log, camera)
    assert "The view is good." in host.get("/setup").text
    camera.said = (Sentence("It is too dark: put a lamp near the table, or open the curtains."),)
    now = host.get("/setup/now").text
    assert "It is too dark" in now
    assert "48 °C" in now


def test_the_zone_by_corners_or_whole(log: Log) -> None:
    camera = DrawnCamera()
    host = host_of(log, camera)
    host.post("/setup/corners", data={"points": "10 20 600 22 610,400 5 410"})
    assert camera.corners == ((10, 20), (600, 22), (610, 400), (5, 410))
    refused = host.post("/setup/corners", data={"points": "1 2 x"}, headers={"X-Fragment": "y"})
    assert refused.status_code == 409
    host.post("/setup/whole")
    assert "The whole picture is the zone." in host.get("/setup").text
    assert "No mat" in host.post("/setup/mat", data={"back": "setup"}, follow_redirects=True).text


def test_only_a_real_camera_is_to_be_set_up_first(log: Log) -> None:
    table, camera, words = Table(log), DrawnCamera(), "The host sets up the camera first"
    for throw, there in ((None, True), (lambda: None, False)):
        app = create_app(table, secret="s", pin=PIN, setup=camera, throw=throw, language="en")
        page = app.test_client().get("/table").text
        assert (words in page) == there
        assert ">/setup<" not in page


def test_two_throws_read_right_and_the_phones_may_come(log: Log) -> None:
    camera = DrawnCamera()
    host = host_of(log, camera)
    doubtful = host.post("/setup/read", headers={"X-Fragment": "y"})
    assert doubtful.status_code == 409
    camera.reading = Reading(roll=tuple(map(Die.named, ["worm:1"] * 8)))
    for _ in range(2):
        assert "Well done" not in host.get("/setup").text
        host.post("/setup/read")
        assert "That is right" in host.get("/setup").text
        host.post("/setup/right", data={"right": "on"})
    assert "Well done" in host.get("/setup").text
    host.post("/setup/whole")
    assert "0 of 2" in host.get("/setup").text, "a new zone wants new trials"


def test_without_a_camera_the_page_says_so(log: Log) -> None:
    assert "every roll is typed in" in host_of(log, None).get("/setup").text


def test_health_and_readiness(log: Log) -> None:
    camera = DrawnCamera()
    host = host_of(log, camera)
    assert host.get("/healthz").json == {"alive": True}
    assert host.get("/readyz").json == {"ready": True, "problems": [], "eye": []}
    camera.missing = ("the model “faces.onnx” is not there",)
    assert host.get("/readyz").json["eye"] == list(camera.missing)
    log._db.execute("PRAGMA query_only = ON")
    assert host.get("/readyz").status_code == 503
    log._db.execute("PRAGMA query_only = OFF")


class DrawnEye:
    """The part of the eye that setting up needs."""

    def __init__(self, image: Image | None) -> None:
        self.calibration: Any = None
        self.locked = False
        self.moving = False
        self.latest = None
        self.show(image)

    def show(self, image: Image | None) -> None:
        self.latest = None if image is None else Frame(image, image[::4, ::4], 0.0)

    def facts(self) -> Any:
        size = (0, 0) if self.latest is None else self.latest.image.shape[1::-1]
        return SimpleNamespace(
            camera="drawn", size=size, fps=15.0, moving=self.moving, load=0.2, reading_ms=80.0
        )

    def lock_camera(self) -> None:
        self.locked = True

    def settle(self) -> bool:
        was, self.locked = self.locked, False
        return was


class OneRoll:
    """A reader that remembers the zone it was given."""

    def __init__(self) -> None:
        self.zone: Any = None

    def read(self, image: Image, due: Any, lying: Any = (), zone: Any = None, white: Any = None) -> Reading:
        self.zone = zone
        return Reading(roll=tuple(Die(kind, "1") for kind in due))


def grey(level: int) -> Image:
    return np.full((480, 640, 3), level, np.uint8)


@pytest.fixture
def camera(log: Log, tmp_path: Path) -> tuple[CameraSetup, DrawnEye, Table, OneRoll]:
    eye, table, reader = DrawnEye(grey(120)), Table(log), OneRoll()
    return CameraSetup(eye, reader, table, tmp_path), eye, table, reader  # type: ignore[arg-type]


def test_the_zone_is_used_and_kept(
    camera: tuple[CameraSetup, DrawnEye, Table, OneRoll], tmp_path: Path
) -> None:
    setup, eye, _, reader = camera
    with pytest.raises(Refused, match="corner markers"):
        setup.find_mat()
    with pytest.raises(Refused):
        setup.use_corners(((0, 0), (1, 0), (1, 1), (0, 1)))
    setup.use_corners(((600, 20), (20, 20), (20, 400), (600, 400)))
    assert setup.how() == "corners"
    assert setup.zone()[0] == (20, 20)
    assert eye.locked
    assert stored(tmp_path / "calibration.json") == eye.calibration
    assert setup.read(("worm", "worm")).roll is not None
    assert reader.zone is not None
    setup.use_whole()
    setup.read(("worm",))
    assert reader.zone is None
    eye.moving = True
    with pytest.raises(Refused, match="moves"):
        setup.read(("worm",))


def test_no_picture_is_a_sentence(camera: tuple[CameraSetup, DrawnEye, Table, OneRoll]) -> None:
    setup, eye, _, _ = camera
    eye.show(None)
    assert "No picture" in str(setup.verdict()[0])
    assert setup.zone() == ()
    assert any("no picture" in problem for problem in setup.ready())
    with pytest.raises(Refused, match="plugged in"):
        setup.use_whole()


def test_changed_light_is_said_and_taken_back(camera: tuple[CameraSetup, DrawnEye, Table, OneRoll]) -> None:
    setup, eye, table, _ = camera
    eye.calibration = replace(whole_picture(grey(120)))
    setup.check()
    assert table.view().trouble is None
    eye.show(grey(40))
    eye.moving = True
    setup.check()
    assert table.view().trouble is None, "a hand in the picture is no change of light"
    eye.moving = False
    setup.check()
    assert "darker" in str(table.view().trouble)
    eye.show(grey(118))
    setup.check()
    assert table.view().trouble is None
    table.trouble(Sentence("The camera is gone."))
    eye.show(grey(40))
    setup.check()
    assert str(table.view().trouble) == "The camera is gone.", "a worse trouble is not covered"
