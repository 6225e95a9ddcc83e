"""A camera whose picture is turned, for one that hangs sideways or upside down."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.vision.reading import Camera, Frame, Image
from companion.vision.stillness import small_of

TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


class TurnedCamera:
    """The frames of another camera, turned clockwise by 90, 180 or 270 degrees."""

    def __init__(self, camera: Camera, degrees: int) -> None:
        self.name = camera.name
        self._camera, self._turn = camera, TURNS[degrees]

    def next(self) -> Frame | None:
        """The camera's newest frame, turned."""
        frame = self._camera.next()
        if frame is None:
            return None
        image: Image = np.ascontiguousarray(cv2.rotate(frame.image, self._turn))
        return Frame(image, small_of(image), frame.taken_at)

    def close(self) -> None:
        """Let the device go."""
        self._camera.close()

    def __getattr__(self, name: str) -> Any:
        """Whatever else that camera can do, such as `lock`."""
        return getattr(self._camera, name)
