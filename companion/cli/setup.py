"""The camera as the setup page knows it: the eye, its calibration, and a look now and then at both."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.doctor.checks import MODELS, Patient, temperature
from companion.eye import Eye
from companion.table import Refused, Table
from companion.vision.calibration import (
    BadCorners,
    Calibration,
    MatNotFound,
    bumped,
    calibrate,
    from_corners,
    light_changed,
    store,
    watched,
    whole_picture,
)
from companion.vision.gaze import Reads
from companion.vision.models import ModelMissing, model_file
from companion.vision.reading import Image, Reading, Sentence
from companion.vision.verdict import verdict

_log = logging.getLogger(__name__)

PAUSE_S = 30.0
"""Between two looks at the markers and the light."""


class CameraSetup:
    """Sets up the eye and keeps what was found; warns when camera or light no longer are as they were."""

    def __init__(
        self,
        eye: Eye,
        reader: Reads,
        table: Table,
        state_dir: Path,
        *,
        lock: bool = True,
        die_mm: float = 16.0,
    ) -> None:
        self._eye, self._reader, self._table, self._state_dir = eye, reader, table, state_dir
        self._lock, self._die_mm = lock, die_mm
        self._warned: Sentence | None = None

    def size(self) -> tuple[int, int]:
        """Width and height of the newest picture."""
        return self._eye.facts().size

    def facts(self) -> Mapping[str, str]:
        """How camera and machine are doing."""
        facts = self._eye.facts()
        return {
            "camera": facts.camera or "–",
            "picture": f"{facts.size[0]} × {facts.size[1]}",
            "frames a second": f"{facts.fps:.1f}",
            "stillness": "something moves" if facts.moving else "all lies still",
            "last reading": f"{facts.reading_ms:.0f} ms",
            "load of the eye": f"{100 * facts.load:.0f} %",
            "temperature": temperature(Patient(self._state_dir)).text,
        }

    def verdict(self) -> tuple[Sentence, ...]:
        """What to put right in the view."""
        frame = self._eye.latest
        if frame is None:
            return (Sentence("No picture comes from the camera yet."),)
        return verdict(frame.image, self._eye.calibration or whole_picture(frame.image), self._die_mm)

    def how(self) -> str:
        """Where the zone comes from."""
        return self._eye.calibration.how if self._eye.calibration else ""

    def zone(self) -> tuple[tuple[float, float], ...]:
        """The corners of the zone in the newest picture."""
        calibration, size = self._eye.calibration, self.size()
        return calibration.scaled(size).zone if calibration and all(size) else ()

    def find_mat(self) -> None:
        """The zone, the scale and the white from the mat."""
        try:
            self._use(calibrate)
        except MatNotFound as problem:
            raise Refused("%(problem)s", problem=problem) from problem

    def use_corners(self, points: tuple[tuple[float, float], ...]) -> None:
        """The zone between four points."""
        try:
            self._use(lambda image: from_corners(image, points))
        except BadCorners as problem:
            raise Refused("%(problem)s", problem=problem) from problem

    def use_whole(self) -> None:
        """The whole picture."""
        self._use(whole_picture)

    def read(self, kinds: tuple[str, ...]) -> Reading:
        """What lies in the zone now."""
        if self._eye.facts().moving:
            raise Refused("something still moves: wait a moment and try again")
        image, here = self._image(), self._eye.calibration
        if here is None or here.how == "whole":
            return self._reader.read(image, kinds)
        here = here.scaled((image.shape[1], image.shape[0]))
        blue, green, red = here.white
        return self._reader.read(
            image, kinds, (), here.zone, (red, green, blue) if here.how == "mat" else None
        )

    def ready(self) -> tuple[str, ...]:
        """What keeps the eye from working."""
        problems = [] if self._eye.latest is not None else ["no picture comes from the camera yet"]
        for name in MODELS:
            try:
                model_file(name)
            except ModelMissing as missing:
                problems.append(str(missing))
        return tuple(problems)

    def check(self) -> None:
        """One look at the markers and the light; a warning goes to the pages and away again."""
        frame, calibration = self._eye.latest, self._eye.calibration
        if frame is None or calibration is None or self._eye.facts().moving:
            return
        warning = bumped(calibration, frame.image) or light_changed(calibration, frame.image)
        standing = self._table.view().trouble
        if standing is None or standing == self._warned:
            self._warned = warning
            self._table.trouble(warning)

    def keep_checking(self, stopped: threading.Event, pause: float = PAUSE_S) -> threading.Thread:
        """Check now and then in a thread of its own, until stopped."""
        return _every(pause, stopped, self.check)

    def _image(self) -> Image:
        frame = self._eye.latest
        if frame is None:
            raise Refused("no picture comes from the camera yet: look whether it is plugged in")
        return frame.image

    def _use(self, look: Callable[[Image], Calibration]) -> None:
        """Take a look, in the light as the camera finds it now, and keep what it tells."""
        hold = self._eye.settle()
        try:
            image = self._image()
            self._eye.calibration = calibration = watched(look(image), image)
            hold = self._lock
        finally:
            if hold:
                self._eye.lock_camera()
        store(calibration, self._state_dir / "calibration.json")
        if self._table.view().trouble == self._warned:
            self._warned = None
            self._table.trouble(None)


def _every(pause: float, stopped: threading.Event, look: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        while not stopped.wait(pause):
            try:
                look()
            except Exception:
                _log.exception("a look at the camera's place failed")

    thread = threading.Thread(target=run, name="setup", daemon=True)
    thread.start()
    return thread
