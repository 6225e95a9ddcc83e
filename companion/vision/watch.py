"""Waits for one throw: which of the readings of the table may be believed, and when."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import atan2, degrees, dist, log, prod, sqrt

import numpy as np

from companion.dice import Roll, Throw
from companion.vision.reading import Doubt, Image, Reading, Sentence, Spotted

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class WatchLimits:
    """When readings agree, and how long to wait for it."""

    agreeing: int = 3
    """Readings in a row, on frames of their own noise: one can be a fluke of a frame, three are not, and
    they take 0.2 s of the 0.4 s in which a roll must be trusted."""
    patience: int = 8
    """Readings (0.5 s at 15 fps) without such agreement, after which the doubt is shown."""
    same_place: float = 0.2
    """Die widths: two looks at a die that nobody touched differ by less than a tenth."""
    same_turn: float = 12.0
    """Degrees: likewise; most dice that were picked up and thrown fall at another angle."""
    untouched: float = 0.5
    """What part of both a die may differ from one that lay there before the throw: of eight dice that were
    thrown, one falls within the whole of them on such a place every hundredth time or so."""
    pushed_apart: float = 0.1
    """By how much, as a log-ratio, dice that are pushed together may seem to come nearer to one another."""
    pushed_alone: float = 5.0
    """How many times as far off as `same_place` a single die with the same face, turned alike, was pushed."""


LIMITS = WatchLimits()
_NO_PICTURE = np.zeros((0, 0, 3), np.uint8)
_FEW_MOVED = "Only %(moved)s of %(due)s dice have moved: throw them all."
_PUSHED = "Only pushed, not thrown: throw again."


@dataclass(frozen=True, slots=True)
class Trusted:
    """A roll to be believed, and the reading it came from. `nearest_first`: as in `Rolled`."""

    roll: Roll
    confidence: float
    reading: Reading
    nearest_first: bool = False


class Watch:
    """Looks for the throw that is due, from the moment it falls due; a new throw needs a new watch.

    It believes nothing until something has moved, for the old dice are still lying there, and after that
    only dice that no longer lie as they lay, and have not all been pushed together. A roll it trusted stands
    while a hand passes over the dice or takes some away, also if it brushes another; else it is read anew
    when one of them has moved.
    """

    def __init__(
        self,
        due: Throw | None,
        before: Reading | None = None,
        from_tray: Callable[[Point], float | None] = lambda point: None,
        limits: WatchLimits = LIMITS,
    ) -> None:
        """`due` None: any dice will do. `before`: the dice that lay there when the throw fell due, as far
        as they are known. `from_tray`: how far a point of the picture is from the drawn tray, if any."""
        self.standing: Trusted | None = None
        self.decided = False
        self._due = len(due.kinds) if due else 1
        self._from_tray = from_tray
        self._limits = limits
        self._old: tuple[Spotted, ...] = before.dice if before else ()
        self._moved = False
        self._thrown = False
        self._latest: deque[Reading] = deque(maxlen=limits.agreeing)
        self._looks = 0

    @property
    def moved(self) -> bool:
        """Whether anything has moved since the throw fell due."""
        return self._moved

    def see(self, reading: Reading | None, image: Image = _NO_PICTURE) -> Trusted | Doubt | None:
        """Take the reading of the next frame and its picture, None while things move; say so when a roll is
        to be trusted, or stays in doubt. Once `decided`, no more readings are needed until things move."""
        if reading is None:
            self._moved = True
            self.decided = False
            self._latest.clear()
            self._looks = 0
            return None
        if self.decided:
            return None
        self._looks += 1
        if not self._moved:
            self._old += self._fresh(reading.dice)
            self.decided = self._looks == self._limits.agreeing
            return None
        self._latest.append(reading)
        agreed = len(self._latest) == self._limits.agreeing and all(
            self._same(reading, other) for other in self._latest
        )
        if not agreed and self._looks < self._limits.patience:
            return None
        moved = self._count_moved(reading, agreed)
        if not moved and (self.standing is not None or not self._thrown or not reading.roll):
            self.decided = True
            return None
        if not agreed or not reading.roll:
            self.decided = agreed and self._only_fewer(reading, moved)
            return None if self.decided else self._doubt(reading, image)
        if not self._thrown and moved < self._due:
            few = Sentence(_FEW_MOVED, (("moved", str(moved)), ("due", str(self._due))))
            return self._doubt(replace(reading, roll=None, doubts=(*reading.doubts, few)), image)
        if not self._thrown and self._pushed(self._rolled(reading, reading.roll)):
            pushed = (*reading.doubts, Sentence(_PUSHED))
            return self._doubt(replace(reading, roll=None, doubts=pushed), image)
        return self._trust(reading, reading.roll)

    def _count_moved(self, reading: Reading, agreed: bool) -> int:
        """How many dice do not lie as they lay; of a roll, only its own: to set others aside is no throw."""
        if agreed and reading.roll:
            fresh = self._fresh(reading.dice)
            return sum(one in fresh for one in self._rolled(reading, reading.roll))
        return max(len(self._fresh(look.dice)) for look in ([reading] if agreed else self._latest))

    def _only_fewer(self, reading: Reading, moved: int) -> bool:
        """Whether dice were taken from the roll that stands, and some of the others at most brushed."""
        if self.standing is None or any(one.state != "flat" for one in reading.dice):
            return False
        left = Counter(one.die for one in reading.dice)
        return left < Counter(one.die for one in self.standing.reading.dice) and 2 * moved <= left.total()

    def _pushed(self, dice: tuple[Spotted, ...]) -> bool:
        """Whether these dice lie to one another as they lay before: a mat was pulled, or one die nudged."""
        if len(dice) == 1:
            near = self._limits.pushed_alone
            return any(old.die == dice[0].die and self._lies_as(dice[0], old, near) for old in self._old)
        ends = max(combinations(dice, 2), key=lambda pair: abs(_place(pair[0]) - _place(pair[1])))
        after = _place(ends[1]) - _place(ends[0])
        for pair in permutations(self._old, 2):
            before = _place(pair[1]) - _place(pair[0])
            if (pair[0].die, pair[1].die) != (ends[0].die, ends[1].die) or not before or not after:
                continue
            turn = after / before
            if abs(log(abs(turn))) < self._limits.pushed_apart:
                moved = [_carried(old, turn, _place(ends[0]) - _place(pair[0]) * turn) for old in self._old]
                if all(any(old.die == one.die and self._lies_as(one, old) for old in moved) for one in dice):
                    return True
        return False

    def _trust(self, reading: Reading, roll: Roll) -> Trusted:
        dice = self._rolled(reading, roll)
        confidence = sum(prod(one.confidence for one in self._rolled(look, roll)) for look in self._latest)
        ways = [way for one in dice if (way := self._from_tray(one.centre)) is not None]
        ordered = len(ways) == len(dice)
        if ordered:
            roll = tuple(dice[i].die for i in sorted(range(len(dice)), key=lambda i: ways[i]))
        self.standing = Trusted(roll, confidence / len(self._latest), reading, ordered)
        self.decided = self._thrown = True
        self._old = reading.dice
        return self.standing

    def _doubt(self, reading: Reading, image: Image) -> Doubt | None:
        """The doubt, told once when patience ends; further readings may still settle it."""
        if self._looks < self._limits.patience:
            return None
        self.standing = None
        return Doubt(reading, image) if self._looks == self._limits.patience else None

    def _rolled(self, reading: Reading, roll: Roll) -> tuple[Spotted, ...]:
        """The dice that make up the roll; among like dice, those that have moved."""
        fresh = self._fresh(reading.dice)
        pool = sorted(reading.dice, key=lambda one: (one.state != "flat", one not in fresh))
        chosen = []
        for die in roll:
            one = next(one for one in pool if one.die == die)
            pool.remove(one)
            chosen.append(one)
        return tuple(chosen)

    def _fresh(self, dice: tuple[Spotted, ...]) -> tuple[Spotted, ...]:
        """The dice that do not lie as one lay before."""
        slack = 1.0 if self._thrown else self._limits.untouched
        return tuple(
            one for one in dice if not any(self._lies_as(one, old, slack, slack) for old in self._old)
        )

    def _same(self, one: Reading, other: Reading) -> bool:
        """Whether two looks show the same: the same roll, every die where it was."""
        if one is other:
            return True
        if sorted(one.roll or ()) != sorted(other.roll or ()) or len(one.dice) != len(other.dice):
            return False
        return all(any(self._lies_as(die, there) for there in other.dice) for die in one.dice)

    def _lies_as(self, one: Spotted, other: Spotted, near: float = 1.0, aligned: float = 1.0) -> bool:
        """Whether a die lies as another one did that may have been read less surely, but not more so; `near`
        and `aligned` times as far off as two looks at one die may be."""
        width = sqrt(other.box[2] * other.box[3])
        if dist(one.centre, other.centre) > near * self._limits.same_place * width:
            return False
        if one.top_face and other.top_face:
            turn = abs(angle(one) - angle(other)) % 90
            if min(turn, 90 - turn) > aligned * self._limits.same_turn:
                return False
        return (one.die == other.die and one.state == other.state) or not other.sure


def _place(one: Spotted) -> complex:
    return complex(*one.centre)


def _carried(one: Spotted, turn: complex, start: complex) -> Spotted:
    """A die after all of the table was turned, and then shifted so that what was at 0 is at `start`."""
    x, y, width, height = one.box
    middle = complex(x + width / 2, y + height / 2) * turn + start
    corners = [complex(*corner) * turn + start for corner in one.top_face]
    box = (middle.real - width / 2, middle.imag - height / 2, width, height)
    return replace(one, box=box, top_face=tuple((corner.real, corner.imag) for corner in corners))


def angle(one: Spotted) -> float:
    """How far the upper face is turned, in degrees, by all its edges; a quarter turn looks the same."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = one.top_face
    return (degrees(atan2(cy - ay + bx - dx, cx - ax - by + dy)) - 45) % 90
