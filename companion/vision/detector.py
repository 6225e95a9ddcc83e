"""Finding dice: the first network, run over the picture at the scales at which dice can appear."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import rectified
from companion.vision.models import session
from companion.vision.reading import Image

Floats = NDArray[np.float32]

STRIDE = 4
"""Pixels of the network's input a cell of its map covers."""
UNIT = 16.0
"""A box distance of exp(0) in pixels."""
LONG_SIDES = (640, 256, 112)
"""Longer side of the picture in pixels for each pass: most dice, large ones, then one that fills it."""
RANGES = ((10.0, 150.0), (40.0, 150.0), (40.0, 112.0))
"""Sizes in pixels that each of these passes is believed about: a heap of small dice must not pass for a large
one, nor a speck for a die smaller than any that was learnt."""
PLAIN, LARGE, SEVERAL = 0.4, 80.0, 4
"""The score of a plain find, the size in a pass from which still larger dice are looked for, and how many
dice wanted are enough not to look for them otherwise: pips of fewer, larger ones may pass for those."""
GLANCE_SIDE, GLANCE_SIZES, GLANCE_ALIKE = 512, (14.0, 64.0), 1.5
"""Longer side of a glance that is enough if it plainly shows as many dice as are wanted, several at least,
none of them smaller or larger than this, and so many less than this many times as large or as small as
usual: what is not as large as the dice of the throw does not stand for one that is missing."""
HALF_SEEN = 0.25
"""A glance at which more things as large as usual score at least so than dice are wanted is not enough:
one of them may be a die too many, which is plain only in a larger picture."""
SAME_SIZE = 0.25
"""A small but plain find of a later pass is believed if it is as large as the plain ones before, or
nearly (this part more or less): dice of one throw are of one size, and on busy print one may only show from
afar."""
CLOSE_SIDE = 1280
"""Longer side of one more pass when the first finds only tiny dice."""
TINY = 17.0
"""A die smaller than this many pixels in the first pass is looked at again, closer."""
LARGE_SIDES, NEAR_RANGE, NEARER = (1280, 2560), (13.0, 150.0), 2.0
"""Longer sides of further passes over pictures larger by a quarter, in which dice may be tiny from afar; the
sizes in pixels believed then; and how many times as plain those finds must be to be taken instead."""
LEAST_SCORE = 0.12
"""Peaks below this are never dice; of those just above, the reader looks at a few more than are due."""
_LEAST_HEAT = math.log(LEAST_SCORE / (1 - LEAST_SCORE))
SAME_DIE = 0.45
"""Shared part of two boxes above which two finds are one die."""
SAME_MIDDLE = 0.342
"""Part of a die's size below which the middles of two faces are too near for two dice."""
MUCH_SMALLER = 0.5
"""What is less than this part as large as a find is not the same die seen twice, but a pip of it that passes
for a die, or a die of a heap that passes for one."""
CLOSER = ((36, 128), (52, 160))
"""Sizes in pixels of a die that is looked at on its own, and the sides of those looks: once each as it is and
once mirrored."""
_OFF = 0.25
"""Part of a die's size by which the middle of its face may be off then."""
STATES = ("flat", "cocked", "cut_off", "stacked")
_AROUND = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
"""The corners around a middle, in halves of an edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Find:
    """Something that may be a die: its box (left, top, right, bottom), top-face corners, score and states.

    `lift` is the way from the middle of the whole die to the middle of its upper face, in edges of the face,
    once that has been measured.
    """

    score: float
    box: Floats
    corners: Floats
    states: Floats
    lift: tuple[float, float] | None = None

    @property
    def size(self) -> float:
        """The side of a square as large as the box, in pixels of the picture."""
        left, top, right, bottom = self.box.tolist()
        return math.sqrt(max(1.0, (right - left) * (bottom - top)))

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the top face."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners.tolist()
        return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4


Look = Callable[[float], list[Find]]
"""A pass over a picture so many times as large."""


class Detector:
    """The network that finds dice, their top faces and how they lie."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        self._session = session(path, threads, "pixels")

    def find(
        self, image: Image, wanted: int = 1, counts: Callable[[Find], bool] = lambda find: True
    ) -> tuple[Find, ...]:
        """Everything that counts and may be a die, the likeliest first; `wanted` dice are enough."""
        longer = max(image.shape[:2])

        def look(scale: float) -> list[Find]:
            return [find for find in self._pass(image, scale) if counts(find)]

        found = _from_afar(look, longer, wanted)
        for side in LARGE_SIDES:
            if longer < 1.25 * side or 1 < wanted <= sum(find.score > PLAIN for find in found):
                break
            scale, (least, most) = side / longer, NEAR_RANGE
            near = distinct([find for find in look(scale) if least <= find.size * scale <= most])
            if _plainness(near) > NEARER * _plainness(found):
                found = distinct([*near, *(find for find in found if find.size * scale > most)])
        return found

    def closer(self, image: Image, faces: Sequence[tuple[float, float, float]]) -> list[float]:
        """How likely each of these upper faces (x, y of its middle, size of the whole die) is one if it is
        looked at on its own in several ways: the mean of their log-odds, as a chance."""
        return [1 / (1 + math.exp(-statistics.mean(self._heats(image, *face)))) for face in faces]

    def _heats(self, image: Image, x: float, y: float, size: float) -> list[float]:
        around = (np.array([x, y]) + size / 2 * _AROUND).astype(np.float32)[None]
        heats: list[float] = []
        for pixels, side in CLOSER:
            crop = rectified(image, around, side, (1 - pixels / side) / 2)
            heat = self._maps(np.concatenate([crop, crop[:, :, ::-1]]))[..., 0]
            middle, reach = side // STRIDE // 2, round(_OFF * pixels / STRIDE)
            near = slice(middle - reach, middle + reach)
            heats += heat[:, near, near].max(axis=(1, 2)).tolist()
        return heats

    def _maps(self, pictures: Image) -> Floats:
        """The network's map of each picture (n × height × width × BGR): n × rows × columns × numbers."""
        count, high, wide, _ = pictures.shape
        cells = self._session.run(None, {"pixels": pictures})[0]
        return np.asarray(cells).reshape(count, high // STRIDE, wide // STRIDE, -1)

    def _pass(self, image: Image, scale: float) -> list[Find]:
        height, width = image.shape[:2]
        wide, high = max(1, round(width * scale)), max(1, round(height * scale))
        small = resized(image, wide, high)
        below, beside = -high % 32, -wide % 32
        if below or beside:
            border = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_REPLICATE)
            small = np.asarray(border, np.uint8)
        return peaks(self._maps(small[None])[0], (wide, high), (width / wide, height / high))


def _from_afar(look: Look, longer: int, wanted: int) -> tuple[Find, ...]:
    """The finds in the whole picture, of which `longer` is the longer side, made small.

    Where several dice are wanted a glance may be enough; and the passes for large dice are spared when
    they are found and none is large.
    """
    if wanted >= SEVERAL and (glance := _glance(look, longer, wanted)):
        return glance
    finds: list[Find] = []
    for side, (least, most) in zip(LONG_SIDES, RANGES, strict=True):
        scale = side / longer
        usual = _usual(finds) if wanted > 1 else 0.0
        finds += [
            find
            for find in look(scale)
            if least <= find.size * scale <= most
            or (find.score > PLAIN and abs(find.size - usual) < SAME_SIZE * usual)
        ]
        plain = [find.size * scale for find in finds if find.score > PLAIN]
        if SEVERAL <= wanted <= len(plain) and max(plain) < LARGE:
            break
    close = CLOSE_SIDE / longer
    first = LONG_SIDES[0] / longer
    sizes = [find.size * first for find in finds if find.score > 0.3]
    if sizes and close <= 2.0 and statistics.median(sizes) < TINY:
        least = RANGES[0][0] / min(close, 1.0)
        finds += [find for find in look(close) if find.size >= least]
    return distinct(finds)


def _glance(look: Look, longer: int, wanted: int) -> tuple[Find, ...]:
    """The finds in the picture made smaller still, if that is enough."""
    scale, (least, most) = GLANCE_SIDE / longer, GLANCE_SIZES
    finds = distinct(look(scale))
    plain = [find.size * scale for find in finds if find.score > PLAIN]
    if len(plain) < wanted or min(plain) < least or max(plain) > most:
        return ()
    usual = statistics.median(plain) / scale
    alike = [find.score for find in finds if 1 / GLANCE_ALIKE < find.size / usual < GLANCE_ALIKE]
    enough = sum(score > PLAIN for score in alike) >= wanted >= sum(score >= HALF_SEEN for score in alike)
    return finds if enough else ()


def resized(image: Image, wide: int, high: int) -> Image:
    """The picture in this size: whole blocks of pixels are averaged first, which is many times as fast as
    averaging parts of pixels."""
    height, width = image.shape[:2]
    block = min(width // wide, height // high)
    if block > 1 and width % block == 0 and height % block == 0:
        image = np.asarray(
            cv2.resize(image, (width // block, height // block), interpolation=cv2.INTER_AREA), np.uint8
        )
    if image.shape[:2] == (high, wide):
        return image
    how = cv2.INTER_AREA if image.shape[1] > 1.5 * wide else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (wide, high), interpolation=how), np.uint8)


def _usual(finds: Sequence[Find]) -> float:
    """The usual size of plain finds, 0 where there are none."""
    sizes = [find.size for find in finds if find.score > PLAIN]
    return statistics.median(sizes) if sizes else 0.0


def _plainness(finds: Sequence[Find]) -> float:
    """How plain finds are all in all; vague ones do not count."""
    return sum(max(find.score - 0.5, 0.0) for find in finds)


def peaks(found: Floats, within: tuple[int, int], factors: tuple[float, float] = (1.0, 1.0)) -> list[Find]:
    """The finds in one map of the network (rows × columns × numbers), inside the picture's own part of it, in
    pixels of its input times these factors."""
    heat = found[..., 0].copy()
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= top) & (heat >= _LEAST_HEAT))
    places = np.stack([columns, rows], axis=1).astype(np.float32) * STRIDE + np.float32(STRIDE / 2)
    cells = found[rows, columns]
    reach = np.exp(np.clip(cells[:, 1:5], -4.0, 3.2)) * UNIT
    boxes = np.concatenate([places - reach[:, :2], places + reach[:, 2:]], axis=1)
    corners = _corners(cells, reach.sum(axis=1) / 2) + places[:, None]
    chances = np.asarray(1 / (1 + np.exp(-cells[:, [0, 14, 15, 16, 17]])), np.float32)
    inside = (places < np.array(within) + STRIDE).all(axis=1)
    inside &= (boxes[:, 2:] - boxes[:, :2] >= 4).all(axis=1)
    boxes *= np.array(factors * 2, np.float32)
    corners *= np.array(factors, np.float32)
    return [
        Find(float(chances[i, 0]), boxes[i], corners[i], chances[i, 1:])
        for i in np.nonzero(inside)[0].tolist()
    ]


def _corners(cells: Floats, size: Floats) -> Floats:
    """The corners of upper faces from the middles of their cells, clockwise, the first within 45° of up-left.

    The network speaks of a face in terms that do not jump when it turns by a quarter. With the corners as
    complex numbers, one turning part makes a square of them, another shears it, a third narrows it.
    """
    middle, turn, shear, narrow = (cells[:, at] + 1j * cells[:, at + 1] for at in (5, 8, 10, 12))
    towards = np.exp(1j * np.angle(-turn) / 4) * -np.sqrt(1j)
    square = towards * np.exp(np.clip(cells[:, 7], -4.0, 1.0)) * size
    quarters = 1j ** np.arange(4)
    spots = (middle * size)[:, None] + square[:, None] * quarters
    spots += (shear * square.conj())[:, None] * quarters.conj()
    spots += (narrow * towards**2 * size * 0.1)[:, None] * quarters**2
    return np.stack([spots.real, spots.imag], axis=2).astype(np.float32)


def distinct(finds: list[Find], most: int = 120) -> tuple[Find, ...]:
    """One find a die: of several that overlap, or whose faces share a middle, the likeliest."""
    ranked = sorted(finds, key=lambda each: -each.score)
    if not ranked:
        return ()
    same = _same(ranked)
    kept: list[int] = []
    for index in range(len(ranked)):
        if len(kept) == most:
            break
        if not same[index, kept].any():
            kept.append(index)
    return tuple(ranked[index] for index in kept)


def _same(finds: Sequence[Find]) -> NDArray[np.bool_]:
    """Whether each of the finds and each other one are one die."""
    middles = np.stack([find.corners for find in finds]).mean(axis=1)
    areas = np.array([find.size**2 for find in finds])
    larger, smaller = np.maximum(areas[:, None], areas), np.minimum(areas[:, None], areas)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = (apart < SAME_MIDDLE * np.sqrt(larger)) & (smaller > MUCH_SMALLER**2 * larger)
    return np.asarray((shared_parts(finds) > SAME_DIE) | near)


def shared_parts(finds: Sequence[Find]) -> Floats:
    """The part of the area of both that the boxes of each of the finds and each other one share."""
    areas = np.array([find.size**2 for find in finds])
    shared = shared_areas(finds)
    return np.asarray(shared / np.maximum(areas[:, None] + areas - shared, 1.0), np.float32)


def shared_areas(finds: Sequence[Find]) -> Floats:
    """The area that the boxes of each of the finds and each other one share."""
    boxes = np.stack([find.box for find in finds])
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=2), np.float32)
