"""What the light does: steps of the exposure, and the flicker of lamps on the mains."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.reading import Image

MAINS = 100.0
"""Hertz at which a lamp on 50 Hz flickers."""
READOUT = 0.028
"""Seconds from the first row of the sensor to the last."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """How bright it is, and by which share it flickers."""

    brightness: float = 1.0
    flicker: float = 0.0

    def on(self, picture: Image, at: float) -> Image:
        """The picture in this light."""
        if self.flicker == 0.0:
            return (
                picture
                if self.brightness == 1.0
                else np.asarray(cv2.convertScaleAbs(picture, alpha=self.brightness), np.uint8)
            )
        rows = np.linspace(0, READOUT, picture.shape[0], dtype=np.float32)
        wave = np.sin(2 * np.pi * MAINS * (rows + at))
        gain = np.float32(self.brightness) * (1 + np.float32(self.flicker) * wave)
        wide = np.broadcast_to(gain[:, None, None].astype(np.float32), picture.shape)
        return np.asarray(cv2.multiply(picture, np.ascontiguousarray(wide), dtype=cv2.CV_8U), np.uint8)
