"""Notices a camera that goes on answering, but always with the same picture."""

from __future__ import annotations

import numpy as np

from companion.vision.reading import CameraLost, Image

SILENCE = 1.5
"""Seconds without anything new after which a camera counts as lost; the pages must say so within 2."""


class Frozen:
    """Raises when the pictures stop changing: no living sensor gives the very same pixels twice."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since = 0.0

    def check(self, small: Image, at: float) -> None:
        """Take the next small picture, seen at that many seconds."""
        if self._last is None or not np.array_equal(small, self._last):
            self._last, self._since = small, at
        elif at - self._since >= SILENCE:
            raise CameraLost("The camera's picture is frozen: unplug the camera and plug it in again.")
