"""Labelled pictures: the two label formats as one, and how dice read are matched with dice that lie there."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Box = tuple[float, float, float, float]

OVERLAP = 0.4
"""Shared part of two boxes from which they are the same die; a centre inside the other box does, too."""


class NotLabels(ValueError):
    """A file that holds no labels we can read."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A die that lies in a picture: any of `faces` is right (a maker's mark also stands for a number)."""

    kind: str
    faces: tuple[str, ...]
    box: Box
    state: str = "flat"
    readable: bool = True
    tilt: float = 0.0

    @property
    def size(self) -> float:
        """The side of a square as large as its box, in pixels."""
        return float((self.box[2] * self.box[3]) ** 0.5)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture with everything that lies in it, and the conditions it was taken under."""

    file: str
    due: tuple[str, ...] | None
    dice: tuple[Truth, ...]
    ignore: tuple[Box, ...]
    conditions: tuple[tuple[str, str], ...]


def labelled(path: Path, sets: Mapping[str, tuple[str, ...]]) -> list[Labelled]:
    """The labels in a file; `sets` are the dice of each game."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise NotLabels(f"there are no labels in {path}: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise NotLabels(f"{path} holds no labels: it is not JSON ({problem})") from problem
    records = content.get("images") if isinstance(content, dict) else content
    if not isinstance(records, list) or not records:
        raise NotLabels(f"{path} holds no labels: a list of pictures is needed")
    pictures = []
    for number, record in enumerate(records, start=1):
        try:
            pictures.append(_of_game(record, sets) if isinstance(content, dict) else _of_pips(record))
        except KeyError as problem:
            raise NotLabels(f"picture {number} in {path} has no {problem}") from problem
        except (AttributeError, OverflowError, TypeError, ValueError) as problem:
            raise NotLabels(f"picture {number} in {path} cannot be understood: {problem}") from problem
    return pictures


def _box(value: Any) -> Box:
    x, y, wide, high = (float(number) for number in value)
    if not (all(map(math.isfinite, (x, y, wide, high))) and wide > 0 and high > 0):
        raise ValueError(f"{value} is no box of x, y, width and height")
    return x, y, wide, high


def _file(record: Mapping[str, Any]) -> str:
    name = record["file"]
    if not isinstance(name, str):
        raise TypeError(f"{name} is no name of a file")
    return name


def _of_game(record: Mapping[str, Any], sets: Mapping[str, tuple[str, ...]]) -> Labelled:
    dice = tuple(
        Truth(
            die["kind"],
            (str(die["face"]),),
            _box(die["box"]),
            die.get("state", "flat"),
            bool(die.get("readable", True)),
            float(die.get("tilt_deg", 0.0)),
        )
        for die in record["dice"]
    )
    game = record["game"]
    clutter = ",".join(sorted(str(thing) for thing in record.get("clutter", []))) or "none"
    conditions = (
        ("game", game),
        ("look", str(record["look"])),
        ("surface", str(record["surface"])),
        ("lighting", str(record["lighting"])),
        ("tilt", _within(float(record["camera_tilt"]), (5, 10, 15, 20, 25, 35), "°")),
        ("die size", _within(float(record["die_px"]), (30, 40, 50, 65, 80, 120), " px")),
        ("clutter", clutter),
    )
    if game != "pips" and game not in sets:
        raise ValueError(f"there is no game “{game}”")
    return Labelled(_file(record), sets.get(game), dice, (), conditions)


def _of_pips(record: Mapping[str, Any]) -> Labelled:
    dice = []
    for die in record["dice"]:
        faces = [str(die["value"])] + ([str(die["means"])] if "means" in die else [])
        dice.append(Truth("pip", tuple(faces), _box(die["box"])))
    sizes = sorted(truth.size for truth in dice)
    middle = sizes[len(sizes) // 2] if sizes else 0.0
    conditions = (
        ("source", str(record["source"] or "?")),
        ("angle", str(record.get("angle") or "?")),
        ("die size", _within(middle, (30, 40, 50, 65, 80, 120, 200), " px")),
    )
    ignore = tuple(_box(box) for box in record.get("ignore", []))
    return Labelled(_file(record), None, tuple(dice), ignore, conditions)


def _within(value: float, steps: Sequence[int], unit: str) -> str:
    low = 0
    for step in steps:
        if value < step:
            return f"{low}–{step}{unit}"
        low = step
    return f"from {low}{unit}"


def overlap(one: Box, other: Box) -> float:
    """The shared part of two boxes, of the area of both."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(0.0, wide) * max(0.0, high)
    return shared / (one[2] * one[3] + other[2] * other[3] - shared + 1e-9)


def centre_in(one: Box, other: Box) -> bool:
    """Whether the middle of one box lies in the other."""
    x, y = one[0] + one[2] / 2, one[1] + one[3] / 2
    return other[0] <= x <= other[0] + other[2] and other[1] <= y <= other[1] + other[3]


def matched(read: Sequence[Box], true: Sequence[Box]) -> list[tuple[int, int]]:
    """Pairs (read, true) of boxes that are the same die, one to one, the best overlaps first."""
    offers = []
    for i, one in enumerate(read):
        for j, other in enumerate(true):
            share = overlap(one, other)
            ratio = one[2] * one[3] / max(1e-9, other[2] * other[3])
            near = centre_in(one, other) or centre_in(other, one)
            if share >= OVERLAP or (near and 1 / 16 <= ratio <= 6):
                offers.append((-share, _apart(one, other), i, j))
    pairs: list[tuple[int, int]] = []
    for _, _, i, j in sorted(offers):
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def _apart(one: Box, other: Box) -> float:
    x = one[0] + one[2] / 2 - other[0] - other[2] / 2
    y = one[1] + one[3] / 2 - other[1] - other[3] / 2
    return float((x * x + y * y) ** 0.5 / max(1.0, (other[2] * other[3]) ** 0.5))
