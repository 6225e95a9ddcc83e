"""From what the networks saw to dice: which die each find is, which face it shows and how it lies."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.dice import KINDS, Die, Roll
from companion.vision.colours import lamps as known_lamps
from companion.vision.detector import MUCH_SMALLER, Find, shared_areas
from companion.vision.faces import FACES, Glance, log_chances
from companion.vision.joint import assign, expected
from companion.vision.reading import DieState, Spotted
from companion.vision.sides import edge
from companion.vision.signs import familiar, fits, shown
from companion.vision.trust import Signs, log_odds

HALF, STEEP = 0.45, 14.0
"""The detector's score at which a find is a die half the time, and how fast that changes."""
STRANGER = 0.01
"""How likely a real die in view is none of those expected."""
STRANGE = 0.02
"""How likely, against the others, is a face that none of the dice expected shows: a bomb among worm dice is
most likely a worm."""
FOREIGN, ODD_SIZED, AS_PLAIN, IN_PART = 0.9, 0.95, (0.3, 0.04), (0.5, 0.9)
"""A stranger is only named when it is a die at least this surely; anything less is clutter. More is asked of
one that is not as large as the others: print that looks like a face comes in all sizes. One that is as large
is named, too, where the detector scores it at least so and it shows no face with at most that chance, which
may be more where it is cut off: it may be one of the dice due instead."""
DIE = np.array([-1.9, 2.2, 0.3, 0.75])
"""What tells that a find is an ordinary die when nothing is known about the dice due: a constant, and the
log-odds of the detector's score, of a face at all, of pips rather than symbols. Fitted to photographs and
rendered scenes."""
PIP, READ = 0.4, 0.15
"""Such a find is reported from this chance on, if its face is read with that chance."""
LEAST, TINY, TINY_PIP = 14.0, 22.0, 0.9
"""Pixels below which nothing but what is plainly a die is reported then: specks are far more frequent than
such dice; and below which a find is reported from this chance on only."""
PLAINLY = 0.7
"""The score from which a find is told of even if it is tiny or cannot be read: no roll is sure without it."""
ALIKE = ("stars", "worm")
"""Symbols that blurred pips are taken for: hardly ever there where ordinary dice should lie. What looks like
another symbol is mostly clutter."""
WITHIN, LIKELIER, PART_OF = 0.7, 0.1, 0.1
"""A much smaller find with this part of its box within another is a pip of that one, unless it is so much
likelier a die, or the other hardly one."""
LEANS, HIDDEN = 0.5, 0.5
"""Chances from which a die counts as cocked or stacked."""
CUT = 0.1
"""Chance from which a die at the very edge counts as cut off: a die wholly in view seldom comes near it."""
ODD = 3.0
"""How many times its noise the slant of a die that leans is off from what the other dice promise. Some flat
dice are, too: `python -m companion.vision.train leaning` tells how many (`models/corners.md`). At 3.2 three
more in a hundred of the uneven dice of rendered pictures pass; one or two more of their rolls are sure."""
_ODD_STEP = 0.4
_SIZES, _ANY_SIZES, _SIZE_STEP, _FEW = 0.3, 0.42, 0.08, 3
"""How differently large (as a log-ratio of edges) dice of one throw look, near and far, and any dice of one
picture; how fast it becomes unlikely beyond; and how many plain finds it takes to tell the usual size.
"""
_NONE = FACES.index("none")
_PIPS = 6
_ORDINARY = np.array([0.05 if face in ALIKE else 1.0 for face in FACES[:_NONE]])

Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A find with what the second network makes of its face, and the colours under each lamp."""

    find: Find
    glance: Glance
    odd: float = 0.0
    """How many times its noise its slant is off from what the other dice promise."""

    @property
    def none(self) -> float:
        """The chance that no upper face is to be seen here."""
        return math.exp(self.glance.face[_NONE])

    @property
    def found(self) -> float:
        """The chance, by the detector's score, that this is a die."""
        return 1 / (1 + math.exp((HALF - self.find.score) * STEEP))

    @property
    def real(self) -> float:
        """The chance that this is a die showing an upper face: found, plain to read, and lying as dice do."""
        return self.told * (1 - 0.4 * self.leaning)

    @property
    def told(self) -> float:
        """The chance that this is a die whose upper face can be read, however it lies."""
        return self.found * math.exp(self.glance.face[:_NONE].max())

    @property
    def leaning(self) -> float:
        """The chance that it does not lie flat."""
        return 1 / (1 + math.exp((ODD - self.odd) / _ODD_STEP))


@dataclass(frozen=True, slots=True)
class Noted:
    """A die as read, not yet weighed, the signs that tell how far to trust it, and whether it is plain enough
    to be sure at all."""

    spot: Spotted
    signs: Signs
    plain: bool = False


def outermost(seen: Sequence[Seen]) -> list[Seen]:
    """What is seen without the pips of large dice that pass for dice, and without heaps of dice that pass for
    one: of two finds, one within the other and much smaller, only one is a die."""
    if not seen:
        return []
    sizes = np.array([each.find.size for each in seen])
    real = np.array([each.real for each in seen])
    within = shared_areas([each.find for each in seen]) > WITHIN * sizes[:, None] ** 2
    within &= sizes[:, None] < MUCH_SMALLER * sizes
    likelier = real[:, None] > real + LIKELIER
    heap = (within & likelier).any(axis=0)
    part = (within & ~likelier & (real > PART_OF) & ~heap).any(axis=1)
    dropped = np.asarray(part | heap).tolist()
    return [each for each, drop in zip(seen, dropped, strict=True) if not drop]


def ordinary(seen: Sequence[Seen], size: tuple[int, int]) -> list[Noted]:
    """Any number of ordinary dice, each read on its own; what is hardly a die is left out."""
    noted = []
    for each, alike in zip(seen, of_one_size(seen, _ANY_SIZES).tolist(), strict=True):
        faces = np.exp(each.glance.face.astype(np.float64))
        pips, whole = faces[:_PIPS], float(faces[:_NONE] @ _ORDINARY)
        share = pips.max() / whole
        odds = log_odds(np.array([each.find.score, 1 - each.none, share]))
        least = PIP if each.find.size >= TINY else TINY_PIP
        read = each.find.size >= LEAST and (1 - each.none) * share >= READ
        die = read and DIE @ (1, *odds) >= math.log(least / (1 - least))
        if die or each.find.score > PLAINLY:
            noted.append(_noted(each, "pip", pips / whole, alike, size))
    return noted


def jointly(seen: Sequence[Seen], due: tuple[str, ...], lying: Roll, size: tuple[int, int]) -> list[Noted]:
    """All dice seen as the likeliest assignment to the dice expected, and strangers that surely are dice."""
    expect = expected(due, [die.kind for die in lying])
    if not seen or not expect.kinds:
        return []
    known = familiar(_together(seen), expect.kinds)
    seen = _expecting(seen, expect.kinds)
    sized = of_one_size(seen)
    real = np.array([each.real for each in seen]) * sized
    looks = _together(seen)
    fit = [fits(looks, kind) for kind in expect.kinds]  # of each kind, [lamp, die, face]
    weights = np.stack([values.sum(axis=2) for values in fit], axis=2)
    prior = known_lamps()[1] if len(weights) > 1 else None
    chosen = assign(weights * real[None, :, None], (1 - real) + STRANGER, expect, prior)
    noted = []
    for i, each in enumerate(seen):
        kind = chosen.best[i]
        if kind < len(expect.kinds):
            mixed = chosen.lamps @ _share(fit[kind][:, i])
            certain = float(chosen.chances[i, kind]) * float(known[i, kind] * sized[i])
            noted.append(_noted(each, expect.kinds[kind], mixed, certain, size))
        elif _stranger(each, sized[i] > 0.5, state_of(each, size)):
            guess = int(np.argmax(weights[0, i]))
            stranger = _noted(each, expect.kinds[guess], _share(fit[guess][0, i]), 0.0, size)
            noted.append(replace(stranger, spot=replace(stranger.spot, state="foreign")))
    return noted


def _stranger(seen: Seen, as_large: bool, state: DieState) -> bool:
    """Whether a find that is none of the dice expected is surely a die, however it lies and whether it can be
    read or not: the dice due may be it and not those taken for them."""
    if not as_large:
        return seen.told > ODD_SIZED
    score = seen.find.score
    limits = (AS_PLAIN, IN_PART) if state == "cut_off" else (AS_PLAIN,)
    plain = any(score >= least and seen.none <= none for least, none in limits)
    return plain or score > PLAINLY or seen.told > FOREIGN


def _expecting(seen: Sequence[Seen], kinds: tuple[str, ...]) -> list[Seen]:
    """The same, with faces that none of these kinds shows made unlikely."""
    known = {*shown(kinds), _NONE}
    unlikely = np.array([0.0 if face in known else math.log(STRANGE) for face in range(len(FACES))])
    return [
        replace(each, glance=replace(each.glance, face=log_chances(each.glance.face + unlikely)))
        for each in seen
    ]


def of_one_size(seen: Sequence[Seen], apart: float = _SIZES) -> Chances:
    """How well the size of each find agrees with the plain ones: dice of one throw are of one size."""
    sizes = np.log(edge(np.array([each.find.corners for each in seen]).reshape(-1, 4, 2)))
    plain = [
        size for size, each in zip(sizes.tolist(), seen, strict=True) if each.found * (1 - each.none) > 0.5
    ]
    if len(plain) < _FEW:
        return np.ones(len(seen))
    off = np.maximum(np.abs(sizes - statistics.median(plain)) - apart, 0) / _SIZE_STEP
    return np.asarray(np.exp(-0.5 * off**2))


def understood(noted: Sequence[Noted]) -> list[Noted]:
    """The dice as they are, unless as many seem to lean as lie flat: then it is the view that is mistaken, as
    when a camera hangs upside down and sides pass for tops, and none counts as flat."""
    leaning, flat = (sum(each.spot.state == state for each in noted) for state in ("cocked", "flat"))
    if leaning < max(2, flat):
        return list(noted)
    return [
        replace(each, spot=replace(each.spot, state="cocked")) if each.spot.state == "flat" else each
        for each in noted
    ]


def state_of(seen: Seen, size: tuple[int, int]) -> DieState:
    """How the die lies in a picture of this width and height."""
    find = seen.find
    edge = min(find.box[0], find.box[1], size[0] - find.box[2], size[1] - find.box[3])
    if edge < 0.15 * find.size and (find.states[2] > CUT or edge < 0.02 * find.size):
        return "cut_off"
    if find.states[3] > HIDDEN:
        return "stacked"
    return "cocked" if seen.leaning > LEANS else "flat"


def _share(values: Chances) -> Chances:
    return np.asarray(values / np.maximum(values.sum(axis=-1, keepdims=True), 1e-12))


def _together(seen: Sequence[Seen]) -> Glance:
    """All glances in one: bodies [lamp, die, colour], the rest [die, …]."""
    glances = [each.glance for each in seen]
    return Glance(
        np.array([one.face for one in glances]),
        np.stack([one.body for one in glances], axis=1),
        np.array([one.ink for one in glances]),
    )


def _noted(seen: Seen, kind: str, chances: Chances, certain: float, size: tuple[int, int]) -> Noted:
    """The die with its likeliest face; `certain` is the chance that it is of this kind."""
    names, shares = KINDS[kind].faces, chances.tolist()
    order = sorted(range(len(names)), key=lambda i: -shares[i])
    find = seen.find
    left, top, right, bottom = find.box.tolist()
    left, top, right, bottom = (
        max(0.0, left),
        max(0.0, top),
        min(float(size[0]), right),
        min(float(size[1]), bottom),
    )
    spot = Spotted(
        die=Die(kind, names[order[0]]),
        box=(
            round(left, 1),
            round(top, 1),
            round(max(right - left, 0.0), 1),
            round(max(bottom - top, 0.0), 1),
        ),
        confidence=0.0,
        state=state_of(seen, size),
        alternatives=tuple((names[i], round(shares[i], 4)) for i in order[:4] if shares[i] > 0.001),
        top_face=tuple((round(x, 1), round(y, 1)) for x, y in find.corners.tolist()),
    )
    chance = shares[order[0]] * certain
    return Noted(spot, Signs(chance, find.score, seen.none, seen.leaning, find.size))
