"""A hand (or only its shadow) that passes between the camera and the dice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image

Floats = NDArray[np.float32]
_SKIN = (128, 158, 208)
"""Blue, green, red."""
_FINGERS = (
    (-0.62, -0.5, 0.13),
    (-0.28, -0.9, 0.14),
    (0.08, -1.0, 0.145),
    (0.42, -0.86, 0.135),
    (0.95, -0.05, 0.15),
)
"""Where each finger ends and half its width, in palm widths from the middle of the palm."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One passing: it comes from a side, crosses the picture and leaves. `solid` False: its shadow only."""

    start: float
    seconds: float
    solid: bool = True
    along: float = 0.45
    """Height in the picture at which it crosses, as a share."""


@lru_cache(maxsize=2)
def _drawn(size: int) -> tuple[Image, Floats]:
    """A hand from above with its arm: colour and cover, `size` pixels wide and five times as long."""
    cover = np.zeros((5 * size, size), np.uint8)
    unit = size * 0.3
    palm = np.array([0.5 * size, 0.62 * size])

    def at(x: float, y: float) -> tuple[int, int]:
        return (round(palm[0] + x * unit), round(palm[1] + y * unit))

    cv2.ellipse(
        cover, at(0, 0.1), (round(0.62 * unit), round(0.72 * unit)), 0, 0, 360, (255,), -1, cv2.LINE_AA
    )
    for x, y, half in _FINGERS:
        cv2.line(cover, at(x * 0.75, y * 0.35 + 0.1), at(x, y), (255,), round(2 * half * unit), cv2.LINE_AA)
    arm = np.array([at(-0.42, 0.4), at(0.42, 0.4), at(0.9, 15.0), at(-0.9, 15.0)], np.int32)
    cv2.fillConvexPoly(cover, arm, (255,), cv2.LINE_AA)
    round_off = cv2.GaussianBlur(cover, (0, 0), 0.12 * unit).astype(np.float32) / 255
    folds = cv2.GaussianBlur(np.random.default_rng(5).normal(0, 1, cover.shape).astype(np.float32), (0, 0), 3)
    tone = np.clip(0.45 + 0.6 * round_off + 0.25 * folds, 0.2, 1.15)
    colour = np.clip(np.array(_SKIN, np.float32) * tone[..., None], 0, 255).astype(np.uint8)
    soft = cv2.GaussianBlur(cover, (0, 0), 1.5).astype(np.float32) / 255
    return colour, np.asarray(soft, np.float32)


def over(picture: Image, passing: Pass, at: float) -> Image:
    """The picture with the passing hand over it."""
    share = (at - passing.start) / passing.seconds
    if not 0 <= share < 1:
        return picture
    height, width = picture.shape[:2]
    size = int(width * 0.34)
    colour, cover = _drawn(size)
    turn = np.radians(-68 + 40 * share)
    centre = np.array([width * (-0.35 + 1.7 * share), height * (passing.along + 0.1 * np.sin(3 * share))])
    cos, sin = np.cos(turn), np.sin(turn)
    # It points into the picture from below, so the arm always reaches the edge.
    middle = np.array([size / 2, 0.62 * size])
    place = np.array([[cos, -sin, 0], [sin, cos, 0]], np.float32)
    place[:, 2] = centre - place[:, :2] @ middle
    shade = place.copy()
    shade[:, 2] += (0.05 * width, 0.06 * height)
    dark = cv2.warpAffine(cover, shade / 4, (width // 4, height // 4))
    dark = cv2.GaussianBlur(dark, (0, 0), 0.006 * width)
    lit = 1 - 0.55 * cv2.resize(dark, (width, height), interpolation=cv2.INTER_LINEAR)
    shaded = cv2.multiply(picture, cv2.merge([lit, lit, lit]), dtype=cv2.CV_8U)
    if not passing.solid:
        return np.asarray(shaded, np.uint8)
    skin = cv2.warpAffine(colour, place, (width, height))
    share_of = cv2.warpAffine(cover, place, (width, height))
    return np.asarray(cv2.blendLinear(skin, shaded, share_of, 1 - share_of), np.uint8)
