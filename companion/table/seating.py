"""Before and between games: what is played, who sits where, and games put away and taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.advice import BOTS
from companion.dice import Seat
from companion.games.core import Game, IllegalOption, Value
from companion.table.players import Lobby, Player
from companion.table.standing import ON_TABLE, UNREADABLE, Standing
from companion.table.story import Story
from companion.table.view import Phase, Refused

LONGEST_NAME = 24
JOINERS = str.maketrans("", "", "\u200c\u200d")
"""Signs that show nothing themselves, but hold a name in Persian or an emoji of several parts together."""


class Seating(Standing):
    """The lobby and the seats."""

    def open(self, key: str, options: Mapping[str, Value], seats: int | None = None) -> None:
        """A fresh lobby for a game; the one on the table is put away as it is."""
        game = self._shelf(key)
        capacity = seats or game.seats[-1]
        self._check_options(game, capacity, options)
        with self._lock:
            if self._phase == "lobby" and not self._lobby.players:
                self._arrange(Lobby(key, capacity, dict(options)))
                return
            self._begin(Lobby(key, capacity, dict(options)))

    def change(self, key: str, options: Mapping[str, Value]) -> None:
        """Another game, or other options, in the lobby; who sits there stays."""
        game = self._shelf(key)
        with self._lock:
            self._need("lobby")
            players = self._lobby.players
            if len(players) > game.seats[-1]:
                raise Refused(
                    "%(game)s is for %(most)s players at most; %(count)s are seated",
                    game=game.title,
                    most=game.seats[-1],
                    count=len(players),
                )
            self._check_options(game, max(len(players), game.seats[0]), options)
            capacity = self._lobby.capacity if key == self._lobby.key else game.seats[-1]
            self._arrange(Lobby(key, capacity, dict(options), players))

    def join(self, name: str, plays: str = "phone", keeper: str = "") -> tuple[Seat, Player]:
        """A seat for somebody with this name."""
        name = _name(name)
        with self._lock:
            if plays not in ("phone", "guest", *BOTS):
                raise Refused("there is no bot called “%(name)s”", name=plays)
            if self._phase != "lobby":
                raise Refused("the game has begun; you can watch, or ask the host for a seat")
            taken = next((p for p in self._lobby.players if p.name.casefold() == name.casefold()), None)
            if taken is not None and taken.free and plays == "phone":
                seat = self._lobby.players.index(taken)  # somebody who left in the last game is back
                return seat, self.hand_over(seat)
            if taken is not None and plays == "phone":  # who never heard that the seat was given asks again
                raise Refused(
                    "“%(name)s” sits here already: choose another name; "
                    "if that is you, let the host (PIN on the table screen) hand the seat to this phone",
                    name=name,
                )
            if taken is not None:
                raise Refused("“%(name)s” sits here already; choose another name", name=name)
            if len(self._lobby.players) >= self._lobby.capacity:
                raise Refused("the table is full: %(count)s seats", count=self._lobby.capacity)
            player = Player(name, plays=plays, keeper=keeper)
            self._arrange(replace(self._lobby, players=(*self._lobby.players, player)))
            return len(self._lobby.players) - 1, player

    def leave(self, seat: Seat, name: str = "") -> None:
        """Free a seat in the lobby; guests on that phone leave too.

        `name` says whose seat it was when the tap was made: a second tap must not hit the next player.
        """
        with self._lock:
            self._need("lobby")
            if name and all(player.name != name for player in self._lobby.players):
                return
            if name and self._player(seat).name != name:
                raise Refused("that tap came too late: something was decided for this seat before it")
            gone = self._player(seat).id
            players = tuple(p for p in self._lobby.players if gone not in (p.id, p.keeper))
            self._arrange(self._lobby.seated(players))

    def reorder(self, order: tuple[Seat, ...]) -> None:
        """Seat the players in another order."""
        with self._lock:
            self._need("lobby")
            if sorted(order) != list(range(len(self._lobby.players))):
                raise Refused("that is not an order of the players seated")
            players = tuple(self._lobby.players[seat] for seat in order)
            self._arrange(self._lobby.seated(players))

    def rename(self, seat: Seat, name: str) -> None:
        """Give a player another name, at any time."""
        name = _name(name)
        with self._lock:
            player = self._player(seat)
            others = (p for p in self._lobby.players if p is not player)
            if any(other.name.casefold() == name.casefold() for other in others):
                raise Refused("“%(name)s” sits here already; choose another name", name=name)
            self._arrange(self._lobby.with_player(seat, replace(player, name=name)))

    def hand_over(self, seat: Seat, plays: str = "phone", keeper: str = "", free: bool = False) -> Player:
        """Let another phone, a guest's keeper or a bot go on for a seat; the old phone's token lapses.

        `free` lets the bot go on only until a newcomer takes the seat.

        Guests on the old phone go with the seat: to the new phone, the new keeper or the bot, free or not.
        """
        with self._lock:
            if plays not in ("phone", "guest", *BOTS):
                raise Refused("there is no bot called “%(name)s”", name=plays)
            before = self._player(seat)
            player = Player(before.name, plays=plays, keeper=keeper, free=free)
            lobby = self._lobby.with_player(seat, player)
            for other, guest in enumerate(lobby.players):
                if guest.keeper == before.id and plays == "phone":
                    lobby = lobby.with_player(other, replace(guest, keeper=player.id))
                elif guest.keeper == before.id:
                    guest = replace(guest, plays=plays, keeper=keeper, free=free)
                    lobby = lobby.with_player(other, guest)
            self._arrange(lobby)
            self._let_bots_decide()
            return player

    def claim(self, seat: Seat, name: str = "") -> Player:
        """A newcomer takes a free seat in the middle of the game, under the own name if one is given."""
        with self._lock:
            if not self._player(seat).free:
                raise Refused("that seat is not free any more")
            if name.strip():
                self.rename(seat, name)
            return self.hand_over(seat)

    def start(self) -> None:
        """Begin the game with those who are seated."""
        with self._lock:
            self._need("lobby")
            game, count = self._lobby_game(), len(self._lobby.players)
            if count not in game.seats:
                raise Refused(
                    "%(game)s is for %(least)s to %(most)s players; %(count)s are seated",
                    game=game.title,
                    least=game.seats[0],
                    most=game.seats[-1],
                    count=count,
                )
            try:
                state = game.start(count, self._lobby.options)
            except IllegalOption as problem:
                raise Refused("%(problem)s", problem=problem) from problem
            self._log.arrange(self._game_id, self._lobby.key, self._lobby.as_json(), "playing")
            self._lay(self._game_id, self._lobby, "playing", Story(state))
            self._let_bots_decide()

    def put_away(self) -> None:
        """End this game as it is and open a lobby with the same players."""
        with self._lock:
            self._begin(replace(self._lobby))

    def rematch(self) -> None:
        """The same game once more with the same players, at once."""
        with self._lock:
            self._need("over")
            self._begin(replace(self._lobby))
            self.start()

    def take_up(self, game_id: int) -> None:
        """Go on with a game that was put away."""
        with self._lock:
            kept = next((game for game in self._log.games() if game.id == game_id), None)
            if kept is None:
                raise Refused("there is no such game")
            try:
                lobby, phase, story = self._read(kept)
            except Refused:
                raise
            except UNREADABLE as problem:
                raise Refused("%(problem)s", problem=problem) from problem
            lobby = lobby.with_phones_of(self._lobby.players)
            with self._log.together():
                self._log.keep(ON_TABLE, str(kept.id))
                self._log.arrange(kept.id, lobby.key, lobby.as_json(), phase)
            self._lay(kept.id, lobby, phase, story)
            self._let_bots_decide()

    def _lobby_game(self) -> Game:
        return self._shelf(self._lobby.key)

    def _check_options(self, game: Game, seats: int, options: Mapping[str, Value]) -> None:
        try:
            game.start(seats, options)
        except IllegalOption as problem:
            raise Refused("%(problem)s", problem=problem) from problem

    def _need(self, phase: Phase) -> None:
        if self._phase == phase:
            return
        match phase:
            case "lobby":
                raise Refused("the game has already begun")
            case "playing":
                raise Refused("no game is being played now")
            case "over":
                raise Refused("the game is not over yet")

    def _player(self, seat: Seat) -> Player:
        if not 0 <= seat < len(self._lobby.players):
            raise Refused("there is no seat %(seat)s", seat=seat)
        return self._lobby.players[seat]


def _name(typed: str) -> str:
    """A name as it will stand on every page; one that no page could show is refused."""
    name = " ".join(typed.split())
    shown = name.translate(JOINERS)
    if not shown or len(name) > LONGEST_NAME:
        raise Refused("a name has 1 to %(most)s letters", most=LONGEST_NAME)
    if not shown.isprintable():
        raise Refused("that name holds signs that cannot be shown: choose another name")
    return name
