"""Crops to learn faces and colours from: cut from rendered scenes once, varied anew with each use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import BODIES, FACES, INKS, MARGIN, SIZE, rectified

Bytes = NDArray[np.uint8]
Labels = NDArray[np.int16]

STORED = 80
"""Side of a stored crop in pixels; the face fills half of it, the rest is room to turn and shift."""
STORED_MARGIN = 0.25
COLUMNS = ("face", "body", "ink", "size")
"""What is known about a crop; −1 where it is not."""

VEILED = 0.2
"""Share of the crops on which a lamp is mirrored by the whole face."""
_MATTE = (0.0, 0.5, 0.9, 1.0)
"""How much less what is drawn on a face may mirror than the face."""
HELD = 40
"""Every so manyth crop of a file is held back to measure on."""
LOOK_AGAIN = 250


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Stored crops, their labels, and which of them are held back to measure on."""

    crops: Bytes
    labels: Labels
    held: NDArray[np.bool_]


def stored(image: Bytes, corners: NDArray[np.float32]) -> Bytes:
    """A face with wide surroundings, as it is kept."""
    crop: Bytes = rectified(image, corners[None], STORED, STORED_MARGIN)[0]
    return crop


def load(folder: Path) -> Shard:
    """All shards of a folder as one."""
    parts = [np.load(path) for path in sorted(folder.glob("crops_*.npz"))]
    if not parts:
        raise FileNotFoundError(f"there are no crops in {folder}; make them first")
    crops, labels = (np.concatenate([part[name] for part in parts]) for name in ("crops", "labels"))
    places = np.concatenate([np.arange(len(part["labels"])) for part in parts])
    return Shard(crops, labels, places % HELD == 0)


def growing(
    folder: Path, size: int, seed: int, weigh: Callable[[Labels], NDArray[np.float64]]
) -> Iterator[tuple[Bytes, Labels]]:
    """Endless batches from a folder to which crops may still be added; every 40th crop is held back."""
    names: list[Path] = []
    for turn in count():
        found = sorted(folder.glob("crops_*.npz"))
        if found != names:
            names, shard = found, load(folder)
        source = batches(shard, size, seed + 1000 * turn, weigh(shard.labels) * ~shard.held)
        yield from islice(source, LOOK_AGAIN)


def held_back(folder: Path) -> Shard:
    """Every fortieth crop, which is not learnt from; of photographs, stored several times, a copy may be."""
    shard = load(folder)
    return Shard(shard.crops[shard.held], shard.labels[shard.held], shard.held[shard.held])


def plain(crops: Bytes) -> NDArray[np.float32]:
    """Stored crops as the reader would cut them, without any variation, 0..1."""
    cut = round(STORED * (0.5 - (0.5 - STORED_MARGIN) / (1 - 2 * MARGIN)))
    inner = crops[:, cut : STORED - cut, cut : STORED - cut]
    small = [cv2.resize(crop, (SIZE, SIZE), interpolation=cv2.INTER_AREA) for crop in inner]
    return np.stack(small).astype(np.float32) / np.float32(255)


def varied(crop: Bytes, chance: np.random.Generator, turn_freely: float = 0.15) -> Bytes:
    """The crop as the detector's errors and a worse camera would give it: SIZE × SIZE."""
    half, edge = STORED / 2 - 0.5, STORED * (0.5 - STORED_MARGIN)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * edge
    angle = chance.normal(0, 0.05)
    if chance.random() < turn_freely:
        angle = chance.uniform(-0.8, 0.8)
    angle += chance.integers(4) * np.pi / 2
    grow = np.exp(chance.normal(0, 0.07))
    cos, sin = np.cos(angle) * grow, np.sin(angle) * grow
    corners = corners @ np.array([[cos, sin], [-sin, cos]], np.float32)
    corners += chance.normal(0, 0.055, 2) * 2 * edge
    corners += chance.normal(0, 0.03, (4, 2)) * 2 * edge
    near, far = MARGIN * SIZE - 0.5, SIZE * (1 - MARGIN) - 0.5
    square = np.array([[near, near], [far, near], [far, far], [near, far]], np.float32)
    warp = cv2.getPerspectiveTransform((corners + half).astype(np.float32), square)
    out = cv2.warpPerspective(
        crop, warp, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return worsened(np.asarray(out, np.uint8), chance)


def worsened(crop: Bytes, chance: np.random.Generator) -> Bytes:
    """The crop as a worse camera would give it."""
    out: NDArray[Any] = crop
    if chance.random() < 0.2:
        low = round(chance.uniform(0.37, 0.83) * len(crop))
        out = cv2.resize(cv2.resize(out, (low, low), interpolation=cv2.INTER_AREA), crop.shape[:2])
    if chance.random() < 0.2:
        out = cv2.GaussianBlur(out, (0, 0), chance.uniform(0.4, 1.4))
    elif chance.random() < 0.12:  # as telephones sharpen
        much = chance.uniform(0.3, 1.5)
        out = cv2.addWeighted(out, 1 + much, cv2.GaussianBlur(out, (0, 0), 1.0), -much, 0)
    if chance.random() < 0.08:
        out = _smeared(np.asarray(out, np.uint8), chance)
    if chance.random() < 0.15:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(25, 80))]
        out = np.asarray(cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR))
    return np.asarray(out, np.uint8)


def _smeared(crop: NDArray[np.uint8], chance: np.random.Generator) -> NDArray[np.uint8]:
    kernel = np.zeros((7, 7), np.float32)
    angle, reach = chance.uniform(0, np.pi), chance.uniform(1, 3)
    for step in np.linspace(-reach, reach, 13):
        kernel[round(3 + step * np.sin(angle)), round(3 + step * np.cos(angle))] = 1
    return np.asarray(cv2.filter2D(crop, -1, kernel / kernel.sum()), np.uint8)


def batches(
    shard: Shard, size: int, seed: int, weights: NDArray[np.float64] | None = None
) -> Iterator[tuple[Bytes, Labels]]:
    """Endless batches of varied crops, each crop drawn with its weight."""
    chance = np.random.default_rng(seed)
    chances = None if weights is None else np.cumsum(weights / weights.sum())
    while True:
        if chances is None:
            picks = chance.integers(len(shard.labels), size=size)
        else:
            picks = np.minimum(np.searchsorted(chances, chance.random(size)), len(shard.labels) - 1)
        yield np.stack([varied(shard.crops[i], chance) for i in picks]), shard.labels[picks]


def lit(
    batch: NDArray[np.float32], chance: np.random.Generator, any_colour: bool, veiled: bool = False
) -> NDArray[np.float32]:
    """The batch (N × H × W × 3, 0..1) under other lights and sensors; `any_colour` also swaps hues about,
    `veiled` lets some of the faces mirror a lamp as a whole.

    Where colours are to be told, less is changed: what lamps and cameras make of them is in the pictures."""
    count, much = len(batch), 1.0 if any_colour else 0.5
    out = batch
    if any_colour:
        for i in np.nonzero(chance.random(count) < 0.15)[0]:
            out[i] = out[i][..., chance.permutation(3)]
        grey = chance.random(count) < 0.1
        out[grey] = out[grey].mean(axis=3, keepdims=True)
        negative = chance.random(count) < 0.04
        out[negative] = 1 - out[negative]
    gamma = np.exp(chance.normal(0, 0.2 * much, (count, 1, 1, 1)))
    out = np.power(np.clip(out, 1e-4, 1), gamma.astype(np.float32))
    gain = np.exp(
        chance.normal(0, 0.22 * much, (count, 1, 1, 1)) + chance.normal(0, 0.12 * much, (count, 1, 1, 3))
    )
    lift = chance.normal(0, 0.04 * much, (count, 1, 1, 1))
    out = out * gain.astype(np.float32) + lift.astype(np.float32)
    out = _glared(out, chance, veiled)
    noise = np.abs(chance.normal(0, 0.03, (count, 1, 1, 1))) * (chance.random((count, 1, 1, 1)) < 0.6)
    out = out + (chance.standard_normal(out.shape, np.float32) * noise.astype(np.float32))
    return np.clip(out, 0, 1).astype(np.float32)


def _glared(batch: NDArray[np.float32], chance: np.random.Generator, veiled: bool) -> NDArray[np.float32]:
    """A soft highlight on some crops, a mirrored lamp or a shadow's edge on others."""
    side = batch.shape[1]
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
    for i in np.nonzero(chance.random(len(batch)) < 0.15)[0]:
        x, y, wide = chance.uniform(-0.4, 0.4), chance.uniform(-0.4, 0.4), chance.uniform(0.06, 0.35)
        spot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / wide**2) * chance.uniform(0.1, 0.75)
        batch[i] = batch[i] * (1 - spot[..., None]) + spot[..., None]
    for i in np.nonzero(chance.random(len(batch)) < VEILED * veiled)[0]:
        batch[i] += veil(batch[i], chance)[..., None]
    for i in np.nonzero(chance.random(len(batch)) < 0.1)[0]:
        angle, place, soft = chance.uniform(0, 6.28), chance.uniform(-0.3, 0.3), chance.uniform(0.01, 0.1)
        side_of = 1 / (1 + np.exp(-(xs * np.cos(angle) + ys * np.sin(angle) - place) / soft))
        batch[i] *= (1 - side_of * chance.uniform(0.2, 0.65))[..., None]
    return batch


def veil(
    crop: NDArray[np.float32], chance: np.random.Generator, face: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Light of a lamp that a whole face mirrors, fading to one side, broken into specks and streaks by its
    unevenness. Drilled or printed marks may mirror less of it: pale pips on a dark face then are the darkest
    there is. `face` are the corners of the face in pixels, if it does not lie as the reader cuts it."""
    side, matte = len(crop), float(chance.choice(_MATTE))
    light = chance.uniform(0.15, 0.7 + 0.6 * matte)
    grain = chance.standard_normal((side, side), np.float32)
    across, along = chance.uniform(0.4, 1.2, 2) * (1, chance.choice([1, 1, 2, 3]))
    specks = np.asarray(cv2.GaussianBlur(grain, (0, 0), across, sigmaY=along), np.float32)
    mirrored = light * (1 + chance.uniform(0, 0.9) * specks / max(float(specks.std()), 1e-6))
    if chance.random() < 0.5:
        angle, steep = chance.uniform(0, 2 * np.pi), chance.uniform(1, 5)
        ys, xs = np.mgrid[0:side, 0:side] / side - 0.5
        mirrored = mirrored * np.clip(1 + steep * (xs * np.cos(angle) + ys * np.sin(angle)), 0, 1.6)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (1 - 2 * MARGIN) * side + MARGIN * side
    outline = np.round(square - 0.5 if face is None else face).astype(np.int32)
    inside = np.asarray(cv2.fillConvexPoly(np.zeros((side, side), np.float32), outline, 1.0), np.float32)
    grey = crop.mean(axis=2)
    drawn = np.abs(grey - np.median(grey[inside > 0])) / 0.2
    spared = 1 - matte * np.clip(drawn, 0, 1)
    return np.asarray(np.maximum(mirrored, 0) * spared * cv2.GaussianBlur(inside, (0, 0), 1.0), np.float32)


def row(face: str, body: str | None, ink: str | None, size: float) -> list[int]:
    """The labels of one crop."""
    return [
        FACES.index(face),
        BODIES.index(body) if body in BODIES else -1,
        INKS.index(ink) if ink in INKS else -1,
        round(size),
    ]
