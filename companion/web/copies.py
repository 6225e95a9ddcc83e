"""What owners told about their own copies: the board of Geizen, the card sets of Dicy Cards."""

from __future__ import annotations

from random import SystemRandom

from companion.games.core import IllegalOption, Value
from companion.games.dicy_cards import cards as dicy
from companion.games.geizen import board as geizen
from companion.table import Table

BOARD, SETS = "geizen.board", "dicy_cards.sets"
"""The names under which the table keeps them."""


def usual(table: Table, key: str) -> dict[str, Value]:
    """The options a game begins with here: the defaults, and the owner's own board."""
    board = kept_board(table) if key == "geizen" else None
    return {} if board is None or board == geizen.PRINTED else {"board": str(board)}


def kept_board(table: Table) -> geizen.Board | None:
    """The owner's board, if one was written down."""
    try:
        return geizen.Board.from_toml(table.kept(BOARD)) if table.kept(BOARD) else None
    except IllegalOption:
        return None  # written by another version; the page shows the text and what is wrong with it


def kept_sets(table: Table) -> dict[str, str]:
    """The sets B, C and D that were filled in, each as an option value."""
    try:
        return dicy.presets(table.kept(SETS)) if table.kept(SETS) else {}
    except IllegalOption:
        return {}


def drawn() -> str:
    """Five of the twelve cards by lot."""
    return dicy.written(SystemRandom().sample(sorted(dicy.CARDS), dicy.HAND))


def as_toml(sets: dict[str, str]) -> str:
    """Sets as the owner typed them, as the text that `presets` reads."""
    return "".join(
        f"{letter} = [{', '.join(numbers.replace(',', ' ').split())}]\n" for letter, numbers in sets.items()
    )
