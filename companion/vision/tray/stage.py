"""What the camera over the tray sees, made with the renderer that also makes the training pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.reading import Image
from companion.vision.world import (
    Bare,
    Faults,
    Light,
    Placed,
    Scene,
    Surface,
    View,
    felt,
    published_looks,
    random_surface,
    render,
)
from companion.vision.world import Look as DieLook
from companion.vision.world import Tray as Box

CHANGED = 3
"""Grey levels by which a coarse picture must differ to count as changed; less is the renderer's rounding."""
GLARE = Light((0.05, -0.1, 1.0), (1.7, 1.7, 1.7), 0.03)
"""A bare bulb beside the camera: it mirrors itself in the dice, and the exposure turns all else down."""
DIMMED = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What the dice fall on, and the light they fall in."""

    surface: Surface
    lights: tuple[Light, ...]
    ambient: tuple[float, float, float]
    box: Box | None = None


_WINDOW = Light((0.45, 0.5, 0.9), (0.62, 0.60, 0.58), 0.22)
_LAMP = Light((-0.35, 0.2, 0.85), (0.38, 0.47, 0.55), 0.07)
_SKY = (0.34, 0.33, 0.32)


def _boxed(colour: tuple[int, int, int], seed: int) -> Table:
    wood = random_surface(np.random.default_rng(_WOOD))
    box = Box((146.0, 107.0), 24.0, 9.0, (0.42, 0.27, 0.15), wood)
    return Table(felt(colour, seed), (_WINDOW, _LAMP), _SKY, box)


def _plain(seed: int, *lights: Light) -> Table:
    return Table(random_surface(np.random.default_rng(seed)), lights or (_WINDOW, _LAMP), _SKY)


_WOOD, _PALE, _CLOTH = 33, 1, 30
"""Chances that came out well."""
TABLES: dict[str, Callable[[], Table]] = {
    "green felt": lambda: _boxed((62, 108, 40), 1),
    "red felt": lambda: _boxed((48, 38, 150), 2),
    "wood": lambda: _plain(_WOOD),
    "pale wood": lambda: _plain(_PALE),
    "cloth": lambda: _plain(_CLOTH, _WINDOW),
    "dark felt": lambda: _boxed((58, 52, 48), 4),
}
"""The surfaces to choose from."""


def look_of(kind: str) -> DieLook:
    """How a die of this kind looks, to the best of what is known of the real ones."""
    for game in ("regenwormen", "clever", "keer_op_keer_2", "dicy_cards"):
        looks = published_looks(game)
        if kind in looks:
            return looks[kind]
    raise KeyError(kind)


class Stage:
    """Makes pictures of dice on one table: fine ones of dice that lie, quick ones of dice that move."""

    def __init__(self, table: Table, view: View) -> None:
        self._table = table
        self.view = view
        self._coarse = replace(view, width=view.width // 2, height=view.height // 2, focal=view.focal / 2)
        self.glare = False
        self._empty: dict[tuple[View, bool], Image] = {}
        self._bare: dict[View, Bare] = {}

    def fine(self, dice: tuple[Placed, ...]) -> Image:
        """The full picture."""
        return self._render(dice, self.view)

    def coarse(self, dice: tuple[Placed, ...]) -> Image:
        """The same at half the size."""
        return self._render(dice, self._coarse)

    def between(self, now: Image, *known: tuple[Image, Image]) -> Image:
        """A full picture from a coarse one: where it equals a known coarse picture, its fine one is shown."""
        size = (self.view.width, self.view.height)
        picture = cv2.resize(now, size, interpolation=cv2.INTER_CUBIC)
        for coarse, fine in known:
            same = cv2.inRange(cv2.absdiff(now, coarse), (0, 0, 0), (CHANGED,) * 3)
            same = cv2.erode(same, np.ones((3, 3), np.uint8))
            cv2.copyTo(fine, cv2.resize(same, size, interpolation=cv2.INTER_NEAREST), picture)
        return np.asarray(picture, np.uint8)

    def _scene(self, dice: tuple[Placed, ...], view: View) -> Scene:
        table = self._table
        faults = Faults(vignette=0.12)
        if self.glare:
            others = (replace(lamp, light=_dimmed(lamp.light)) for lamp in table.lights)
            return Scene(
                dice, view, table.surface, (GLARE, *others), (0.1, 0.1, 0.1), tray=table.box, faults=faults
            )
        return Scene(dice, view, table.surface, table.lights, table.ambient, tray=table.box, faults=faults)

    def _render(self, dice: tuple[Placed, ...], view: View) -> Image:
        if not dice and (view, self.glare) in self._empty:
            return self._empty[view, self.glare]
        if view not in self._bare:
            self._bare[view] = Bare(self._scene((), view))
        # The renderer draws its soft shadows by chance; the same chance each time keeps them from trembling.
        image, _ = render(self._scene(dice, view), np.random.default_rng(7), self._bare[view])
        if not dice:
            self._empty[view, self.glare] = image
        return image


def _dimmed(light: tuple[float, float, float]) -> tuple[float, float, float]:
    blue, green, red = light
    return (DIMMED * blue, DIMMED * green, DIMMED * red)


class Grain:
    """Fresh sensor noise for every picture, cut at random from one field so that it costs next to nothing."""

    def __init__(self, strength: float, size: tuple[int, int], rng: np.random.Generator) -> None:
        """`strength`: standard deviation in grey levels."""
        self._rng = rng
        width, height = size[0] + _MARGIN, size[1] + _MARGIN
        field = strength * rng.standard_normal((height, width, 3), dtype=np.float32)
        field = 0.8 * field + 0.6 * strength * rng.standard_normal((height, width, 1), dtype=np.float32)
        field = np.round(field).astype(np.int16)
        self._more = np.clip(field, 0, 255).astype(np.uint8)
        self._less = np.clip(-field, 0, 255).astype(np.uint8)

    def on(self, picture: Image) -> Image:
        """The picture with noise of its own."""
        height, width = picture.shape[:2]
        x, y = (int(n) for n in self._rng.integers(0, _MARGIN, 2))
        part = (slice(y, y + height), slice(x, x + width))
        brighter = cv2.add(picture, self._more[part])
        return np.asarray(cv2.subtract(brighter, self._less[part], dst=brighter), np.uint8)


_MARGIN = 64
