"""Reading one face: the rectified upper side of a die through two small networks, one for its mark and one
for its colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.colours import own_balanced, under, yellowness
from companion.vision.models import session
from companion.vision.reading import Image

Floats = NDArray[np.float32]

FACES = (
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "worm",
    "cross",
    "question",
    "heart",
    "bomb",
    "stars",
    "row",
    "block",
    "none",
)
"""What the network can see on a face; `none` is no upper face at all."""
BODIES = ("white", "yellow", "blue", "green", "orange", "purple", "black", "gold")
"""Body colours it tells apart."""
INKS = ("red", "orange", "yellow", "green", "blue", "black")
"""Colours of a cross it tells apart."""
COLOUR_SIZE = 24
"""Side of a crop as the colour network sees it: small, since several lamps are tried."""

PLAIN_ENOUGH = 0.97
"""A face read with less than this chance is looked at again, turned by quarters."""
READ_ENOUGH = 0.9
"""One still read with less than this chance is looked at without its specks, too."""
SPECKLES, NEARLY_ALONE = (0.025, 0.05), 0.98
"""How much specks must stand out, in brightness from 0 to 1, for that look to count, and from where on it
counts nearly alone: a lamp that a grainy face mirrors hides its mark behind specks."""
_SPECK, _RIM = 5, 3
"""Pixels of a crop: the window whose median leaves no speck, and what a face's edges may reach into it."""
SIZE = 48
"""Side of a rectified crop in pixels."""
MARGIN = 0.19
"""Part of the crop's side left around the face on each side: the context that tells a top from a side."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What the networks make of one crop: log-chances of faces, bodies (a row a lamp) and crosses."""

    face: Floats
    body: Floats
    ink: Floats


def rectified(image: Image, faces: Floats, size: int = SIZE, margin: float = MARGIN) -> Image:
    """The faces with these corners [face, corner, (x, y)] as square crops with some of their surroundings."""
    high, wide = image.shape[:2]
    points = faces.astype(np.float64)
    edges = np.linalg.norm(points - points[:, [3, 0, 1, 2]], axis=2).max(axis=1)
    shrinks = np.maximum(edges / (size * (1 - 2 * margin)), 1).astype(int)
    reach = (edges * (0.5 + 2 * margin) * 1.5)[:, None]
    middles = points.sum(axis=1) / 4
    near = np.maximum(middles - reach, 0).astype(int)
    far = np.minimum(np.maximum(middles + reach, 0), (wide, high)).astype(int)
    # Whole blocks of pixels are averaged, which is many times as fast as parts of pixels; their centres stay
    # where they are: (p + 0.5) / block - 0.5.
    blocks = np.maximum(far - near, 0) // shrinks[:, None]
    points = (points - near[:, None] + 0.5) / shrinks[:, None, None] - 0.5
    crops = np.zeros((len(faces), size, size, 3), np.uint8)
    square = _square(size, margin)
    where = zip(near.tolist(), blocks.tolist(), shrinks.tolist(), strict=True)
    for crop, corners, place in zip(crops, points.astype(np.float32), where, strict=True):
        (left, top), (across, down), shrink = place
        if min(across, down) * shrink < 2:
            continue
        part = image[top : top + down * shrink, left : left + across * shrink]
        if shrink > 1:
            part = np.asarray(cv2.resize(part, (across, down), interpolation=cv2.INTER_AREA), np.uint8)
        turn = cv2.getPerspectiveTransform(corners, square)
        cv2.warpPerspective(
            part, turn, (size, size), crop, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return crops


@cache
def _square(size: int, margin: float) -> Floats:
    """Where a face lies in its crop."""
    near, far = margin * size - 0.5, size * (1 - margin) - 0.5
    return np.array([[near, near], [far, near], [far, far], [near, far]], np.float32)


class FaceNetwork:
    """The networks that read rectified crops, all of a picture at once."""

    def __init__(self, faces: Path, colours: Path, threads: int = 1) -> None:
        self._faces = session(faces, threads, "crops")
        self._colours = session(colours, threads, "crops")

    def marks(self, stack: Floats, hopeless: float = 0.0) -> Floats:
        """Log-chances of faces for each crop (floats 0..1, N × SIZE × SIZE × BGR). What is doubtful is looked
        at again, unless the likeliest face has less than this chance."""
        told = log_chances(self._faces.run(None, {"crops": planes(stack)})[0])
        doubtful = _below(told, PLAIN_ENOUGH)
        doubtful = doubtful[np.exp(told[doubtful, :-1].max(axis=1)) >= hopeless]
        if len(doubtful):
            told[doubtful] = self._turned(stack[doubtful])
        return told

    def through_specks(self, stack: Floats, told: Floats) -> Floats:
        """What is told of faces, those in doubt that are full of specks looked at without them, too."""
        told, doubtful = told.copy(), _below(told, READ_ENOUGH)
        if not len(doubtful):
            return told
        smooth, shares = unspeckled(stack[doubtful])
        speckled = np.nonzero(shares)[0]
        if len(speckled):
            share, which = shares[speckled, None], doubtful[speckled]
            without = self._turned(smooth[speckled])
            told[which] = np.logaddexp(np.log1p(-share) + told[which], np.log(share) + without)
        return told

    def _turned(self, stack: Floats) -> Floats:
        """Log-chances of faces as the mean of four looks, each turned by a quarter more: a face is the same
        whichever way it is turned, and four looks err less than one."""
        turned = np.concatenate([np.rot90(stack, quarter, (1, 2)) for quarter in range(4)])
        looks = self._faces.run(None, {"crops": planes(turned)})[0].reshape(4, len(stack), -1)
        return log_chances(looks.mean(axis=0))

    def colours(self, stack: Floats, gains: Floats, crosses: bool) -> tuple[Floats, Floats]:
        """Log-chances of body colours [lamp, crop, colour], for every lamp's gains, and of cross colours.

        A cross, if asked for, is judged against the white of its own die, so the lamp does not matter to it.
        """
        small, count = halved(stack), len(stack)
        looks = under(planes(small), gains)
        if crosses:
            looks = np.concatenate([looks, planes(own_balanced(small))])
        rows = self._colours.run(None, {"crops": looks})[0]
        bodies = log_chances(rows[: count * len(gains), : len(BODIES)]).reshape(len(gains), count, -1)
        inks = rows[-count:, len(BODIES) :]
        if crosses:
            told = yellowness(stack) / 2
            inks[:, INKS.index("yellow")] += told
            inks[:, INKS.index("orange")] -= told
        return bodies, log_chances(inks)


def planes(stack: Floats) -> Floats:
    """Crops as the networks take them: colour planes in RGB order."""
    return np.ascontiguousarray(stack[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32)


def unspeckled(stack: Floats) -> tuple[Floats, Floats]:
    """Crops without their specks, and by how much of each the look without them counts."""
    smooth = np.stack([cv2.medianBlur(crop, _SPECK) for crop in stack])
    inner = slice(round(SIZE * MARGIN) + _RIM, round(SIZE * (1 - MARGIN)) - _RIM)
    specks = np.median(np.abs(stack - smooth).mean(axis=3)[:, inner, inner], axis=(1, 2))
    least, alone = SPECKLES
    shares = np.where(specks > least, np.minimum(specks / alone, NEARLY_ALONE), 0)
    return smooth, np.asarray(shares, np.float32)


def _below(told: Floats, chance: float) -> NDArray[np.intp]:
    """Which of the faces are read with less than this chance."""
    return np.nonzero(np.exp(told.max(axis=1)) < chance)[0]


def halved(stack: Floats) -> Floats:
    """Crops at half the size, four pixels averaged to one."""
    count, high, wide, _ = stack.shape
    # All below each other are one picture: no four pixels are of two crops.
    tall = stack.reshape(count * high, wide, 3)
    small = cv2.resize(tall, (wide // 2, count * high // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32).reshape(count, high // 2, wide // 2, 3)


def log_chances(scores: Floats) -> Floats:
    """Scores along the last axis as logarithms of chances."""
    scores = scores - scores.max(axis=-1, keepdims=True)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True)), np.float32)
