"""What lies about on a table and is no die: coins, chips, pencils, sheets, caps, cards, hands, keyboards."""

from __future__ import annotations

import colorsys
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image
from companion.vision.world.scene import Thing

Chance = np.random.Generator
Tone = tuple[int, int, int, int]
_WORDS = (
    "Score",
    "Bonus",
    "Lucky",
    "total",
    "X",
    "Start",
    "A",
    "Q",
    "10",
    "21",
    "36",
    "?",
    "!",
    "DAY",
    "Geizen",
    "8",
)


def _blank(wide: int, tall: int) -> Image:
    return np.zeros((tall, wide, 4), np.uint8)


def _colour(rng: Chance, low: float = 0.1) -> Tone:
    r, g, b = colorsys.hsv_to_rgb(rng.random(), float(rng.uniform(0, 1)), float(rng.uniform(low, 1)))
    return int(b * 255), int(g * 255), int(r * 255), 255


def _grey(rng: Chance, low: int, high: int) -> Tone:
    value = int(rng.integers(low, high))
    return value, value, value, 255


def _coin(rng: Chance) -> tuple[Image, float, float]:
    sprite = _blank(160, 160)
    metal = ((70, 110, 180), (90, 170, 200), (175, 180, 185), (60, 90, 140))[int(rng.integers(0, 4))]
    cv2.circle(sprite, (80, 80), 78, (*metal, 255), -1, cv2.LINE_AA)
    cv2.circle(sprite, (80, 80), 68, (*tuple(int(c * 0.75) for c in metal), 255), 3, cv2.LINE_AA)
    cv2.putText(
        sprite,
        str(rng.choice(["1", "2", "5", "10", "20", "50"])),
        (40, 100),
        int(rng.integers(0, 4)),
        2,
        (*tuple(int(c * 0.6) for c in metal), 255),
        4,
        cv2.LINE_AA,
    )
    return sprite, float(rng.uniform(16, 27)), 2.0


def _chip(rng: Chance) -> tuple[Image, float, float]:
    sprite = _blank(200, 200)
    base, light = _colour(rng, 0.2), _grey(rng, 200, 256)
    cv2.circle(sprite, (100, 100), 98, base, -1, cv2.LINE_AA)
    count = int(rng.choice([4, 6, 8]))
    for k in range(count):
        start = k * 360 / count
        cv2.ellipse(sprite, (100, 100), (98, 98), 0, start, start + 180 / count, light, -1, cv2.LINE_AA)
    cv2.circle(sprite, (100, 100), 72, base, -1, cv2.LINE_AA)
    cv2.circle(sprite, (100, 100), 60, light, 3 if rng.random() < 0.5 else -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.putText(
            sprite,
            str(rng.choice(["5", "10", "25", "1", "100"])),
            (62, 118),
            2,
            1.6,
            _colour(rng),
            4,
            cv2.LINE_AA,
        )
    return sprite, float(rng.uniform(28, 42)), 3.0


def _round_piece(rng: Chance) -> tuple[Image, float, float]:
    """A cap, a button or a draughtsman."""
    sprite = _blank(160, 160)
    base = _colour(rng)
    cv2.circle(sprite, (80, 80), 78, base, -1, cv2.LINE_AA)
    dark = (*tuple(int(c * 0.7) for c in base[:3]), 255)
    for radius in range(70, 10, -int(rng.integers(10, 40))):
        cv2.circle(sprite, (80, 80), radius, dark, int(rng.integers(1, 5)), cv2.LINE_AA)
    if rng.random() < 0.5:  # a button's holes
        for x, y in ((65, 65), (95, 65), (65, 95), (95, 95))[: int(rng.choice([2, 4]))]:
            cv2.circle(sprite, (x, y), 7, (20, 20, 20, 255), -1, cv2.LINE_AA)
    return sprite, float(rng.uniform(9, 36)), float(rng.uniform(1.5, 8))


def _sheet(rng: Chance) -> tuple[Image, float, float]:
    """A score sheet: rows of coloured fields with numbers, lines, dots and words."""
    wide, tall = 420, int(rng.integers(280, 560))
    sprite = np.full((tall, wide, 4), 255, np.uint8)
    sprite[..., :3] = rng.integers(205, 256)
    cell = int(rng.integers(18, 60))
    for y in range(cell, tall - cell, cell + int(rng.integers(4, 14))):
        colour = _colour(rng, 0.5)
        for x in range(10, wide - cell, cell + int(rng.integers(2, 8))):
            if rng.random() < 0.1:
                continue
            corner = (x + cell - 4, y + cell - 4)
            cv2.rectangle(sprite, (x, y), corner, colour, -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
            draw = rng.random()
            if draw < 0.5:
                cv2.putText(
                    sprite,
                    str(rng.integers(0, 37)),
                    (x + 3, y + cell - 9),
                    0,
                    cell / 45,
                    (20, 20, 20, 255),
                    1 + cell // 25,
                    cv2.LINE_AA,
                )
            elif draw < 0.65:
                cv2.line(
                    sprite, (x + 3, y + 3), (corner[0] - 3, corner[1] - 3), (30, 30, 30, 255), 2, cv2.LINE_AA
                )
                cv2.line(
                    sprite, (x + 3, corner[1] - 3), (corner[0] - 3, y + 3), (30, 30, 30, 255), 2, cv2.LINE_AA
                )
            elif draw < 0.75:
                cv2.circle(sprite, (x + cell // 2, y + cell // 2), cell // 4, _colour(rng), -1, cv2.LINE_AA)
    cv2.putText(
        sprite,
        str(rng.choice(_WORDS)),
        (12, tall - 12),
        int(rng.integers(0, 6)),
        1.2,
        (30, 30, 30, 255),
        2,
        cv2.LINE_AA,
    )
    return sprite, float(rng.uniform(60, 170)), 0.3


def _card(rng: Chance) -> tuple[Image, float, float]:
    """A playing card or a tile with a number, or just a coloured square."""
    wide, tall = 200, int(rng.choice([200, 280, 330, 400]))
    sprite = np.full((tall, wide, 4), 255, np.uint8)
    sprite[..., :3] = _colour(rng, 0.5)[:3] if rng.random() < 0.5 else rng.integers(190, 256)
    ink = _colour(rng)
    draw = rng.random()
    if draw < 0.6:
        word = str(rng.integers(1, 40)) if rng.random() < 0.7 else str(rng.choice(_WORDS))
        cv2.putText(sprite, word, (25, int(tall * 0.55)), int(rng.integers(0, 8)), 3.0, ink, 8, cv2.LINE_AA)
    elif draw < 0.75:
        for _ in range(int(rng.integers(1, 4))):
            at = (int(rng.integers(20, wide - 20)), int(rng.integers(20, tall - 20)))
            cv2.ellipse(sprite, at, (30, 12), float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.rectangle(sprite, (8, 8), (wide - 8, tall - 8), ink, 3, cv2.LINE_AA)
    return (
        sprite,
        float(rng.choice([14, 18, 22, 28, 56, 63]) * rng.uniform(0.9, 1.1)),
        float(rng.uniform(0.3, 6)),
    )


def _pencil(rng: Chance) -> tuple[Image, float, float]:
    sprite = _blank(640, 36)
    base = np.array(_colour(rng, 0.2)[:3])
    for row in range(36):
        tone = 0.55 + 0.5 * np.sin(np.pi * (row + 4) / 42)
        sprite[row, 60:] = (*np.clip(base * tone, 0, 255).astype(int), 255)
    cv2.fillPoly(sprite, [np.array([[60, 0], [60, 35], [2, 18]])], (150, 190, 225, 255), cv2.LINE_AA)
    cv2.fillPoly(sprite, [np.array([[20, 13], [20, 23], [2, 18]])], (*_colour(rng)[:3], 255), cv2.LINE_AA)
    return sprite, float(rng.uniform(90, 180)), 6.0


def _keyboard(rng: Chance) -> tuple[Image, float, float]:
    """The edge of a laptop: dark or light keys in rows."""
    body, key = (
        (_grey(rng, 120, 200), _grey(rng, 10, 50))
        if rng.random() < 0.7
        else (_grey(rng, 180, 240), _grey(rng, 210, 255))
    )
    sprite = np.full((360, 560, 4), 255, np.uint8)
    sprite[:] = body
    ink = (240, 240, 240, 255) if key[0] < 100 else (60, 60, 60, 255)
    for y in range(16, 320, 62):
        for x in range(16 + int(rng.integers(0, 30)), 520, 62):
            cv2.rectangle(sprite, (x, y), (x + 52, y + 52), key, -1, cv2.LINE_AA)
            cv2.putText(sprite, chr(int(rng.integers(48, 91))), (x + 8, y + 26), 0, 0.6, ink, 1, cv2.LINE_AA)
    return sprite, float(rng.uniform(110, 200)), 3.0


def _cable(rng: Chance) -> tuple[Image, float, float]:
    sprite = _blank(500, 300)
    x = np.linspace(0, 500, 60)
    y = 150 + 100 * np.sin(x / rng.uniform(60, 200) + rng.uniform(0, 6)) * rng.uniform(0.3, 1)
    points = np.stack([x, y], 1).astype(np.int32)
    base = _grey(rng, 10, 240)
    wide = int(rng.integers(8, 20))
    cv2.polylines(sprite, [points], False, base, wide, cv2.LINE_AA)
    cv2.polylines(
        sprite, [points - (0, wide // 4)], False, tuple(min(255, c + 30) for c in base), 2, cv2.LINE_AA
    )
    if rng.random() < 0.6:
        cv2.line(sprite, points[25].tolist(), points[32].tolist(), base, wide * 3, cv2.LINE_AA)
    return sprite, float(rng.uniform(100, 250)), 4.0


def hand(rng: Chance) -> tuple[Image, float, float]:
    """A hand or some fingers reaching in."""
    sprite = _blank(300, 460)
    tone = float(rng.uniform(0.25, 1))
    skin = (int(150 * tone), int(180 * tone), int(235 * tone), 255)
    cv2.ellipse(sprite, (150, 330), (95, 110), 0, 0, 360, skin, -1, cv2.LINE_AA)
    cv2.rectangle(sprite, (95, 360), (205, 459), skin, -1)
    for k, angle in enumerate(np.radians([-28, -11, 3, 17]) + rng.normal(0, 0.06, 4)):
        start = np.array([82 + 45 * k, 265])
        end = start + rng.uniform(110, 200) * np.array([np.sin(angle), -np.cos(angle)])
        cv2.line(
            sprite, start.tolist(), end.astype(int).tolist(), skin, int(rng.integers(36, 46)), cv2.LINE_AA
        )
        nail = (*tuple(min(255, int(c * 1.12)) for c in skin[:3]), 255)
        cv2.circle(sprite, end.astype(int).tolist(), 12, nail, -1, cv2.LINE_AA)
    cv2.line(sprite, (75, 340), (20, 250), skin, 42, cv2.LINE_AA)
    shade = cv2.GaussianBlur(sprite[..., 3], (0, 0), 14).astype(np.float32) / 255
    sprite[..., :3] = (sprite[..., :3] * np.clip(0.55 + 0.5 * shade, 0, 1)[..., None]).astype(np.uint8)
    return sprite, float(rng.uniform(70, 110)), float(rng.uniform(8, 40))


def _meeple(rng: Chance) -> tuple[Image, float, float]:
    """A wooden piece: a star, a house, a small block, a triangle."""
    sprite = _blank(140, 140)
    corners = int(rng.integers(3, 9))
    angle = np.sort(rng.uniform(0, 2 * np.pi, corners))
    reach = rng.uniform(35, 68, corners)
    points = 70 + np.stack([np.cos(angle), np.sin(angle)], 1) * reach[:, None]
    base = _colour(rng, 0.2)
    cv2.fillPoly(sprite, [points.astype(np.int32)], base, cv2.LINE_AA)
    inner = 70 + (points - 70) * 0.8 - 4
    cv2.fillPoly(
        sprite,
        [inner.astype(np.int32)],
        (*tuple(min(255, int(c * 1.15)) for c in base[:3]), 255),
        cv2.LINE_AA,
    )
    return sprite, float(rng.uniform(8, 26)), float(rng.uniform(2, 10))


def _crumbs(rng: Chance) -> tuple[Image, float, float]:
    """Crumbs, dust and drops, scattered."""
    sprite = _blank(400, 400)
    for _ in range(int(rng.integers(3, 30))):
        at, size = rng.integers(10, 390, 2).tolist(), rng.integers(2, 12, 2).tolist()
        cv2.ellipse(sprite, at, size, float(rng.uniform(0, 180)), 0, 360, _colour(rng), -1, cv2.LINE_AA)
    return sprite, float(rng.uniform(40, 160)), 0.4


def _print(rng: Chance) -> tuple[Image, float, float]:
    """Lines of words and numbers, light on dark or dark on light, as on labels and boxes."""
    sprite = np.full((200, 400, 4), 255, np.uint8)
    paper, ink = _colour(rng, 0.4), _colour(rng)
    if rng.random() < 0.5:
        paper, ink = (_grey(rng, 200, 256), _grey(rng, 0, 60))[:: int(rng.choice([-1, 1]))]
    sprite[:] = paper
    scale = float(rng.uniform(0.7, 3))
    for y in range(40, 200, int(30 * scale)):
        text = "".join(chr(int(c)) for c in rng.integers(33, 91, int(rng.integers(3, 16))))
        cv2.putText(
            sprite, text, (10, y), int(rng.integers(0, 8)), scale, ink, max(1, int(scale * 2)), cv2.LINE_AA
        )
    return sprite, float(rng.uniform(20, 90)), float(rng.uniform(0.2, 3))


def _discs(rng: Chance) -> tuple[Image, float, float]:
    """A patch of a game board: fields with pale numbered discs and little pictures."""
    sprite = np.full((360, 360, 4), 255, np.uint8)
    sprite[:] = _colour(rng, 0.3)
    for y in range(45, 360, 90):
        for x in range(45, 360, 90):
            cv2.circle(sprite, (x, y), 50, _colour(rng, 0.2), -1, cv2.LINE_AA)
            for _ in range(6):
                at = (x + int(rng.integers(-40, 40)), y + int(rng.integers(-40, 40)))
                cv2.circle(sprite, at, int(rng.integers(3, 14)), _colour(rng), -1, cv2.LINE_AA)
            if rng.random() < 0.7:
                cv2.circle(sprite, (x, y), 20, (190, 225, 240, 255), -1, cv2.LINE_AA)
                cv2.putText(
                    sprite,
                    str(rng.integers(2, 13)),
                    (x - 12, y + 6),
                    0,
                    0.6,
                    (30, 30, 60, 255),
                    2,
                    cv2.LINE_AA,
                )
                cv2.circle(sprite, (x, y + 13), 2, (30, 30, 60, 255), -1)
    return sprite, float(rng.uniform(80, 220)), 0.5


def _hexes(rng: Chance) -> tuple[Image, float, float]:
    """A board of six-sided fields, each with a little landscape, and mostly a numbered disc in its middle."""
    sprite = np.full((420, 420, 4), 255, np.uint8)
    sprite[:] = _colour(rng, 0.3)
    rim, reach = _colour(rng, 0.4), int(rng.integers(44, 64))
    disc, ink = (int(rng.integers(150, 230)), 225, 240, 255), _colour(rng)
    turns = np.radians(30 + 60 * np.arange(6))
    for row, y in enumerate(range(reach, 420, int(1.5 * reach))):
        for x in range(reach if row % 2 else 0, 440, int(1.73 * reach)):
            points = np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], 1)
            cv2.fillPoly(sprite, [points.astype(np.int32)], rim, cv2.LINE_AA)
            base = np.array(_colour(rng, 0.15)[:3])
            inner = [x, y] + (points - [x, y]) * rng.uniform(0.86, 0.95)
            cv2.fillPoly(sprite, [inner.astype(np.int32)], (*base.tolist(), 255), cv2.LINE_AA)
            for _ in range(int(rng.integers(0, 26))):
                at = ([x, y] + rng.uniform(-0.6, 0.6, 2) * reach).astype(int).tolist()
                tone = np.clip(base * rng.uniform(0.4, 1.5), 0, 255).astype(int).tolist()
                cv2.ellipse(
                    sprite, at, (7, 4), float(rng.uniform(0, 180)), 0, 360, (*tone, 255), -1, cv2.LINE_AA
                )
            if rng.random() < 0.75:
                _numbered(sprite, (x, y), int(reach * rng.uniform(0.3, 0.45)), (disc, ink), rng)
    return sprite, float(rng.uniform(55, 240)), 1.0


def _token(rng: Chance) -> tuple[Image, float, float]:
    """A round counter with a number, dots under it, or one mark in its middle."""
    sprite = _blank(140, 140)
    base = _colour(rng, 0.1) if rng.random() < 0.5 else _grey(rng, 170, 256)
    _numbered(sprite, (70, 70), 66, (base, _colour(rng)), rng)
    return sprite, float(rng.uniform(10, 26)), float(rng.uniform(0.5, 4))


def _numbered(sprite: Image, at: tuple[int, int], radius: int, tones: tuple[Tone, Tone], rng: Chance) -> None:
    """A disc with a number and some dots, or with a ring or a spot."""
    (x, y), (base, ink) = at, tones
    cv2.circle(sprite, at, radius, base, -1, cv2.LINE_AA)
    draw = rng.random()
    if draw < 0.15:
        cv2.circle(
            sprite, at, int(radius * rng.uniform(0.15, 0.7)), ink, int(rng.choice([-1, 2, 4])), cv2.LINE_AA
        )
        return
    word, scale = str(rng.integers(1, 13)), radius / 30
    thick = max(1, round(radius / rng.uniform(7, 14)))
    start = (x - int(9 * scale * len(word)), y + int(7 * scale))
    cv2.putText(sprite, word, start, int(rng.integers(0, 5)), scale, ink, thick, cv2.LINE_AA)
    count = int(rng.integers(0, 6))
    for k in range(count):
        spot = (x + int((k - (count - 1) / 2) * radius * 0.22), y + int(radius * 0.6))
        cv2.circle(sprite, spot, max(1, radius // 12), ink, -1, cv2.LINE_AA)


def _tile(rng: Chance) -> tuple[Image, float, float]:
    """A square tile or key with a letter or a number, or nothing, on it."""
    sprite = _blank(140, 140)
    base, round_by = _colour(rng, 0.05), int(rng.integers(2, 40))
    if rng.random() < 0.5:
        base = (_grey(rng, 10, 70), _grey(rng, 190, 256), (150, 200, 225, 255))[int(rng.integers(0, 3))]
    tone = float(rng.uniform(0.6, 0.95))
    edge = (int(base[0] * tone), int(base[1] * tone), int(base[2] * tone), 255)
    _rounded(sprite, 4, 136, round_by, edge)
    _rounded(sprite, 12, 128, max(1, round_by - 6), base)
    ink = _grey(rng, 0, 60) if sum(base[:3]) > 380 else _grey(rng, 190, 256)
    if rng.random() < 0.3:
        ink = _colour(rng)
    if rng.random() < 0.85:
        text = chr(int(rng.integers(65, 91))) if rng.random() < 0.6 else str(rng.integers(1, 14))
        scale, at = float(rng.uniform(1.0, 3.2)), (int(rng.integers(18, 62)), int(rng.integers(60, 115)))
        cv2.putText(
            sprite, text, at, int(rng.integers(0, 5)), scale, ink, int(rng.integers(2, 8)), cv2.LINE_AA
        )
    if rng.random() < 0.25:
        cv2.putText(sprite, str(rng.integers(1, 9)), (104, 122), 0, 0.6, ink, 2, cv2.LINE_AA)
    return sprite, float(rng.uniform(11, 26)), float(rng.uniform(1, 7))


def _rounded(sprite: Image, low: int, high: int, by: int, colour: Tone) -> None:
    for x, y in ((low + by, low + by), (high - by, low + by), (low + by, high - by), (high - by, high - by)):
        cv2.circle(sprite, (x, y), by, colour, -1, cv2.LINE_AA)
    cv2.rectangle(sprite, (low + by, low), (high - by, high), colour, -1)
    cv2.rectangle(sprite, (low, low + by), (high, high - by), colour, -1)


def _brick(rng: Chance) -> tuple[Image, float, float]:
    """A toy brick: studs in rows, of the brick's own colour."""
    across, down = int(rng.integers(1, 5)), int(rng.integers(1, 3))
    sprite = _blank(80 * across, 80 * down)
    base = _colour(rng, 0.15)
    sprite[:] = base
    for row in range(down):
        for column in range(across):
            at = (40 + 80 * column, 40 + 80 * row)
            for away, tone, radius in ((5, 0.6, 25), (-2, 1.25, 25), (0, 1.0, 24)):
                shade = (*tuple(min(255, int(c * tone)) for c in base[:3]), 255)
                cv2.circle(sprite, (at[0] + away, at[1] + away), radius, shade, -1, cv2.LINE_AA)
    return sprite, 8.0 * across * float(rng.uniform(0.9, 1.6)), float(rng.uniform(3, 10))


def _keypad(rng: Chance) -> tuple[Image, float, float]:
    """A remote control, a calculator or a speaker: buttons or holes in rows on a dark or light box."""
    sprite = np.full((420, 180, 4), 255, np.uint8)
    sprite[:] = _grey(rng, 10, 250) if rng.random() < 0.7 else _colour(rng)
    pitch, part = int(rng.integers(22, 60)), float(rng.uniform(0.2, 0.42))
    key, plain = _colour(rng), rng.random() < 0.7
    for y in range(pitch // 2 + 8, 410, pitch):
        for x in range(pitch // 2 + 4, 176, pitch):
            if rng.random() < 0.06:
                continue
            tone = key if plain else _colour(rng)
            if part < 0.36:
                cv2.circle(sprite, (x, y), max(2, int(pitch * part)), tone, -1, cv2.LINE_AA)
            else:
                far = int(pitch * part)
                cv2.rectangle(sprite, (x - far, y - far), (x + far, y + far), tone, -1)
                cv2.putText(
                    sprite, str(rng.integers(0, 10)), (x - far // 2, y + far // 2), 0, pitch / 60,
                    _grey(rng, 0, 256), 2, cv2.LINE_AA,
                )  # fmt: skip
    return sprite, float(rng.uniform(30, 60)), float(rng.uniform(3, 15))


_MAKERS: tuple[tuple[float, Callable[[Chance], tuple[Image, float, float]]], ...] = (
    (0.08, _coin),
    (0.08, _chip),
    (0.07, _round_piece),
    (0.07, _sheet),
    (0.08, _card),
    (0.04, _pencil),
    (0.12, _tile),
    (0.03, _brick),
    (0.04, _keypad),
    (0.05, _keyboard),
    (0.03, _cable),
    (0.03, hand),
    (0.04, _meeple),
    (0.03, _crumbs),
    (0.07, _print),
    (0.03, _discs),
    (0.05, _hexes),
    (0.06, _token),
)


def random_thing(rng: Chance, centre: tuple[float, float], scale: float = 1.0) -> Thing:
    """Something that is no die, lying at a place; `scale` 1 means a world of 16 mm dice."""
    draw = rng.random()
    maker: Callable[[Chance], tuple[Image, float, float]] = _coin
    for share, each in _MAKERS:
        maker = each
        if draw < share:
            break
        draw -= share
    sprite, wide, thick = maker(rng)
    if rng.random() < 0.5:
        sprite = _lit(sprite, rng)
    size = (wide * scale, wide * scale * sprite.shape[0] / sprite.shape[1])
    return Thing(sprite, centre, size, float(rng.uniform(0, 360)), thick * scale)


def _lit(sprite: Image, rng: Chance) -> Image:
    """The sprite with a slope of light over it."""
    tall, wide = sprite.shape[:2]
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    way: NDArray[np.float64] = rng.uniform(-0.4, 0.4, 2)
    tone = 1 + way[0] * (x / wide - 0.5) + way[1] * (y / tall - 0.5)
    out = sprite.copy()
    out[..., :3] = np.clip(sprite[..., :3] * tone[..., None], 0, 255).astype(np.uint8)
    return out
