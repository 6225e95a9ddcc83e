"""The camera of the dice world: where it hangs, and how points of the table come to lie in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]


@dataclass(frozen=True, slots=True)
class View:
    """A camera above the table. The table is the plane z = 0 in millimetres, z pointing up.

    It looks at `target` from `distance` mm, leaning `tilt` degrees from straight down, standing on the side
    `heading` degrees round; `roll` turns the picture. `focal` is in pixels; `k1` bends straight lines.
    """

    width: int = 1280
    height: int = 960
    distance: float = 500.0
    tilt: float = 0.0
    heading: float = 0.0
    roll: float = 0.0
    focal: float = 1200.0
    k1: float = 0.0
    target: tuple[float, float] = (0.0, 0.0)

    def axes(self) -> Floats:
        """The picture's right, down and forward directions as rows."""
        return _axes(self.tilt, self.heading, self.roll)

    def eye(self) -> Floats:
        """Where the camera is."""
        target = np.array([*self.target, 0.0], np.float32)
        return np.asarray(target - self.distance * self.axes()[2])

    def project(self, points: Floats) -> Floats:
        """Pixels (x, y) of points (…, 3) in millimetres."""
        seen = (np.asarray(points, np.float32) - self.eye()) @ self.axes().T
        flat = seen[..., :2] / np.maximum(seen[..., 2:], 1e-3)
        square = (flat**2).sum(-1, keepdims=True)
        bent = flat * (1 + self.k1 * square)
        centre = np.array([self.width / 2, self.height / 2], np.float32)
        return np.asarray(bent * self.focal + centre, np.float32)

    def rays(self, pixels: Floats) -> Floats:
        """Directions (…, 3), not normalised, in which pixels (…, 2) look."""
        centre = np.array([self.width / 2, self.height / 2], np.float32)
        bent = (np.asarray(pixels, np.float32) - centre) / self.focal
        flat = bent
        for _ in range(3 if self.k1 else 0):
            flat = bent / (1 + self.k1 * (flat**2).sum(-1, keepdims=True))
        right, down, forward = self.axes()
        return np.asarray(flat @ np.stack([right, down]) + forward, np.float32)

    def ground(self, pixels: Floats) -> Floats:
        """Millimetres (x, y) on the table seen at pixels (…, 2); far away where a pixel sees no table."""
        rays = self.rays(pixels)
        eye = self.eye()
        reach = -eye[2] / np.minimum(rays[..., 2:], -1e-3)
        return np.asarray(eye[:2] + np.minimum(reach, 1e5) * rays[..., :2], np.float32)


@lru_cache(maxsize=64)
def _axes(tilt: float, heading: float, roll: float) -> Floats:
    t, h, r = np.radians([tilt, heading, roll])
    forward = np.array([np.sin(t) * np.sin(h), np.sin(t) * np.cos(h), -np.cos(t)])
    right = np.array([np.cos(h), -np.sin(h), 0.0])
    down = np.cross(forward, right)
    turned = np.array([np.cos(r) * right + np.sin(r) * down, -np.sin(r) * right + np.cos(r) * down, forward])
    return turned.astype(np.float32)
