"""Photographs that may join the training: they have boxes only; the network itself says where faces are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from companion.vision.train.finder import Finder
from companion.vision.train.joining import joining
from companion.vision.train.pool import Taken

_LONG_SIDES = (640, 320)
_SHORT_SIDE = 640
"""Photographs are kept with a shorter side of so many pixels: decoding whole ones would outlast learning."""


def photographs(labels: Path, finder: Finder, folder: Path) -> list[Taken]:
    """The joining photographs, shrunk into a folder, as pictures of the pool; `loose` boxes do not go round
    the whole die."""
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for number, record in enumerate(joining(labels)):
        image = np.asarray(cv2.imread(str(labels.parent / record["file"])))
        spots = _spots(image, finder)
        loose = not record["box_kind"].startswith("whole die")
        by = min(1.0, _SHORT_SIDE / min(image.shape[:2]))
        file = folder / f"{number:04d}.jpg"
        small = cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA) if by < 1 else image
        cv2.imwrite(str(file), small, [cv2.IMWRITE_JPEG_QUALITY, 95])
        dice = [
            {
                "box": [by * value for value in die["box"]],
                "face_at": [by * value for value in _face_at(die["box"], spots)],
                "loose": loose,
            }
            for die in record["dice"]
        ]
        out.append(Taken(file, tuple(dice)))
    return out


def _spots(image: Any, finder: Finder) -> np.ndarray[Any, Any]:
    """Peaks (score, x, y) of the heat over a picture at two scales."""
    found = [np.zeros((0, 3))]
    for side in _LONG_SIDES:
        scale = side / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        padded = cv2.copyMakeBorder(
            small, 0, -small.shape[0] % 32, 0, -small.shape[1] % 32, cv2.BORDER_REPLICATE
        )
        blob = (
            torch.from_numpy(np.ascontiguousarray(padded[..., ::-1].transpose(2, 0, 1)))[None].float() / 255
        )
        with torch.no_grad():
            heat = torch.sigmoid(finder(blob)[0, 0]).numpy()
        rows, columns = np.nonzero((heat >= cv2.dilate(heat, np.ones((3, 3)))) & (heat > 0.1))
        at = (np.stack([columns, rows], 1) + 0.5) * 4 / scale
        found.append(np.concatenate([heat[rows, columns][:, None], at], 1))
    return np.concatenate(found)


def _face_at(box: list[float], spots: np.ndarray[Any, Any]) -> list[float]:
    """The strongest peak well inside a box, or its middle."""
    x, y, w, h = box
    inside = (np.abs(spots[:, 1] - x - w / 2) < 0.3 * w) & (np.abs(spots[:, 2] - y - h / 2) < 0.35 * h)
    if not inside.any():
        return [x + w / 2, y + h / 2]
    best = spots[inside][spots[inside][:, 0].argmax()]
    return [float(best[1]), float(best[2])]
