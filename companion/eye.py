"""The camera loop: looks at every frame, reads when a throw is due, and tells the table what it sees."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

import cv2
import numpy as np

from companion.dice import Throw
from companion.vision.calibration import Calibration
from companion.vision.gaze import Gaze, Reads
from companion.vision.reading import Camera, CameraLost, Doubt, Frame, Image, Reading, Sentence, Sight
from companion.vision.watch import Trusted

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 10.0
"""Seconds before a lost camera is tried again: at once annoying when short, a dead evening when long."""
JPEG_QUALITY = 80
SETTLED = 30
"""Frames after which a camera has found its exposure, two seconds' worth: it may be locked from then on."""
SETTLE_S = 5.0
"""Seconds to wait for them: a camera that is slower, or gone, does not keep anybody waiting for longer."""
DRIFT_CHECK = 150
"""Frames between two checks that a locked camera keeps what it was told: ten seconds' worth."""
DRIFTED = Sentence("The camera no longer keeps its exposure, colours or focus: calibrate it again.")
STUMBLED = Sentence("The eye stumbled over a picture and goes on; rolls can be typed in.")
ENDED = Sentence("The clip has come to its end; rolls can be typed in.")


class TableTold(Protocol):
    """The part of the table that the eye knows."""

    def due(self) -> tuple[int, Throw] | None:
        """The throw that is due, and its number."""

    def show(self, sight: Sight) -> None:
        """Take what the eye sees."""

    def trouble(self, sentence: Sentence | None) -> None:
        """Say what is wrong with the camera, or that nothing is."""


class Lockable(Protocol):
    """A camera whose exposure, white balance and focus can be held."""

    def lock(self) -> None:
        """Keep them as they are now."""

    def unlock(self) -> None:
        """Let the camera find them by itself again."""

    def drift(self) -> tuple[str, ...]:
        """What is no longer as it was locked."""


@dataclass(frozen=True, slots=True)
class EyeFacts:
    """How the eye is doing; `load` is the share of one core that its thread takes."""

    camera: str
    size: tuple[int, int]
    fps: float
    moving: bool
    load: float
    reading_ms: float


class Eye:
    """Owns the camera. `start` runs it in a thread of its own; a test gives it frames through `see`."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        reader: Reads,
        table: TableTold,
        calibration: Calibration | None = None,
    ) -> None:
        self.camera: Camera | None = None
        self._open_camera = open_camera
        self._reader = Timed(reader)
        self._table = table
        self._gaze = Gaze(self._reader, calibration)
        self._number: int | None = None
        self._told: object = None
        self._shown: tuple[Reading | None, bytes, tuple[int, int]] = (None, b"", (0, 0))
        self._latest: Frame | None = None
        self._encoded: tuple[Frame, bytes] | None = None
        self._locked = False
        self._settled = threading.Event()
        self._said: tuple[Sentence | None, ...] = ()
        self._meter = Meter()
        self._pause = FIRST_PAUSE
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    @property
    def calibration(self) -> Calibration | None:
        """Where the dice fall; may be set while the eye runs."""
        return self._gaze.calibration

    @calibration.setter
    def calibration(self, calibration: Calibration | None) -> None:
        self._gaze.calibration = calibration

    @property
    def latest(self) -> Frame | None:
        """The newest frame, for whoever wants to look for themselves."""
        return self._latest

    def start(self) -> None:
        """Open the camera and keep looking until `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking and let the camera go."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)

    def lock_camera(self) -> None:
        """Hold exposure, white balance and focus from now on, also when a lost camera comes back."""
        self._locked = True

    def settle(self) -> bool:
        """Free a held camera and wait until it has found light and focus anew; whether it was held."""
        if not self._locked:
            return False
        self._settled.clear()
        self._locked = False
        self._settled.wait(SETTLE_S)
        return True

    def picture(self) -> bytes:
        """The newest picture as a JPEG, made when asked for; empty while there is none."""
        frame, encoded = self._latest, self._encoded
        if frame is None:
            return b""
        if encoded is None or encoded[0] is not frame:
            encoded = (frame, jpeg(frame.image))
            self._encoded = encoded
        return encoded[1]

    def facts(self) -> EyeFacts:
        """How the eye is doing."""
        frame, camera = self._latest, self.camera
        size = (0, 0) if frame is None else (frame.image.shape[1], frame.image.shape[0])
        name = "" if camera is None else camera.name
        meter = self._meter
        return EyeFacts(name, size, meter.fps, self._gaze.moving, meter.load, self._reader.ms)

    def see(self, frame: Frame) -> None:
        """Look at one frame and tell the table what is new in it."""
        self._latest = frame
        due = self._table.due()
        if due is None:
            self._number = None
            self._gaze.rest()
        elif due[0] != self._number:
            self._number = due[0]
            self._shown = (None, b"", (0, 0))
            self._told = None
            self._gaze.expect(due[1])
        seen = self._gaze.see(frame)
        if self._number is not None:
            self._tell(self._number, frame, seen)

    def _tell(self, number: int, frame: Frame, seen: Trusted | Doubt | None) -> None:
        if seen is not None:
            size = (frame.image.shape[1], frame.image.shape[0])
            self._shown = (seen.reading, jpeg(frame.image), size)
        standing, moving = self._gaze.standing, self._gaze.moving
        if standing is None and moving:
            self._shown = (None, b"", (0, 0))
        reading, picture, size = self._shown
        told = (number, moving, id(reading))
        if told == self._told:
            return
        self._told = told
        roll, nearest_first = (standing.roll, standing.nearest_first) if standing else (None, False)
        self._table.show(Sight(number, moving, reading, roll, nearest_first, picture, size))

    def _run(self) -> None:
        self._warm_up()
        while not self._stop.is_set():
            try:
                self.camera = camera = self._open_camera()
                try:
                    trouble = self._look(camera)
                finally:
                    self.camera = None
                    camera.close()
            except CameraLost as lost:
                log.warning("%s", lost)
                trouble = lost.sentence
            except Exception:
                log.exception("the camera failed")
                trouble = Sentence("The camera has failed: unplug it and plug it in again.")
            if self._stop.is_set():
                return
            self._say(trouble)
            if trouble is ENDED:
                return
            self._stop.wait(self._pause)
            self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def _say(self, trouble: Sentence | None) -> None:
        if self._said != (trouble,):
            self._said = (trouble,)
            self._table.trouble(trouble)

    def _look(self, camera: Camera) -> Sentence:
        """Look until there is nothing more to see; the answer says why."""
        log.info("looking through the camera %s", camera.name)
        well: bool | None = None
        hold = Hold(camera)
        while not self._stop.is_set():
            frame = camera.next()
            if frame is None:
                return ENDED
            self._pause = FIRST_PAUSE
            try:
                self.see(frame)
            except Exception:
                # A picture that lies still fails 15 times a second; once is enough to know.
                log.log(
                    logging.ERROR if well is not False else logging.DEBUG, "a picture failed", exc_info=True
                )
                self._say(STUMBLED)
                well = False
            else:
                self._say(DRIFTED if hold.drifted(self._locked) else None)
                well = True
                if hold.settled:
                    self._settled.set()
            self._meter.tick()
        return ENDED

    def _warm_up(self) -> None:
        """The first run of a network is its slowest; it should not be a player's roll."""
        try:
            self._reader.read(np.full((960, 1280, 3), 127, np.uint8), None)
        except Exception:
            log.exception("the reader failed while warming up")
            self._say(STUMBLED)


class Timed:
    """A reader that remembers how long its last reading took."""

    def __init__(self, reader: Reads) -> None:
        self._reader = reader
        self.ms = 0.0

    def read(self, *what: object, **more: object) -> Reading:
        """As the reader does."""
        begun = time.perf_counter()
        reading = self._reader.read(*what, **more)  # type: ignore[arg-type]
        self.ms = 1000 * (time.perf_counter() - begun)
        return reading


class Hold:
    """Locks a camera once it has settled, frees it again, and looks now and then whether it holds."""

    def __init__(self, camera: Camera) -> None:
        # Asked by name, for a turned camera passes on what the one behind it can do.
        able = hasattr(camera, "lock") and hasattr(camera, "unlock") and hasattr(camera, "drift")
        self._camera = cast(Lockable, camera) if able else None
        self._frames = 0
        self._locked = self._drifted = False

    @property
    def settled(self) -> bool:
        """Whether a free camera has had the time to find light and focus."""
        return self._camera is None or (not self._locked and self._frames >= SETTLED)

    def drifted(self, wanted: bool) -> bool:
        """Take one more frame; whether the camera has left what it was locked to."""
        self._frames += 1
        if self._camera is None:
            return False
        if self._locked and not wanted:
            self._camera.unlock()
            self._locked = self._drifted = False
            self._frames = 0
        elif wanted and not self._locked and self._frames >= SETTLED:
            self._camera.lock()
            self._locked = True
        elif self._locked and self._frames % DRIFT_CHECK == 0:
            found = self._camera.drift()
            if found and not self._drifted:
                log.warning("the camera has drifted: %s", ", ".join(found))
            self._drifted = bool(found)
        return self._drifted


class Meter:
    """Frames a second and the share of a core that this thread takes, over the last seconds."""

    def __init__(self) -> None:
        self.fps = self.load = 0.0
        self._since = 0.0
        self._busy = 0.0
        self._frames = 0

    def tick(self) -> None:
        """One more frame was looked at."""
        self._frames += 1
        now, busy = time.monotonic(), time.thread_time()
        passed = now - self._since
        if passed >= 2.0:
            if passed < 10.0:
                self.fps = self._frames / passed
                self.load = (busy - self._busy) / passed
            self._since, self._busy, self._frames = now, busy, 0


def jpeg(image: Image) -> bytes:
    """The picture as a JPEG."""
    good, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not good:
        raise ValueError("the picture cannot be made into a JPEG")
    return encoded.tobytes()
