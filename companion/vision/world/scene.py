"""What stands in the dice world: dice, lights, things that are no dice, a tray, and the camera's faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from companion.dice import KINDS, Die
from companion.vision.reading import Image
from companion.vision.world.looks import Colour, Look
from companion.vision.world.view import View

Floats = NDArray[Any]
Vector = tuple[float, float, float]

# Outward direction and the drawing's right and down, of each side; opposite sides sum to five.
SIDES = np.array(
    [
        [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
        [[1, 0, 0], [0, 1, 0], [0, 0, -1]],
        [[0, 1, 0], [-1, 0, 0], [0, 0, -1]],
        [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
        [[-1, 0, 0], [0, -1, 0], [0, 0, -1]],
        [[0, 0, -1], [1, 0, 0], [0, 1, 0]],
    ],
    np.float32,
)


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A die somewhere, turned anyhow: `position` is its middle in mm, `rotation` a 3×3 matrix die → world."""

    kind: str
    position: Vector
    rotation: Floats
    look: Look
    size: float = 16.0
    smear: Vector = (0.0, 0.0, 0.0)
    """Millimetres it moves while the shutter is open."""

    def side_face(self, side: int) -> str:
        """The face drawn on one of the six sides."""
        if self.look.mirrored and side in (2, 3):
            side = 5 - side
        return KINDS[self.kind].sides[side]

    @property
    def up(self) -> int:
        """The side that looks up most."""
        return int(np.argmax(SIDES[:, 0] @ self.rotation[2]))

    @property
    def face(self) -> str:
        """The face that looks up most."""
        return self.side_face(self.up)

    @property
    def told(self) -> bool:
        """Whether the upper face tells its value; a maker's mark in place of the pips does not."""
        return not self.look.hides(self.face)

    @property
    def die(self) -> Die:
        """The die as it lies."""
        return Die(self.kind, self.face)

    @property
    def tilt(self) -> float:
        """Degrees by which the upper face leans from level."""
        return float(np.degrees(np.arccos(np.clip(np.max(SIDES[:, 0] @ self.rotation[2]), -1, 1))))

    def face_corners(self) -> Floats:
        """Corners (4, 3) in mm of the upper face, clockwise from the top left of its upright symbol."""
        normal, right, down = SIDES[self.up]
        square = [normal - right - down, normal + right - down, normal + right + down, normal - right + down]
        turned = np.roll(np.stack(square), self.look.turns[self.up] % 4, axis=0)
        return self._placed(turned)

    def corners(self) -> Floats:
        """All eight corners (8, 3) in mm."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
        return self._placed(signs)

    def hull(self) -> Floats:
        """Points (24, 3) in mm whose hull is about the rounded body."""
        inset = self.look.roundness * 0.55
        if self.look.ball:
            inset = max(inset, 1 - np.sqrt(max(self.look.ball**2 - 1, 0.05) / 2))
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
        points = [signs * np.where(np.arange(3) == axis, 1.0, 1 - inset) for axis in range(3)]
        return self._placed(np.concatenate(points).astype(np.float32))

    def _placed(self, points: Floats) -> Floats:
        half = self.size / 2
        return np.asarray(np.array(self.position) + half * points @ self.rotation.T, np.float32)


def turned(axis: Vector, degrees: float) -> Floats:
    """The rotation about an axis."""
    x, y, z = np.array(axis, float) / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    a = np.radians(degrees)
    return np.asarray(np.eye(3) + np.sin(a) * skew + (1 - np.cos(a)) * skew @ skew, np.float32)


def resting(kind: str, face: str, degrees: float, look: Look) -> Floats:
    """The rotation of a die lying flat with `face` up, turned `degrees` about the vertical."""
    sides = [
        s for s in range(6) if Placed(kind, (0, 0, 0), np.eye(3, dtype=np.float32), look).side_face(s) == face
    ]
    if not sides:
        raise ValueError(f"a {kind} die has no face {face}")
    normal, right, down = SIDES[sides[round(degrees) % len(sides)]]
    level = np.stack([right, -down, normal])
    return np.asarray(turned((0, 0, 1), degrees) @ level, np.float32)


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp or window far away: the direction to it, its light (linear BGR), its half width in radians."""

    towards: Vector
    light: Vector
    spread: float = 0.05
    glint: float = 1.0
    """How much brighter it is mirrored than its width and light alone would make it."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Something flat that is no die, drawn from above: BGRA `sprite`, lying `thick` mm high at a place."""

    sprite: Image
    centre: tuple[float, float]
    size: tuple[float, float]
    degrees: float = 0.0
    thick: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A material: a picture that repeats every `span` mm, and how much it shines."""

    picture: Image
    span: float
    gloss: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Tray:
    """A tray or lid round the table's middle: half sizes of its floor, its rim, and what it is made of."""

    half: tuple[float, float]
    high: float
    rim: float
    wall: Colour
    around: Surface
    degrees: float = 0.0


@dataclass(frozen=True, slots=True)
class Faults:
    """What the camera does to the light: all zero is a perfect camera."""

    exposure: float = 1.0
    balance: Vector = (1.0, 1.0, 1.0)
    noise: float = 0.0
    blur: float = 0.0
    """Width of defocus in pixels."""
    smear: tuple[float, float] = (0.0, 0.0)
    """Motion during the exposure in pixels."""
    jpeg: int = 0
    """Quality; 0 for none."""
    vignette: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything that is to be seen."""

    dice: tuple[Placed, ...]
    view: View
    surface: Surface
    lights: tuple[Light, ...] = (Light((0.3, 0.4, 0.85), (0.7, 0.7, 0.7), 0.15),)
    ambient: Vector = (0.35, 0.35, 0.35)
    things: tuple[Thing, ...] = ()
    tray: Tray | None = None
    faults: Faults = field(default_factory=Faults)
    shades: tuple[Thing, ...] = ()
    """Shadows of hands and the like; only the sprite's alpha counts."""


State = Literal["flat", "cocked", "cut_off", "stacked"]


@dataclass(frozen=True, slots=True)
class Label:
    """The truth about one die in a picture; `box` is x, y, width, height of what is visible of it."""

    kind: str
    face: str
    box: tuple[float, float, float, float]
    top_face: tuple[tuple[float, float], ...]
    state: State
    tilt_deg: float
    visible: float
    told: bool = True
    """Whether its face tells its value; a maker's mark in place of the pips does not."""
