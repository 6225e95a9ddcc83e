"""Reading a picture: find the dice, read each upper face, and choose the likeliest joint reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.dice import KINDS, Die, Roll
from companion.vision import colours
from companion.vision.detector import Detector, Find
from companion.vision.doubts import doubts_about, roll_of
from companion.vision.faces import FACES, FaceNetwork, Floats, Glance, rectified
from companion.vision.joint import assign, expected
from companion.vision.models import model_file
from companion.vision.reading import DieState, Image, Reading, Spotted
from companion.vision.signs import coloured, fits
from companion.vision.trust import SURE, trusted

Zone = tuple[tuple[float, float], ...]

STRANGER = 0.01
"""How likely a real die in view is none of those expected."""
FOREIGN = 0.6
"""A stranger is only named when it is a die at least this surely; anything less is clutter."""
PIP = 0.4
"""When nothing is known about the dice due, a find is reported from this chance of being a die on."""
LEANS, CUT, HIDDEN = 0.5, 0.5, 0.5
"""Chances from which a die counts as cocked, cut off or stacked."""
_NONE = FACES.index("none")


class NotAPicture(ValueError):
    """An array that is no picture: not height × width (× 3) bytes, or too small to hold a die."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A find with what the second network makes of its face under each lamp."""

    find: Find
    glances: tuple[Glance, ...]

    @property
    def real(self) -> float:
        """The chance that this is a die showing an upper face."""
        return self.find.score * float(1 - np.exp(self.glances[0].face[_NONE]))


class Reader:
    """Reads pictures of dice; make one and keep it, the networks take a moment to load."""

    def __init__(self, models: Path | None = None, threads: int = 1) -> None:
        self._detector = Detector(model_file("detector.onnx", models), threads)
        self._faces = FaceNetwork(
            model_file("faces.onnx", models), model_file("colours.onnx", models), threads
        )

    def read(
        self,
        image: Image,
        due: tuple[str, ...] | None,
        lying: Roll = (),
        zone: Zone | None = None,
        white: colours.White | None = None,
    ) -> Reading:
        """All dice in the picture (inside the zone, if given) and, when there is no doubt, the roll.

        `due` are the kinds due; None reads any number of ordinary dice. `lying` may stay in view and is not
        part of the roll. `white` are the gains that make the mat's white patch white.
        """
        picture = checked(image)
        finds = [find for find in self._detector.find(picture) if inside(find, zone)]
        everything = None if due is None else (*due, *(die.kind for die in lying))
        seen = self._look(picture, finds, white, everything is not None and coloured(everything))
        if due is None:
            spotted = [spot for each in seen if (spot := ordinary(each, picture)) is not None]
        else:
            spotted = jointly(seen, due, lying, picture)
        spotted.sort(key=lambda spot: (spot.state == "foreign", spot.box[1], spot.box[0]))
        dice = tuple(spotted)
        roll = roll_of(dice, due, lying)
        return Reading(dice, roll, () if roll is not None else doubts_about(dice, due, lying))

    def _look(
        self, picture: Image, finds: Sequence[Find], white: colours.White | None, lamps: bool
    ) -> list[Seen]:
        if not finds:
            return []
        stack = colours.balanced([rectified(picture, find.corners) for find in finds], white)
        marks = self._faces.marks(stack)
        gains = colours.lamps()[0] if lamps else colours.PLAIN
        tints = [self._faces.colours(colours.under(stack, gain)) for gain in gains]
        return [
            Seen(find, tuple(Glance(face, *tint[i], lying) for tint in tints))
            for i, (find, (face, lying)) in enumerate(zip(finds, marks, strict=True))
        ]


def checked(image: Image) -> Image:
    """The picture as height × width × 3 bytes."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or min(image.shape[:2]) < 16:
        raise NotAPicture(f"a picture is needed, not an array of {image.dtype} with shape {image.shape}")
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] != 3:
        raise NotAPicture(f"a picture has three colours, not {image.shape[2]}")
    return image


def inside(find: Find, zone: Zone | None) -> bool:
    """Whether the die's upper face lies in the roll zone."""
    if zone is None:
        return True
    outline = np.array(zone, np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(outline, find.centre, False) >= 0


def state_of(find: Find, glance: Glance, picture: Image) -> DieState:
    """How the die lies."""
    height, width = picture.shape[:2]
    leaning = 0.5 * float(find.states[1]) + 0.5 * float(np.exp(glance.lying[1]))
    edge = min(find.box[0], find.box[1], width - find.box[2], height - find.box[3])
    if find.states[2] > CUT and edge < 0.15 * find.size:
        return "cut_off"
    if find.states[3] > HIDDEN:
        return "stacked"
    return "cocked" if leaning > LEANS else "flat"


def ordinary(seen: Seen, picture: Image) -> Spotted | None:
    """An ordinary die read on its own, or None if this is hardly one."""
    faces = np.exp(seen.glances[0].face.astype(np.float64))
    pips = faces[:6]
    if seen.real < PIP or pips.sum() < 0.5:
        return None
    return _spot(seen, "pip", pips / faces.sum(), picture, seen.find.score)


def jointly(seen: Sequence[Seen], due: tuple[str, ...], lying: Roll, picture: Image) -> list[Spotted]:
    """All dice seen as the likeliest assignment to the dice expected; strangers at the end."""
    if not seen:
        return []
    expect = expected(due, [die.kind for die in lying])
    lamps = len(seen[0].glances)
    real = np.array([each.real for each in seen])
    fitting = [[[fits(glance, kind) for kind in expect.kinds] for glance in each.glances] for each in seen]
    weights = np.array(
        [[[values.sum() for values in fitting[i][lamp]] for i in range(len(seen))] for lamp in range(lamps)]
    )
    weights = weights * real[None, :, None]
    prior = colours.lamps()[1] if lamps > 1 else None
    chosen = assign(weights, (1 - real) + STRANGER, expect, prior)
    spotted = []
    for i, each in enumerate(seen):
        kind = chosen.best[i]
        if kind < len(expect.kinds):
            mixed = sum(chosen.lamps[lamp] * _share(fitting[i][lamp][kind]) for lamp in range(lamps))
            spotted.append(
                _spot(each, expect.kinds[kind], np.asarray(mixed), picture, float(chosen.chances[i, kind]))
            )
        elif each.real > FOREIGN:
            guess = int(np.argmax(weights[0, i]))
            shares = _share(fitting[i][0][guess])
            spot = _spot(each, expect.kinds[guess], shares, picture, 0.0)
            spotted.append(replace(spot, state="foreign", sure=False))
    return spotted


def _share(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(values / max(float(values.sum()), 1e-12))


def _spot(seen: Seen, kind: str, chances: NDArray[np.float64], picture: Image, chance: float) -> Spotted:
    """The die as reported: its likeliest face, calibrated confidence and state."""
    names = KINDS[kind].faces
    order = np.argsort(-chances)
    height, width = picture.shape[:2]
    left, top = max(0.0, float(seen.find.box[0])), max(0.0, float(seen.find.box[1]))
    right, bottom = min(float(width), float(seen.find.box[2])), min(float(height), float(seen.find.box[3]))
    state = state_of(seen.find, seen.glances[0], picture)
    confidence = trusted(float(chances[order[0]]) * chance, seen.find, seen.glances[0])
    return Spotted(
        die=Die(kind, names[int(order[0])]),
        box=(round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)),
        confidence=round(confidence, 4),
        state=state,
        alternatives=tuple((names[int(i)], round(float(chances[i]), 4)) for i in order if chances[i] > 0.001)[
            :4
        ],
        top_face=tuple((round(float(x), 1), round(float(y), 1)) for x, y in _points(seen.find.corners)),
        sure=state == "flat" and confidence >= SURE,
    )


def _points(corners: Floats) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in corners]
