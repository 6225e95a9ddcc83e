"""Setting up the camera in the browser, host only: picture and verdict, the zone, two throws to try."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from companion.dice import Die
from companion.games import GAMES
from companion.table import Refused
from companion.vision.reading import Reading, Sentence
from companion.web.asking import Ask
from companion.web.pages import living
from companion.web.room import room, view, who

Point = tuple[float, float]
TRIES = "setup.tries"
ENOUGH = 2
"""So many throws must have been read right before the camera is trusted with a game."""


class Setup(Protocol):
    """What the setup page needs of the camera; `companion.cli.setup.CameraSetup` is the real one."""

    def facts(self) -> Mapping[str, str]:
        """How camera and machine are doing: camera, size, frames a second, load, temperature, …"""

    def size(self) -> tuple[int, int]:
        """Width and height of the picture; (0, 0) while there is none."""

    def verdict(self) -> tuple[Sentence, ...]:
        """What to put right in the view; empty when it is good."""

    def how(self) -> str:
        """Where the zone comes from: mat, corners, whole; empty before it was set."""

    def zone(self) -> tuple[Point, ...]:
        """The corners of the roll zone in pixels of the picture."""

    def find_mat(self) -> None:
        """Take the zone from the mat; raises `Refused`."""

    def use_corners(self, points: tuple[Point, ...]) -> None:
        """Take four tapped corners; raises `Refused`."""

    def use_whole(self) -> None:
        """Take the whole picture; raises `Refused`."""

    def read(self, kinds: tuple[str, ...]) -> Reading:
        """Read these dice in the newest picture; raises `Refused`."""

    def ready(self) -> tuple[str, ...]:
        """What keeps the eye from working; empty when nothing does."""


setup = Blueprint("setup", __name__)


@setup.get("/setup")
def page() -> ResponseReturnValue:
    """Everything about the camera on one page."""
    if not who().host:
        return redirect(url_for("pages.host"), 303)
    return living("setup.html", "setup_live.html", _context())


@setup.get("/setup/now")
def now() -> ResponseReturnValue:
    """The part that changes every second."""
    if not who().host or room().setup is None:
        return "", 404
    return render_template("setup_now.html", **_context())


def _context() -> dict[str, Any]:
    camera, table = room().setup, room().table
    return {
        "view": view(),
        "who": who(),
        "setup": camera,
        "facts": _facts(camera),
        "tries": _tries(),
        "enough": ENOUGH,
        "kinds": view().game.dice,
        "acting": 0,
        "done": bool(table.kept("setup.done")),
        "read": [Die.named(text) for text in table.kept("setup.read").split()],
    }


def _facts(camera: Setup | None) -> dict[str, str]:
    """The facts in the reader's language; no format strings, since a load is said in “%”."""
    if camera is None:
        return {}
    return {str(gettext(name)): str(gettext(fact)) for name, fact in camera.facts().items() if fact}


def _tries() -> int:
    kept = room().table.kept(TRIES)
    return int(kept) if kept.isdecimal() else 0


def _camera() -> Setup:
    camera = room().setup
    if camera is None:
        raise Refused("there is no camera: rolls are typed in")
    return camera


@setup.post("/setup/mat")
def mat() -> ResponseReturnValue:
    """The zone from the mat."""
    _camera().find_mat()
    return _again()


@setup.post("/setup/corners")
def corners() -> ResponseReturnValue:
    """The zone from four points, clockwise from the upper left."""
    words = Ask.from_form(request, who()).text("points").replace(",", " ").split()
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) != 8:
        raise Refused("tap the four corners of the zone in the picture")
    _camera().use_corners(tuple(zip(numbers[::2], numbers[1::2], strict=True)))
    return _again()


@setup.post("/setup/whole")
def whole() -> ResponseReturnValue:
    """The whole picture is the zone."""
    _camera().use_whole()
    return _again()


@setup.post("/setup/throw")
def throw() -> ResponseReturnValue:
    """Throw the simulated dice."""
    thrower = room().throw
    if thrower is None:
        raise Refused("there is no simulated tray here: throw the real dice")
    thrower()
    return _back()


@setup.post("/setup/read")
def read() -> ResponseReturnValue:
    """Read what lies there now; somebody says whether it is right."""
    reading = _camera().read(GAMES[view().lobby.key].dice)
    if reading.roll is None:
        said = reading.doubts[0] if reading.doubts else Sentence("no dice can be seen")
        room().table.keep("setup.read", "")
        raise Refused(said.text, **dict(said.blanks))
    room().table.keep("setup.read", " ".join(map(str, reading.roll)))
    return _back()


@setup.post("/setup/right")
def right() -> ResponseReturnValue:
    """The trial was read right, or was not."""
    good = Ask.from_form(request, who()).flag("right")
    table = room().table
    table.keep("setup.read", "")
    table.keep(TRIES, str(_tries() + 1 if good else 0))
    if _tries() >= ENOUGH:
        table.keep("setup.done", "yes")
    return _back()


@setup.get("/healthz")
def healthz() -> ResponseReturnValue:
    """The process is alive."""
    return jsonify({"alive": True})


@setup.get("/readyz")
def readyz() -> ResponseReturnValue:
    """The table can be played at: the log can be written, and the eye, if there is one, can see."""
    problems: list[str] = []
    try:
        room().table.try_log()
    except OSError as problem:
        problems.append(str(problem))
    camera = room().setup
    seeing = list(camera.ready()) if camera else []
    answer = jsonify(
        {"ready": not problems, "problems": problems, "eye": seeing if camera else ["no camera"]}
    )
    answer.status_code = 503 if problems else 200
    return answer


def _again() -> ResponseReturnValue:
    """A new zone wants new trials."""
    room().table.keep(TRIES, "0")
    room().table.keep("setup.read", "")
    return _back()


def _back() -> ResponseReturnValue:
    return redirect(url_for("setup.page"), 303)
