"""A player's own sheet: what is crossed, struck and circled on it, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from companion.games.keer_op_keer_2.sheet import (
    ALL,
    COLOUR_CELLS,
    COLOUR_POINTS,
    COLOURS,
    COLUMN_CELLS,
    COLUMN_POINTS,
    COLUMNS,
    EXCLAMATION_MARK_POINTS,
    EXCLAMATION_MARKS,
    GOLDEN,
    HEARTS,
    ROW_CELLS,
    ROW_ITEMS,
    ROW_POINTS,
    ROWS,
    SPECIAL_DICE_AT_START,
    SPECIAL_DIE_COLUMN,
    SPECIAL_DIE_POINTS,
    STAR_POINTS,
    STARS,
    names,
)

Rank = Literal["", "first", "later"]
"""Which of the two values is circled: none yet, that of the first, or that of those who come later."""
_OPEN: Rank = ""


@dataclass(frozen=True, slots=True)
class Claims:
    """The columns, rows and colours that somebody completed in an earlier throw."""

    columns: frozenset[int]
    rows: frozenset[int]
    colours: frozenset[int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The marks on one sheet. Columns, rows and colours are ranked at the end of the throw."""

    crossed: int = 0
    struck: int = 0
    """Exclamation marks spent."""
    circled: int = SPECIAL_DICE_AT_START
    """Special dice freed, `used` of them spent again."""
    used: int = 0
    hearts: int = 0
    columns: tuple[Rank, ...] = (_OPEN,) * len(COLUMNS)
    heart_points: tuple[int, ...] = (0,) * len(COLUMNS)
    rows: tuple[Rank, ...] = (_OPEN,) * len(ROWS)
    colours: tuple[Rank, ...] = (_OPEN,) * len(COLOURS)
    bombs: int = 0
    """Bombs won with rows that have yet to go off."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the crossed cells."""
        return names(self.crossed)

    @property
    def exclamation_marks(self) -> int:
        """How many are left."""
        return EXCLAMATION_MARKS - self.struck

    @property
    def special_dice(self) -> int:
        """How many are circled and not used."""
        return self.circled - self.used

    def cross(self, cells: int, claimed_rows: frozenset[int]) -> Sheet:
        """The sheet with these cells crossed too, and with the items of the rows they complete first."""
        crossed = self.crossed | cells
        items = [
            ROW_ITEMS[ROWS[place]]
            for place, row in enumerate(ROW_CELLS)
            if row & cells and not row & ~crossed and place not in claimed_rows
        ]
        bombs = self.bombs + items.count("bomb")
        return replace(
            self,
            crossed=crossed,
            circled=self.circled + (cells & GOLDEN).bit_count() + items.count("special"),
            hearts=min(HEARTS, self.hearts + items.count("heart")),
            bombs=bombs if crossed != ALL else 0,
        )

    def count(self, claims: Claims) -> Sheet:
        """The sheet after the throw: columns, rows and colours completed in it are ranked."""
        columns = _ranked(self.columns, COLUMN_CELLS, self.crossed, claims.columns)
        rows = _ranked(self.rows, ROW_CELLS, self.crossed, claims.rows)
        colours = _ranked(self.colours, COLOUR_CELLS, self.crossed, claims.colours)
        if (columns, rows, colours) == (self.columns, self.rows, self.colours):
            return self
        new = [after != before for before, after in zip(self.columns, columns, strict=True)]
        return replace(
            self,
            columns=columns,
            rows=rows,
            colours=colours,
            heart_points=tuple(
                self.hearts if is_new else points
                for is_new, points in zip(new, self.heart_points, strict=True)
            ),
            circled=self.circled + new[COLUMNS.index(SPECIAL_DIE_COLUMN)],
        )

    def parts(self) -> dict[str, int]:
        """The score box, line by line."""
        return {
            "colours": sum(COLOUR_POINTS[rank] for rank in self.colours if rank),
            "columns": sum(COLUMN_POINTS[rank][at] for at, rank in enumerate(self.columns) if rank),
            "rows": ROW_POINTS * sum(rank != "" for rank in self.rows),
            "hearts": sum(self.heart_points),
            "exclamation marks": EXCLAMATION_MARK_POINTS * self.exclamation_marks,
            "special dice": SPECIAL_DIE_POINTS * self.special_dice,
            "stars": STAR_POINTS * (STARS & ~self.crossed).bit_count(),
        }


def _ranked(
    ranks: tuple[Rank, ...], lines: tuple[int, ...], crossed: int, claimed: frozenset[int]
) -> tuple[Rank, ...]:
    return tuple(
        rank or ("" if line & ~crossed else "later" if place in claimed else "first")
        for place, (rank, line) in enumerate(zip(ranks, lines, strict=True))
    )
