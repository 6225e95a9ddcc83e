"""Whether anything moves on the table, judged on the small grey stream and cheap enough for every frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image

SMALL_SIZE = (320, 240)
"""Width and height of the small stream in pixels."""

Grey = NDArray[np.float32]
Rest = Literal["moving", "settling", "still"]
"""Something moved in this frame; nothing did, but not for long enough to be sure; all lies still."""


@dataclass(frozen=True, slots=True)
class StillnessLimits:
    """What counts as movement. Grey levels run from 0 to 255."""

    least_step: float = 6.0
    """Grey levels: what a die turning by a degree leaves behind; JPEG and sensor noise stay below 5."""
    noise_steps: float = 9.0
    """Times the noise of the picture itself, so that a dim and grainy table can come to rest too."""
    least_area: int = 6
    """Pixels: the smallest die we read is 7 pixels wide here; a single hot pixel is not a die."""
    light_share: float = 0.5
    """Share of a change of light that a camera's tone curve may bend away from a plain factor."""
    rest_time: float = 0.12
    """Seconds without movement before things lie still: two frames at 15 fps. A die that stands on its
    edge for less is not at rest; more would cost the 0.4 s within which a roll must be trusted."""


LIMITS = StillnessLimits()
_LAMP = (61, 11)
"""Pixels across and down over which light is even. Lamps flicker in bands along the sensor's rows, about
80 rows from band to band, so the window is low and wide."""
_FULL = 250.0
"""Grey level from which a pixel is full and tells no brighter from brightest."""


class WrongPicture(ValueError):
    """A picture of a shape or type that cannot be judged."""


def small_of(image: Image) -> Image:
    """The small grey picture that belongs to a full one."""
    # Grey first: one channel shrinks more than twice as fast as three.
    small = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    if small.shape[::-1] != SMALL_SIZE:
        small = cv2.resize(small, SMALL_SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


class Stillness:
    """Compares each small frame with the table as it last lay still, whatever the lamp does meanwhile."""

    def __init__(self, limits: StillnessLimits = LIMITS, zone: Image | None = None) -> None:
        """`zone`: not zero where movement counts, in the size of the small stream; None: everywhere."""
        self._limits = limits
        self._zone = zone
        self._table: Grey | None = None
        self._light: Grey | None = None
        self._moved_at = 0.0

    def see(self, small: Image, at: float) -> Rest:
        """What this frame, taken at that many seconds, says; the first one says nothing yet."""
        if small.shape != SMALL_SIZE[::-1] or small.dtype != np.uint8:
            raise WrongPicture(
                f"the small stream must be grey, 320×240 and 8 bits, not {small.shape} {small.dtype}"
            )
        seen = small.astype(np.float32)
        light = cv2.boxFilter(seen, -1, _LAMP, borderType=cv2.BORDER_REFLECT).astype(np.float32, copy=False)
        light += 1.0
        if self._table is None or self._light is None:
            self._table, self._light, self._moved_at = seen, light, at
            return "settling"
        if self._differs(seen, self._table, light / self._light):
            self._table, self._light, self._moved_at = seen, light, at
            return "moving"
        return "still" if at - self._moved_at >= self._limits.rest_time else "settling"

    def _differs(self, seen: Grey, table: Grey, lamp: Grey) -> bool:
        """Whether more has changed than the lamp, which is so many times as bright here as it was."""
        limits = self._limits
        lit = table * lamp
        # A camera bends the bright end, so a pixel may follow its lamp wholly, in part or not at all.
        change = seen - np.clip(seen, np.minimum(table, lit), np.maximum(table, lit))
        # A full pixel may have been brighter than we know.
        change[(table >= _FULL) & (change > 0)] = 0
        step = np.abs(cv2.blur(change, (3, 3)))
        noise = float(np.median(step[::3, ::3])) / 0.6745
        lit -= table
        allowed = np.abs(lit)
        allowed *= np.float32(limits.light_share)
        allowed += np.float32(max(limits.least_step, limits.noise_steps * noise))
        moved = step > allowed
        if self._zone is not None:
            moved &= self._zone > 0
        return int(np.count_nonzero(moved)) >= limits.least_area
