"""The turns of Geizen: throw, keep at least one die, and when all five are kept the chips move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from companion.dice import Seat, Throw
from companion.games.core import Choice, Game, Option, Outcome, Rolled, State, Value, start_player
from companion.games.geizen.board import PRINTED, VALUES, Board
from companion.games.geizen.placing import Chips, Placed, Step, place

DICE = 5


@dataclass(frozen=True, slots=True)
class Keep(Choice):
    """Set these dice aside, never to be thrown again this turn."""

    dice: tuple[int, ...]

    def __str__(self) -> str:
        return "keep " + " ".join(map(str, self.dice))


@cache
def _keeps(lying: tuple[int, ...]) -> tuple[Keep, ...]:
    """Every part of the dice just rolled, like dice being alike; equal dice need not stay together."""
    parts = {part for count in range(1, len(lying) + 1) for part in combinations(lying, count)}
    return tuple(Keep(part) for part in sorted(parts, key=lambda part: (len(part), part)))


@dataclass(frozen=True, slots=True)
class Account:
    """How a seat came by its chips. `placed` and `arrows` went away, `loan` was never given back."""

    start: int
    placed: int = 0
    collected: int = 0
    arrows: int = 0
    loan: int = 0


@dataclass(frozen=True)
class Geizen(State):
    """A moment in the game. `kept` are the dice set aside this turn, `lying` those that wait for a choice;
    `last_seat` and `last_steps` tell where the chips of the turn before went."""

    board: Board
    turn: Seat
    chips: Chips
    accounts: tuple[Account, ...]
    kept: tuple[int, ...] = ()
    lying: tuple[int, ...] = ()
    last_seat: Seat | None = None
    last_steps: tuple[Step, ...] = ()
    over: bool = False

    def throw(self) -> Throw | None:
        """All five dice, then those that were not kept."""
        if self.over or self.lying:
            return None
        return Throw(self.turn, ("pip",) * (DICE - len(self.kept)))

    def asked(self) -> Mapping[Seat, str]:
        """The turn's seat, once dice lie before it."""
        return {self.turn: "keep"} if self.lying else {}

    def _choices(self, seat: Seat) -> tuple[Choice, ...]:
        return _keeps(self.lying)

    def _rolled(self, roll: Rolled) -> Geizen:
        return replace(self, lying=tuple(sorted(int(die.face) for die in roll.dice)))

    def _chose(self, seat: Seat, choice: Keep) -> Geizen:
        kept = tuple(sorted((*self.kept, *choice.dice)))
        if len(kept) < DICE:
            return replace(self, kept=kept, lying=())
        return self._settle(place(self.board, self.chips, seat, kept))

    @property
    def ahead(self) -> Placed:
        """What the dice kept so far would do to the chips if the turn ended with them."""
        return place(self.board, self.chips, self.turn, self.kept)

    def _settle(self, placed: Placed) -> Geizen:
        """The next turn, or the end for whoever has nothing left when the own turn is over."""
        over = placed.chips.hands[self.turn] == 0
        return replace(
            self,
            turn=self.turn if over else (self.turn + 1) % len(self.accounts),
            chips=placed.chips,
            accounts=tuple(self._account(seat, placed) for seat in range(len(self.accounts))),
            kept=(),
            lying=(),
            last_seat=self.turn,
            last_steps=placed.steps,
            over=over,
        )

    def _account(self, seat: Seat, placed: Placed) -> Account:
        account = self.accounts[seat]
        if seat != self.turn:
            arrows = sum(step.paid[seat] for step in placed.steps if step.paid)
            return replace(account, arrows=account.arrows + arrows) if arrows else account
        return replace(
            account,
            placed=account.placed + sum(step.own for step in placed.steps),
            collected=account.collected + sum(step.collected for step in placed.steps),
            loan=account.loan + placed.owed,
        )

    def scores(self) -> tuple[int, ...]:
        """The chips in each hand; those on the board count for nobody."""
        return self.chips.hands

    def parts(self, seat: Seat) -> Mapping[str, int]:
        """Where the chips came from and went to."""
        account = self.accounts[seat]
        return {
            "start": account.start,
            "placed": -account.placed,
            "collected": account.collected,
            "arrows": -account.arrows,
            "loan": account.loan,
        }

    def outcome(self) -> Outcome | None:
        """Over when a seat has no chips at the end of its own turn; the most chips win, ties share."""
        if not self.over:
            return None
        scores = self.scores()
        return Outcome(scores, tuple(seat for seat, has in enumerate(scores) if has == max(scores)))

    def __str__(self) -> str:
        lines = [self._draw_column(value) for value in VALUES]
        lines.append(f"pot  {self.chips.pot}")
        for seat, has in enumerate(self.chips.hands):
            mark = "▸" if not self.over and seat == self.turn else " "
            lines.append(f"{mark} {seat}  {has:2} chips")
        if self.last_seat is not None:
            told = "; ".join(map(_told, self.last_steps)) or "only sixes, no chips"
            lines.append(f"seat {self.last_seat} laid  {told}")
        if self.kept:
            lines.append("kept  " + " ".join(map(str, self.kept)))
        if self.lying:
            lines.append("lying " + " ".join(map(str, self.lying)))
        return "\n".join(lines)

    def _draw_column(self, value: int) -> str:
        column, filled = self.board.column(value), self.chips.filled[value - 1]
        spaces = " ".join(
            ("●" if space < filled else colour) * column.due(space)
            for space, colour in enumerate(column.spaces)
        )
        return f"{value}  {spaces:19} arrow {column.arrow}, lying {self.chips.lying[value - 1]}"


def _told(step: Step) -> str:
    words = f"{step.value}: space {step.space + 1}"
    if step.own:
        words += f" own {step.own}"
    if step.pot:
        words += f" pot {step.pot}"
    if step.lent:
        words += f" (lent {step.lent})"
    if step.unpaid:
        words += f" ({step.unpaid} short: nobody could pay)"
    if step.collected:
        words += f", takes {step.collected}, the others pay {sum(step.paid)}"
    return words


def _start(seats: int, options: Mapping[str, Value]) -> Geizen:
    board = Board.read(str(options["board"]))
    each = board.start_chips(seats)
    return Geizen(
        board=board,
        turn=int(options["start_player"]),
        chips=Chips((each,) * seats, board.chips - seats * each),
        accounts=(Account(each),) * seats,
    )


GEIZEN = Game(
    key="geizen",
    title="Geizen",
    seats=range(2, 6),
    dice=("pip",) * DICE,
    options=(Option("board", str(PRINTED)), start_player(5)),
    _start=_start,
    minutes=20,
)
