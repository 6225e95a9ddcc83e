"""Keer op Keer 2 counted again, from the booklet: the sheet, what may be crossed, and a referee.

Nothing here comes from the engine but the raw marks and the words of the choices. Cells are (column, row)
pairs, sets are sets, and every question is answered by trying all there is.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

# Capitals are stars; the golden cells are listed beside.
PRINTED = (
    "rrOyyRrggyYOoob",
    "byyyoorrbByyroo",
    "bybbbooObggyrro",
    "oBbGbyybooggGrr",
    "oorrgbbbyooryyY",
    "ggroggGyyrrrbBg",
    "YggoRggyRrbbbgg",
)
GOLDEN = {(1, 2), (14, 2), (4, 3), (11, 4), (5, 6)}
COLOUR = {(c, r): PRINTED[r][c].lower() for r in range(7) for c in range(15)}
STARS = {(c, r) for r in range(7) for c in range(15) if PRINTED[r][c].isupper()}
LETTERS = {"red": "r", "orange": "o", "yellow": "y", "green": "g", "blue": "b"}
UPPER = [5, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 5]
LOWER = [3, 2, 2, 2, 1, 1, 1, 0, 1, 1, 1, 2, 2, 2, 3]
ITEMS = ["die", "bomb", "heart", "bomb", "die", "heart", "bomb"]
H = 7

Cell = tuple[int, int]


def name(cell: Cell) -> str:
    return "ABCDEFGHIJKLMNO"[cell[0]] + "PQRSTUV"[cell[1]]


def cell_named(text: str) -> Cell:
    return "ABCDEFGHIJKLMNO".index(text[0]), "PQRSTUV".index(text[1])


def crossed_cells(sheet) -> set[Cell]:
    return {(c, r) for c in range(15) for r in range(7) if sheet.crossed & 1 << (15 * r + c)}


def full_columns(crossed: set[Cell]) -> set[int]:
    return {c for c in range(15) if all((c, r) in crossed for r in range(7))}


def full_rows(crossed: set[Cell]) -> set[int]:
    return {r for r in range(7) if all((c, r) in crossed for c in range(15))}


def full_colours(crossed: set[Cell]) -> set[str]:
    return {letter for letter in "gybro" if all(cell in crossed for cell in COLOUR if COLOUR[cell] == letter)}


# ---- the score box, from the raw marks


def recount(state, seat) -> int:
    sheet = state.sheets[seat]
    crossed = crossed_cells(sheet)
    columns, rows, colours = full_columns(crossed), full_rows(crossed), full_colours(crossed)
    total = 0
    for place, letter in enumerate("gybro"):
        mark = sheet.colours[place]
        assert bool(mark) == (letter in colours)
        total += {"": 0, "first": 5, "later": 3}[mark]
    for place, mark in enumerate(sheet.columns):
        assert bool(mark) == (place in columns)
        total += {"": 0, "first": UPPER[place], "later": LOWER[place]}[mark]
        assert mark or not sheet.heart_points[place]
    total += 5 * len(rows)
    total += sum(sheet.heart_points)
    total += 6 - sheet.struck
    total += 2 * (sheet.circled - sheet.used)
    total -= 2 * len(STARS - crossed)
    if len(state.sheets) == 1 and len(colours) >= 2:
        total += 2 * (30 - state.thrown)
    return total


def conserved(state) -> None:
    """What is struck was there, and every circle has its reason."""
    for sheet in state.sheets:
        assert 0 <= sheet.struck <= 6
        assert 0 <= sheet.used <= sheet.circled <= 9
        assert 0 <= sheet.hearts <= 5
        assert all(0 <= points <= sheet.hearts for points in sheet.heart_points)
    if state.dice:
        return
    for kind in ("columns", "rows", "colours"):
        for marks in zip(*(getattr(sheet, kind) for sheet in state.sheets), strict=True):
            assert "first" in marks or set(marks) == {""}
    for sheet in state.sheets:
        crossed = crossed_cells(sheet)
        won = [ITEMS[row] for row in full_rows(crossed) if sheet.rows[row] == "first"]
        assert sheet.bombs == 0
        assert sheet.circled == 1 + len(GOLDEN & crossed) + won.count("die") + (H in full_columns(crossed))
        assert sheet.hearts >= min(5, won.count("heart"))


# ---- what may be crossed, by trying everything


def touching(cell: Cell) -> set[Cell]:
    c, r = cell
    return {(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)} & COLOUR.keys()


def hang_together(cells: set[Cell]) -> bool:
    reached, frontier = set(), {min(cells)}
    while frontier:
        reached |= frontier
        frontier = {near for cell in frontier for near in touching(cell)} & cells - reached
    return reached == cells


def block_of(cell: Cell) -> frozenset[Cell]:
    block = {cell}
    while True:
        grown = block | {n for b in block for n in touching(b) if COLOUR[n] == COLOUR[cell]}
        if grown == block:
            return frozenset(block)
        block = grown


def at_a_cross(cell: Cell, crossed: set[Cell]) -> bool:
    return bool(touching(cell) & crossed)


def text_of(cells) -> str:
    return " ".join(name(cell) for cell in sorted(cells, key=lambda cell: (cell[1], cell[0])))


@lru_cache(maxsize=64)
def every_group(crossed: frozenset[Cell], letter: str, number: int) -> set[str]:
    free = [cell for cell in COLOUR if COLOUR[cell] == letter and cell not in crossed]
    return {
        text_of(cells)
        for cells in combinations(free, number)
        if any(cell[0] == H or at_a_cross(cell, crossed) for cell in cells) and hang_together(set(cells))
    }


def every_cross(crossed: set[Cell], marks: int, colours: list[str], numbers: list[str]) -> set[str]:
    found = set()
    for colour in set(colours):
        for number in set(numbers):
            if [colour, number].count("joker") > marks:
                continue
            for letter in LETTERS.values() if colour == "joker" else [LETTERS[colour]]:
                for count in (1, 2, 3, 4, 5) if number == "joker" else [int(number)]:
                    found |= {
                        f"cross {cells} with {colour} {number}"
                        for cells in every_group(frozenset(crossed), letter, count)
                    }
    return found


def every_bomb(crossed: set[Cell]) -> set[str]:
    found = set()
    for c in range(14):
        for r in range(6):
            window = {(c, r), (c + 1, r), (c, r + 1), (c + 1, r + 1)} - crossed
            found |= {f"bomb {text_of(some)}" for n in (1, 2, 3, 4) for some in combinations(window, n)}
    return found


def _can_be_ordered(cells: tuple[Cell, ...], held, crossed: set[Cell], leaning: bool) -> bool:
    """Whether the cells can be crossed one after the other, each held when its turn comes."""
    left, now = set(cells), set(crossed)
    while left:
        ready = {cell for cell in left if held(cell, now if leaning else crossed)}
        if not ready:
            return False
        left -= ready
        now |= ready
    return True


def every_stars(crossed: set[Cell], leaning: bool) -> set[str]:
    def held(cell, now):
        return cell[0] == H or at_a_cross(cell, now)

    return {
        f"stars {text_of(some)}"
        for n in (1, 2)
        for some in combinations(STARS - crossed, n)
        if _can_be_ordered(some, held, crossed, leaning)
    }


def every_row(crossed: set[Cell], leaning: bool) -> set[str]:
    def held(cell, now):
        return at_a_cross(cell, now) or (leaning and cell[0] == H)

    return {
        f"row {text_of(some)}"
        for r in range(7)
        for n in (1, 2, 3)
        for some in combinations([(c, r) for c in range(15) if (c, r) not in crossed], n)
        if _can_be_ordered(some, held, crossed, leaning)
    }


def every_block(crossed: set[Cell], leaning: bool) -> set[str]:
    found = set()
    for block in {block_of(cell) for cell in COLOUR}:
        started = any(cell in crossed or at_a_cross(cell, crossed) for cell in block)
        from_h = leaning and any(cell[0] == H for cell in block)
        if (started or from_h) and block - crossed:
            found.add(f"block {text_of(block - crossed)}")
    return found


def every_choice(sheet, faces: list[str], leaning: bool) -> set[str]:
    """All that a seat may choose from dice written as `red`, `3`, `heart` …, jokers as `X` and `?`."""
    crossed = crossed_cells(sheet)
    colours = ["joker" if face == "X" else face for face in faces if face in LETTERS or face == "X"]
    numbers = ["joker" if face == "?" else face for face in faces if face.isdigit() or face == "?"]
    found = {"pass"} | every_cross(crossed, 6 - sheet.struck, colours, numbers)
    if sheet.circled > sheet.used:
        if "heart" in faces and sheet.hearts < 5:
            found.add("heart")
        if "bomb" in faces:
            found |= every_bomb(crossed)
        if "stars" in faces:
            found |= every_stars(crossed, leaning)
        if "row" in faces:
            found |= every_row(crossed, leaning)
        if "block" in faces:
            found |= every_block(crossed, leaning)
    return found


# ---- a referee who hears the words of a game and keeps his own sheets


class Pad:
    """A player's sheet as the referee keeps it."""

    def __init__(self) -> None:
        self.crossed: set[Cell] = set()
        self.marks, self.dice, self.hearts, self.bombs = 6, 1, 0, 0
        self.points = {"colours": 0, "columns": 0, "rows": 0, "hearts": 0}
        self.colours: set[str] = set()
        self.columns: set[int] = set()
        self.rows: set[int] = set()


class Referee:
    """Counts a whole game from its throws and the words of its choices."""

    def __init__(self, seats: int) -> None:
        self.pads = [Pad() for _ in range(seats)]
        self.throws = 0
        self.done: set[tuple[str, object]] = set()
        """What somebody completed in an earlier throw."""

    def hear_throw(self) -> None:
        self._count()
        self.throws += 1

    def hear_choice(self, seat: int, text: str) -> None:
        pad = self.pads[seat]
        words, _, dice = text.partition(" with ")
        verb, *cells = words.split()
        if pad.bombs:
            pad.bombs -= 1
        elif verb == "cross":
            pad.marks -= dice.split().count("joker")
        elif verb != "pass":
            pad.dice -= 1
            pad.hearts += verb == "heart"
        rows = full_rows(pad.crossed)
        new = {cell_named(cell) for cell in cells}
        assert not new & pad.crossed
        pad.crossed |= new
        pad.dice += len(new & GOLDEN)
        for row in full_rows(pad.crossed) - rows:
            if ("row", row) not in self.done:
                pad.dice += ITEMS[row] == "die"
                pad.hearts = min(5, pad.hearts + (ITEMS[row] == "heart"))
                pad.bombs += ITEMS[row] == "bomb"
        if len(pad.crossed) == 105:
            pad.bombs = 0

    def _count(self) -> None:
        before = set(self.done)
        for pad in self.pads:
            for row in full_rows(pad.crossed) - pad.rows:
                pad.rows.add(row)
                pad.points["rows"] += 5
                self.done.add(("row", row))
            for column in full_columns(pad.crossed) - pad.columns:
                pad.columns.add(column)
                pad.points["columns"] += (LOWER if ("column", column) in before else UPPER)[column]
                pad.points["hearts"] += pad.hearts
                pad.dice += column == H
                self.done.add(("column", column))
            for colour in full_colours(pad.crossed) - pad.colours:
                pad.colours.add(colour)
                pad.points["colours"] += 3 if ("colour", colour) in before else 5
                self.done.add(("colour", colour))

    def final(self) -> tuple[list[int], list[int]]:
        """The scores and the winning seats."""
        self._count()
        ended = any(len(pad.colours) >= 2 for pad in self.pads)
        alone = len(self.pads) == 1
        assert ended or (alone and self.throws == 30)
        totals = [
            sum(pad.points.values())
            + pad.marks
            + 2 * pad.dice
            - 2 * len(STARS - pad.crossed)
            + (2 * (30 - self.throws) if alone and ended else 0)
            for pad in self.pads
        ]
        best = max((total, pad.marks) for total, pad in zip(totals, self.pads, strict=True))
        winners = [s for s, pad in enumerate(self.pads) if (totals[s], pad.marks) == best]
        return totals, winners
