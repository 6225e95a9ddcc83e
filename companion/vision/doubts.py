"""When a reading is a roll, and otherwise the sentences that say why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from companion.dice import Die, Roll, same_kinds
from companion.vision.reading import Sentence, Spotted

NONE_SEEN = "No dice can be seen."
TOO_FEW = "Only %(seen)s of %(due)s dice can be seen."
TOO_MANY = "%(seen)s dice can be seen, but %(due)s are due."
KIND_MISSING = "A die is missing: %(kind)s."
COCKED = "The %(kind)s die does not lie flat."
CUT_OFF = "The %(kind)s die is cut off by the edge of the picture."
STACKED = "The %(kind)s die is partly hidden."
FOREIGN = "A die that is not due lies in view."
UNSURE = "The %(kind)s die may show %(first)s or %(second)s."
HARD_TO_READ = "The %(kind)s die is hard to read."
TURNED_ASIDE = "A die that lay aside shows another face: put it back, or take it away."
WHICH_LIES = "It is not clear which dice were thrown and which were lying already."

_ABOUT_STATE = {"cocked": COCKED, "cut_off": CUT_OFF, "stacked": STACKED}


def thrown(dice: Sequence[Die], due: tuple[str, ...], lying: Roll) -> list[Roll]:
    """Every different roll that may have been thrown, if the rest of these dice were lying already."""
    spare = len(dice) - len(due)
    if spare < 0 or spare > len(lying):
        return []
    rolls = []
    there = sorted((Counter(lying) & Counter(dice)).items())
    for counts in product(*(range(count + 1) for _, count in there)):
        if sum(counts) == spare:
            left = Counter({die: count for (die, _), count in zip(there, counts, strict=True)})
            rest = tuple(sorted((Counter(dice) - left).elements()))
            if same_kinds(rest, due):
                rolls.append(rest)
    return rolls


def _only(rolls: list[Roll], dice: Sequence[Die], lying: Roll) -> Roll | None:
    """The one roll that may have been thrown. Where some of the dice that lay already are in view and others
    not, one like those may be either: perhaps a die that was thrown has fallen off the table."""
    if len(rolls) != 1:
        return None
    (roll,) = rolls
    stayed = Counter(dice) - Counter(roll)
    return None if stayed and (Counter(lying) - stayed) & Counter(roll) else roll


def roll_of(dice: Sequence[Spotted], due: tuple[str, ...] | None, lying: Roll = ()) -> Roll | None:
    """The roll, if every die is flat and sure and together they are the dice due."""
    if not dice or not all(spot.sure and spot.state == "flat" for spot in dice):
        return None
    values = tuple(spot.die for spot in dice)
    if due is None:
        return values
    only = _only(thrown(values, due, lying), values, lying)
    if only is None:
        return None
    left = Counter(values) - Counter(only)
    roll = []
    for die in values:
        if left[die]:
            left[die] -= 1
        else:
            roll.append(die)
    return tuple(roll)


def doubts_about(
    dice: Sequence[Spotted], due: tuple[str, ...] | None, lying: Roll = ()
) -> tuple[Sentence, ...]:
    """What keeps these dice from being a roll, in sentences."""
    if not dice:
        return (Sentence(NONE_SEEN),)
    sentences = []
    for i, spot in enumerate(dice):
        kind = ("kind", spot.die.kind)
        if spot.state == "foreign":
            sentences.append(Sentence(FOREIGN, (), i))
        elif spot.state != "flat":
            sentences.append(Sentence(_ABOUT_STATE[spot.state], (kind,), i))
        elif not spot.sure:
            sentences.append(_unsure(spot, i))
    if due is not None:
        sentences += _about_count([spot.die for spot in dice if spot.state != "foreign"], due, lying)
    return tuple(sentences)


def _unsure(spot: Spotted, index: int) -> Sentence:
    kind = ("kind", spot.die.kind)
    if len(spot.alternatives) < 2:
        return Sentence(HARD_TO_READ, (kind,), index)
    (first, _), (second, _) = spot.alternatives[:2]
    return Sentence(UNSURE, (kind, ("first", first), ("second", second)), index)


def _about_count(dice: list[Die], due: tuple[str, ...], lying: Roll) -> list[Sentence]:
    numbers = (("seen", str(len(dice))), ("due", str(len(due))))
    missing = Counter(due) - Counter(die.kind for die in dice)
    if missing:
        kinds = Counter(due)
        if len(kinds) == 1:
            return [Sentence(TOO_FEW, numbers)]
        return [Sentence(KIND_MISSING, (("kind", kind),)) for kind in sorted(missing)]
    if len(dice) > len(due) + len(lying):
        return [Sentence(TOO_MANY, numbers)]
    rolls = thrown(dice, due, lying)
    if not rolls:
        return [Sentence(TURNED_ASIDE)]
    return [] if _only(rolls, dice, lying) else [Sentence(WHICH_LIES)]
