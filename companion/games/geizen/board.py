"""The board of Geizen: five columns of spaces, their arrows, and the chips of the game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from companion.games.owner import CannotBe, Where, entry, from_toml, only

VALUES = (1, 2, 3, 4, 5)
"""The columns; a six has none."""
PLAYERS = (2, 3, 4, 5)
COLOURS = {"g": "green", "y": "yellow", "r": "red"}
LONGEST = 12
MOST = 9
"""More chips than this lie on no space and stand on no arrow."""


@dataclass(frozen=True, slots=True)
class Column:
    """The spaces from the top down as letters of `COLOURS`, the chips for the first, and the arrow."""

    spaces: str
    first: int
    arrow: int

    def due(self, space: int) -> int:
        """The chips that a die on this space costs."""
        return self.first if space == 0 else 1

    def __str__(self) -> str:
        return f"{self.first if self.first > 1 else ''}{self.spaces}:{self.arrow}"


@dataclass(frozen=True, slots=True)
class Board:
    """A board that can be played on: whoever makes another is told what cannot be."""

    columns: tuple[Column, ...]
    start: tuple[int, ...] = (25, 22, 20, 18)
    chips: int = 130

    def __post_init__(self) -> None:
        if len(self.columns) != len(VALUES):
            raise CannotBe(f"a board has five columns, not {len(self.columns)}")
        for value, column in zip(VALUES, self.columns, strict=True):
            _check(column, ("column", str(value)))
        if len(self.start) != len(PLAYERS):
            raise CannotBe("the start chips are four numbers, for 2, 3, 4 and 5 players", ("start",))
        if not 1 <= self.chips <= 999:
            raise CannotBe(f"a game has 1 to 999 chips, not {self.chips}", ("chips",))
        for players, start in zip(PLAYERS, self.start, strict=True):
            if start < 1:
                raise CannotBe(f"{players} players start with {start} chips: each needs one", ("start",))
            if players * start > self.chips:
                raise CannotBe(
                    f"{players} players with {start} chips each are more than the {self.chips} of the game",
                    ("start",),
                )

    def start_chips(self, players: int) -> int:
        """What each of so many players begins with."""
        return self.start[PLAYERS.index(players)]

    def column(self, value: int) -> Column:
        """The column of this value of a die."""
        return self.columns[value - 1]

    def __str__(self) -> str:
        """The canonical text, on one line: `Board.read` understands it."""
        columns = " ".join(map(str, self.columns))
        return f"{columns} start:{','.join(map(str, self.start))} chips:{self.chips}"

    @classmethod
    def read(cls, text: str) -> Board:
        """The board of a text such as `str` gives; start chips and chips may be left out, lines broken."""
        columns: list[Column] = []
        numbers: dict[str, tuple[int, ...]] = {}
        for word in text.split():
            if named := re.fullmatch(r"(start|chips):([0-9]{1,3}(?:,[0-9]{1,3})*)", word):
                if named[1] in numbers:
                    raise CannotBe(f"{named[1]}: is there twice", (named[1],))
                numbers[named[1]] = tuple(map(int, named[2].split(",")))
            elif column := re.fullmatch(r"([0-9]{0,3})([a-z]+):([0-9]{1,3})", word):
                columns.append(Column(column[2], int(column[1] or 1), int(column[3])))
            else:
                raise CannotBe(f"“{word}” is no column; one is written 2gggr:1")
        start, chips = numbers.get("start", PRINTED.start), numbers.get("chips", (PRINTED.chips,))
        if len(chips) != 1:
            raise CannotBe("chips: takes one number", ("chips",))
        return cls(tuple(columns), start, chips[0])

    @classmethod
    def from_toml(cls, text: str) -> Board:
        """The board an owner wrote down; see `example`."""
        return from_toml(text, _from_entries)

    def to_toml(self) -> str:
        """The board as an owner may keep and edit it."""
        lines = [
            "# The board of Geizen, as it lies on your table: change what is different on yours.",
            "",
            f"start = {list(self.start)}  # chips for each of 2, 3, 4 and 5 players",
            f"chips = {self.chips}  # all chips in the box",
        ]
        for value, column in zip(VALUES, self.columns, strict=True):
            names = ", ".join(f'"{COLOURS[space]}"' for space in column.spaces)
            lines += [
                "",
                f"[column.{value}]",
                f"spaces = [{names}]  # from the top down, the red one last",
                f"first = {column.first}  # chips for the first space",
                f"arrow = {column.arrow}  # what everybody else pays",
            ]
        return "\n".join(lines) + "\n"


def _check(column: Column, where: Where) -> None:
    name, spaces = f"column {where[-1]}", column.spaces
    at = (*where, "spaces")
    for letter in spaces:
        if letter not in COLOURS:
            raise CannotBe(f"{name} has a space “{letter}”: write g, y or r", at)
    if not 2 <= len(spaces) <= LONGEST:
        raise CannotBe(f"{name} has {len(spaces)} spaces; it needs 2 to {LONGEST}", at)
    if spaces.find("r") != len(spaces) - 1:
        raise CannotBe(f"{name} needs one red space, the last", at)
    for key, number in (("first", column.first), ("arrow", column.arrow)):
        if not 1 <= number <= MOST:
            raise CannotBe(f"{name}: {key} is 1 to {MOST}, not {number}", (*where, key))


def _from_entries(entries: dict[str, Any]) -> Board:
    only(entries, ("start", "chips", "column"))
    start = entry({"start": list(PRINTED.start)} | entries, ("start",), list, "a list of four numbers")
    if any(type(number) is not int for number in start):
        raise CannotBe(f"“start” must be a list of four numbers, not {start!r}", ("start",))
    chips = entry({"chips": PRINTED.chips} | entries, ("chips",), int, "a number")
    columns = entry(entries, ("column",), dict, "a table [column.1] to [column.5]")
    only(columns, tuple(map(str, VALUES)), ("column",))
    return Board(tuple(_column(columns, ("column", str(value))) for value in VALUES), tuple(start), chips)


def _column(columns: dict[str, Any], where: Where) -> Column:
    entries = entry(columns, where, dict, "a table with spaces, first and arrow")
    only(entries, ("spaces", "first", "arrow"), where)
    spaces = entry(entries, (*where, "spaces"), list, "a list of colours")
    letters = {name: letter for letter, name in COLOURS.items()}
    for colour in spaces:
        if not isinstance(colour, str) or colour not in letters:
            raise CannotBe(
                f"column {where[-1]} has a space {colour!r}: write green, yellow or red", (*where, "spaces")
            )
    first = entry({"first": 1} | entries, (*where, "first"), int, "a number")
    arrow = entry(entries, (*where, "arrow"), int, "a number")
    return Column("".join(letters[colour] for colour in spaces), first, arrow)


PRINTED = Board(
    (
        Column("gggr", 2, 1),
        Column("ggggr", 2, 1),
        Column("gggygr", 1, 2),
        Column("gggyggr", 1, 2),
        Column("gggygggr", 1, 3),
    )
)
"""The board as far as it is known; the rest is a reconstruction.

Known: all of column 2 but the colours of its spaces 2 and 3, the yellow fourth space of column 4, the two
chips on the first spaces of 1 and 2, and the start chips of 2 and 5 players.
"""


def example() -> str:
    """A TOML file to begin with: the board that is shipped."""
    return PRINTED.to_toml()


__all__ = ["COLOURS", "PLAYERS", "PRINTED", "VALUES", "Board", "Column", "example"]
