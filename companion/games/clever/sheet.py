"""The sheet of Clever: first what is printed on it, then one player's copy with marks on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

AREAS = ("yellow", "blue", "green", "orange", "purple")
DICE = ("white", *AREAS)


@dataclass(frozen=True, slots=True)
class Bonus:
    """What a field, a line or a round gives. `fills` lists what may be filled for it, one of them:
    an area and the number written there, 0 for a cross."""

    name: str
    fills: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return self.name


REROLL = Bonus("reroll")
EXTRA = Bonus("extra")
FOX = Bonus("fox")
YELLOW_X = Bonus("yellow X", (("yellow", 0),))
BLUE_X = Bonus("blue X", (("blue", 0),))
GREEN_X = Bonus("green X", (("green", 0),))
ORANGE_4 = Bonus("orange 4", (("orange", 4),))
ORANGE_5 = Bonus("orange 5", (("orange", 5),))
ORANGE_6 = Bonus("orange 6", (("orange", 6),))
PURPLE_6 = Bonus("purple 6", (("purple", 6),))
X_OR_6 = Bonus("X or 6", (("yellow", 0), ("blue", 0), ("green", 0), ("orange", 6), ("purple", 6)))
____ = None

ROUNDS = (REROLL, EXTRA, REROLL, X_OR_6, ____, ____)
ROUNDS_FOR = {1: 6, 2: 6, 3: 5, 4: 4}
"""Rounds played, by the number of players."""
TRACK = 7
"""Spaces on each of the two action tracks; there are just as many actions on the sheet."""

# A 0 in the yellow area is crossed in print, a 0 in the blue area is no field.
YELLOW = (
    (3, 6, 5, 0),
    (2, 1, 0, 5),
    (1, 0, 2, 4),
    (0, 3, 4, 6),
)
YELLOW_ROWS = (BLUE_X, ORANGE_4, GREEN_X, FOX)
YELLOW_DIAGONAL = EXTRA
YELLOW_POINTS = (10, 14, 16, 20)

BLUE = (
    (0, 2, 3, 4),
    (5, 6, 7, 8),
    (9, 10, 11, 12),
)
BLUE_ROWS = (ORANGE_5, YELLOW_X, FOX)
BLUE_COLUMNS = (REROLL, GREEN_X, PURPLE_6, EXTRA)
BLUE_POINTS = (0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56)

# fmt: off
GREEN_POINTS   = (   1,    3,      6,    10,       15,       21,   28,     36,       45,       55,   66)
GREEN          = (   1,    2,      3,     4,        5,        1,    2,      3,        4,        5,    6)
GREEN_BONUSES  = (____, ____,   ____, EXTRA,     ____,   BLUE_X,  FOX,   ____, PURPLE_6,   REROLL, ____)

ORANGE         = (   1,    1,      1,     2,        1,        1,    2,      1,        2,        1,    3)
ORANGE_BONUSES = (____, ____, REROLL,  ____, YELLOW_X,    EXTRA, ____,    FOX,     ____, PURPLE_6, ____)

PURPLE_BONUSES = (____, ____, REROLL, BLUE_X,   EXTRA, YELLOW_X,  FOX, REROLL,  GREEN_X, ORANGE_6, EXTRA)
# fmt: on
LENGTH = 11
"""Fields in the green, the orange and the purple area."""

STARS = (
    (281, "5 stars"),
    (260, "4 stars"),
    (240, "3 stars"),
    (220, "2.5 stars"),
    (200, "2 stars"),
    (180, "1.5 stars"),
    (160, "1 star"),
    (140, "0.5 stars"),
    (0, "0 stars"),
)
"""The solo verdict, with the points it takes at least."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field and what is marked there. `place` counts from 0 in reading order (yellow: 0–15, the three
    rows: 0–10); in the blue area it is the printed number. `number` is the number crossed or written."""

    area: str
    place: int
    number: int

    def __str__(self) -> str:
        match self.area:
            case "yellow":
                return f"yellow {self.number} row {self.place // 4 + 1}"
            case "green":
                return "green"
        return f"{self.area} {self.number}"


field_of = cache(Field)

_YELLOW_FIELDS = tuple(
    field_of("yellow", 4 * row + column, number)
    for row, numbers in enumerate(YELLOW)
    for column, number in enumerate(numbers)
    if number
)
_YELLOW_TAKING = {n: tuple(f for f in _YELLOW_FIELDS if n in (0, f.number)) for n in range(7)}
_BLUE_FIELDS = tuple(field_of("blue", number, number) for row in BLUE for number in row if number)
_BLUE_TAKING = {n: tuple(f for f in _BLUE_FIELDS if n in (0, f.number)) for n in range(13)}

_Line = tuple[frozenset[int], Bonus]
_YELLOW_LINES: tuple[_Line, ...] = (
    *(
        (frozenset(f.place for f in _YELLOW_FIELDS if f.place // 4 == row), bonus)
        for row, bonus in enumerate(YELLOW_ROWS)
    ),
    (frozenset(5 * row for row in range(4)), YELLOW_DIAGONAL),
)
_YELLOW_COLUMNS = tuple(
    (frozenset(f.place for f in _YELLOW_FIELDS if f.place % 4 == column), points)
    for column, points in enumerate(YELLOW_POINTS)
)
_BLUE_LINES: tuple[_Line, ...] = (
    *((frozenset(filter(None, row)), bonus) for row, bonus in zip(BLUE, BLUE_ROWS, strict=True)),
    *(
        (frozenset(filter(None, column)), bonus)
        for column, bonus in zip(zip(*BLUE, strict=True), BLUE_COLUMNS, strict=True)
    ),
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's marks: yellow places, blue numbers, how many green fields, the numbers written in orange
    (already multiplied) and purple, foxes, and the actions freed and used so far."""

    yellow: frozenset[int] = frozenset()
    blue: frozenset[int] = frozenset()
    green: int = 0
    orange: tuple[int, ...] = ()
    purple: tuple[int, ...] = ()
    foxes: int = 0
    rerolls: int = 0
    rerolls_used: int = 0
    extras: int = 0
    extras_used: int = 0

    def fields(self, area: str, number: int) -> tuple[Field, ...]:
        """The fields of an area that take this number; 0 is the cross of a bonus, good for any field."""
        match area:
            case "yellow":
                return tuple(f for f in _YELLOW_TAKING[number] if f.place not in self.yellow)
            case "blue":
                return tuple(f for f in _BLUE_TAKING[number] if f.place not in self.blue)
            case "green":
                place = self.green
                if place < LENGTH and (number == 0 or number >= GREEN[place]):
                    return (field_of("green", place, GREEN[place]),)
            case "orange":
                place = len(self.orange)
                if place < LENGTH:
                    return (field_of("orange", place, number * ORANGE[place]),)
            case "purple":
                place = len(self.purple)
                if place < LENGTH and (place == 0 or self.purple[-1] == 6 or number > self.purple[-1]):
                    return (field_of("purple", place, number),)
        return ()

    def marked(self, field: Field) -> tuple[Sheet, tuple[Bonus, ...]]:
        """The sheet with this field marked, and the bonuses that the mark fires."""
        match field.area:
            case "yellow":
                yellow = self.yellow | {field.place}
                return replace(self, yellow=yellow), _completed(_YELLOW_LINES, yellow, field.place)
            case "blue":
                blue = self.blue | {field.place}
                return replace(self, blue=blue), _completed(_BLUE_LINES, blue, field.place)
            case "green":
                return replace(self, green=self.green + 1), _given(GREEN_BONUSES[field.place])
            case "orange":
                written = (*self.orange, field.number)
                return replace(self, orange=written), _given(ORANGE_BONUSES[field.place])
        return replace(self, purple=(*self.purple, field.number)), _given(PURPLE_BONUSES[field.place])

    def granted(self, bonus: Bonus) -> Sheet:
        """The sheet with an action circled or a fox drawn."""
        match bonus.name:
            case "reroll":
                return replace(self, rerolls=self.rerolls + 1)
            case "extra":
                return replace(self, extras=self.extras + 1)
            case "fox":
                return replace(self, foxes=self.foxes + 1)
        raise AssertionError(bonus)

    def points(self) -> dict[str, int]:
        """The points by area, and what the foxes bring: each as much as the poorest area."""
        areas = {
            "yellow": sum(points for column, points in _YELLOW_COLUMNS if column <= self.yellow),
            "blue": BLUE_POINTS[len(self.blue)],
            "green": GREEN_POINTS[self.green - 1] if self.green else 0,
            "orange": sum(self.orange),
            "purple": sum(self.purple),
        }
        return {**areas, "foxes": self.foxes * min(areas.values())}


EMPTY = Sheet()


def _completed(lines: tuple[_Line, ...], crossed: frozenset[int], place: int) -> tuple[Bonus, ...]:
    return tuple(bonus for line, bonus in lines if place in line and line <= crossed)


def _given(bonus: Bonus | None) -> tuple[Bonus, ...]:
    return (bonus,) if bonus else ()
