"""What every game is: a state that answers four questions and takes one verb."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from companion.dice import Die, Roll, Seat, Throw, same_kinds

Value = bool | int | str
"""What an option can be set to."""


class IllegalEvent(ValueError):
    """Something that cannot happen now."""


class IllegalRoll(IllegalEvent):
    """Dice that are not the dice due."""


class IllegalChoice(IllegalEvent):
    """A choice that is not open to that seat now."""


class IllegalOption(ValueError):
    """An option, or a number of seats, that a game does not have."""


class Choice:
    """One thing a seat may decide: a frozen dataclass for each kind, whose `str` is its identity."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice that fell; `nearest_first` says they are listed from the one nearest to the drawn tray."""

    dice: Roll
    nearest_first: bool = False


@dataclass(frozen=True, slots=True)
class Chose:
    """A seat's decision."""

    seat: Seat
    choice: Choice


Event = Rolled | Chose


@dataclass(frozen=True, slots=True)
class Undone:
    """A seat's own last choice is taken back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Corrected:
    """The last roll was read wrong: these dice lay there."""

    dice: Roll
    nearest_first: bool = False


Entry = Event | Undone | Corrected
"""What the log holds; the state is the fold of the events that still stand."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `decided_by` names the tie-break that was needed, `rating` the solo verdict."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    decided_by: str = ""
    rating: str = ""


class State(ABC):
    """A position that never changes. Games are frozen dataclasses (without slots) below this class.

    A game writes `throw`, `asked`, `outcome`, `scores`, `parts` and the three hooks `_choices`,
    `_rolled` and `_chose`; it need not check anything, since `apply` has done so.
    """

    @abstractmethod
    def throw(self) -> Throw | None:
        """The dice that must (or, beside an open question, may) fall now."""

    @abstractmethod
    def asked(self) -> Mapping[Seat, str]:
        """The seats that owe a decision, each with one word for what is asked."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result, once the game is over."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """What each seat has so far."""

    @abstractmethod
    def parts(self, seat: Seat) -> Mapping[str, int]:
        """A seat's score, category by category; the categories add up to the score."""

    @abstractmethod
    def _choices(self, seat: Seat) -> tuple[Choice, ...]:
        """Every choice open to a seat that is asked: the only place with a rule about permission."""

    @abstractmethod
    def _rolled(self, roll: Rolled) -> Self:
        """The state after the dice due have fallen."""

    @abstractmethod
    def _chose(self, seat: Seat, choice: Any) -> Self:
        """The state after a legal choice."""

    def legal(self, seat: Seat) -> tuple[Choice, ...]:
        """Every choice open to this seat now; empty exactly for those who are not asked."""
        listed: dict[Seat, tuple[Choice, ...]] = self.__dict__.setdefault("_listed", {})
        if seat not in listed:
            listed[seat] = self._choices(seat) if seat in self.asked() else ()
        return listed[seat]

    def find(self, seat: Seat, text: str) -> Choice:
        """The legal choice with this text."""
        named: dict[Seat, dict[str, Choice]] = self.__dict__.setdefault("_named", {})
        if seat not in named:
            named[seat] = {str(choice): choice for choice in self.legal(seat)}
        if text not in named[seat]:
            raise IllegalChoice(f"“{text}” is not open to seat {seat} now")
        return named[seat][text]

    def apply(self, event: Event) -> Self:
        """The next state, or `IllegalEvent`."""
        if self.outcome() is not None:
            raise IllegalEvent("the game is over")
        match event:
            case Rolled(dice=dice):
                due = self.throw()
                if due is None:
                    raise IllegalRoll("no throw is due now")
                if not same_kinds(dice, due.kinds):
                    raise IllegalRoll(f"due are {', '.join(due.kinds)}, not {', '.join(map(str, dice))}")
                return self._rolled(event)
            case Chose(seat=seat, choice=choice):
                if choice not in self.legal(seat):
                    raise IllegalChoice(f"“{choice}” is not open to seat {seat} now")
                return self._chose(seat, choice)
        raise IllegalEvent(f"{event!r} is no event")


@dataclass(frozen=True, slots=True)
class Option:
    """One way in which a table may play differently. No `values`: any text, checked by the game."""

    name: str
    default: Value
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands on the shelf."""

    key: str
    title: str
    seats: range
    dice: tuple[str, ...]
    options: tuple[Option, ...]
    _start: Callable[[int, Mapping[str, Value]], State] = field(repr=False)
    minutes: int = 30

    def settings(self, seats: int, chosen: Mapping[str, Value]) -> dict[str, Value]:
        """All options with their values, the defaults filled in; refuses what the game does not have."""
        if seats not in self.seats:
            raise IllegalOption(
                f"{self.title} is for {self.seats[0]} to {self.seats[-1]} players, not {seats}"
            )
        known = {option.name: option for option in self.options}
        for name, value in chosen.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise IllegalOption(f"{self.title} has no option “{name}”; its options are: {names}")
            option = known[name]
            if type(value) is not type(option.default) or (option.values and value not in option.values):
                allowed = ", ".join(
                    {True: "on", False: "off"}.get(v, str(v)) if isinstance(v, bool) else str(v)
                    for v in option.values or (option.default,)
                )
                raise IllegalOption(f"option “{name}” takes {allowed}, not “{value}”")
        if int(chosen.get("start_player", 0)) >= seats:
            raise IllegalOption(f"with {seats} players the start player is a seat from 0 to {seats - 1}")
        return {option.name: chosen.get(option.name, option.default) for option in self.options}

    def start(self, seats: int, options: Mapping[str, Value] | None = None) -> State:
        """The first state of a game for so many seats."""
        return self._start(seats, self.settings(seats, options or {}))


def start_player(seats: int) -> Option:
    """The option every game has: the seat that begins, counted from 0."""
    return Option("start_player", 0, tuple(range(seats)))


def face_counts(dice: Roll) -> dict[str, int]:
    """How many dice show each face."""
    counts: dict[str, int] = {}
    for die in dice:
        counts[die.face] = counts.get(die.face, 0) + 1
    return counts


__all__ = [
    "Choice",
    "Chose",
    "Corrected",
    "Die",
    "Entry",
    "Event",
    "Game",
    "IllegalChoice",
    "IllegalEvent",
    "IllegalOption",
    "IllegalRoll",
    "Option",
    "Outcome",
    "Roll",
    "Rolled",
    "Seat",
    "State",
    "Throw",
    "Undone",
    "Value",
    "face_counts",
    "start_player",
]
