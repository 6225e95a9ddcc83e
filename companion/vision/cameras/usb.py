"""A USB camera through OpenCV: a thread keeps taking frames, so that the newest one wins."""

from __future__ import annotations

import sys
import threading
import time

import cv2
import numpy as np

from companion.vision.cameras.frozen import SILENCE, Frozen
from companion.vision.reading import CameraLost, Frame, Image
from companion.vision.stillness import small_of

SIZE = (1280, 960)
FPS = 15
_NAMES = {
    cv2.CAP_PROP_EXPOSURE: "exposure",
    cv2.CAP_PROP_WB_TEMPERATURE: "white balance",
    cv2.CAP_PROP_FOCUS: "focus",
}
_V4L_MANUAL, _V4L_AUTOMATIC = 1.0, 3.0
"""What Video4Linux calls its exposure modes."""


class UsbCamera:
    """The camera with this number, as the system counts them."""

    def __init__(self, number: int = 0) -> None:
        self.name = f"usb:{number}"
        self._device = cv2.VideoCapture(number, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
        if not self._device.isOpened():
            self._device.release()
            raise CameraLost(
                "No USB camera %(number)s answers: plug it in, or choose another with --camera usb:N.",
                number=number,
            )
        for setting, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, SIZE[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1]),
            (cv2.CAP_PROP_FPS, FPS),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._device.set(setting, value)
        self._frozen = Frozen()
        self._locked: dict[int, float] = {}
        self._news = threading.Condition()
        self._newest: tuple[Image, float] | None = None
        self._closed = self._gone = False
        self._thread = threading.Thread(target=self._take, name=self.name, daemon=True)
        self._thread.start()

    def next(self) -> Frame | None:
        """The newest frame that was not given before."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._gone, timeout=SILENCE)
            newest, self._newest = self._newest, None
        if newest is None:
            raise CameraLost("The USB camera has stopped: unplug it and plug it in again.")
        image, taken_at = newest
        small = small_of(image)
        self._frozen.check(small, taken_at)
        return Frame(image, small, taken_at)

    def lock(self) -> None:
        """Keep exposure, white balance and focus as they are now, as far as this camera can."""
        device = self._device
        for automatic, manual, value in (
            (cv2.CAP_PROP_AUTO_EXPOSURE, _V4L_MANUAL, cv2.CAP_PROP_EXPOSURE),
            (cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
            (cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS),
        ):
            found = device.get(value)
            if device.set(automatic, manual) and found > 0:
                device.set(value, found)
                self._locked[value] = found

    def unlock(self) -> None:
        """Let the camera find its own exposure, white balance and focus again."""
        for automatic, on in (
            (cv2.CAP_PROP_AUTO_EXPOSURE, _V4L_AUTOMATIC),
            (cv2.CAP_PROP_AUTO_WB, 1.0),
            (cv2.CAP_PROP_AUTOFOCUS, 1.0),
        ):
            self._device.set(automatic, on)
        self._locked = {}

    def drift(self) -> tuple[str, ...]:
        """The locked values that the camera no longer keeps."""
        return tuple(_NAMES[value] for value, kept in self._locked.items() if self._device.get(value) != kept)

    def close(self) -> None:
        """Let the device go; a read that hangs is left to its own thread."""
        self._closed = True
        self._thread.join(timeout=0.5)

    def _take(self) -> None:
        device = self._device
        while not self._closed:
            ok, image = device.read()
            if not ok:
                break
            with self._news:
                self._newest = (np.asarray(image, np.uint8), time.monotonic())
                self._news.notify_all()
        device.release()
        with self._news:
            self._gone = True
            self._news.notify_all()
