"""Whole games without camera or phones: bots decide, chance throws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.advice.bots import Bot
from companion.dice import KINDS, Die, Roll, Throw
from companion.games.core import Chose, Event, Game, Outcome, Rolled, State, Value


@dataclass(frozen=True, slots=True)
class Played:
    """One step of a play-out: what happened, and what came of it."""

    event: Event
    state: State


def throw_dice(due: Throw, chance: Random) -> Roll:
    """The dice due, fallen by chance."""
    return tuple(Die(kind, chance.choice(KINDS[kind].sides)) for kind in due.kinds)


def play(game: Game, options: Mapping[str, Value], bots: Sequence[Bot], chance: Random) -> Iterator[Played]:
    """A whole game, one bot a seat, event by event."""
    state = game.start(len(bots), options)
    while state.outcome() is None:
        event = _next_event(state, bots, chance)
        state = state.apply(event)
        yield Played(event, state)


def _next_event(state: State, bots: Sequence[Bot], chance: Random) -> Event:
    due = state.throw()
    asked = sorted(state.asked())
    if asked:
        seat = chance.choice(asked) if len(asked) > 1 else asked[0]
        choice = bots[seat](state, seat, chance)
        if choice is not None:
            return Chose(seat, choice)
    if due is None:
        raise AssertionError(f"nobody owes anything, yet the game is not over:\n{state}")
    return Rolled(throw_dice(due, chance))


def result(last: Played) -> Outcome:
    """The outcome of a finished play-out."""
    outcome = last.state.outcome()
    if outcome is None:
        raise ValueError("this game is not over")
    return outcome
