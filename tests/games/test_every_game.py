"""Every game, one test: what must hold for all of them, in random play-outs over seats and options."""

from __future__ import annotations

from importlib import import_module
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.advice import BOTS, play, throw_dice
from companion.dice import Die
from companion.games import GAMES
from companion.games.core import (
    Choice,
    Chose,
    Game,
    IllegalChoice,
    IllegalEvent,
    IllegalOption,
    IllegalRoll,
    Option,
    Rolled,
    State,
)

LONGEST = 60_000
"""Events after which a random game counts as endless."""


class Unheard(Choice):
    """A choice that no game has."""

    def __str__(self) -> str:
        return "unheard of"


def recount_of(key: str):
    """The independent recount of a game's sheet, written in the tests from the rulebook."""
    return import_module(f"tests.games.{key}_recount")


def free_values(game: Game, option: Option) -> tuple:
    """Values for an option that takes any text: the recount module lists some."""
    return getattr(recount_of(game.key), "OPTION_VALUES", {}).get(option.name, (option.default,))


@st.composite
def tables(draw: st.DrawFn, game: Game):
    seats = draw(st.sampled_from(game.seats))
    options = {}
    for option in game.options:
        values = option.values or free_values(game, option)
        if option.name == "start_player":
            values = tuple(range(seats))
        options[option.name] = draw(st.sampled_from(values))
    return seats, options, draw(st.integers(0, 2**32))


def assert_well_formed(state: State, seats: int) -> None:
    asked = state.asked()
    assert asked or state.throw(), f"nobody owes anything:\n{state}"
    for seat in range(seats):
        choices = state.legal(seat)
        assert bool(choices) == (seat in asked)
        texts = [str(choice) for choice in choices]
        assert len(set(texts)) == len(texts)
        assert all(state.find(seat, text) == choice for text, choice in zip(texts, choices, strict=True))
    due = state.throw()
    if due:
        assert due.seat in range(seats)
        assert due.kinds


def assert_illegal_is_refused(state: State, seats: int, chance: Random) -> None:
    with pytest.raises(IllegalChoice):
        state.apply(Chose(chance.randrange(seats), Unheard()))
    idle = [seat for seat in range(seats) if seat not in state.asked()]
    for seat, others in ((s, state.legal(o)) for s in idle for o in state.asked()):
        with pytest.raises(IllegalChoice):
            state.apply(Chose(seat, others[0]))
    due = state.throw()
    one_too_many = (*(throw_dice(due, chance) if due else ()), Die("pip", "1"))
    with pytest.raises(IllegalRoll):
        state.apply(Rolled(one_too_many))


def assert_answers_commute(state: State, chance: Random) -> None:
    """Two seats that are asked at once may answer in either order."""
    asked = sorted(state.asked())
    if len(asked) < 2:
        return
    one, other = chance.sample(asked, 2)
    first = Chose(one, chance.choice(state.legal(one)))
    second = Chose(other, chance.choice(state.legal(other)))
    assert state.apply(first).apply(second) == state.apply(second).apply(first)


@pytest.mark.parametrize("key", GAMES)
@given(data=st.data())
def test_random_games(key, data):
    game = GAMES[key]
    seats, options, seed = data.draw(tables(game))
    chance = Random(seed)
    recount = recount_of(key)
    state = start = game.start(seats, options)
    events = []
    assert_well_formed(state, seats)
    for step in play(game, options, [BOTS["random"]] * seats, chance):
        events.append(step.event)
        state = step.state
        assert len(events) < LONGEST, "the game does not end"
        if hasattr(recount, "conserved"):
            recount.conserved(state)
        if state.outcome() is None:
            assert_well_formed(state, seats)
            if chance.random() < 0.1:
                assert_illegal_is_refused(state, seats, chance)
                assert_answers_commute(state, chance)
    outcome = state.outcome()
    assert outcome is not None
    assert state.throw() is None
    assert not state.asked()
    with pytest.raises(IllegalEvent):
        state.apply(events[-1])
    for seat in range(seats):
        assert outcome.scores[seat] == recount.recount(state, seat)
        assert sum(state.parts(seat).values()) == outcome.scores[seat]
    assert set(outcome.winners) <= {
        seat for seat in range(seats) if outcome.scores[seat] == max(outcome.scores)
    }
    assert outcome.winners
    again = start
    for event in events:
        match event:
            case Chose(seat, choice):
                again = again.apply(Chose(seat, again.find(seat, str(choice))))
            case Rolled():
                again = again.apply(event)
    assert again == state
    assert str(again) == str(state)


@pytest.mark.parametrize("key", GAMES)
def test_options_and_seats_that_do_not_exist_are_refused(key):
    game = GAMES[key]
    fewest, most = game.seats[0], game.seats[-1]
    for seats, options in ((most + 1, {}), (fewest, {"nonsense": True}), (fewest, {"start_player": fewest})):
        with pytest.raises(IllegalOption):
            game.start(seats, options)
    with pytest.raises(IllegalOption):
        game.start(fewest, {game.options[0].name: 3.5})
