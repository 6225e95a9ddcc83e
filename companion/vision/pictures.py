"""Picture files, whatever may be in them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.vision.reading import Image

LEAST_SIDE = 16
"""Pixels below which a picture holds no die."""
_JPEG, _END = b"\xff\xd8", b"\xff\xd9"
"""How a JPEG file begins and ends."""
_THERE = 0.97
"""How much of a JPEG's height must be there if its end is missing."""


def picture(file: Path) -> Image | None:
    """The picture in a file; None if there is none, or one too large to open or too small to hold a die."""
    try:
        content = file.read_bytes()
        image = _decoded(content)
        if image is None and content.startswith(_JPEG):
            image = _whole(_decoded(content + _END))
    except (OSError, ValueError, cv2.error):
        return None
    return None if image is None or min(image.shape[:2]) < LEAST_SIDE else image


def _decoded(content: bytes) -> Image | None:
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    return None if image is None else np.asarray(image, np.uint8)


def _whole(image: Image | None) -> Image | None:
    """A picture from a file whose end is missing, unless more than its last rows went with it: those that
    are not there are of one colour."""
    if image is None:
        return None
    row = image[int(len(image) * _THERE)]
    return None if (row == row[0]).all() else image
