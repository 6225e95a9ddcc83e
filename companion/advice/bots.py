"""Bots: each takes a state and a seat and names a choice, or None to throw where a throw is open."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.dice import Seat
from companion.games.core import Choice, Chose, State

Bot = Callable[[State, Seat, Random], Choice | None]

MOST_TRIED = 80
"""Choices a greedy bot tries out: a bomb has hundreds, and no bot should keep a table waiting."""


def _may_throw(state: State, seat: Seat) -> bool:
    due = state.throw()
    return due is not None and due.seat == seat


def random_bot(state: State, seat: Seat, chance: Random) -> Choice | None:
    """Any legal choice, each as likely; an open throw counts as one more."""
    choices = state.legal(seat)
    pick = chance.randrange(len(choices) + _may_throw(state, seat))
    return choices[pick] if pick < len(choices) else None


def greedy_bot(state: State, seat: Seat, chance: Random) -> Choice | None:
    """The choice that is best at once: own points first, then the lead over the others.

    Where no choice gains anything and a throw is open, it throws.
    """
    choices = state.legal(seat)
    if len(choices) > MOST_TRIED:
        choices = tuple(chance.sample(choices, MOST_TRIED))
    now = _standing(state, seat)
    best: list[Choice] = []
    worth = now
    for choice in choices:
        value = _standing(state.apply(Chose(seat, choice)), seat)
        if value > worth or not best:
            best, worth = [choice], value
        elif value == worth:
            best.append(choice)
    if worth <= now and _may_throw(state, seat):
        return None
    return chance.choice(best)


def _standing(state: State, seat: Seat) -> tuple[int, int]:
    scores = state.scores()
    others = [score for other, score in enumerate(scores) if other != seat]
    return scores[seat], scores[seat] - max(others, default=0)


BOTS: dict[str, Bot] = {"random": random_bot, "greedy": greedy_bot}
