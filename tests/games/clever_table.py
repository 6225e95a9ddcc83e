"""A table of Clever set up for a test: dice and choices written as text, sheets filled in by hand."""

from __future__ import annotations

from dataclasses import replace

from companion.dice import Die
from companion.games.clever import CLEVER
from companion.games.clever.sheet import DICE
from companion.games.core import Chose, Rolled

YELLOW_PLACES = frozenset({0, 1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 15})
FULL = {
    "yellow": YELLOW_PLACES,
    "blue": frozenset(range(2, 13)),
    "green": 11,
    "orange": (1,) * 11,
    "purple": (6,) * 11,
}


def start(seats=1, **options):
    return CLEVER.start(seats, options)


def dice(text):
    """Dice written as `white 4 blue 3 …`."""
    words = text.split()
    return tuple(map(Die, words[::2], words[1::2]))


def roll(state, text, nearest_first=False):
    return state.apply(Rolled(dice(text), nearest_first))


def choose(state, text, seat=0):
    return state.apply(Chose(seat, state.find(seat, text)))


def legal(state, seat=0):
    return [str(choice) for choice in state.legal(seat)]


def sheet(state, seat=0):
    return state.players[seat].sheet


def with_sheet(state, seat=0, **marks):
    player = state.players[seat]
    changed = replace(player, sheet=replace(player.sheet, **marks))
    return replace(state, players=(*state.players[:seat], changed, *state.players[seat + 1 :]))


def third_throw(state, faces, placed=(), tray=()):
    """The active player's last throw is due: these dice are placed and on the tray, the rest falls now."""
    rest = tuple(die for die in DICE if die not in (*placed, *tray))
    shown = {die.kind: die for die in dice(faces)}
    state = replace(state, rolls=3, due=rest, pool=rest, placed=placed, tray=tray)
    state = replace(state, faces=tuple(int(shown[die].face) for die in DICE))
    return state.apply(Rolled(tuple(shown[die] for die in rest)))


def solo_passive(state=None):
    state = start() if state is None else state
    return replace(state, stage="passive", due=DICE, pool=(), rolls=0)


LOW = "white 3 yellow 2 blue 2 green 1 orange 5 purple 1"
"""A throw of which every die is low enough to make trouble somewhere."""


def served(seats=2, **options):
    """Seat 0 has placed white 3, orange 5 and purple 6; yellow 2, blue 2 and green 1 are on the tray."""
    state = third_throw(
        start(seats, **options),
        "white 3 yellow 2 blue 2 green 1 orange 5 purple 6",
        ("white", "orange"),
        ("yellow", "blue", "green"),
    )
    return choose(state, "pick purple 6")
