"""Which sets of cells may be crossed next on a sheet, given the cells that are crossed already."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from companion.games.keer_op_keer_2.sheet import (
    BIT,
    BLOCKS,
    COLUMNS,
    ROW_CELLS,
    ROWS,
    STARS,
    START_CELLS,
    beside,
    mask,
    names,
    pieces,
)

LARGEST_GROUP = 5
BOMB_SIDE = 2
MOST_STARS = 2
MOST_IN_A_ROW = 3


Sized = tuple[tuple[int, ...], ...]
"""Groups of cells by their size: none of size 0, then those of 1, 2 and so on up to the largest."""


@cache
def connected(free: int) -> Sized:
    """All groups that hang together within these cells."""
    sizes: list[tuple[int, ...]] = [(), tuple(BIT[cell] for cell in names(free))]
    while len(sizes) <= LARGEST_GROUP:
        larger = {group | BIT[cell] for group in sizes[-1] for cell in names(beside(group) & free & ~group)}
        sizes.append(tuple(sorted(larger)))
    return tuple(sizes)


@cache
def _reaching(free: int, anchors: int) -> Sized:
    return tuple(tuple(group for group in sized if group & anchors) for sized in connected(free))


def groups(crossed: int, colour: int) -> list[Sized]:
    """The groups of one colour that may be crossed, block by block: each reaches a cross or the start column.
    Crossed cells do not join the cells of a group."""
    anchors = (beside(crossed) | START_CELLS) & ~crossed
    return [_reaching(block & ~crossed, block & anchors) for block in BLOCKS[colour] if block & anchors]


def _bombs() -> tuple[int, ...]:
    corners = [(c, r) for r in range(len(ROWS) - 1) for c in range(len(COLUMNS) - 1)]
    windows = [
        [COLUMNS[c + dc] + ROWS[r + dr] for dr in range(BOMB_SIDE) for dc in range(BOMB_SIDE)]
        for c, r in corners
    ]
    sets = {mask(cells) for window in windows for n in range(1, 5) for cells in combinations(window, n)}
    return tuple(sorted(sets))


def _up_to(most: int, cells: int) -> list[tuple[int, tuple[int, ...]]]:
    """Every set of at most so many of these cells, with its pieces."""
    sets = [mask(some) for n in range(1, most + 1) for some in combinations(names(cells), n)]
    return [(some, pieces(some)) for some in sets]


_BOMBS = _bombs()
_STAR_SETS = _up_to(MOST_STARS, STARS)
_ROW_SETS = [_up_to(MOST_IN_A_ROW, row) for row in ROW_CELLS]


def bombs(crossed: int) -> list[int]:
    """One to four cells within two by two, anywhere."""
    return [cells for cells in _BOMBS if not cells & crossed]


def stars(crossed: int, leaning: bool) -> list[int]:
    """One or two stars that touch a cross or lie in the start column."""
    return _held(_STAR_SETS, crossed, beside(crossed) | START_CELLS, leaning)


def in_a_row(crossed: int, leaning: bool) -> list[int]:
    """One to three cells of one row that touch crosses."""
    anchors = beside(crossed) | (START_CELLS if leaning else 0)
    found: list[int] = []
    for row, sets in zip(ROW_CELLS, _ROW_SETS, strict=True):
        if row & anchors & ~crossed:
            found += _held(sets, crossed, anchors, leaning)
    return found


def _held(sets: list[tuple[int, tuple[int, ...]]], crossed: int, anchors: int, leaning: bool) -> list[int]:
    """The sets still free whose cells all lie on anchors, or lean on a cell of the set that does."""
    if not leaning:
        refused = ~anchors | crossed
        return [cells for cells, _ in sets if not cells & refused]
    free = [(cells, parts) for cells, parts in sets if cells & anchors and not cells & crossed]
    return [cells for cells, parts in free if len(parts) == 1 or all(part & anchors for part in parts)]


def blocks(crossed: int, leaning: bool) -> list[int]:
    """What is left of each printed block that touches a cross, as a begun one does, or the start column."""
    anchors = beside(crossed) | (START_CELLS if leaning else 0)
    return [block & ~crossed for colour in BLOCKS for block in colour if block & anchors and block & ~crossed]
