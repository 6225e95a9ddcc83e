"""Reading a picture: find the dice, read each upper face, and choose the likeliest joint reading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.dice import Roll
from companion.vision import colours
from companion.vision.aim import Aim, different
from companion.vision.detector import Detector, Find
from companion.vision.doubts import doubts_about, roll_of
from companion.vision.faces import FaceNetwork, Floats, Glance, rectified
from companion.vision.judge import Noted, Seen, jointly, ordinary, outermost, understood
from companion.vision.leaning import oddness
from companion.vision.models import model_file
from companion.vision.pictures import LEAST_SIDE
from companion.vision.reading import Image, Reading, Spotted
from companion.vision.sides import edge
from companion.vision.signs import coloured
from companion.vision.trust import ALONE, ALONE_ONE, Trust, may_be_sure, passes, vouched_for

Zone = tuple[tuple[float, float], ...]

SPARE = 6
"""So many finds more than the dice expected are looked at closely: clutter that outshines a dim die."""


LIKELY, DOUBTFUL, BETTER, SPARED = 0.3, 0.9, 0.1, 0.45
"""A find with at least this score whose face is read with less than that chance may be cut out wrongly: its
corners are looked for again. What is found counts if it reads so much better and is no other die; from a
start within the face, only if it is doubtful no more. Finds below the last score are spared that where enough
others are likelier and plain."""
FACELESS, HOPELESS = 0.8, 0.3
"""What shows no upper face with this chance is no face that was cut out wrongly; and what is read with less
than that chance from new corners needs no further looks."""
LOOK_AGAIN, SURELY_ODD = 2.0, 7.0
"""A die whose slant is off by so many times its noise is measured again, by four looks, unless it is off by
so many that it surely leans."""


class NotAPicture(ValueError):
    """An array that is no picture: not height × width (× 3) bytes, or too small to hold a die."""


class Reader:
    """Reads pictures of dice; make one and keep it, the networks take a moment to load."""

    def __init__(self, models: Path | None = None, threads: int = 1, trust: Trust | None = None) -> None:
        self._trust = trust or Trust.shipped(models)
        self._detector = Detector(model_file("detector.onnx", models), threads)
        self._aim = Aim(model_file("corners.onnx", models), model_file("slants.onnx", models), threads)
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
        noted = self.noted(image, due, lying, zone, white)
        spotted = self._weighed(noted)
        spotted.sort(key=lambda spot: (spot.state == "foreign", spot.box[1], spot.box[0]))
        dice = tuple(spotted)
        roll = roll_of(dice, due, lying)
        return Reading(dice, roll, () if roll is not None else doubts_about(dice, due, lying))

    def noted(
        self,
        image: Image,
        due: tuple[str, ...] | None,
        lying: Roll = (),
        zone: Zone | None = None,
        white: colours.White | None = None,
    ) -> list[Noted]:
        """All dice in the picture, not weighed yet, each with the signs that tell how far to trust it."""
        picture = checked(image)
        size = (picture.shape[1], picture.shape[0])
        seen = outermost(self.seen(picture, due, lying, zone, white))
        noted = understood(ordinary(seen, size) if due is None else jointly(seen, due, lying, size))
        return self._plain(picture, noted, any_number=due is None)

    def seen(
        self,
        picture: Image,
        due: tuple[str, ...] | None,
        lying: Roll = (),
        zone: Zone | None = None,
        white: colours.White | None = None,
    ) -> list[Seen]:
        """What may be a die, with all that the networks tell of it."""
        kinds = () if due is None else (*due, *(die.kind for die in lying))
        finds = self._detector.find(picture, max(1, len(kinds)), lambda find: inside(find, zone))
        if due is not None:
            finds = finds[: len(kinds) + SPARE]
            # Vague ones are never sure: they only matter where too few others may be the dice due.
            likely = [find for find in finds if find.score > LIKELY]
            finds = tuple(likely) if len(likely) >= len(kinds) else finds
        # Where exactly a die lies is known only now: one of its finds may have been within, another without.
        return [each for each in self._look(picture, finds, white, kinds) if inside(each.find, zone)]

    def _plain(self, picture: Image, noted: Sequence[Noted], any_number: bool) -> list[Noted]:
        """The same, with those plain enough to be sure marked so. Where any number of dice may lie, no count
        tells that something is amiss; there, and where few are plain, each is looked at from closer by."""
        seen = [replace(each, plain=may_be_sure(each.signs)) for each in noted]
        if not any_number and vouched_for(each.signs for each in noted):
            return seen
        hopeful = [i for i, each in enumerate(seen) if each.plain and each.spot.state == "flat"]
        faces = [(*seen[i].spot.centre, seen[i].signs.size) for i in hopeful]
        for i, score in zip(hopeful, self._detector.closer(picture, faces), strict=True):
            limits = ALONE_ONE if seen[i].spot.die.face == "1" else ALONE
            seen[i] = replace(seen[i], plain=passes(replace(seen[i].signs, score=score), limits))
        return seen

    def _weighed(self, noted: Sequence[Noted]) -> list[Spotted]:
        """The dice, each with its confidence, and sure or not; a stranger has neither."""
        chances = self._trust.confidences([each.signs for each in noted])
        return [
            each.spot if each.spot.state == "foreign" else self._sure(each, chance)
            for each, chance in zip(noted, chances, strict=True)
        ]

    def _sure(self, noted: Noted, confidence: float) -> Spotted:
        sure = noted.plain and noted.spot.state == "flat" and confidence >= self._trust.sure
        return replace(noted.spot, confidence=round(confidence, 4), sure=sure)

    def _look(
        self, picture: Image, finds: Sequence[Find], white: colours.White | None, kinds: tuple[str, ...]
    ) -> list[Seen]:
        if not finds:
            return []
        finds = self._aim.corrected(picture, finds)
        stack = cut(picture, finds, white)
        looked = _Looked(finds, stack, self._faces.marks(stack))
        if doubtful := looked.doubtful(len(kinds)):
            again = [i for i in doubtful if faceless(looked.marks[i]) < FACELESS]
            plain = looked.plain()
            self._restart(picture, looked, again, usual_edge(plain) if kinds and plain else None, white)
            looked.marks = self._faces.through_specks(stack, looked.marks)
        marks = looked.marks
        gains = colours.lamps()[0] if coloured(kinds) else colours.PLAIN
        bodies, inks = self._faces.colours(stack, gains, crosses="colour" in kinds)
        real = [find for find, face in zip(finds, marks, strict=True) if faceless(face) < 0.5]
        slants = dict(zip(map(id, real), self._slants(picture, real), strict=True))
        seen = []
        for i, (find, face) in enumerate(zip(finds, marks, strict=True)):
            measured, odd = slants.get(id(find), (find, 0.0))
            seen.append(Seen(measured, Glance(face, bodies[:, i], inks[i]), odd))
        return seen

    def _restart(
        self,
        picture: Image,
        looked: _Looked,
        doubtful: list[int],
        usual: float | None,
        white: colours.White | None,
    ) -> None:
        """Look for the corners of these finds again; what is read better from there takes their places."""
        if not doubtful:
            return
        finds, marks = looked.finds, looked.marks
        rounds = self._aim.restarted(picture, [finds[i] for i in doubtful], usual)
        again = [find for ends in rounds for find in ends]
        crops = cut(picture, again, white)
        looks = zip(doubtful * len(rounds), again, crops, self._faces.marks(crops, HOPELESS), strict=True)
        for n, (i, find, crop, mark) in enumerate(looks):
            least = BETTER + surest(marks[i]) if n < len(doubtful) else max(DOUBTFUL, surest(marks[i]))
            others = [other for j, other in enumerate(finds) if j != i and other.score > LIKELY]
            if surest(mark) > least and one_more(others, find):
                finds[i], looked.stack[i], marks[i] = find, crop, mark

    def _slants(self, picture: Image, finds: list[Find]) -> list[tuple[Find, float]]:
        """The finds, and how odd the slant of each is; those that seem to lean are measured again."""
        size = (picture.shape[1], picture.shape[0])
        odd = oddness(finds, size)
        again = [i for i, value in enumerate(odd) if LOOK_AGAIN < value < SURELY_ODD]
        seen = finds.copy()
        for i, find in zip(again, self._aim.measured(picture, [finds[i] for i in again]), strict=True):
            seen[i] = find
        return list(zip(seen, oddness(seen, size, finds) if again else odd, strict=True))


@dataclass(slots=True, eq=False)
class _Looked:
    """Finds of a picture, their upright faces, and what the network makes of each."""

    finds: list[Find]
    stack: Floats
    marks: Floats

    def plain(self) -> list[Find]:
        """Those that are likely dice and read without doubt."""
        both = zip(self.finds, self.marks, strict=True)
        return [find for find, mark in both if find.score > LIKELY and surest(mark) >= DOUBTFUL]

    def doubtful(self, due: int) -> list[int]:
        """Those that are likely dice and read with doubt; where as many plain ones as are due, if that is
        known, are likelier, only those that may be one die too many."""
        both = list(enumerate(zip(self.finds, self.marks, strict=True)))
        doubtful = [i for i, (find, mark) in both if find.score > LIKELY and surest(mark) < DOUBTFUL]
        if not due:
            return doubtful
        scores = [find.score for find in self.plain()]
        vague = [i for i in doubtful if self.finds[i].score < SPARED]
        enough = {i for i in vague if sum(score > self.finds[i].score for score in scores) >= due}
        return [i for i in doubtful if i not in enough]


def cut(picture: Image, finds: Sequence[Find], white: colours.White | None) -> Floats:
    """The upright faces of the finds, corrected by the mat's white when there is one."""
    return colours.balanced(rectified(picture, np.stack([find.corners for find in finds])), white)


def one_more(finds: Sequence[Find], find: Find) -> bool:
    """Whether a find is another face than all of these."""
    return not finds or len(different([*finds, find])) > len(different(finds))


def usual_edge(finds: Sequence[Find]) -> float:
    """The usual edge of the faces of finds, in pixels."""
    return float(np.median(edge(np.stack([find.corners for find in finds]))))


def surest(face: Floats) -> float:
    """The chance of the likeliest face."""
    return math.exp(float(face[:-1].max()))


def faceless(face: Floats) -> float:
    """The chance that no upper face is to be seen."""
    return math.exp(float(face[-1]))


def checked(image: Image) -> Image:
    """The picture as height × width × 3 bytes."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or min(image.shape[:2]) < LEAST_SIDE:
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
