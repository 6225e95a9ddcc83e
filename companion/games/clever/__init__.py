"""Clever (Ganz schön clever): pick a die, serve the lower ones, and let the bonuses chain."""

from companion.games.clever.rules import Clever
from companion.games.clever.sheet import DICE
from companion.games.core import Game, Option, start_player

CLEVER = Game(
    key="clever",
    title="Clever",
    seats=range(1, 5),
    dice=DICE,
    options=(
        Option("wasted_pick", False, (False, True)),
        Option("passive_skip", False, (False, True)),
        start_player(4),
    ),
    _start=Clever.start,
    minutes=30,
)
