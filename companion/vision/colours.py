"""Colours under any lamp: the lamps that may shine, and what a crop would look like without their tint."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image

White = tuple[float, float, float]
"""Gains for red, green and blue that make a white patch white."""

_TINTS = (-0.60, -0.30, 0.0, 0.30, 0.60)
"""How much bluer or redder than the camera's own balance the lamp may be (a log ratio of red to blue, in the
encoded values of the picture)."""
_SPREAD = 0.35
"""A camera's own balance is usually this near."""
_BODY_FROM, _BODY_SHARE = 0.22, 0.2
"""Where the body of a white die is looked for (this part of the crop is left out on each side), and how much
of it is taken, the lightest part."""
_INK_SHARE = 0.12
"""How much of the crop's inside surely is the cross: the part with the least blue."""
_GREEN = (7.8, 0.48, 0.97)
"""What a share of green is worth in log-odds, which share speaks for neither yellow nor orange, and how
bright a body may be; fitted to rendered crops beside the network's own word."""
_WHITE, _CLIPPED, _TOO_BRIGHT = 0.9, 1.0, (0.93, 0.99)
"""What the body becomes; what it becomes when it was too bright for the camera, so that its colours cannot be
trusted; and between which values it passes from the one to the other."""
PLAIN = np.ones((1, 3), np.float32)
"""The gains of no lamp at all: the picture as it is."""


def lamps() -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Gains (blue, green, red) for every lamp tried, and how likely each is beforehand."""
    gains = [(np.exp(tint / 2), 1.0, np.exp(-tint / 2)) for tint in _TINTS]
    prior = np.exp(-0.5 * (np.array(_TINTS) / _SPREAD) ** 2)
    return np.array(gains, np.float32), prior / prior.sum()


def balanced(crops: Image, white: White | None) -> NDArray[np.float32]:
    """The crops as floats, corrected by the patches of the mat when there are any."""
    stack = crops.astype(np.float32) / np.float32(255)
    if white is not None:
        stack = stack * np.array(white[::-1], np.float32)
    return np.asarray(np.clip(stack, 0, 1), np.float32)


def under(planes: NDArray[np.float32], gains: NDArray[np.float32]) -> NDArray[np.float32]:
    """Crops in planes (RGB) without the tint of each lamp, all under one lamp after all under another."""
    tints = gains[:, ::-1] / gains.mean(axis=1, keepdims=True)
    tinted = planes * tints[:, None, :, None, None]
    return np.asarray(np.clip(tinted, 0, 1), np.float32).reshape(-1, *planes.shape[1:])


def yellowness(stack: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the green of crosses adds to the log-odds of yellow against orange; nothing where the body is too
    bright for the camera, since orange then passes for yellow.

    White that shines through or is mirrored makes a cross paler along a straight line from its own colour to
    white. Followed back to where no blue is left, yellow keeps much green and orange little, however pale.
    """
    inner, body = _bodies(stack)
    balanced = inner / np.maximum(body, 0.04)[:, None]
    count = max(4, int(inner.shape[1] * _INK_SHARE))
    least_blue = np.argpartition(balanced[:, :, 0], count, axis=1)[:, :count]
    ink = np.median(np.take_along_axis(balanced, least_blue[:, :, None], axis=1), axis=1)
    green = 1 - (1 - ink[:, 1]) / np.maximum(1 - ink[:, 0], 0.05)
    told = np.clip(_GREEN[0] * (green - _GREEN[1]), -3, 3) * (body.max(axis=1) < _GREEN[2])
    return np.asarray(told, np.float32)


def own_balanced(stack: NDArray[np.float32]) -> NDArray[np.float32]:
    """Crops of white dice as if each body were a plain white: what is drawn on it then shows its own colour,
    whatever the lamp."""
    _, body = _bodies(stack)
    white = np.interp(body.max(axis=1), _TOO_BRIGHT, (_WHITE, _CLIPPED)).astype(np.float32)
    gains = white[:, None] / np.maximum(body, 0.04)
    return np.asarray(np.clip(stack * gains[:, None, None, :], 0, 1), np.float32)


def _bodies(stack: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The inner pixels of crops of white dice, and the colour of each body: the mean of its lightest part."""
    low = round(stack.shape[1] * _BODY_FROM)
    inner = stack[:, low:-low, low:-low].reshape(len(stack), -1, 3)
    light = inner.min(axis=2)  # white is high in all three; any ink is low in one
    count = max(4, int(inner.shape[1] * _BODY_SHARE))
    brightest = np.argpartition(light, -count, axis=1)[:, -count:]
    return inner, np.take_along_axis(inner, brightest[:, :, None], axis=1).mean(axis=1)
