"""Geizen (Tricky): keep dice, put chips on the board, and fill a column to take them all."""

from companion.games.geizen.board import PRINTED, Board, Column, example
from companion.games.geizen.placing import Chips, Placed, Step, place
from companion.games.geizen.rules import GEIZEN, Geizen, Keep

__all__ = [
    "GEIZEN",
    "PRINTED",
    "Board",
    "Chips",
    "Column",
    "Geizen",
    "Keep",
    "Placed",
    "Step",
    "example",
    "place",
]
