"""Keer op Keer 2 (Noch mal so gut): take dice, cross cells, complete columns, rows and colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import ModuleType
from typing import ClassVar

from companion.dice import Die, Roll, Seat, Throw
from companion.games.core import Choice, Game, Option, Outcome, Rolled, State, Value, start_player
from companion.games.keer_op_keer_2 import crossing
from companion.games.keer_op_keer_2 import sheet as printed_sheet
from companion.games.keer_op_keer_2.drawing import draw_sheet
from companion.games.keer_op_keer_2.marks import Claims, Rank, Sheet
from companion.games.keer_op_keer_2.sheet import (
    COLOURS,
    COLOURS_TO_END,
    HEARTS,
    LOWEST_RATING,
    OPEN_THROWS,
    RATINGS,
    SOLO_THROWS,
    UNUSED_THROW_POINTS,
    mask,
    names,
)

DICE = ("colour",) * 3 + ("number",) * 3 + ("special",)
SOLO_DICE = ("colour",) * 2 + ("number",) * 2 + ("special",)
JOKER = "joker"


@dataclass(frozen=True, slots=True)
class Cross(Choice):
    """Cross this group with a colour die and a number die; each joker costs an exclamation mark."""

    cells: tuple[str, ...]
    colour: str
    number: str

    @property
    def jokers(self) -> int:
        """How many exclamation marks it costs."""
        return (self.colour, self.number).count(JOKER)

    @property
    def dice(self) -> Roll:
        """The dice it takes."""
        return (Die("colour", self.colour), Die("number", self.number))

    def __str__(self) -> str:
        return f"cross {' '.join(self.cells)} with {self.colour} {self.number}"


@dataclass(frozen=True, slots=True)
class Special(Choice):
    """Do what this face of the special die says, with these cells; or set off a bomb won with a row."""

    face: str
    cells: tuple[str, ...] = ()

    @property
    def dice(self) -> Roll:
        """The die it takes."""
        return (Die("special", self.face),)

    def __str__(self) -> str:
        return " ".join((self.face, *self.cells))


@dataclass(frozen=True, slots=True)
class Pass(Choice):
    """Take no dice and cross nothing."""

    @property
    def dice(self) -> Roll:
        """No dice."""
        return ()

    def __str__(self) -> str:
        return "pass"


@cache
def _cross(cells: int, colour: str, number: str) -> Cross:
    return Cross(names(cells), colour, number)


@cache
def _special(face: str, cells: int) -> Special:
    return Special(face, names(cells))


def _crosses(sheet: Sheet, dice: Roll) -> Iterator[Cross]:
    """Every group that a colour die and a number die allow together; equal dice are alike."""
    colour_faces = sorted({die.face for die in dice if die.kind == "colour"})
    number_faces = sorted({die.face for die in dice if die.kind == "number"})
    for colour in colour_faces:
        blocks = [
            block
            for place, name in enumerate(COLOURS)
            if colour in (name, JOKER)
            for block in crossing.groups(sheet.crossed, place)
        ]
        for number in number_faces:
            if (colour, number).count(JOKER) > sheet.exclamation_marks:
                continue
            for sizes in blocks:
                for groups in sizes if number == JOKER else (sizes[int(number)],):
                    for cells in groups:
                        yield _cross(cells, colour, number)


def _specials(sheet: Sheet, face: str, leaning: bool) -> list[Special]:
    """Every use of the special die that has an effect."""
    match face:
        case "heart":
            return [_special("heart", 0)] if sheet.hearts < HEARTS else []
        case "bomb":
            sets = crossing.bombs(sheet.crossed)
        case "stars":
            sets = crossing.stars(sheet.crossed, leaning)
        case "row":
            sets = crossing.in_a_row(sheet.crossed, leaning)
        case "block":
            sets = crossing.blocks(sheet.crossed, leaning)
        case _:
            raise AssertionError(face)
    return [_special(face, cells) for cells in sets]


@lru_cache(maxsize=64)
def _open_to(sheet: Sheet, dice: Roll, leaning: bool) -> tuple[Choice, ...]:
    """All that can be done with these dice. Remembered, since a sheet waits while others answer."""
    choices: list[Choice] = [*_crosses(sheet, dice)]
    if sheet.special_dice:
        for die in dice:
            if die.kind == "special":
                choices += _specials(sheet, die.face, leaning)
    return (*choices, Pass())


@dataclass(frozen=True)
class KeerOpKeer2(State):
    """A moment in the game. `dice` are those of this throw (none: it is due), `taken` those of them that the
    active player has taken from the others, `answered` the seats that have chosen."""

    leaning: bool
    sheets: tuple[Sheet, ...]
    active: Seat
    thrown: int = 0
    dice: Roll = ()
    taken: Roll = ()
    answered: frozenset[Seat] = frozenset()
    over: bool = False
    printed: ClassVar[ModuleType] = printed_sheet
    """The tables of the printed sheet, for whoever draws it."""

    @property
    def solo(self) -> bool:
        """Whether one plays alone."""
        return len(self.sheets) == 1

    @property
    def open_to_all(self) -> bool:
        """Whether everybody chooses from all the dice of this throw."""
        return self.thrown <= OPEN_THROWS

    @property
    def dice_left(self) -> Roll:
        """The dice that may still be chosen: several of the rest may choose the same."""
        left = list(self.dice)
        for die in self.taken:
            left.remove(die)
        return tuple(left)

    def throw(self) -> Throw | None:
        """All seven dice, or five alone."""
        if self.dice or self.over:
            return None
        return Throw(self.active, SOLO_DICE if self.solo else DICE)

    def asked(self) -> Mapping[Seat, str]:
        """All in an open throw; later the active player, then the rest; and who has won a bomb, at once."""
        if not self.dice:
            return {}
        everybody = self.open_to_all or self.active in self.answered
        asked = {}
        for seat, sheet in enumerate(self.sheets):
            if sheet.bombs:
                asked[seat] = "bomb"
            elif seat not in self.answered and (everybody or seat == self.active):
                asked[seat] = "choose"
        return asked

    def _choices(self, seat: Seat) -> tuple[Choice, ...]:
        sheet = self.sheets[seat]
        if sheet.bombs:
            return (*_specials(sheet, "bomb", self.leaning), Pass())
        return _open_to(sheet, self.dice_left, self.leaning)

    def _rolled(self, roll: Rolled) -> KeerOpKeer2:
        return replace(self, dice=tuple(sorted(roll.dice)), thrown=self.thrown + 1)

    def _chose(self, seat: Seat, choice: Cross | Special | Pass) -> KeerOpKeer2:
        sheet = self.sheets[seat]
        taken = self.taken
        if sheet.bombs:
            sheet = replace(sheet, bombs=sheet.bombs - 1)
        else:
            sheet = _paid(sheet, choice)
            if seat == self.active and not self.open_to_all:
                taken = choice.dice
        if not isinstance(choice, Pass):
            sheet = sheet.cross(mask(choice.cells), self.claims().rows)
        sheets = (*self.sheets[:seat], sheet, *self.sheets[seat + 1 :])
        after = replace(self, sheets=sheets, taken=taken, answered=self.answered | {seat})
        return after if after.asked() else after._counted()

    def claims(self) -> Claims:
        """What was completed in earlier throws: who completes it now is not the first."""
        return Claims(
            _ranked_by_any([sheet.columns for sheet in self.sheets]),
            _ranked_by_any([sheet.rows for sheet in self.sheets]),
            _ranked_by_any([sheet.colours for sheet in self.sheets]),
        )

    def _counted(self) -> KeerOpKeer2:
        """The throw is done: count what it completed, for all at the same time, and pass the dice on."""
        claims = self.claims()
        sheets = tuple(sheet.count(claims) for sheet in self.sheets)
        complete = max(sum(rank != "" for rank in sheet.colours) for sheet in sheets)
        return replace(
            self,
            sheets=sheets,
            active=(self.active + 1) % len(sheets),
            dice=(),
            taken=(),
            answered=frozenset(),
            over=complete >= COLOURS_TO_END or (self.solo and self.thrown == SOLO_THROWS),
        )

    def parts(self, seat: Seat) -> Mapping[str, int]:
        """The score box as if the game ended with this throw; alone also the throws not needed."""
        parts = self.sheets[seat].count(self.claims()).parts()
        if self.solo:
            parts["unused throws"] = UNUSED_THROW_POINTS * (SOLO_THROWS - self.thrown) if self.over else 0
        return parts

    def scores(self) -> tuple[int, ...]:
        """What each score box adds up to."""
        return tuple(sum(self.parts(seat).values()) for seat in range(len(self.sheets)))

    def outcome(self) -> Outcome | None:
        """Over after the throw in which somebody completes a second colour; exclamation marks break a tie."""
        if not self.over:
            return None
        scores = self.scores()
        if self.solo:
            return Outcome(scores, (0,), rating=rating(scores[0]))
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        left = [self.sheets[seat].exclamation_marks for seat in best]
        winners = tuple(seat for seat, marks in zip(best, left, strict=True) if marks == max(left))
        return Outcome(scores, winners, "exclamation marks" if len(winners) < len(best) else "")

    def __str__(self) -> str:
        claims, lines = self.claims(), [f"throw {self.thrown}"]
        if self.dice:
            lines.append("dice " + " ".join(map(str, self.dice)))
        if self.taken:
            lines.append("taken " + " ".join(map(str, self.taken)))
        for seat, (sheet, score) in enumerate(zip(self.sheets, self.scores(), strict=True)):
            turn = "" if self.over or seat != self.active else ", active"
            asked = f", to {self.asked()[seat]}" if seat in self.asked() else ""
            lines += ["", f"seat {seat}: {score} points{turn}{asked}", *draw_sheet(sheet, claims)]
        return "\n".join(lines)


def _ranked_by_any(sheets: list[tuple[Rank, ...]]) -> frozenset[int]:
    return frozenset(place for ranks in sheets for place, rank in enumerate(ranks) if rank)


def _paid(sheet: Sheet, choice: Cross | Special | Pass) -> Sheet:
    """The sheet with what the choice costs struck out, and with the heart if it is one."""
    match choice:
        case Cross(jokers=jokers):
            return replace(sheet, struck=sheet.struck + jokers) if jokers else sheet
        case Special(face=face):
            return replace(sheet, used=sheet.used + 1, hearts=sheet.hearts + (face == "heart"))
        case Pass():
            return sheet


def rating(score: int) -> str:
    """The verdict on a solo game."""
    return next((words for least, words in RATINGS if score >= least), LOWEST_RATING)


def _start(seats: int, options: Mapping[str, Value]) -> KeerOpKeer2:
    return KeerOpKeer2(
        leaning=options["leaning"] == "allowed",
        sheets=(Sheet(),) * seats,
        active=int(options["start_player"]),
    )


KEER_OP_KEER_2 = Game(
    key="keer_op_keer_2",
    title="Keer op Keer 2",
    seats=range(1, 7),
    dice=DICE,
    options=(Option("leaning", "allowed", ("allowed", "strict")), start_player(6)),
    _start=_start,
    minutes=30,
)
