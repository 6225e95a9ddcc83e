"""Picture files, whatever may be in them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.vision.reading import Image

LEAST_SIDE = 16
"""Pixels below which a picture holds no die."""
_JPEG, _END, _IN_SCANS = b"\xff\xd8", b"\xff\xd9", b"\xff\xc2"
"""How a JPEG file begins and ends, and what is in one that ends with its finer parts, not its last rows."""
_THERE = 0.97
"""How much of a JPEG's height must be there if its end is missing."""


def picture(file: Path) -> Image | None:
    """The picture in a file; None if there is none, or one too large to open or too small to hold a die."""
    try:
        content = file.read_bytes()
        image = _decoded(content)
        if image is None and content.startswith(_JPEG) and _nearly_whole(content):
            image = _decoded(content + _END)
    except (OSError, ValueError, cv2.error):
        return None
    return None if image is None or min(image.shape[:2]) < LEAST_SIDE else image


def _decoded(content: bytes, how: int = cv2.IMREAD_COLOR) -> Image | None:
    image = cv2.imdecode(np.frombuffer(content, np.uint8), how) if content else None
    return None if image is None else np.asarray(image, np.uint8)


def _nearly_whole(content: bytes) -> bool:
    """Whether only the last rows of a JPEG are missing: those that are not there are of one colour."""
    if _IN_SCANS in content:
        return False
    stored = _decoded(content + _END, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if stored is None:
        return False
    row = stored[int(len(stored) * _THERE)]
    return not bool((row == row[0]).all())
