"""One look after another: stillness first, the reader only when needed, and the watch that believes it."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np

from companion.dice import Roll, Throw
from companion.vision.calibration import Calibration
from companion.vision.reading import Doubt, Frame, Image, Reading
from companion.vision.stillness import SMALL_SIZE, Stillness
from companion.vision.watch import Trusted, Watch

DOUBT_PAUSE = 1.0
"""Seconds between readings once a doubt has been shown: light may improve, but the network is dear."""


class Reads(Protocol):
    """What reads a picture: `companion.vision.reader.Reader`, or a stand-in."""

    def read(
        self,
        image: Image,
        due: tuple[str, ...] | None,
        lying: Roll = (),
        zone: tuple[tuple[float, float], ...] | None = None,
        white: tuple[float, float, float] | None = None,
    ) -> Reading:
        """All dice in the picture and, when there is no doubt, the roll."""


class Gaze:
    """Follows frame after frame what lies on the table, for whoever expects a throw."""

    def __init__(self, reader: Reads, calibration: Calibration | None = None) -> None:
        self.moving = True
        self.watch: Watch | None = None
        self._due: Throw | None = None
        self._reader = reader
        self._last: Reading | None = None
        self._still: Image | None = None
        self._not_before = 0.0
        self.calibration = calibration

    @property
    def calibration(self) -> Calibration | None:
        """Where the dice fall, if that is known; may be set anew at any time."""
        return self._calibration

    @calibration.setter
    def calibration(self, calibration: Calibration | None) -> None:
        self._calibration = calibration
        self._fitted: Calibration | None = None
        self._stillness = Stillness(zone=None if calibration is None else _small_zone(calibration))

    @property
    def standing(self) -> Trusted | None:
        """The roll of this throw that is trusted so far."""
        return self.watch.standing if self.watch is not None else None

    def expect(self, due: Throw | None) -> None:
        """A throw falls due; None means any number of ordinary dice."""
        self._due = due
        self.watch = Watch(due, self._last, self._from_tray)
        self._not_before = 0.0

    def rest(self) -> None:
        """No throw is due: movement is still judged, nothing is read."""
        self.watch = None

    def see(self, frame: Frame) -> Trusted | Doubt | None:
        """Take the next frame; the answer is the watch's."""
        self._fit(frame.image)
        rest = self._stillness.see(frame.small, frame.taken_at)
        self.moving = rest != "still"
        lay, self._still = self._still, self._still if self.moving else frame.image
        if self.watch is None:
            return None
        if rest == "moving":
            self._not_before = 0.0
            if lay is not None and not self.watch.moved and not self.watch.decided:
                self.watch.see(self._read(lay))  # what lay there before anybody could throw for this
            return self.watch.see(None)
        if self.moving or self.watch.decided or frame.taken_at < self._not_before:
            return None
        reading = self._read(frame.image)
        seen = self.watch.see(reading, frame.image)
        if isinstance(seen, Doubt) or self._not_before:
            self._not_before = frame.taken_at + DOUBT_PAUSE
        if self.watch.decided:
            self._last = reading
        return seen

    def _read(self, image: Image) -> Reading:
        kinds, lying = (self._due.kinds, self._due.lying) if self._due else (None, ())
        fitted = self._fitted
        if fitted is None:
            return self._reader.read(image, kinds, lying)
        zone = None if fitted.how == "whole" else fitted.zone
        blue, green, red = fitted.white
        return self._reader.read(
            image, kinds, lying, zone, (red, green, blue) if fitted.how == "mat" else None
        )

    def _from_tray(self, point: tuple[float, float]) -> float | None:
        return self._fitted.from_tray(point) if self._fitted is not None and self._fitted.tray else None

    def _fit(self, image: Image) -> None:
        """The calibration in the pixels of this picture."""
        if self._calibration is None:
            return
        size = (image.shape[1], image.shape[0])
        if self._fitted is None or self._fitted.size != size:
            self._fitted = self._calibration.scaled(size)


def _small_zone(calibration: Calibration) -> Image | None:
    """The roll zone on the small stream; None when it is the whole picture."""
    if calibration.how == "whole":
        return None
    zone = np.zeros(SMALL_SIZE[::-1], np.uint8)
    cv2.fillPoly(zone, [np.round(calibration.scaled(SMALL_SIZE).zone).astype(np.int32)], (255,))
    return zone
