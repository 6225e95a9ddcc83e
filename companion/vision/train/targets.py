"""From labelled pictures to what the detector should answer: varied crops, and its map cell by cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.detector import STATES, STRIDE, UNIT

Floats = NDArray[Any]
Bytes = NDArray[Any]
LEAST_PIXELS = 11.0
"""Dice smaller than this in the crop are neither wanted nor punished."""
LEAST_VISIBLE, _WHOLE = 0.35, 0.9
LARGE = 150.0
"""Boxes in a crop are rarely larger than this."""
_TURNED, _FROM_THE_SIDE = (0.4, 0.05), 0.22
"""How often a crop seen from above, and one seen from the side, is turned by any number of quarters; and how
far, in sizes of their boxes, the upper faces of dice are lifted from the middle when seen from the side. A
camera that looks from there is nearly always held upright, and which face is the upper one is then told by
where up is."""
_MARGIN, _MAGNIFIED = (0.03, 0.6), 28.0
"""How much is left on each side of a die that all but fills a picture, in parts of its longer side; and the
fewest pixels of a die that is magnified so."""
ROWS = 22
"""Channels of a target: 0 heat, 1 weight of the heat, 2 weight of the rest, 3 weight of the face, 4–7 log
distances, 8–9 middle, 10 log size, 11–12 turn, 13–14 shear, 15–16 perspective, 17–20 states, 21 face."""


@dataclass(slots=True, eq=False)
class Marked:
    """A die in a crop: box left, top, right, bottom; corners (4, 2) clockwise or None; state; what shows."""

    box: Floats
    corners: Floats | None
    state: str
    visible: float
    face_at: Floats | None = None
    loose: bool = False
    """Whether the box is known to fit only roughly."""

    @property
    def centre(self) -> Floats:
        """The middle of the top face where known, else of the box."""
        if self.corners is not None:
            return np.asarray(self.corners.mean(0), np.float32)
        return self.face_at if self.face_at is not None else (self.box[:2] + self.box[2:]) / 2


def marked(dice: tuple[dict[str, Any], ...]) -> list[Marked]:
    """The dice of a pool picture or of a labelled photograph."""
    out = []
    for die in dice:
        x, y, w, h = die["box"]
        corners = np.array(die["top_face"], np.float32) if die.get("top_face") else None
        at = np.array(die["face_at"], np.float32) if die.get("face_at") else None
        box = np.array([x, y, x + w, y + h], np.float32)
        out.append(
            Marked(
                box,
                corners,
                die.get("state", "flat"),
                float(die.get("visible", 1.0)),
                at,
                bool(die.get("loose")),
            )
        )
    return out


def varied(
    image: Bytes, dice: list[Marked], edge: int, rng: np.random.Generator, aimed: float = 0.85
) -> tuple[Bytes, list[Marked]]:
    """A crop, some turned by quarters, mirrored, stretched, and its dice; so often it is `aimed` at one."""
    image, dice = _held(image, dice, rng)
    height, width = image.shape[:2]
    least = edge / min(height, width)
    scale = max(float(np.exp(rng.uniform(np.log(0.55), np.log(1.4)))), least)
    if dice and rng.random() < 0.9:  # larger dice are left to the reader's pass at a smaller scale
        large = max(float((d.box[2:] - d.box[:2]).max()) for d in dice)
        scale = max(min(scale, LARGE / large), least)
    stretch = np.exp(rng.normal(0, 0.1, 2) * (rng.random() < 0.6))
    sx, sy = max(scale * stretch[0], edge / width), max(scale * stretch[1], edge / height)
    room = np.array([width * sx - edge, height * sy - edge])
    corner = rng.uniform(0, 1, 2) * room
    if dice and rng.random() < aimed:
        aim = dice[int(rng.integers(0, len(dice)))].centre * (sx, sy)
        corner = np.clip(aim - edge * rng.uniform(0.1, 0.9, 2), 0, np.maximum(room, 0))
    if scale < 0.8:
        image = cv2.resize(image, (round(width * sx), round(height * sy)), interpolation=cv2.INTER_AREA)
        corner = np.floor(np.clip(corner, 0, np.array(image.shape[1::-1]) - edge))
        left, top = int(corner[0]), int(corner[1])
        crop = image[top : top + edge, left : left + edge].copy()
    else:
        warp = np.array([[sx, 0, -corner[0]], [0, sy, -corner[1]]], np.float32)
        warp[:, 2] += (np.array([sx, sy]) - 1) / 2  # pixel middles stay middles
        crop = cv2.warpAffine(
            image, warp, (edge, edge), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    moved = [placed(d, np.array([sx, sy], np.float32), corner.astype(np.float32)) for d in dice]
    seen = np.array([edge, edge])
    if rng.random() < 0.25:  # the reader pads to multiples of 32
        seen = edge - rng.integers(0, 32, 2)
        crop[:, seen[0] :] = crop[:, seen[0] - 1 : seen[0]]
        crop[seen[1] :] = crop[seen[1] - 1 : seen[1]]
    return crop, [cut for d in moved if (cut := _cut(d, seen)) is not None]


def close_up(
    image: Bytes, dice: list[Marked], edge: int, rng: np.random.Generator
) -> tuple[Bytes, list[Marked]] | None:
    """A square picture that one die fills to a good part; None if no die is whole and large enough."""
    image, dice = _held(image, dice, rng)
    whole = [die for die in dice if die.visible > _WHOLE and (die.box[2:] - die.box[:2]).min() >= _MAGNIFIED]
    if not whole:
        return None
    box = whole[int(rng.integers(0, len(whole)))].box
    half = float((box[2:] - box[:2]).max()) * (0.5 + float(rng.uniform(*_MARGIN)))
    middle = (box[:2] + box[2:]) / 2
    low = np.floor(np.maximum(middle - half, 0)).astype(int)
    high = np.ceil(np.minimum(middle + half, image.shape[1::-1])).astype(int)
    cut = image[low[1] : high[1], low[0] : high[0]]
    scale = edge / max(cut.shape[:2])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    crop = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=how)[:edge, :edge]
    seen = np.array(crop.shape[1::-1])
    full = cv2.copyMakeBorder(crop, 0, edge - seen[1], 0, edge - seen[0], cv2.BORDER_REPLICATE)
    by, corner = np.full(2, scale, np.float32), (low * scale).astype(np.float32)
    moved = [_cut(placed(die, by, corner), seen) for die in dice]
    return np.asarray(full, np.uint8), [die for die in moved if die is not None]


def _held(image: Bytes, dice: list[Marked], rng: np.random.Generator) -> tuple[Bytes, list[Marked]]:
    """The picture and its dice as a camera held in one way or another gives them, some mirrored."""
    lift, mirror = _lift(dice), bool(rng.random() < 0.5)
    aside = abs(lift) > _FROM_THE_SIDE
    quarters = _upright(-lift.conjugate() if mirror else lift) if aside else 0
    if rng.random() < _TURNED[aside]:
        quarters = int(rng.integers(0, 4))
    return _turned(image, dice, quarters, mirror)


def _lift(dice: list[Marked]) -> complex:
    """How far upper faces are lifted from the middles of the dice, in sizes of those: the mean of all."""
    whole = [die for die in dice if die.corners is not None and die.visible > _WHOLE]
    if not whole:
        return 0j
    boxes = np.stack([die.box for die in whole])
    away = np.stack([die.centre for die in whole]) - (boxes[:, :2] + boxes[:, 2:]) / 2
    x, y = (away / np.sqrt((boxes[:, 2:] - boxes[:, :2]).prod(axis=1))[:, None]).mean(axis=0)
    return complex(x, y)


def _upright(lift: complex) -> int:
    """The quarters by which a picture is turned to have such a lift point upward."""
    return int(np.argmin((lift.imag, -lift.real, -lift.imag, lift.real)))


def _turned(image: Bytes, dice: list[Marked], quarters: int, mirror: bool) -> tuple[Bytes, list[Marked]]:
    height, width = image.shape[:2]

    def place(points: Floats) -> Floats:
        x, y = points[..., 0], points[..., 1]
        if mirror:
            x = width - x
        turns = ((x, y), (y, width - x), (width - x, height - y), (height - y, x))
        return np.asarray(np.stack(turns[quarters], -1), np.float32)

    if mirror:
        image = image[:, ::-1]
    out = []
    for die in dice:
        ends = place(die.box.reshape(2, 2))
        box = np.concatenate([ends.min(0), ends.max(0)])
        corners = None if die.corners is None else place(die.corners)
        if corners is not None and mirror:
            corners = corners[::-1].copy()
        at = None if die.face_at is None else place(die.face_at)
        out.append(Marked(box, corners, die.state, die.visible, at, die.loose))
    return np.ascontiguousarray(np.rot90(image, quarters)), out


def placed(die: Marked, scale: Floats, corner: Floats) -> Marked:
    """The die in a picture so many times as large whose corner lies there."""
    box = (die.box.reshape(2, 2) * scale - corner).reshape(4)
    corners = None if die.corners is None else die.corners * scale - corner
    at = None if die.face_at is None else die.face_at * scale - corner
    return Marked(box, corners, die.state, die.visible, at, die.loose)


def _cut(die: Marked, seen: NDArray[Any]) -> Marked | None:
    """What the crop's edge leaves of a die."""
    low, high = np.maximum(die.box[:2], 0), np.minimum(die.box[2:], seen)
    if (high - low < 2).any():
        return None
    whole = die.box[2:] - die.box[:2]
    share = float(np.prod((high - low) / whole))
    state = "cut_off" if share < 0.985 else die.state
    box = np.concatenate([low, high]).astype(np.float32)
    return Marked(box, die.corners, state, die.visible * share, die.face_at, die.loose)


def worsened(image: Bytes, rng: np.random.Generator) -> Bytes:
    """The crop as another camera under another lamp might give it."""
    if rng.random() < 0.12:
        image = np.ascontiguousarray(image[..., rng.permutation(3)])
    if rng.random() < 0.1:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.15:
        low = float(rng.uniform(0.4, 0.9))
        small = cv2.resize(image, None, fx=low, fy=low, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.15:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.6)))
    elif rng.random() < 0.15:  # as telephones sharpen
        much = float(rng.uniform(0.3, 1.5))
        soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.7, 1.5)))
        image = cv2.addWeighted(image, 1 + much, soft, -much, 0)
    steps = np.arange(256, dtype=np.float32)[:, None] / 255
    gain = np.exp(rng.normal(0, 0.22) + rng.normal(0, 0.1, 3))
    curve = np.clip(steps * gain, 0, 1) ** np.exp(rng.normal(0, 0.25))
    contrast = float(np.exp(rng.normal(0, 0.2)))
    curve = np.clip((curve - 0.5) * contrast + 0.5 + rng.normal(0, 0.06), 0, 1) * 255
    image = cv2.LUT(image, curve.astype(np.uint8).reshape(256, 1, 3))
    if rng.random() < 0.3:
        noise = rng.standard_normal(image.shape[:2], dtype=np.float32)[..., None] * rng.uniform(1, 12)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 80))])
        image = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))
    return np.asarray(image, np.uint8)


def face_terms(corners: Floats) -> tuple[complex, complex, complex, complex]:
    """Middle, turning part, alternating part and counter-turning part of four corners."""
    c = corners[:, 0].astype(complex) + 1j * corners[:, 1]
    k = np.arange(4)
    return (
        complex(c.mean()),
        complex((c * 1j**-k).mean()),
        complex((c * (-1.0) ** k).mean()),
        complex((c * 1j**k).mean()),
    )


def target(dice: list[Marked], edge: int) -> Floats:
    """What the network should answer for a square crop."""
    cells = edge // STRIDE
    out = np.zeros((ROWS, cells, cells), np.float32)
    out[1] = 1
    order = sorted(dice, key=lambda d: -float(np.prod(d.box[2:] - d.box[:2])))
    wanted = []
    for die in order:
        size = die.box[2:] - die.box[:2]
        hidden = die.visible < LEAST_VISIBLE or any(_covers(o, die) for o in order if o is not die)
        if hidden or float(size.max()) < LEAST_PIXELS:
            left, top, right, low = (die.box / STRIDE).astype(int)
            out[1, max(top, 0) : low + 1, max(left, 0) : right + 1] = 0
        else:
            wanted.append(die)
    claim = np.zeros((cells, cells), np.float32)
    for die in wanted:
        _mark(die, out, claim, edge)
    return out


def _covers(other: Marked, die: Marked) -> bool:
    """Whether the other die is the whole one on top of this partly hidden one's middle."""
    if other.corners is None or die.corners is None or other.visible <= die.visible:
        return False
    x, y = die.centre.tolist()
    return cv2.pointPolygonTest(other.corners.reshape(-1, 1, 2), (x, y), True) > -0.1 * float(
        die.box[2] - die.box[0]
    )


def _mark(die: Marked, out: Floats, claim: Floats, edge: int) -> None:
    """Write one die into the target, on the cells that no other die claims more strongly."""
    xs = (np.arange(edge // STRIDE, dtype=np.float32) + 0.5) * STRIDE
    box, centre = die.box, die.centre
    size = float((box[2] - box[0] + box[3] - box[1]) / 2)
    if not (box[0] <= centre[0] <= box[2] and box[1] <= centre[1] <= box[3]):
        centre = np.clip(centre, box[:2] + 0.15 * size, box[2:] - 0.15 * size)
    centre = np.clip(centre, 1, edge - 2)
    sigma = max(0.10 * size, 0.55 * STRIDE)
    dx, dy = xs[None, :] - centre[0], xs[:, None] - centre[1]
    heat = np.exp(-(dx**2 + dy**2) / (2 * sigma**2))
    column, row = (centre / STRIDE).astype(int)
    heat[row, column] = 1.0
    np.maximum(out[0], heat, out=out[0])
    out[1][heat > 0.3] = 1
    worth = np.where(heat > 0.45, heat, 0)
    if die.corners is not None:
        inside = np.zeros(heat.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round((die.corners / STRIDE - 0.5) * 16).astype(np.int32), 1, shift=4)
        np.maximum(out[21], inside, out=out[21])
        worth = np.maximum(worth, 0.35 * inside)  # the whole face knows how it lies
    worth *= (xs[None, :] > box[0]) & (xs[None, :] < box[2]) & (xs[:, None] > box[1]) & (xs[:, None] < box[3])
    worth[row, column] = 1.0
    nearest = worth > claim
    claim[nearest] = worth[nearest]
    rows, columns = np.nonzero(nearest)
    x, y = xs[columns], xs[rows]
    worth = worth[rows, columns] * (4 / max(1.0, float(worth[rows, columns].sum())))  # each die counts alike
    out[2, rows, columns] = 0 if die.loose else worth
    reach = np.stack([x - box[0], y - box[1], box[2] - x, box[3] - y])
    out[4:8, rows, columns] = np.log(np.maximum(reach, 1.0) / UNIT)
    out[3, rows, columns] = 0
    out[17:21, rows, columns] = 0
    out[17 + STATES.index(die.state), rows, columns] = 1
    if die.corners is None:
        return
    middle, turning, other, counter = face_terms(die.corners)
    length = max(abs(turning), 1e-3)
    unit = turning / length
    fourth, shear, narrow = unit**4, counter / turning.conjugate() if length > 0.1 else 0j, other / unit**2
    clear = min(1.0, size / 24) * (0.3 if die.visible < 0.6 else 1.0)  # tiny faces teach little
    out[3, rows, columns] = worth * clear
    spread = np.maximum(reach, 1.0).sum(0) / 2
    out[8, rows, columns] = (middle.real - x) / spread
    out[9, rows, columns] = (middle.imag - y) / spread
    out[10, rows, columns] = np.log(length / spread)
    out[11, rows, columns], out[12, rows, columns] = fourth.real, fourth.imag
    out[13, rows, columns], out[14, rows, columns] = shear.real, shear.imag
    out[15, rows, columns], out[16, rows, columns] = narrow.real / spread * 10, narrow.imag / spread * 10
