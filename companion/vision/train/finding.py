"""Measuring the detector alone: which dice it finds, what it invents, and how well boxes and corners fit."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.detector import STATES, Detector, Find
from companion.vision.labelled import Box, Labelled, Truth, labelled, matched, overlap
from companion.vision.world import SETS

SCORE = 0.4
"""Finds from here on count as reported; the reader looks at some weaker ones, too."""
SMALLEST = 30.0
"""Dice in photographs smaller than this many pixels need not be found."""
LEAST_VISIBLE = 0.3
_HEADING = "## Measured\n"
_ABOUT = f"""Finds with a score of {SCORE} or more, the detector alone: the reader leaves out most of what it
takes for dice wrongly (`faces.md`). The photographs are all there are, those it learnt from included."""
_COLUMNS = (
    " | pictures | dice | found % | reported are dice % | pictures with something invented "
    "| box overlap | corner error (face widths, median)"
)


@dataclass(slots=True)
class Tally:
    """Counts of one group of pictures."""

    pictures: int = 0
    clean: int = 0
    wanted: int = 0
    found: int = 0
    reported: int = 0
    real: int = 0
    fit: list[float] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)

    def row(self, name: str) -> str:
        """One line of the card's table."""
        invented = self.pictures - self.clean
        corners = f"{np.median(self.corners):.3f}" if self.corners else "–"
        fit = f"{np.mean(self.fit or [0]):.2f}"
        return (
            f"| {name} | {self.pictures} | {self.wanted} | {_share(self.found, self.wanted)} "
            f"| {_share(self.real, self.reported)} | {invented} | {fit} | {corners} |"
        )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "–"


def add(parts: Any) -> None:
    """Register the part."""
    parser = parts.add_parser("finding", help="measure the detector and write the figures of its card")
    parser.add_argument("labels", type=Path, nargs="+", help="labels.json files, pictures beside them")
    parser.add_argument("--model", type=Path, default=Path("models/detector.onnx"))
    parser.add_argument("--card", type=Path, default=Path("models/detector.md"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure every picture and renew the card below its heading “Measured”, and its checksum."""
    detector = Detector(arguments.model)
    parts = [_HEADING, _ABOUT]
    for labels in arguments.labels:
        parts += ["", *_measured(detector, labels)]
    head = arguments.card.read_text(encoding="utf-8").split(_HEADING)[0]
    digest = hashlib.sha256(arguments.model.read_bytes()).hexdigest()
    lines = [f"- sha256: `{digest}`" if ln.startswith("- sha256:") else ln for ln in head.splitlines()]
    arguments.card.write_text("\n".join([*lines, *parts]) + "\n", encoding="utf-8")
    return 0


def _measured(detector: Detector, labels: Path) -> list[str]:
    groups: dict[tuple[str, str], Tally] = defaultdict(Tally)
    lying: dict[tuple[str, str], int] = defaultdict(int)
    raw = json.loads(labels.read_text(encoding="utf-8"))
    rendered = isinstance(raw, dict)
    for record, picture in zip(raw["images"] if rendered else raw, labelled(labels, SETS), strict=True):
        finds = [
            f
            for f in detector.find(np.asarray(cv2.imread(str(labels.parent / picture.file))))
            if f.score >= SCORE
        ]
        names = [("all", "all"), *picture.conditions]
        _count(finds, picture, record["dice"], [groups[name] for name in names], lying)
    out = [f"### {'Rendered pictures' if rendered else 'Photographs, dice of 30 px and up'}", ""]
    out += [f"| {_COLUMNS} |"]
    out += ["|---|---|---|---|---|---|---|---|"]
    out += [groups[name].row(name[1]) for name in _ordered(groups)]
    if rendered:
        out += ["", "How dice lie (columns: what the network says most strongly):", ""]
        out += [f"| | {' | '.join(STATES)} |", "|---|" + "---|" * len(STATES)]
        out += [f"| {s} | {' | '.join(str(lying[s, t]) for t in STATES)} |" for s in STATES]
    return out


def _ordered(groups: dict[tuple[str, str], Tally]) -> list[tuple[str, str]]:
    """Group names, one condition after the other."""
    conditions = list(dict.fromkeys(name[0] for name in groups if name[0] != "clutter"))
    return sorted((n for n in groups if n[0] in conditions), key=lambda n: (conditions.index(n[0]), n[1]))


def _count(
    finds: list[Find],
    picture: Labelled,
    dice: list[dict[str, Any]],
    tallies: list[Tally],
    lying: dict[tuple[str, str], int],
) -> None:
    boxes = [_box(find) for find in finds]
    pairs = matched(boxes, [truth.box for truth in picture.dice])
    claimed = {i for i, _ in pairs}
    invented = sum(1 for i in range(len(finds)) if i not in claimed)
    needed = {j for j, truth in enumerate(picture.dice) if _needed(truth, dice[j])}
    for tally in tallies:
        tally.pictures += 1
        tally.clean += not invented
        tally.wanted += len(needed)
        tally.found += len(needed & {j for _, j in pairs})
        tally.reported += len(pairs) + invented
        tally.real += len(pairs)
        for i, j in pairs:
            tally.fit.append(overlap(boxes[i], picture.dice[j].box))
            if "top_face" in dice[j]:
                tally.corners.append(_corner_error(finds[i], dice[j]["top_face"]))
    for i, j in pairs:
        lying[picture.dice[j].state, STATES[int(np.argmax(finds[i].states))]] += 1


def _needed(truth: Truth, die: dict[str, Any]) -> bool:
    return float(die.get("visible", 1)) >= LEAST_VISIBLE and ("top_face" in die or truth.size >= SMALLEST)


def _box(find: Find) -> Box:
    left, top, right, bottom = (float(n) for n in find.box)
    return left, top, right - left, bottom - top


def _corner_error(find: Find, wanted: list[list[float]]) -> float:
    """Mean distance of the corners in widths of the face, whichever comes first."""
    true = np.array(wanted)
    wide = float(np.linalg.norm(true[1] - true[0]))
    return (
        min(float(np.linalg.norm(np.roll(find.corners, k, 0) - true, axis=1).mean()) for k in range(4)) / wide
    )
