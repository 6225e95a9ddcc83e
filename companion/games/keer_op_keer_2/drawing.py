"""A player's sheet as readable text.

A crossed cell is `×`; a value that somebody else was first to get is `-`; what is circled stands in brackets.
"""

from __future__ import annotations

from companion.games.keer_op_keer_2.marks import Claims, Rank, Sheet
from companion.games.keer_op_keer_2.sheet import (
    BIT,
    COLOUR_POINTS,
    COLOURS,
    COLUMN_POINTS,
    COLUMNS,
    HEARTS,
    PRINTED,
    ROW_ITEMS,
    ROW_POINTS,
    ROWS,
)


def draw_sheet(sheet: Sheet, claims: Claims) -> list[str]:
    """The lines of one sheet: the cells, the values below and beside them, and what is left to spend."""
    lines = [_line("", [f" {column}" for column in COLUMNS])]
    for place, row in enumerate(ROWS):
        cells = [f" {_cell(sheet, column + row)}" for column in COLUMNS]
        points = _value(str(ROW_POINTS), bool(sheet.rows[place]), False)
        item = _value(ROW_ITEMS[row], sheet.rows[place] == "first", place in claims.rows)
        lines.append(_line(row, [*cells, points, item]))
    for rank in ("first", "later"):
        values = [
            _value(str(points), mine == rank, _lost(mine, rank, place in claims.columns))
            for place, (points, mine) in enumerate(zip(COLUMN_POINTS[rank], sheet.columns, strict=True))
        ]
        lines.append(_line(rank, values))
    hearts = [f" {p}" if rank else " ·" for p, rank in zip(sheet.heart_points, sheet.columns, strict=True)]
    lines.append(_line("heart", hearts))
    colours = [
        f"{colour} {_colour(rank, place in claims.colours)}"
        for place, (colour, rank) in enumerate(zip(COLOURS, sheet.colours, strict=True))
    ]
    lines.append(
        f"! {sheet.exclamation_marks} left, special dice {sheet.special_dice} left of {sheet.circled}, "
        f"hearts {sheet.hearts} of {HEARTS}, {', '.join(colours)}"
    )
    if sheet.bombs:
        lines.append(f"bombs to set off: {sheet.bombs}")
    return lines


def _line(label: str, fields: list[str]) -> str:
    return f"{label:<6}{''.join(f'{field:<4}' for field in fields)}".rstrip()


def _cell(sheet: Sheet, cell: str) -> str:
    return "×" if sheet.crossed & BIT[cell] else PRINTED[cell]


def _value(text: str, circled: bool, struck: bool) -> str:
    return f"({text})" if circled else " -" if struck else f" {text}"


def _lost(mine: Rank, rank: str, claimed: bool) -> bool:
    """Whether this value can no longer be circled here."""
    return rank == "first" and claimed if not mine else mine != rank


def _colour(rank: Rank, claimed: bool) -> str:
    if rank:
        return f"({COLOUR_POINTS[rank]})"
    return str(COLOUR_POINTS["later" if claimed else "first"])
