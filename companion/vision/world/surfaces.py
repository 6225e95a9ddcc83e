"""What dice lie on: felt, wood, cloth, carpet, print, paper, stone, metal and boards, drawn by chance."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image
from companion.vision.world.scene import Surface

Floats = NDArray[Any]
EDGE = 576


def _colour(rng: np.random.Generator, strong: float = 0.6) -> Floats:
    """Any colour a table may have, BGR 0…255."""
    s = float(np.clip(rng.uniform(0, strong * 1.5), 0, 1)) if rng.random() < 0.8 else 0.05
    r, g, b = colorsys.hsv_to_rgb(rng.random(), s, float(rng.uniform(0.06, 0.97)))
    return np.array([b, g, r], np.float32) * 255


def _noise(rng: np.random.Generator, cells: tuple[int, int]) -> Floats:
    """Smooth noise, tiling, about −1 … 1, with so many cells down and across."""
    coarse = rng.normal(0, 0.6, cells).astype(np.float32)
    wrapped = np.pad(coarse, 2, mode="wrap")
    scale = (EDGE / cells[0], EDGE / cells[1])
    big = cv2.resize(
        wrapped,
        (round(wrapped.shape[1] * scale[1]), round(wrapped.shape[0] * scale[0])),
        interpolation=cv2.INTER_CUBIC,
    )
    y, x = round(2 * scale[0]), round(2 * scale[1])
    return big[y : y + EDGE, x : x + EDGE]


def _clouds(rng: np.random.Generator, start: int = 3, octaves: int = 4) -> Floats:
    layers = [_noise(rng, (start * 2**k, start * 2**k)) / 1.6**k for k in range(octaves)]
    return np.asarray(np.sum(layers, axis=0), np.float32)


def _done(picture: Floats) -> Image:
    return np.clip(picture, 0, 255).astype(np.uint8)


def _felt(rng: np.random.Generator) -> Surface:
    base = _colour(rng, 0.8)
    fine = rng.normal(0, 1, (EDGE, EDGE)).astype(np.float32)
    fibres: Floats = cv2.GaussianBlur(fine, (0, 0), rng.uniform(0.8, 2.0))
    fibres /= fibres.std()
    tone = 1 + rng.uniform(0.03, 0.14) * fibres + rng.uniform(0, 0.1) * _clouds(rng)
    return Surface(_done(base * tone[..., None]), float(rng.uniform(120, 320)))


def _woven(rng: np.random.Generator) -> Surface:
    base = _colour(rng, 0.7)
    other = base * rng.uniform(0.6, 1.4) if rng.random() < 0.7 else _colour(rng)
    threads = int(rng.integers(40, 190))
    x = np.arange(EDGE, dtype=np.float32) / EDGE * 2 * np.pi * threads
    warp, weft = np.sin(x)[None, :], np.sin(x)[:, None]
    tone = np.clip(
        0.5 + 0.5 * np.sign(np.sin(x[None, :] / 2) * np.sin(x[:, None] / 2)) * (warp * weft) ** 2, 0, 1
    )
    tone = np.clip(tone + 0.25 * _noise(rng, (threads, threads)), 0, 1)[..., None]
    mix = base * tone + other * (1 - tone)
    return Surface(_done(mix * (1 + 0.06 * _clouds(rng)[..., None])), float(rng.uniform(100, 400)))


def _carpet(rng: np.random.Generator) -> Surface:
    base = _colour(rng, 0.5)
    cells = int(rng.integers(50, 130))
    lumps = _noise(rng, (cells, int(cells * rng.uniform(0.6, 1.6))))
    tone = 1 + rng.uniform(0.15, 0.5) * lumps + 0.1 * _clouds(rng, 2, 2)
    tone += 0.12 * rng.normal(0, 1, (EDGE, EDGE)).astype(np.float32)
    return Surface(_done(base * tone[..., None]), float(rng.uniform(120, 300)))


def _wood(rng: np.random.Generator) -> Surface:
    hue, s, v = rng.uniform(0.04, 0.12), rng.uniform(0.1, 0.7), rng.uniform(0.15, 0.95)
    r, g, b = colorsys.hsv_to_rgb(hue, s, v)
    base = np.array([b, g, r], np.float32) * 255
    warp = _noise(rng, (3, 9)) * rng.uniform(1, 5) + 0.4 * _noise(rng, (6, 30))
    rings = np.sin(
        np.arange(EDGE, dtype=np.float32)[None, :] / EDGE * 2 * np.pi * int(rng.integers(5, 40)) + warp * 3
    )
    streaks = _noise(rng, (6, 240))
    tone = 1 + rng.uniform(0.02, 0.16) * rings + rng.uniform(0.02, 0.1) * streaks + 0.06 * _clouds(rng, 2, 3)
    picture = base * tone[..., None]
    planks = int(rng.integers(0, 6))
    for k in range(planks):
        at = k * EDGE // planks
        picture[:, at : at + EDGE // planks] *= rng.uniform(0.85, 1.1)
        picture[:, at : at + int(rng.integers(1, 4))] *= rng.uniform(0.3, 0.8)
    if rng.random() < 0.5:
        picture = np.swapaxes(picture, 0, 1)
    return Surface(_done(picture), float(rng.uniform(180, 700)), float(rng.uniform(0, 1.2)))


def _plain(rng: np.random.Generator) -> Surface:
    base = _colour(rng, 0.5) if rng.random() < 0.6 else np.full(3, rng.uniform(120, 250), np.float32)
    tone = 1 + rng.uniform(0, 0.05) * _clouds(rng) + 0.01 * rng.normal(0, 1, (EDGE, EDGE)).astype(np.float32)
    return Surface(_done(base * tone[..., None]), float(rng.uniform(200, 600)), float(rng.uniform(0, 1.5)))


def _stone(rng: np.random.Generator) -> Surface:
    base = _colour(rng, 0.25)
    picture = base * (1 + 0.12 * _clouds(rng, 4, 5))[..., None]
    if rng.random() < 0.6:  # granite specks
        for _ in range(int(rng.integers(2, 4))):
            specks = _noise(rng, (int(rng.integers(90, 256)),) * 2) > rng.uniform(0.5, 0.9)
            picture[specks] = _colour(rng, 0.3)
    else:
        veins = np.abs(_clouds(rng, 3, 4)) < 0.05
        soft = cv2.GaussianBlur(veins.astype(np.float32), (0, 0), 1.5)[..., None]
        picture = picture * (1 - 0.6 * soft) + _colour(rng, 0.2) * 0.6 * soft
    return Surface(_done(picture), float(rng.uniform(120, 400)), float(rng.uniform(0, 1.5)))


def _metal(rng: np.random.Generator) -> Surface:
    base = np.full(3, rng.uniform(60, 200), np.float32) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    tone = 1 + 0.1 * _noise(rng, (384, 4)) + 0.15 * _clouds(rng, 2, 2)
    return Surface(_done(base * tone[..., None]), 200.0, 1.5)


def _letters(picture: Image, rng: np.random.Generator, count: int) -> None:
    words = (
        "Lucky",
        "Spel",
        "DICE",
        "8",
        "Box",
        "42",
        "ABC",
        "Q",
        "Score",
        "GO!",
        "Bonus",
        "13",
        "Wurf",
        "x2",
        "o0",
        "%",
        "Game",
        "1",
        "6",
    )
    for _ in range(count):
        font, size = int(rng.integers(0, 8)), float(rng.uniform(0.6, 5))
        at = (int(rng.integers(-60, EDGE)), int(rng.integers(20, EDGE)))
        word, thick = str(rng.choice(words)), max(1, int(size * rng.uniform(1, 4)))
        if rng.random() < 0.5:
            cv2.putText(
                picture, word, at, font, size, _colour(rng, 1).tolist(), thick + max(2, thick), cv2.LINE_AA
            )
        cv2.putText(picture, word, at, font, size, _colour(rng, 1).tolist(), thick, cv2.LINE_AA)


def _hexes(cells: int, rng: np.random.Generator) -> Image:
    """The fields of a board game, some with a numbered disc."""
    picture = np.full((EDGE, EDGE, 3), 120, np.uint8)
    size = EDGE / cells
    angle = np.arange(6) * np.pi / 3 + np.pi / 6
    outline = size * 0.56 * np.stack([np.cos(angle), np.sin(angle)], 1)
    for k in range(cells + 2):
        for j in range(cells + 1):
            centre = np.array([(j + 0.5 * (k % 2)) * size, k * size * 0.87])
            cv2.fillPoly(
                picture, [(centre + outline).astype(np.int32)], _colour(rng, 0.9).tolist(), cv2.LINE_AA
            )
            if rng.random() < 0.5:
                at, number = centre.astype(int).tolist(), str(rng.integers(2, 13))
                cv2.circle(picture, at, int(size * 0.2), (200, 230, 240), -1, cv2.LINE_AA)
                low = (int(centre[0] - size * 0.1), int(centre[1] + size * 0.08))
                cv2.putText(picture, number, low, 0, size / 140, (20, 20, 40), 1, cv2.LINE_AA)
    return picture


def _printed(rng: np.random.Generator) -> Surface:
    base, other = _colour(rng, 0.9), _colour(rng, 0.9)
    picture = np.empty((EDGE, EDGE, 3), np.float32)
    picture[:] = base
    y, x = np.mgrid[0:EDGE, 0:EDGE].astype(np.float32)
    cells = int(rng.choice([6, 8, 12, 16, 24, 32]))
    size = EDGE / cells
    match int(rng.integers(0, 6)):
        case 0:  # dots, every second row shifted
            shift = (np.floor(y / size) % 2) * size / 2 * rng.integers(0, 2)
            u, v = np.mod(x + shift, size) - size / 2, np.mod(y, size) - size / 2
            picture[u**2 + v**2 < (size * rng.uniform(0.15, 0.42)) ** 2] = other
        case 1:  # checks
            picture[(np.floor(x / size) + np.floor(y / size)) % 2 == 0] = other
        case 2:  # stripes
            picture[np.floor((x + y * rng.integers(0, 2)) / size) % 2 == 0] = other
        case 3:  # a grid of squares with gaps, like a score sheet
            gap = size * rng.uniform(0.08, 0.3)
            inside = (np.mod(x, size) > gap) & (np.mod(y, size) > gap)
            picture[inside] = other
            for k in range(cells):
                if rng.random() < 0.5:
                    row = (np.floor(y / size) == k) & inside
                    picture[row] = _colour(rng, 1)
        case 4:
            picture = _hexes(cells, rng).astype(np.float32)
        case _:
            picture[:] = base * (1 + 0.2 * _clouds(rng)[..., None])
    printed = _done(picture)
    for _ in range(int(rng.integers(0, 12))):
        centre, radius = rng.integers(0, EDGE, 2).tolist(), int(rng.integers(8, 110))
        colour, kind = _colour(rng, 1).tolist(), rng.random()
        if kind < 0.4:
            cv2.circle(printed, centre, radius, colour, -1, cv2.LINE_AA)
        elif kind < 0.7:
            for ring in range(radius, 4, -max(6, radius // 5)):
                cv2.circle(printed, centre, ring, colour, max(1, radius // 14), cv2.LINE_AA)
        else:
            corner = (centre[0] + radius, centre[1] + int(radius * rng.uniform(0.4, 1.6)))
            cv2.rectangle(printed, centre, corner, colour, -1 if rng.random() < 0.5 else 3, cv2.LINE_AA)
    _letters(printed, rng, int(rng.integers(0, 7)))
    tone = 1 + 0.05 * _clouds(rng) + 0.03 * rng.normal(0, 1, (EDGE, EDGE)).astype(np.float32)
    return Surface(_done(printed * tone[..., None]), float(rng.uniform(150, 420)), float(rng.uniform(0, 0.8)))


def _paper(rng: np.random.Generator) -> Surface:
    picture = np.full((EDGE, EDGE, 3), rng.uniform(190, 250), np.float32) * rng.uniform(0.93, 1, 3).astype(
        np.float32
    )
    step = int(rng.choice([16, 24, 32, 48]))
    ink = _colour(rng, 0.7).tolist()
    for at in range(0, EDGE, step):
        cv2.line(picture, (0, at), (EDGE, at), ink, 1, cv2.LINE_AA)
        if step < 40:
            cv2.line(picture, (at, 0), (at, EDGE), ink, 1, cv2.LINE_AA)
    printed = _done(picture)
    _letters(printed, rng, int(rng.integers(0, 10)))
    for _ in range(int(rng.integers(0, 30))):
        at = rng.integers(0, EDGE, 2).tolist()
        cv2.putText(
            printed,
            str(rng.integers(0, 60)),
            at,
            0,
            rng.uniform(0.4, 1.2),
            (40, 30, 30),
            int(rng.integers(1, 3)),
            cv2.LINE_AA,
        )
    return Surface(printed, float(rng.uniform(120, 300)))


def _leather(rng: np.random.Generator) -> Surface:
    cells = int(rng.integers(60, 160))
    lumps = np.abs(_noise(rng, (cells, cells)))
    tone = 0.8 + 0.4 * np.minimum(lumps * 2, 1) + 0.1 * _clouds(rng)
    return Surface(
        _done(_colour(rng, 0.7) * tone[..., None]), float(rng.uniform(100, 250)), float(rng.uniform(0, 1))
    )


_MAKERS: tuple[tuple[float, Callable[[np.random.Generator], Surface]], ...] = (
    (0.18, _felt),
    (0.1, _woven),
    (0.08, _carpet),
    (0.2, _wood),
    (0.14, _plain),
    (0.06, _stone),
    (0.03, _metal),
    (0.14, _printed),
    (0.04, _paper),
    (0.03, _leather),
)


def random_surface(rng: np.random.Generator) -> Surface:
    """Some surface to lie on."""
    draw = rng.random()
    for share, maker in _MAKERS:
        if draw < share:
            return maker(rng)
        draw -= share
    return _felt(rng)


def printed_surface(rng: np.random.Generator) -> Surface:
    """Some surface with print on it: patterns, boards, sheets, letters."""
    return (_printed, _printed, _printed, _paper)[int(rng.integers(0, 4))](rng)


def littered(surface: Surface, rng: np.random.Generator) -> Surface:
    """The surface with lint, crumbs and scratches strewn on it, none larger than a pip."""
    picture = surface.picture.copy()
    pixels = len(picture) / surface.span
    for _ in range(int(rng.integers(3, 60))):
        at = [int(x) for x in rng.integers(0, len(picture), 2)]
        long = pixels * float(rng.uniform(0.3, 2.2))
        wide = min(long, pixels * float(rng.uniform(0.2, 1.4)))
        tone = _colour(rng, 0.3) if rng.random() < 0.5 else np.full(3, 255 * float(rng.random() < 0.7))
        mixed = surface.picture[at[1], at[0]] * (way := float(rng.uniform(0, 0.6))) + tone * (1 - way)
        axes = (max(round(long / 2), 1), round(wide / 2))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(picture, at, axes, turn, 0, 360, mixed.tolist(), -1, cv2.LINE_AA)
    return replace(surface, picture=picture)


def felt(colour: tuple[int, int, int], seed: int = 0) -> Surface:
    """Felt of one colour (BGR), always the same for a seed."""
    rng = np.random.default_rng(seed)
    fine = cv2.GaussianBlur(rng.normal(0, 1, (EDGE, EDGE)).astype(np.float32), (0, 0), 1.2)
    tone = 1 + 0.06 * fine / fine.std()
    return Surface(_done(np.array(colour, np.float32) * tone[..., None]), 200.0)
