"""What can be done at the table, once for the JSON interface and the pages alike."""

from __future__ import annotations

from collections.abc import Callable

from companion.dice import Seat
from companion.games import GAMES
from companion.games.core import Event
from companion.table import Player, Refused, Table
from companion.web.asking import Ask, Malformed, NotYours


def join(table: Table, ask: Ask) -> tuple[Seat, Player]:
    """A seat for a name; who is seated already keeps that seat."""
    if ask.who.seat is not None:
        return ask.who.seat, table.view().lobby.players[ask.who.seat]
    return table.join(ask.text("name"))


def open_game(table: Table, ask: Ask) -> None:
    """A fresh lobby for a game."""
    key = _key(ask)
    seats = ask.count("seats")
    if seats is not None and seats not in GAMES[key].seats:
        raise Malformed(
            "%(game)s is for %(least)s to %(most)s players",
            game=GAMES[key].title,
            least=GAMES[key].seats[0],
            most=GAMES[key].seats[-1],
        )
    try:
        table.open(key, ask.options(GAMES[key]), seats)
    except Refused as refused:
        raise _malformed(refused) from refused


def change_game(table: Table, ask: Ask) -> None:
    """Another game or other options in the lobby; start with the defaults of a new game."""
    key = _key(ask)
    table.change(key, ask.options(GAMES[key]))


def choose(table: Table, ask: Ask) -> None:
    """A seat decides."""
    table.choose(ask.seat(), ask.text("choice"), ask.count("choices_made"))


def confirm(table: Table, ask: Ask) -> None:
    """Take the sure reading."""
    table.confirm(ask.count("rolls_made"))


def roll(table: Table, ask: Ask) -> None:
    """A roll typed in, or read and then mended."""
    table.roll(ask.dice(), ask.flag("nearest_first"), ask.count("rolls_made"))


def correct(table: Table, ask: Ask) -> tuple[Event, ...]:
    """Replace the last roll; what fell away with it."""
    return table.correct(ask.dice())


def undo(table: Table, ask: Ask) -> None:
    """Take back that seat's own last choice."""
    table.undo(ask.seat(), ask.count("choices_made"))


def add(table: Table, ask: Ask) -> None:
    """A guest who plays on this phone, or a bot."""
    plays = ask.text("plays", "guest")
    table.join(ask.text("name"), plays, ask.who.player if plays == "guest" else "")


def leave(table: Table, ask: Ask, first: bool) -> None:
    """Free a seat: the own one, a guest's, or any if the first seat or the host asks."""
    seat = ask.number("seat")
    if not first and seat not in ask.who.hands:
        raise NotYours("that is not your seat")
    table.leave(seat)


def move(table: Table, ask: Ask) -> None:
    """Move a player one place up or down."""
    seat, other = ask.number("seat"), ask.number("seat") + ask.number("by")
    order = list(range(len(table.view().lobby.players)))
    if not (0 <= seat < len(order) and 0 <= other < len(order)):
        return
    order[seat], order[other] = order[other], order[seat]
    table.reorder(tuple(order))


def throw(thrower: Callable[[], None] | None, table: Table) -> None:
    """Throw the simulated dice."""
    if thrower is None:
        raise Refused("there is no simulated tray here: throw the real dice")
    if table.due() is None:
        raise Refused("no throw is due now")
    thrower()


def _key(ask: Ask) -> str:
    key = ask.text("game")
    if key not in GAMES:
        raise Malformed("there is no game “%(key)s”; there are: %(keys)s", key=key, keys=", ".join(GAMES))
    return key


def _malformed(refused: Refused) -> Malformed:
    return Malformed(refused.sentence.text, **dict(refused.sentence.blanks))
