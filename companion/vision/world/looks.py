"""What the dice look like: the five sets as far as they are known, and every other plausible set."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace

import numpy as np

from companion.dice import KINDS

Colour = tuple[float, float, float]
"""Red, green, blue from 0 to 1, as on a screen (sRGB)."""

SETS: dict[str, tuple[str, ...]] = {
    "clever": ("white", "yellow", "blue", "green", "orange", "purple"),
    "regenwormen": ("worm",) * 8,
    "dicy_cards": ("pip",) * 6,
    "geizen": ("pip",) * 5,
    "keer_op_keer_2": ("colour",) * 3 + ("number",) * 3 + ("special",),
    "pips": ("pip",) * 5,
}
"""The dice of each set; `pips` stands for any number of ordinary dice."""


def hexed(text: str) -> Colour:
    """The colour written as `#rrggbb`."""
    return (int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255)


@dataclass(frozen=True, slots=True)
class Look:
    """How one die looks. Lengths are fractions of the half edge of the die unless said otherwise."""

    body: Colour
    ink: Colour
    roundness: float = 0.2
    ball: float = 0.0
    """Radius of the sphere that cuts the cube (1.2 very round … 1.6 just the corners); 0 for none."""
    gloss: float = 0.5
    """Strength of mirrored light, 0 raw wood … 1 polished."""
    roughness: float = 0.15
    """Width of highlights in radians."""
    bump: float = 0.0
    """Slope of the tiny unevenness that breaks a highlight into specks."""
    matte: float = 0.0
    """How much less the ink mirrors than the body."""
    pip: float = 0.2
    """Radius of a pip."""
    spread: float = 0.5
    """How far from the middle the outer pips sit."""
    depth: float = 0.5
    """Slope at the rim of a drilled pip; 0 is printed flat."""
    ring: Colour | None = None
    """Colour of a rim around each pip."""
    own_inks: tuple[tuple[str, Colour], ...] = ()
    """Faces with an ink of their own, as the red one and four of Asian dice."""
    big_one: float = 1.0
    """How much larger the single pip is."""
    crosses: tuple[Colour, ...] = ()
    """Inks of the red, orange, yellow, green, blue and joker crosses."""
    symbol: Colour | None = None
    """Ink of symbols (worm, question mark, hearts …) where it differs from the pips."""
    style: int = 0
    """Which drawing of each symbol."""
    stroke: float = 0.1
    """Half width of the lines of a drawn symbol."""
    emblem: str = ""
    """A face that may carry a maker's mark in place of its pips."""
    grain: float = 0.0
    """Strength of wood grain or marbling."""
    grain_seed: int = 0
    grain_colour: Colour | None = None
    dirt: float = 0.0
    worn: float = 0.0
    """How much of the paint in drilled pips is gone, from their rims inward."""
    glass: float = 0.0
    """How much one sees through the body."""
    mirrored: bool = False
    """Whether 1, 2, 3 run clockwise round their corner."""
    turns: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    """Quarter turns of each face's drawing."""

    def hides(self, face: str) -> bool:
        """Whether a maker's mark stands in place of what this face shows."""
        return face == self.emblem and self.style % 3 > 0


_CLEVER = {
    "white": ("#d7dee6", "#141414"),
    "yellow": ("#f9e103", "#141414"),
    "orange": ("#e86a06", "#141414"),
    "green": ("#018640", "#f6e894"),
    "blue": ("#0173c0", "#e0cf6e"),
    "purple": ("#692985", "#f3e7c5"),
}
_CROSS_INKS = (
    ("#e50064", "#e62b4f", "#d81e2c", "#c4122f"),
    ("#ef7d00", "#f58220", "#e8641b"),
    ("#ffcc00", "#f7d117", "#e9b800"),
    ("#95c11f", "#3fa535", "#1e9e48", "#0b7d3e"),
    ("#5ac5f2", "#2a8fd6", "#1d5fb8", "#2b3f9e"),
    ("#1d1d1b", "#2b2b30"),
)
"""What red, orange, yellow, green, blue and black may be on a cross: print and plastic differ."""
_BUMPS, _MATTE = (0.0, 0.0, 0.05, 0.12), (0.0, 0.5, 0.9, 1.0)
_CROSSES = tuple(hexed(c) for c in ("#e50064", "#ef7d00", "#ffcc00", "#95c11f", "#5ac5f2", "#1d1d1b"))


def published_looks(game: str) -> dict[str, Look]:
    """The looks of a game's set by kind, to the best of what is known of the real dice."""
    match game:
        case "clever":
            plain = Look((1, 1, 1), (0, 0, 0), roundness=0.35, gloss=0.6, pip=0.2, depth=0.5)
            return {
                kind: replace(plain, body=hexed(body), ink=hexed(ink))
                for kind, (body, ink) in _CLEVER.items()
            }
        case "regenwormen":
            return {
                "worm": Look(
                    hexed("#f1ede0"),
                    hexed("#3a61bb"),
                    roundness=0.12,
                    ball=1.36,
                    gloss=0.25,
                    roughness=0.3,
                    pip=0.13,
                    depth=0.0,
                    symbol=hexed("#ab2540"),
                    stroke=0.045,
                    grain=0.05,
                )
            }
        case "keer_op_keer_2":
            plain = Look(hexed("#f4f4f2"), hexed("#1d1d1b"), roundness=0.35, depth=0.0, stroke=0.16)
            return {
                "colour": replace(plain, crosses=_CROSSES),
                "number": replace(plain, body=hexed("#262927"), ink=hexed("#f5f5f5"), depth=0.3),
                "special": replace(plain, body=hexed("#dc9930")),
            }
        case _:
            return {"pip": Look(hexed("#f4f1e8"), hexed("#161616"), roundness=0.25, pip=0.2)}


def random_looks(game: str, rng: np.random.Generator) -> dict[str, Look]:
    """A plausible set for a game: its dice share shape, material and style, and may differ in colour."""
    style = _random_style(rng)
    match game:
        case "clever":
            return {kind: _clever_look(kind, style, rng) for kind in _CLEVER}
        case "regenwormen":
            return {"worm": _worm_look(style, rng)}
        case "keer_op_keer_2":
            return _keer_looks(style, rng)
        case _:
            return {"pip": random_pip_look(rng, style)}


def _random_style(rng: np.random.Generator) -> Look:
    """Shape, material and drawing of a set, without its colours."""
    ball = float(rng.uniform(1.25, 1.55)) if rng.random() < 0.35 else 0.0
    edge = (
        rng.uniform(0.03, 0.2) if ball else rng.choice([0.04, 0.12, 0.2, 0.3, 0.42]) * rng.uniform(0.8, 1.2)
    )
    look = Look(
        body=(1, 1, 1),
        ink=(0, 0, 0),
        roundness=float(edge),
        ball=ball,
        gloss=float(rng.uniform(0.05, 1.0)),
        roughness=float(np.exp(rng.uniform(np.log(0.04), np.log(0.5)))),
        pip=float(rng.uniform(0.125, 0.26)),
        spread=float(rng.uniform(0.44, 0.58)),
        depth=float(rng.choice([0.0, 0.3, 0.6, 1.0])),
        big_one=float(rng.uniform(1.2, 1.9)) if rng.random() < 0.15 else 1.0,
        style=int(rng.integers(0, 1000)),
        stroke=float(rng.uniform(0.04, 0.2)),
        grain=float(rng.uniform(0.05, 0.5)) if rng.random() < 0.25 else 0.0,
        grain_seed=int(rng.integers(0, 64)),
        dirt=float(rng.uniform(0, 0.5)) if rng.random() < 0.5 else 0.0,
        mirrored=bool(rng.random() < 0.4),
        turns=tuple(int(t) for t in rng.integers(0, 4, 6)),
    )
    bump, matte = _BUMPS[look.style // 11 % len(_BUMPS)], _MATTE[look.style // 5 % len(_MATTE)]
    return replace(look, bump=bump, matte=matte)


def _jitter(colour: Colour, rng: np.random.Generator, hue: float = 0.02, rest: float = 0.12) -> Colour:
    h, s, v = colorsys.rgb_to_hsv(*colour)
    h = (h + rng.uniform(-hue, hue)) % 1.0
    s = float(np.clip(s * rng.uniform(1 - 1.5 * rest, 1 + rest) + rng.uniform(0, 0.03), 0, 1))
    v = float(np.clip(v * rng.uniform(1 - rest, 1 + rest), 0, 1))
    return colorsys.hsv_to_rgb(h, s, v)


def _between(one: Colour, other: Colour, way: float) -> Colour:
    a, b, c = (float(x + (y - x) * way) for x, y in zip(one, other, strict=True))
    return (a, b, c)


def _any_of(inks: tuple[str, ...], rng: np.random.Generator) -> Colour:
    """A colour somewhere between two of these."""
    one, other = hexed(str(rng.choice(inks))), hexed(str(rng.choice(inks)))
    return _between(one, other, float(rng.random()))


def _near_black(rng: np.random.Generator) -> Colour:
    return _jitter((0.09, 0.09, 0.1), rng, 0.5, 0.5)


def _near_white(rng: np.random.Generator) -> Colour:
    v = float(rng.uniform(0.8, 1.0))
    warm = float(rng.uniform(-0.03, 0.16))
    return (v, v * (1 - 0.4 * max(warm, 0)), v * (1 - max(warm, 0)))


def _any_colour(rng: np.random.Generator, low: Colour, high: Colour) -> Colour:
    h, s, v = (float(rng.uniform(a, b)) for a, b in zip(low, high, strict=True))
    return colorsys.hsv_to_rgb(h, s, v)


def _clever_look(kind: str, style: Look, rng: np.random.Generator) -> Look:
    body = _near_white(rng) if kind == "white" else _jitter(hexed(_CLEVER[kind][0]), rng, 0.022)
    if kind in ("white", "yellow", "orange"):
        ink = _near_black(rng) if kind != "orange" or style.style % 3 else _near_white(rng)
    else:
        ink = hexed(_CLEVER[kind][1]) if style.style % 2 else _near_white(rng)
    return replace(style, body=body, ink=_jitter(ink, rng, 0.01, 0.05))


def _worm_look(style: Look, rng: np.random.Generator) -> Look:
    ink = (hexed("#3a61bb"), hexed("#1776a6"), _near_black(rng), hexed("#20408a"))[style.style % 4]
    red = (hexed("#ab2540"), hexed("#dc7055"), hexed("#c01c28"), hexed("#8a1f3d"))[(style.style // 4) % 4]
    return replace(
        style,
        body=_jitter(_near_white(rng), rng, 0.02, 0.06),
        ink=_jitter(ink, rng),
        symbol=_jitter(red, rng),
        ball=style.ball or (float(rng.uniform(1.3, 1.5)) if rng.random() < 0.4 else 0.0),
        stroke=float(rng.uniform(0.03, 0.09)),
        pip=float(rng.uniform(0.12, 0.22)),
    )


def _keer_looks(style: Look, rng: np.random.Generator) -> dict[str, Look]:
    style = replace(style, stroke=float(rng.uniform(0.08, 0.2)), grain=0.0)
    crosses = _CROSSES if rng.random() < 0.2 else tuple(_any_of(inks, rng) for inks in _CROSS_INKS)
    crosses = tuple(_jitter(c, rng, 0.008) for c in crosses)  # more, and yellow would pass into orange
    gold = _jitter((hexed("#dc9930"), hexed("#b87e24"), hexed("#e8b21c"))[style.style % 3], rng)
    mark = (_near_black(rng), _near_white(rng), hexed("#a01818"))[(style.style // 3) % 3]
    return {
        "colour": replace(style, body=_near_white(rng), crosses=crosses),
        "number": replace(style, body=_near_black(rng), ink=_near_white(rng)),
        "special": replace(style, body=gold, ink=mark),
    }


def _pip_colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Body and ink of an ordinary die: half white, one in eight black, some grey, the rest coloured."""
    draw = rng.random()
    if draw < 0.48:
        coloured = rng.random() < 0.25
        return _near_white(rng), _any_colour(rng, (0, 0.6, 0.3), (1, 1, 0.8)) if coloured else _near_black(
            rng
        )
    if draw < 0.6:
        coloured = rng.random() < 0.3
        return _near_black(rng), _any_colour(rng, (0, 0.4, 0.8), (1, 1, 1)) if coloured else _near_white(rng)
    if draw < 0.65:
        body = _any_colour(rng, (0, 0, 0.3), (1, 0.12, 0.75))
    else:
        hue = rng.choice([0.0, 0.0, 0.03, 0.08, 0.14, 0.33, 0.4, 0.58, 0.62, 0.75, 0.9]) + rng.normal(0, 0.02)
        body = colorsys.hsv_to_rgb(float(hue) % 1, float(rng.uniform(0.35, 1)), float(rng.uniform(0.3, 1)))
    light = 0.3 * body[0] + 0.6 * body[1] + 0.1 * body[2]
    ink = _near_white(rng) if light < rng.uniform(0.25, 0.75) else _near_black(rng)
    if light > 0.5 and rng.random() < 0.1:
        ink = _any_colour(rng, (0, 1, 0.5), (1, 1, 0.5))
    return body, ink


def random_pip_look(rng: np.random.Generator, style: Look | None = None) -> Look:
    """Any ordinary die: any body, any readable ink, drilled or printed, glassy, marbled or worn."""
    style = style or _random_style(rng)
    body, ink = _pip_colours(rng)
    draw = rng.random()
    if draw < 0.15:
        h, s, v = colorsys.rgb_to_hsv(*body)
        body = colorsys.hsv_to_rgb(h, min(1, s + 0.1), max(0.35, v))
        style = replace(style, glass=float(rng.uniform(0.3, 0.9)), gloss=0.9, roughness=0.05, grain=0.0)
    elif draw < 0.25:
        other = _any_colour(rng, (0, 0, 0.2), (1, 1, 1))
        if np.abs(np.subtract(other, ink)).sum() < 0.7:  # pips would be lost among veins of their own colour
            other = _between(body, other, 0.4)
        style = replace(style, grain=float(rng.uniform(0.3, 1.2)), grain_colour=other)
    elif draw < 0.32:
        body, ink = _jitter(hexed("#c79a5c"), rng, 0.03, 0.25), _near_black(rng)
        style = replace(style, grain=float(rng.uniform(0.3, 0.8)), gloss=style.gloss * 0.4)
    faint = rng.random() < 0.1
    pip = float(rng.uniform(0.085, 0.28))
    least = max(0.42, 2.05 * pip)  # the pips of a six stay apart
    return replace(
        style,
        body=body,
        ink=_between(body, ink, float(rng.uniform(0.3, 0.65))) if faint else ink,
        pip=pip,
        spread=float(rng.uniform(least, max(least, min(0.62, 0.86 - pip)))),
        depth=style.depth or (0.6 if faint else 0.0),
        own_inks=_own_inks(rng),
        ring=_near_white(rng) if rng.random() < 0.04 else None,
        emblem=str(rng.choice(["1", "6", "2"])) if rng.random() < 0.06 else "",
        worn=float(rng.uniform(0.2, 1)) if rng.random() < 0.12 and style.depth else 0.0,
    )


def _own_inks(rng: np.random.Generator) -> tuple[tuple[str, Colour], ...]:
    """Mostly none; a red one, a red one and four, or a colour for every face."""
    draw, red = rng.random(), _jitter(hexed("#c8102e"), rng)
    if draw < 0.08:
        return (("1", red),) if draw < 0.05 else (("1", red), ("4", red))
    if draw < 0.1:
        return tuple((str(face), _any_colour(rng, (0, 0.6, 0.3), (1, 1, 0.8))) for face in range(1, 7))
    return ()


def faces_of(kind: str) -> tuple[str, ...]:
    """The different faces of a kind."""
    return KINDS[kind].faces
