"""Measuring how well dice that lean are told from flat ones, on scenes that no network has learnt from."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.evaluate import read_pictures
from companion.vision.judge import LEANS, Seen
from companion.vision.labelled import matched
from companion.vision.reader import Reader
from companion.vision.sides import edge, shapes
from companion.vision.train.calibrate import WISH, make_scenes
from companion.vision.world import SETS

_SEED = 700001
"""Scenes of this seed are learnt from by no network."""
_WISH = replace(WISH, pixels=(32.0, 90.0), empty=0.0, cocked=0.2)
_FLAT, _WHOLE = 3.0, 0.95
_LEANING = ((8.0, 15.0), (15.0, 25.0), (25.0, 45.0))
"""Degrees."""
_LARGE = 50.0
"""Pixels from which a die that leans must be told."""
_BETWEEN = 45.0
"""Pixels of an edge that part small dice from large ones when the noise is measured."""
_ALLOWED = 0.025
"""Part of the flat dice that may be called cocked."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A die as seen and as it lies: errors of its lift and its shape, and how it was judged."""

    tilt: float
    edge: float
    size: float
    lift_error: tuple[float, float]
    shape_error: tuple[float, float]
    odd: float
    leaning: float


def add(parts: Any) -> None:
    """Register the part `leaning`."""
    parser = parts.add_parser("leaning", help="measure how well dice that lean are told from flat ones")
    parser.add_argument(
        "--scenes", type=Path, required=True, help="folder of rendered scenes, made if missing"
    )
    parser.add_argument("--count", type=int, default=450, help="how many scenes")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the scenes and print the noise, the trade-off and the constants they suggest."""
    cv2.setNumThreads(1)
    labels = make_scenes(arguments.scenes, arguments.count, _WISH, _SEED)
    reader, load = Reader(arguments.models), read_pictures(labels.parent)
    dice: list[Measured] = []
    for record in json.loads(labels.read_text())["images"]:
        due = SETS[record["game"]] if record["game"] != "pips" else None
        dice += measured(reader.seen(load(record["file"]), due), record["dice"])
    print("\n".join(told(dice)))  # noqa: T201
    return 0


def measured(seen: Sequence[Seen], truths: Sequence[dict[str, Any]]) -> list[Measured]:
    """The dice that lie whole in the picture and were found."""
    finds = [each.find for each in seen]
    boxes = [(x, y, right - x, bottom - y) for x, y, right, bottom in (find.box.tolist() for find in finds)]
    dice = []
    for i, j in matched(boxes, [tuple(truth["box"]) for truth in truths]):
        truth, each = truths[j], seen[i]
        if truth["state"] in ("cut_off", "stacked") or truth["visible"] < _WHOLE or each.none > 0.5:
            continue
        face = np.array(truth["top_face"], np.float32)
        left, top, wide, high = truth["box"]
        large = float(edge(face))
        lift = (face.mean(axis=0) - (left + wide / 2, top + high / 2)) / large
        seen_form, form = shapes(np.stack([each.find.corners, face]))
        off, bent = np.array(each.find.lift) - lift, seen_form - form
        dice.append(
            Measured(
                truth["tilt_deg"],
                large,
                each.find.size,
                (float(off[0]), float(off[1])),
                (float(bent.real), float(bent.imag)),
                each.odd,
                each.leaning,
            )
        )
    return dice


def told(dice: Sequence[Measured]) -> list[str]:
    """The noise, the trade-off and what they suggest, in words."""
    flat = [die for die in dice if die.tilt < _FLAT]
    groups = {f"{low:.0f}–{high:.0f}°": _between(dice, low, high) for low, high in _LEANING}
    counts = ", ".join(f"{len(group)} leaning {name}" for name, group in groups.items())
    odd = np.array([die.odd for die in flat])
    best = float(np.quantile(odd, 1 - _ALLOWED))
    lines = [
        f"{len(flat)} flat dice; of {_LARGE:.0f} px and more, {counts}",
        *_noises(flat),
        "called cocked when odder than …: flat dice, then those leaning " + ", ".join(groups),
    ]
    for least in (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, best):
        parts = [_part(die.odd > least for die in group) for group in (flat, *groups.values())]
        lines.append(f"  {least:.2f}: " + "  ".join(parts) + (" (suggested ODD)" if least is best else ""))
    parts = [_part(die.leaning > LEANS for die in group) for group in (flat, *groups.values())]
    return [*lines, "  as judged now: " + "  ".join(parts)]


def _noises(flat: Sequence[Measured]) -> list[str]:
    lift, shape = (
        noise(flat, errors)
        for errors in ([die.lift_error for die in flat], [die.shape_error for die in flat])
    )
    return [f"suggested LIFT_NOISE {lift}, SHAPE_NOISE {shape}"]


def _between(dice: Sequence[Measured], low: float, high: float) -> list[Measured]:
    return [die for die in dice if low <= die.tilt < high and die.size >= _LARGE]


def _part(hits: Any) -> str:
    values = list(hits)
    return f"{100 * sum(values) / len(values):.1f} %" if values else "none"


def noise(dice: Sequence[Measured], errors: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """How large errors are on any die, and what times the edge adds to that on small ones."""
    edges, off = np.array([die.edge for die in dice]), np.array(errors)
    small = edges < _BETWEEN
    low, high = _typical(off[~small]), _typical(off[small])
    far, near = float(np.mean(edges[~small] ** -2)), float(np.mean(edges[small] ** -2))
    more = max(0.0, (high**2 - low**2) / (near - far))
    return round(float(np.sqrt(max(1e-6, low**2 - more * far))), 3), round(float(np.sqrt(more)), 2)


def _typical(errors: NDArray[np.float64]) -> float:
    return 1.4826 * float(np.median(np.abs(errors)))
