"""The printed sheet of Keer op Keer 2, in tables that read like it, and what follows from them.

A cell is named by its column and its row (`HP` is the top of the start column). A set of cells is an
integer with one bit a cell, row by row from the left.
"""

from __future__ import annotations

from collections.abc import Iterable

COLUMNS = "ABCDEFGHIJKLMNO"
ROWS = "PQRSTUV"
START_COLUMN = "H"

# The colour of each cell; * is a star, + a golden cell that frees a special die.
GRID = """
    A  B  C  D  E  F  G  H  I  J  K  L  M  N  O
P   r  r  o* y  y  r* r  g  g  y  y* o* o  o  b
Q   b  y  y  y  o  o  r  r  b  b* y  y  r  o  o
R   b  y+ b  b  b  o  o  o* b  g  g  y  r  r  o+
S   o  b* b  g* b+ y  y  b  o  o  g  g  g* r  r
T   o  o  r  r  g  b  b  b  y  o  o  r+ y  y  y*
U   g  g  r  o  g  g  g* y  y  r  r  r  b  b* g
V   y* g  g  o  r* g+ g  y  r* r  b  b  b  g  g
"""
COLOUR_LETTERS = {"g": "green", "y": "yellow", "b": "blue", "r": "red", "o": "orange"}

COLUMN_POINTS = {
    "first": (5, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 5),
    "later": (3, 2, 2, 2, 1, 1, 1, 0, 1, 1, 1, 2, 2, 2, 3),
}
SPECIAL_DIE_COLUMN = "H"
"""Its completers each circle a special die."""
ROW_POINTS = 5
ROW_ITEMS = {
    "P": "special",
    "Q": "bomb",
    "R": "heart",
    "S": "bomb",
    "T": "special",
    "U": "heart",
    "V": "bomb",
}
COLOUR_POINTS = {"first": 5, "later": 3}
COLOURS_TO_END = 2
EXCLAMATION_MARKS = 6
EXCLAMATION_MARK_POINTS = 1
SPECIAL_DICE = 9
SPECIAL_DICE_AT_START = 1
SPECIAL_DIE_POINTS = 2
HEARTS = 5
STAR_POINTS = -2

OPEN_THROWS = 3
SOLO_THROWS = 30
UNUSED_THROW_POINTS = 2
RATINGS = (
    (91, "superhuman"),
    (85, "masterly"),
    (79, "professional"),
    (74, "brilliant"),
    (70, "splendid"),
    (66, "very good"),
    (60, "well practised"),
    (50, "good"),
    (40, "coming along"),
    (30, "not bad"),
    (20, "needs practice"),
    (10, "a beginning"),
)
LOWEST_RATING = "not your day"
"""Below the last of the ratings."""

CELLS = tuple(column + row for row in ROWS for column in COLUMNS)
"""Every cell in the order of the bits."""
BIT = {cell: 1 << place for place, cell in enumerate(CELLS)}
COLOURS = tuple(COLOUR_LETTERS.values())
"""In the order of the bonuses on the sheet."""

PRINTED = dict(
    zip(CELLS, (mark for line in GRID.split("\n")[2:-1] for mark in line[1:].split()), strict=True)
)
COLOUR_OF = {cell: COLOUR_LETTERS[mark[0]] for cell, mark in PRINTED.items()}


def mask(cells: Iterable[str]) -> int:
    """The set of these cells."""
    return sum(BIT[cell] for cell in cells)


def names(cells: int) -> tuple[str, ...]:
    """The cells of a set, row by row from the left."""
    found = []
    while cells:
        lowest = cells & -cells
        found.append(CELLS[lowest.bit_length() - 1])
        cells ^= lowest
    return tuple(found)


ALL = mask(CELLS)
STARS = mask([cell for cell in CELLS if PRINTED[cell].endswith("*")])
GOLDEN = mask([cell for cell in CELLS if PRINTED[cell].endswith("+")])
COLUMN_CELLS = tuple(mask([cell for cell in CELLS if cell[0] == column]) for column in COLUMNS)
ROW_CELLS = tuple(mask([cell for cell in CELLS if cell[1] == row]) for row in ROWS)
COLOUR_CELLS = tuple(mask([cell for cell in CELLS if COLOUR_OF[cell] == colour]) for colour in COLOURS)
START_CELLS = COLUMN_CELLS[COLUMNS.index(START_COLUMN)]


def beside(cells: int) -> int:
    """The cells that touch one of these with a side (and, among them, some of these themselves)."""
    width = len(COLUMNS)
    rightwards = (cells & ~COLUMN_CELLS[-1]) << 1
    leftwards = (cells & ~COLUMN_CELLS[0]) >> 1
    return (cells << width | cells >> width | rightwards | leftwards) & ALL


def pieces(cells: int) -> tuple[int, ...]:
    """These cells, taken apart into sets that hang together by their sides."""
    found = []
    while cells:
        piece, grown = 0, cells & -cells
        while grown != piece:
            piece, grown = grown, grown | beside(grown) & cells
        found.append(piece)
        cells &= ~piece
    return tuple(found)


BLOCKS = tuple(pieces(cells) for cells in COLOUR_CELLS)
"""The printed blocks of each colour."""
