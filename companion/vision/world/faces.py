"""The drawings on the faces of dice: pips, worms, crosses, question marks and the symbols of the gold die."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.world.looks import Colour, Look

Floats = NDArray[Any]
EDGE = 96
_FINE = 2  # drawn this much larger, then shrunk, for smooth rims
_SPOTS = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
CROSSES = ("red", "orange", "yellow", "green", "blue", "joker")


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A face ready to be looked up: linear colour (BGR) and slope in x and y, coarser with each level."""

    levels: tuple[Floats, ...]


class Pen:
    """Draws in units of the half edge: the face spans −1 … 1, y down."""

    def __init__(self) -> None:
        self.size = EDGE * _FINE
        self.mask = np.zeros((self.size, self.size), np.uint8)

    def _at(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.round((np.asarray(points) + 1) / 2 * self.size * 16).astype(np.int32)

    def _width(self, half: float) -> int:
        return max(1, round(half * self.size))

    def disc(self, x: float, y: float, radius: float, value: int = 255) -> None:
        """A filled circle."""
        centre = self._at(np.array([x, y]))
        cv2.circle(
            self.mask,
            (int(centre[0]), int(centre[1])),
            int(radius * self.size * 8),
            value,
            -1,
            cv2.LINE_AA,
            4,
        )

    def ring(self, x: float, y: float, radius: float, half: float) -> None:
        """A circle's line."""
        centre = self._at(np.array([x, y]))
        cv2.circle(
            self.mask,
            (int(centre[0]), int(centre[1])),
            int(radius * self.size * 8),
            255,
            self._width(half),
            cv2.LINE_AA,
            4,
        )

    def line(self, points: NDArray[np.float64], half: float) -> None:
        """A line through points, `half` wide to each side."""
        cv2.polylines(self.mask, [self._at(points)], False, 255, self._width(half), cv2.LINE_AA, 4)

    def area(self, points: NDArray[np.float64], value: int = 255) -> None:
        """A filled polygon."""
        cv2.fillPoly(self.mask, [self._at(points)], value, cv2.LINE_AA, 4)

    def text(self, text: str, face: int, height: float, half: float) -> None:
        """Letters in the middle."""
        (w, h), base = cv2.getTextSize(text, face, 4.0, 8)
        scale = 4.0 * height * self.size / 2 / (h + base * 0.3)
        thick = self._width(half)
        (w, h), base = cv2.getTextSize(text, face, scale, thick)
        corner = ((self.size - w) // 2, (self.size + h) // 2)
        cv2.putText(self.mask, text, corner, face, scale, 255, thick, cv2.LINE_AA)


def _curve(points: list[tuple[float, float]], steps: int = 40) -> NDArray[np.float64]:
    """A smooth curve through a few points (Catmull-Rom)."""
    knots = np.array([points[0], *points, points[-1]], float)
    out = []
    for i in range(len(points) - 1):
        a, b, c, d = knots[i : i + 4]
        t = np.linspace(0, 1, max(2, steps // len(points)))[:, None]
        out.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    return np.concatenate(out)


def _worm(pen: Pen, look: Look) -> None:
    """One of several worms, as a plain line or as an outlined body in segments, small or large."""
    half, style = look.stroke, look.style
    middle = _worm_line(style % 7) * (0.7 + 0.12 * (style // 7 % 4))
    if style // 3 % 3 == 1:
        _segmented(pen, middle, half)
    else:
        pen.line(middle, half * (1.7 if style // 2 % 4 == 3 else 1.0))
        if style % 2:
            pen.ring(float(middle[-1, 0]), float(middle[-1, 1]), 0.15, half * 0.8)
    if style % 7 == 5:  # the ground
        pen.line(np.array([[-0.5, 0.62], [0.4, 0.62]]), half)


def _worm_line(shape: int) -> NDArray[np.float64]:
    """The middle of a worm's body, from tail to head."""
    turns = np.linspace(4.4 * np.pi, 0.6, 80)
    across = np.linspace(-0.65, 0.65, 40)
    match shape:
        case 0:  # a curled S
            return _curve([(-0.55, 0.45), (-0.2, 0.6), (0.05, 0.35), (-0.1, 0.0), (0.0, -0.4), (0.4, -0.5)])
        case 1:  # a U
            return _curve([(-0.5, -0.45), (-0.55, 0.2), (-0.1, 0.55), (0.4, 0.3), (0.45, -0.35)])
        case 2:  # a spiral
            radius = 0.08 + 0.5 * turns / turns[0]
            return np.stack([radius * np.cos(turns), radius * np.sin(turns)], 1)
        case 3:  # a wide spiral of one turn and a half
            radius = 0.12 + 0.5 * turns[26:] / turns[0]
            return np.stack([radius * np.sin(turns[26:]), radius * np.cos(turns[26:])], 1)
        case 4:  # a wave
            return np.stack([across, 0.25 * np.sin(across * 5)], 1)
        case 5:  # rising
            return _curve(
                [(-0.15, 0.6), (-0.3, 0.1), (0.1, -0.05), (0.25, -0.35), (0.0, -0.6), (-0.25, -0.4)]
            )
        case _:  # a hook, like a comma
            return _curve([(-0.25, 0.6), (0.2, 0.35), (0.4, -0.1), (0.1, -0.5), (-0.35, -0.3), (-0.15, 0.0)])


def _segmented(pen: Pen, middle: NDArray[np.float64], half: float) -> None:
    """A body with an outline and rings, along its middle."""
    side = np.gradient(middle, axis=0)[:, ::-1] * (1, -1)
    side = side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-6) * 0.12
    loop = np.concatenate([middle + side, (middle - side)[::-1], (middle + side)[:1]])
    pen.line(loop, half * 0.6)
    for part in range(3, len(middle) - 3, 5):
        pen.line(np.stack([middle[part] - side[part], middle[part] + side[part]]), half * 0.4)


def _cross(pen: Pen, look: Look) -> None:
    reach = 0.5 + 0.03 * (look.style % 6)
    half = 0.07 + 0.5 * look.stroke * (0.6 + 0.1 * (look.style % 5))
    bend = 0.06 * ((look.style // 7) % 3)
    if look.style % 11 == 3:  # an upright cross turned into the edges
        pen.line(np.array([[-reach, 0.0], [reach, bend]]), half)
        pen.line(np.array([[0.0, -reach], [-bend, reach]]), half)
        return
    pen.line(_curve([(-reach, -reach + bend), (bend / 2, 0), (reach, reach)]), half)
    pen.line(_curve([(reach - bend, -reach), (0, bend / 2), (-reach, reach - bend)]), half)


def _question(pen: Pen, look: Look) -> None:
    fonts = (
        cv2.FONT_HERSHEY_SIMPLEX,
        cv2.FONT_HERSHEY_DUPLEX,
        cv2.FONT_HERSHEY_COMPLEX,
        cv2.FONT_HERSHEY_TRIPLEX,
    )
    half = 0.05 + 0.35 * look.stroke
    if look.style % 5 < 2:
        pen.line(
            _curve([(-0.28, -0.3), (-0.1, -0.55), (0.2, -0.52), (0.28, -0.25), (0.05, -0.02), (0.0, 0.22)]),
            half,
        )
        pen.disc(0.0, 0.5, 0.06 + half)
        return
    pen.text("?", fonts[look.style % 4], 1.1 + 0.05 * (look.style % 4), half * 0.8)


def _star(x: float, y: float, radius: float) -> NDArray[np.float64]:
    angle = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2, radius * 0.42, radius)
    return np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], 1)


def _heart(pen: Pen, look: Look) -> None:
    t = np.linspace(0, 2 * np.pi, 80)
    wide = 0.033 + 0.002 * (look.style % 5)
    x = 16 * np.sin(t) ** 3 * wide
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) * wide
    outline = np.stack([x, y], 1)
    if look.style % 4 == 1:
        pen.line(outline, 0.05 + 0.2 * look.stroke)
    else:
        pen.area(outline)


def _bomb(pen: Pen, look: Look) -> None:
    pen.disc(-0.08, 0.14, 0.4 + 0.02 * (look.style % 4))
    if look.style % 3 == 1:
        pen.disc(-0.2, 0.02, 0.09, 0)
    pen.line(_curve([(0.15, -0.15), (0.3, -0.4), (0.5, -0.42)]), 0.06)
    if look.style % 2:
        pen.area(_star(0.52, -0.48, 0.2))
    else:
        pen.area(np.array([[0.1, -0.32], [0.32, -0.1], [0.2, 0.0], [0.0, -0.2]]))


def _stars(pen: Pen, look: Look) -> None:
    off = 0.3 + 0.02 * (look.style % 4)
    flip = -1 if look.style % 2 else 1
    for sign in (-1, 1):
        pen.area(_star(sign * off * flip, sign * off, 0.36))


def _square(pen: Pen, x: float, y: float, half: float, crossed: bool) -> None:
    corners = np.array(
        [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    )
    if crossed:
        pen.line(np.concatenate([corners, corners[:1]]), 0.035)
        pen.line(corners[[0, 2]], 0.03)
        pen.line(corners[[1, 3]], 0.03)
    else:
        pen.area(corners)


def _row(pen: Pen, look: Look) -> None:
    lift = -0.15 if look.style % 3 else 0.0
    for x in (-0.46, 0.0, 0.46):
        _square(pen, x, lift, 0.19, look.style % 2 == 0)
    if look.style % 3:
        pen.line(np.array([[-0.55, 0.35], [0.5, 0.35]]), 0.045)
        pen.line(np.array([[0.32, 0.2], [0.55, 0.35], [0.32, 0.5]]), 0.045)


def _block(pen: Pen, look: Look) -> None:
    spots = (
        ((-1, 0), (0, 0), (1, 0), (0, -1), (1, 1)),
        ((-1, -1), (0, -1), (0, 0), (1, 0), (0, 1)),
        ((0, -1), (-1, 0), (0, 0), (-1, 1), (1, 0)),
    )
    for x, y in spots[look.style % 3]:
        _square(pen, x * 0.4, y * 0.4, 0.17, look.style % 2 == 0)


def _emblem(pen: Pen, look: Look) -> None:
    match look.style % 4:
        case 0:
            pen.area(_star(0, 0, 0.6))
        case 1:
            pen.ring(0, 0, 0.5, 0.08)
            pen.text("A", cv2.FONT_HERSHEY_TRIPLEX, 0.7, 0.04)
        case 2:
            _heart(pen, look)
        case _:
            pen.disc(0, -0.1, 0.4)
            pen.disc(-0.15, -0.1, 0.1, 0)
            pen.disc(0.15, -0.1, 0.1, 0)
            pen.area(np.array([[-0.2, 0.2], [0.2, 0.2], [0.2, 0.5], [-0.2, 0.5]]))


_SYMBOLS = {"worm": _worm, "heart": _heart, "bomb": _bomb, "stars": _stars, "row": _row, "block": _block}


def _linear(colour: Colour) -> Floats:
    """BGR amounts of light of a screen colour."""
    return np.array(colour[::-1], np.float32) ** 2.2


def _grain(look: Look, side: int) -> Floats:
    """Wood grain, or marbling in clouds, swirls or specks, −1 … 1."""
    rng = np.random.default_rng(look.grain_seed * 6 + side)
    coarse = rng.normal(0, 1, (12, 12) if look.grain_colour else (32, 5)).astype(np.float32)
    field = cv2.resize(coarse, (EDGE, EDGE), interpolation=cv2.INTER_CUBIC)
    across = np.linspace(0, 25, EDGE, dtype=np.float32)[None, :]
    if look.grain_colour is None:
        return np.asarray(0.5 * np.sin(field * 1.5 + across) + 0.5 * field, np.float32)
    match look.grain_seed % 4:
        case 0:
            broad = cv2.resize(coarse[:5, :5], (EDGE, EDGE), interpolation=cv2.INTER_CUBIC)
            return np.asarray(np.sin(broad * 2.5 + across * rng.uniform(0.1, 0.5)), np.float32)
        case 1:
            specks = cv2.GaussianBlur(
                rng.random((EDGE, EDGE)).astype(np.float32), (0, 0), rng.uniform(0.7, 2)
            )
            few = np.quantile(specks, rng.uniform(0.75, 0.97))
            return np.asarray(np.clip((specks - few) / specks.std() * 3, 0, 1), np.float32)
        case _:
            return np.asarray(np.tanh(field * 1.5), np.float32)


def _draw(look: Look, face: str, crossed: bool) -> tuple[Pen, Colour]:
    pen = Pen()
    ink = look.ink
    if crossed:
        ink = look.crosses[CROSSES.index(face)]
        _cross(pen, look)
    elif face == "joker":
        ink = look.symbol or ink
        _question(pen, look)
    elif face in _SYMBOLS:
        ink = look.symbol or ink
        _SYMBOLS[face](pen, look)
    elif look.hides(face):
        _emblem(pen, look)
    else:
        radius = look.pip * (look.big_one if face == "1" else 1.0)
        squeeze = 1.0 if look.style % 3 else 0.9
        for x, y in _SPOTS[face]:
            pen.disc(x * look.spread * (squeeze if face == "6" else 1), y * look.spread, radius)
        ink = dict(look.own_inks).get(face, ink)
    return pen, ink


def _worn(mask: Floats, look: Look, rng: np.random.Generator) -> Floats:
    """What is left of the paint: less towards the rims, here more and there less."""
    inward = cv2.GaussianBlur(mask, (0, 0), 0.5 + 0.35 * look.pip * EDGE / 2)
    uneven = cv2.resize(
        rng.normal(0, 0.12, (14, 14)).astype(np.float32), mask.shape, None, 0, 0, cv2.INTER_CUBIC
    )
    return np.asarray(mask * np.clip((inward + uneven - 0.4 - 0.5 * look.worn) * 6 + 0.5, 0, 1), np.float32)


@lru_cache(maxsize=256)
def drawn(look: Look, face: str, side: int) -> Drawn:
    """The drawing of a face on a die of this look; `side` picks its grain."""
    pen, ink = _draw(look, face, bool(look.crosses))
    small = (EDGE, EDGE)
    mask = cv2.resize(pen.mask, small, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    body = np.broadcast_to(_linear(look.body), (EDGE, EDGE, 3)).copy()
    if look.grain:
        field = _grain(look, side)[..., None] * look.grain
        if look.grain_colour:
            body += (_linear(look.grain_colour) - body) * np.clip(field, 0, 1)
        else:
            body *= 1 + 0.5 * field
    rng = np.random.default_rng(look.grain_seed * 6 + side + 99)
    if look.dirt:
        spots = cv2.resize(rng.random((10, 10)).astype(np.float32), small, interpolation=cv2.INTER_CUBIC)
        fine = cv2.resize(rng.random((48, 48)).astype(np.float32), small)
        body *= (1 - look.dirt * np.clip(spots * 0.5 + fine * 0.4 - 0.25, 0, 1))[..., None]
        if look.dirt > 0.25:  # worn ink
            mask = mask * np.clip(1.2 - look.dirt * fine, 0, 1)
    paint = _worn(mask, look, rng) if look.worn else mask
    colour = body * (1 - paint[..., None]) + _linear(ink) * paint[..., None]
    if look.ring:
        wide = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
        rim = np.clip(wide - mask, 0, 1)[..., None]
        colour = colour * (1 - rim) + _linear(look.ring) * rim
    slope = np.zeros((EDGE, EDGE, 2), np.float32)
    if look.depth:
        hollow = cv2.GaussianBlur(mask, (0, 0), 1.5 + 3 * look.pip)
        slope[..., 0] = cv2.Sobel(hollow, cv2.CV_32F, 1, 0, scale=1.2) * look.depth
        slope[..., 1] = cv2.Sobel(hollow, cv2.CV_32F, 0, 1, scale=1.2) * look.depth
    full = np.concatenate([colour, slope], 2).astype(np.float32)
    turned = np.ascontiguousarray(np.rot90(full, look.turns[side]))
    match look.turns[side] % 4:  # slopes turn with the drawing
        case 1:
            turned[..., 3], turned[..., 4] = turned[..., 4].copy(), -turned[..., 3]
        case 2:
            turned[..., 3:] *= -1
        case 3:
            turned[..., 3], turned[..., 4] = -turned[..., 4], turned[..., 3].copy()
    levels: list[Floats] = [turned]
    while levels[-1].shape[0] > 12:
        half = levels[-1].shape[0] // 2
        levels.append(cv2.resize(levels[-1][..., :], (half, half), interpolation=cv2.INTER_AREA))
    return Drawn(tuple(levels))
