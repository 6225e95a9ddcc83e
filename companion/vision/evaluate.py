"""Measuring the reader on labelled pictures: dice, rolls, doubts and mistakes, by condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol

from companion.dice import Roll
from companion.vision.labelled import Labelled, Truth, centre_in, matched
from companion.vision.pictures import picture
from companion.vision.reading import Image, Reading, Spotted

SMALLEST = 30.0
"""Dice of fewer pixels are not counted against the reader."""


class Reads(Protocol):
    """Anything that reads pictures as the reader does."""

    def read(self, image: Image, due: tuple[str, ...] | None, lying: Roll = ()) -> Reading:
        """The reading of a picture."""


@dataclass(slots=True)
class Tally:
    """Counts over some pictures. `fair` dice lie flat, whole and readable and are large enough."""

    pictures: int = 0
    fair: int = 0
    found: int = 0
    right: int = 0
    right_face: int = 0
    sure: int = 0
    sure_wrong: int = 0
    reported: int = 0
    invented: int = 0
    pictures_inventing: int = 0
    rolls: int = 0
    rolls_right: int = 0
    rolls_sure: int = 0
    rolls_sure_wrong: int = 0
    rolls_sure_uneven: int = 0
    sure_invented: int = 0
    uneven: int = 0
    uneven_caught: int = 0
    seconds: float = 0.0

    def add(self, other: Tally) -> None:
        """Count another tally in."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one picture."""

    labelled: Labelled
    reading: Reading
    tally: Tally
    faults: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    confidences: tuple[tuple[float, bool], ...]
    """Confidence and rightness of every fair die read as lying flat."""

    @property
    def badness(self) -> float:
        """How much this picture ought to be looked at."""
        return 10 * self.tally.sure_wrong + 5 * self.tally.rolls_sure_wrong + len(self.faults)


@dataclass(frozen=True, slots=True)
class Report:
    """All verdicts, and the tallies by condition."""

    verdicts: tuple[Verdict, ...]

    def groups(self) -> dict[str, dict[str, Tally]]:
        """Tallies for everything, then by each condition's values."""
        tables: dict[str, dict[str, Tally]] = {"all": {"all": Tally()}}
        for verdict in self.verdicts:
            for name, value in (("all", "all"), *verdict.labelled.conditions):
                tables.setdefault(name, {}).setdefault(value, Tally()).add(verdict.tally)
        return tables

    def worst(self, count: int = 40) -> list[Verdict]:
        """The pictures most in need of a look."""
        bad = [verdict for verdict in self.verdicts if verdict.badness > 0]
        return sorted(bad, key=lambda verdict: -verdict.badness)[:count]


def evaluate(
    reader: Reads,
    pictures: Iterable[Labelled],
    load: Callable[[str], Image],
    clock: Callable[[], float],
    progress: Callable[[Verdict], None] = lambda verdict: None,
    lost: Callable[[FileNotFoundError], None] | None = None,
) -> Report:
    """Read every picture and judge it; `load` opens a picture by its name in the labels. One that it cannot
    open ends it all, unless somebody is to be told of what is `lost`."""
    verdicts = []
    for each in pictures:
        try:
            image = load(each.file)
        except FileNotFoundError as problem:
            if lost is None:
                raise
            lost(problem)
            continue
        begun = clock()
        reading = reader.read(image, each.due)
        verdict = judged(each, reading, clock() - begun)
        verdicts.append(verdict)
        progress(verdict)
    return Report(tuple(verdicts))


def fair(truth: Truth) -> bool:
    """Whether a die must be read right: flat, whole, readable by eye and large enough."""
    return truth.state == "flat" and truth.readable and truth.size >= SMALLEST


def judged(each: Labelled, reading: Reading, seconds: float = 0.0) -> Verdict:
    """One picture's verdict."""
    dice = [spot for spot in reading.dice if spot.state != "foreign"]
    pairs = matched([spot.box for spot in dice], [truth.box for truth in each.dice])
    tally = Tally(pictures=1, seconds=seconds, reported=len(dice))
    faults: list[str] = []
    confidences = []
    for i, j in pairs:
        if not fair(each.dice[j]):
            continue
        good = right(dice[i], each.dice[j])
        tally.found += 1
        tally.right += good
        tally.right_face += dice[i].die.face in each.dice[j].faces
        tally.sure += dice[i].sure
        tally.sure_wrong += dice[i].sure and not good
        if dice[i].state == "flat":
            confidences.append((dice[i].confidence, good))
        if not good:
            faults.append(f"{each.dice[j].kind}:{each.dice[j].faces[0]} read as {dice[i].die}")
    tally.fair = sum(fair(truth) for truth in each.dice)
    met = {j: i for i, j in pairs}
    for j, truth in enumerate(each.dice):
        if fair(truth) and j not in met:
            faults.append(f"{truth.kind}:{truth.faces[0]} not found")
        if truth.state in ("cocked", "cut_off"):
            tally.uneven += 1
            caught = j not in met or not (dice[met[j]].sure and dice[met[j]].state == "flat")
            tally.uneven_caught += caught
            if not caught:
                faults.append(f"{truth.state} {truth.kind}:{truth.faces[0]} taken for flat and sure")
    taken = {i for i, _ in pairs}
    extra = [
        i
        for i in range(len(dice))
        if i not in taken and not any(centre_in(dice[i].box, b) for b in each.ignore)
    ]
    tally.invented = len(extra)
    tally.sure_invented = sum(dice[i].sure for i in extra)
    tally.reported -= sum(
        1 for i in range(len(dice)) if i not in taken and any(centre_in(dice[i].box, b) for b in each.ignore)
    )
    tally.pictures_inventing = bool(extra)
    faults += [f"{dice[i].die} invented" for i in extra]
    _judge_roll(each, reading, tally, whole=not faults)
    return Verdict(each, reading, tally, tuple(faults), tuple(pairs), tuple(confidences))


def right(spot: Spotted, truth: Truth) -> bool:
    """Whether kind and face are right."""
    return spot.die.kind == truth.kind and spot.die.face in truth.faces


def _judge_roll(each: Labelled, reading: Reading, tally: Tally, whole: bool) -> None:
    """A roll counts when every die in the picture is fair; a sure one must hold exactly what lies there."""
    if each.dice and all(fair(truth) for truth in each.dice):
        tally.rolls = 1
        tally.rolls_right = whole and tally.found == len(each.dice)
        tally.rolls_sure = reading.roll is not None
    if reading.roll is None:
        return
    left = list(reading.roll)
    for truth in each.dice:
        for die in left:
            if die.kind == truth.kind and die.face in truth.faces:
                left.remove(die)
                break
    tally.rolls_sure_uneven = any(truth.state != "flat" for truth in each.dice)
    readable = all(truth.readable for truth in each.dice)
    if left or len(reading.roll) != len(each.dice):
        tally.rolls_sure_wrong = bool(readable)


def read_pictures(images: Path) -> Callable[[str], Image]:
    """A way to open the pictures of a folder by their names in the labels."""

    def load(name: str) -> Image:
        image = picture(images / name)
        if image is None:
            raise FileNotFoundError(f"the picture {images / name} cannot be read")
        return image

    return load


def share(part: float, whole: float) -> float | None:
    """A share in percent, None of nothing."""
    return round(100 * part / whole, 2) if whole else None


def figures(tally: Tally) -> dict[str, float | int | None]:
    """A tally as the figures people ask for; shares in percent."""
    return {
        "pictures": tally.pictures,
        "dice": tally.fair,
        "dice_found": share(tally.found, tally.fair),
        "dice_right": share(tally.right, tally.fair),
        "reported_real": share(tally.reported - tally.invented, tally.reported),
        "dice_sure": share(tally.sure, tally.fair),
        "sure_right": share(tally.sure - tally.sure_wrong, tally.sure + tally.sure_invented),
        "sure_wrong": tally.sure_wrong + tally.sure_invented,
        "rolls": tally.rolls,
        "rolls_right": share(tally.rolls_right, tally.rolls),
        "rolls_sure": share(tally.rolls_sure, tally.rolls),
        "rolls_sure_wrong": tally.rolls_sure_wrong,
        "rolls_sure_uneven": tally.rolls_sure_uneven,
        "uneven": tally.uneven,
        "uneven_caught": share(tally.uneven_caught, tally.uneven),
        "pictures_without_invention": share(tally.pictures - tally.pictures_inventing, tally.pictures),
        "ms": round(1000 * tally.seconds / tally.pictures, 1) if tally.pictures else None,
    }


def mean_over(tallies: Sequence[Tally], key: str) -> float | None:
    """A figure's mean over groups that have it: every source counts the same."""
    values = [value for tally in tallies if (value := figures(tally)[key]) is not None]
    return round(sum(values) / len(values), 2) if values else None
