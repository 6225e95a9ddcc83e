"""What can be done at the table, once for the JSON interface and the pages alike."""

from __future__ import annotations

from collections.abc import Callable

from companion.dice import Seat
from companion.games import GAMES
from companion.table import Past, Player, Refused, Table
from companion.web import copies
from companion.web.asking import Ask, Malformed, NotYours

BOT_NAMES = ("Bip", "Blik", "Knars", "Piep", "Tuut", "Moer", "Vonk")
"""As many as there can be seats."""


def join(table: Table, ask: Ask) -> tuple[Seat, Player]:
    """A seat for a name; who is seated already keeps that seat."""
    lobby = table.view().lobby
    seat = lobby.seat_of(ask.who.player) if ask.who.player else None
    return table.join(ask.text("name")) if seat is None else (seat, lobby.players[seat])


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
    """Another game or other options in the lobby; a new game starts with what is usual here.

    Options that did not come along stay as they are: a tap on the game that is chosen already names none.
    """
    key, now = _key(ask), table.view().lobby
    begins = {"start_player": now.options["start_player"]} if "start_player" in now.options else {}
    before = now.options if key == now.key else {**begins, **copies.usual(table, key)}
    table.change(key, {**before, **ask.options(GAMES[key])})


def choose(table: Table, ask: Ask) -> None:
    """A seat decides."""
    table.choose(ask.seat(), ask.text("choice"), ask.count("choices_made"))


def confirm(table: Table, ask: Ask) -> None:
    """Take the sure reading."""
    table.confirm(ask.count("rolls_made"), ask.dice() if ask.has("dice") else None)


def roll(table: Table, ask: Ask) -> None:
    """A roll typed in, or read and then mended."""
    table.roll(ask.dice(), ask.flag("nearest_first"), ask.count("rolls_made"))


def correct(table: Table, ask: Ask) -> tuple[Past, ...]:
    """Replace the last roll; what fell away with it."""
    return table.correct(ask.dice(), ask.count("rolls_made"))


def undo(table: Table, ask: Ask) -> None:
    """Take back that seat's own last choice."""
    table.undo(ask.seat(), ask.count("choices_made"))


def add(table: Table, ask: Ask, first: bool) -> None:
    """A guest on this phone (on any, if the first seat or the host asks), or a bot with a name of its own.

    `seated` says how many sat there when the tap was made: whoever it asks for may have sat down since.
    """
    plays, players = ask.text("plays", "guest"), table.view().lobby.players
    name, seated = " ".join(ask.text("name").split()), ask.count("seated")
    if plays == "phone":
        raise Malformed("there is no bot called “%(name)s”", name=plays)
    if seated is not None and any(p.plays == plays and name in ("", p.name) for p in players[seated:]):
        return
    if plays != "guest":
        taken = {player.name.casefold() for player in players}
        table.join(name or next((bot for bot in BOT_NAMES if bot.casefold() not in taken), "Bot"), plays)
        return
    keeper, seat = ask.who.player, ask.count("keeper")
    if seat is not None and 0 <= seat < len(players):
        if not first and seat not in ask.who.hands:
            raise NotYours("that is not your seat")
        keeper = players[seat].id
    if not keeper:
        raise Refused("a guest needs somebody's phone: take a seat first")
    table.join(name, plays, keeper)


def leave(table: Table, ask: Ask, first: bool) -> None:
    """Free a seat: the own one, a guest's, or any if the first seat or the host asks."""
    seat = ask.number("seat")
    if not first and seat not in ask.who.hands:
        raise NotYours("that is not your seat")
    table.leave(seat, ask.text("name", ""))


def move(table: Table, ask: Ask) -> None:
    """Move a player one place up or down."""
    seat, other = ask.number("seat"), ask.number("seat") + ask.number("by")
    order = list(range(len(table.view().lobby.players)))
    if not (0 <= seat < len(order) and 0 <= other < len(order)):
        return
    order[seat], order[other] = order[other], order[seat]
    reorder(table, ask, tuple(order))


def reorder(table: Table, ask: Ask, order: tuple[Seat, ...]) -> None:
    """Seat the players in another order.

    `seat` and `name` say who was moved, and from where: a second tap must not move the next player.
    """
    seat, name, players = ask.count("seat"), ask.text("name", ""), table.view().lobby.players
    if seat is None or not name or name in (player.name for player in players[seat : seat + 1]):
        table.reorder(order)


def throw(thrower: Callable[[], None] | None, table: Table, ask: Ask) -> None:
    """Throw the simulated dice; `rolls_made` says for which throw, so that a late tap spares the next."""
    if thrower is None:
        raise Refused("there is no simulated tray here: throw the real dice")
    if ask.count("rolls_made") not in (None, table.view().rolls_made):
        return
    if table.due() is None:
        raise Refused("no throw is due now")
    thrower()


def throw_again(table: Table, ask: Ask) -> None:
    """What was read does not count."""
    table.throw_again(ask.count("rolls_made"), ask.count("throw_number"))


def _key(ask: Ask) -> str:
    key = ask.text("game")
    if key not in GAMES:
        raise Malformed("there is no game “%(key)s”; there are: %(keys)s", key=key, keys=", ".join(GAMES))
    return key


def _malformed(refused: Refused) -> Malformed:
    return Malformed(refused.sentence.text, **dict(refused.sentence.blanks))
