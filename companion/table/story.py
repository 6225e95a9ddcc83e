"""A game as it was played: the entries, and the state that the events still standing fold into."""

from __future__ import annotations

from itertools import islice

from companion.dice import Die, Roll, Seat
from companion.games.core import (
    Chose,
    Corrected,
    Entry,
    Event,
    IllegalEvent,
    Rolled,
    State,
    Undone,
)
from companion.log import Line

Past = tuple[State, Event]
"""An event, after the state it came in."""


class CannotUndo(ValueError):
    """A choice that cannot be taken back any more."""


class Story:
    """The events that still stand, with the state after each. Entries are only ever added."""

    def __init__(self, start: State) -> None:
        self._states = [start]
        self._events: list[Event] = []
        self._made: dict[Seat, int] = {}
        self._last: dict[Seat, Chose | Undone] = {}

    @property
    def state(self) -> State:
        """Where the game is now."""
        return self._states[-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that still stand."""
        return tuple(self._events)

    @property
    def rolls_made(self) -> int:
        """How many rolls stand."""
        return sum(isinstance(event, Rolled) for event in self._events)

    def lately(self, most: int) -> tuple[tuple[State, Chose], ...]:
        """The last choices that stand, the newest first, each with the state it was made in."""
        events = ((place, self._events[place]) for place in range(len(self._events) - 1, -1, -1))
        made = ((self._states[place], event) for place, event in events if isinstance(event, Chose))
        return tuple(islice(made, most))

    def choices_made(self, seat: Seat) -> int:
        """How often this seat has chosen or taken back, ever; it only grows, so a late tap shows."""
        return self._made.get(seat, 0)

    def last_of(self, seat: Seat) -> Chose | Undone | None:
        """What this seat did last, whether it still stands or not."""
        return self._last.get(seat)

    def threw(self) -> Seat | None:
        """Who threw the last roll that stands."""
        last = self.last_roll()
        due = self._states[last[0]].throw() if last else None
        return due.seat if due else None

    def last_roll(self) -> tuple[int, Rolled] | None:
        """The last roll that stands and its place among the events."""
        for place in range(len(self._events) - 1, -1, -1):
            event = self._events[place]
            if isinstance(event, Rolled):
                return place, event
        return None

    def after(self, entry: Entry) -> tuple[list[Event], list[State]]:
        """What would stand after one more entry; nothing is changed yet."""
        match entry:
            case Rolled() | Chose():
                return [*self._events, entry], [*self._states, self.state.apply(entry)]
            case Undone(seat):
                return self._without(self._own_last(seat))
            case Corrected(dice, nearest_first):
                return self._with_roll(Rolled(dice, nearest_first))
        raise IllegalEvent(f"{entry!r} is no entry")

    def add(self, entry: Entry) -> None:
        """Take one more entry into the story."""
        self.take(entry, self.after(entry))

    def take(self, entry: Entry, outcome: tuple[list[Event], list[State]]) -> None:
        """Take an entry whose outcome `after` has worked out."""
        self._events, self._states = outcome
        if isinstance(entry, Chose | Undone):
            self._made[entry.seat] = self.choices_made(entry.seat) + 1
            self._last[entry.seat] = entry

    def undone_by(self, entry: Corrected) -> tuple[Past, ...]:
        """The events that would fall away with this correction."""
        stand = len(self.after(entry)[0])
        return tuple(zip(self._states[stand:-1], self._events[stand:], strict=True))

    def _own_last(self, seat: Seat) -> int:
        for place in range(len(self._events) - 1, -1, -1):
            event = self._events[place]
            if isinstance(event, Rolled):
                break
            if event.seat == seat:
                return place
        raise CannotUndo("there is nothing of yours to take back since the last roll")

    def _without(self, place: int) -> tuple[list[Event], list[State]]:
        events, states = self._events[:place], self._states[: place + 1]
        for event in self._events[place + 1 :]:
            try:
                states.append(states[-1].apply(event))
            except IllegalEvent as problem:
                raise CannotUndo(
                    "somebody has already built on that choice: the host can take back everything since"
                ) from problem
            events.append(event)
        return events, states

    def _with_roll(self, roll: Rolled) -> tuple[list[Event], list[State]]:
        last = self.last_roll()
        if last is None:
            raise CannotUndo("no roll has been made yet")
        place = last[0]
        events, states = self._events[:place], self._states[: place + 1]
        for event in (roll, *self._events[place + 1 :]):
            try:
                states.append(states[-1].apply(event))
            except IllegalEvent:
                if event is roll:
                    raise
                break
            events.append(event)
        return events, states


def text_of(entry: Entry) -> tuple[str, Seat | None, str]:
    """An entry as the log keeps it: kind, seat and text."""
    match entry:
        case Rolled(dice, nearest_first):
            return "rolled", None, _dice_text(dice, nearest_first)
        case Corrected(dice, nearest_first):
            return "corrected", None, _dice_text(dice, nearest_first)
        case Chose(seat, choice):
            return "chose", seat, str(choice)
        case Undone(seat):
            return "undone", seat, ""
    raise IllegalEvent(f"{entry!r} is no entry")


def entry_of(line: Line, state: State) -> Entry:
    """The entry that a line of the log holds; a choice is found among what was legal."""
    match line.kind, line.seat:
        case "chose", int(seat):
            return Chose(seat, state.find(seat, line.text))
        case "undone", int(seat):
            return Undone(seat)
        case "rolled", _:
            return Rolled(*_dice_from(line.text))
        case "corrected", _:
            return Corrected(*_dice_from(line.text))
    raise IllegalEvent(f"the log holds an unknown entry: {line}")


def _dice_text(dice: Roll, nearest_first: bool) -> str:
    return " ".join([*(["nearest-first"] if nearest_first else []), *map(str, dice)])


def _dice_from(text: str) -> tuple[Roll, bool]:
    words = text.split()
    nearest_first = words[:1] == ["nearest-first"]
    return tuple(map(Die.named, words[nearest_first:])), nearest_first
