"""Picture files, whatever may be in them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.vision.reading import Image


def picture(file: Path) -> Image | None:
    """The picture in a file; None if there is none, or one too large to open."""
    try:
        content = np.frombuffer(file.read_bytes(), np.uint8)
        image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    except (OSError, cv2.error):
        return None
    return None if image is None else np.asarray(image, np.uint8)
