"""Makes the pictures of good and bad light with the project's own renderer: one mat, six dice."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.vision.mat import draw
from companion.vision.reading import Image
from companion.vision.world import (
    Faults,
    Light,
    Placed,
    Scene,
    Surface,
    View,
    felt,
    published_looks,
    render,
    resting,
)

DICE = {"white": "3", "yellow": "5", "blue": "2", "green": "6", "orange": "4", "purple": "1"}
SPOTS = ((-80, 60, 12), (-40, 35, 40), (15, 65, 75), (-85, 0, 20), (-5, -15, 58), (-60, -40, 33))
WINDOW = Light((0.35, 0.55, 0.75), (0.62, 0.62, 0.62), 0.35)
BULB = Light((-0.75, 0.1, 0.35), (0.5, 0.85, 1.15), 0.01)
SPAN, SCALE = 1600, 3.5
"""Millimetres of table that are drawn, and pixels a millimetre."""


def surface() -> Surface:
    """A brown table with the mat on it, in one piece, so that shadows fall on both."""
    cloth, sheet = felt((58, 82, 110), 3), draw("a4").picture(SCALE)
    tile = cv2.resize(
        cloth.picture,
        None,
        fx=SCALE * cloth.span / len(cloth.picture),
        fy=SCALE * cloth.span / len(cloth.picture),
    )
    edge = round(SPAN * SCALE)
    times = -(-edge // len(tile))
    table = np.tile(tile, (times, times, 1))[:edge, :edge]
    top, left = ((edge - side) // 2 for side in sheet.shape[:2])
    table[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet
    # The renderer's table begins at its middle, and its y points away from the camera.
    return Surface(np.ascontiguousarray(np.roll(table[::-1], (edge // 2, edge // 2), axis=(0, 1))), SPAN)


def table() -> Scene:
    """A mat on a brown table under a window and a white ceiling."""
    looks = published_looks("clever")
    dice = tuple(
        Placed(kind, (x, y, 8.0), resting(kind, face, turn, looks[kind]), looks[kind])
        for (kind, face), (x, y, turn) in zip(DICE.items(), SPOTS, strict=True)
    )
    return Scene(
        dice=dice,
        view=View(distance=330, tilt=10, focal=1180),
        surface=surface(),
        lights=(WINDOW,),
        ambient=(0.42, 0.42, 0.42),
        faults=Faults(noise=0.006, blur=0.6),
    )


def pictures() -> dict[str, Scene]:
    """Every picture by its name; only one thing differs from `good`."""
    good = table()
    shiny = Surface(good.surface.picture, good.surface.span, 7.0)
    return {
        "good": good,
        "dark": replace(good, faults=Faults(exposure=0.06, noise=0.02, blur=0.6)),
        "side-lamp": replace(good, lights=(BULB,), ambient=(0.05, 0.07, 0.09)),
        "uneven": good,
        "glare": replace(
            good, surface=shiny, lights=(WINDOW, Light((-0.12, 0.1, 1.0), (0.7, 0.7, 0.7), 0.02))
        ),
        "blurred": replace(good, faults=Faults(noise=0.006, blur=4.5)),
        "from-the-side": replace(good, view=View(distance=400, tilt=52, focal=1180)),
        "too-far": replace(good, view=View(distance=640, tilt=10, focal=1180)),
    }


def beside_the_lamp(image: Image) -> Image:
    """The picture with all its light from a lamp that stands on the right of the mat."""
    height, width = image.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    # Light falls off with the square of the distance; 2.2 is the bend of a picture's levels.
    far = ((x - 0.8 * width) ** 2 + (y - 0.4 * height) ** 2 + (0.165 * width) ** 2) / width**2
    fall = (0.09 / far) ** (1 / 2.2)
    return np.clip(image * fall[..., None], 0, 255).astype(np.uint8)


def main(folder: Path) -> None:
    """Write all of them as JPEG."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, scene in pictures().items():
        image, _ = render(scene, np.random.default_rng(1))
        if name == "uneven":
            image = beside_the_lamp(image)
        cv2.imwrite(str(folder / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 85])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
