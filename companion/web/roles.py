"""Who is asking, and who may ask what: every endpoint has its role in one table."""

from __future__ import annotations

import hashlib
import math
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from flask import Request
from itsdangerous import BadSignature, URLSafeSerializer

from companion.dice import Seat
from companion.table import Refused, View

SEAT_COOKIE, HOST_COOKIE, SCREEN_COOKIE = "companion_seat", "companion_host", "companion_screen"
FOR_COOKIE = "companion_for"
"""The game and the seats in it that the host answers for on this phone, such as that of a player who left."""
A_YEAR = 365 * 24 * 3600
LOCKED_S = 60.0
"""So long counts a wrong PIN."""


class Role(Enum):
    """What somebody must be to do a thing. The host may do whatever a seat may."""

    ANYONE = "anyone"
    AT_THE_TABLE = "a seat, the host or the table screen"
    SEAT = "a seat or the host"
    FIRST = "the first seat or the host"
    ACTIVE = "the seat whose throw it is, or was, or the host"
    THREW = "the seat that threw last, the one whose throw it is, or the host"
    HOST = "the host"


ROLES: dict[str, Role] = {
    "static": Role.ANYONE,
    # the JSON interface
    "api.host": Role.ANYONE,
    "api.games": Role.HOST,
    "api.join": Role.ANYONE,
    "api.start": Role.FIRST,
    "api.state": Role.ANYONE,
    "api.choose": Role.SEAT,
    "api.confirm": Role.AT_THE_TABLE,
    "api.roll": Role.ACTIVE,
    "api.correct": Role.THREW,
    "api.undo": Role.SEAT,
    "api.throw": Role.AT_THE_TABLE,
    "api.events": Role.ANYONE,
    # the pages
    "pages.home": Role.ANYONE,
    "pages.join": Role.ANYONE,
    "pages.claim": Role.ANYONE,
    "pages.seat": Role.ANYONE,
    "pages.table": Role.ANYONE,
    "pages.host": Role.ANYONE,
    "pages.become_host": Role.ANYONE,
    "pages.language": Role.ANYONE,
    "pages.picture": Role.ANYONE,
    "pages.live": Role.ANYONE,
    # the pages around the game
    "around.rules": Role.ANYONE,
    "around.history": Role.ANYONE,
    "around.sheets": Role.ANYONE,
    # setting up; the pages themselves send everybody but the host away
    "setup.page": Role.ANYONE,
    "setup.now": Role.ANYONE,
    "setup.mat": Role.HOST,
    "setup.corners": Role.HOST,
    "setup.whole": Role.HOST,
    "setup.throw": Role.HOST,
    "setup.read": Role.HOST,
    "setup.right": Role.HOST,
    "setup.healthz": Role.ANYONE,
    "setup.readyz": Role.ANYONE,
    # what a seat does on its page
    "play.choose": Role.SEAT,
    "play.confirm": Role.AT_THE_TABLE,
    "play.roll": Role.ACTIVE,
    "play.correct": Role.THREW,
    "play.undo": Role.SEAT,
    "play.throw": Role.AT_THE_TABLE,
    "play.rematch": Role.FIRST,
    # the lobby
    "lobby.game": Role.FIRST,
    "lobby.add": Role.SEAT,
    "lobby.leave": Role.SEAT,
    "lobby.move": Role.FIRST,
    "lobby.order": Role.FIRST,
    "lobby.lots": Role.FIRST,
    "lobby.choose_cards": Role.FIRST,
    "lobby.cards": Role.FIRST,
    "lobby.board": Role.FIRST,
    "lobby.keep_board": Role.FIRST,
    "lobby.start": Role.FIRST,
    "lobby.next_game": Role.FIRST,
    "lobby.put_away": Role.HOST,
    "lobby.rename": Role.HOST,
    "lobby.hand_over": Role.HOST,
    "lobby.undo_all": Role.HOST,
    "lobby.auto_confirm": Role.HOST,
    "lobby.take_up": Role.HOST,
    "lobby.stand_in": Role.HOST,
    "lobby.step_out": Role.SEAT,
    "around.take": Role.ANYONE,
    "around.sit": Role.ANYONE,
    "around.trouble": Role.ANYONE,
    "play.throw_again": Role.ACTIVE,
}


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who asks: a player with seats to decide for, the host, the table screen, or nobody known."""

    player: str = ""
    seat: Seat | None = None
    hands: tuple[Seat, ...] = ()
    host: bool = False
    screen: bool = False

    @property
    def known(self) -> bool:
        """Whether any valid token came along."""
        return self.seat is not None or self.host or self.screen

    def may(self, role: Role, view: View) -> bool:
        """Whether this one may do what needs that role, the table being as it is."""
        if role is Role.ANYONE or self.host:
            return True
        match role:
            case Role.AT_THE_TABLE:
                return self.known
            case Role.SEAT:
                return self.seat is not None
            case Role.FIRST:
                return first_phone(view) in self.hands
            case Role.ACTIVE:
                return self._speaks_for(active_seat(view), view)
            case Role.THREW:
                return self._speaks_for(active_seat(view), view) or self._speaks_for(view.threw, view)
        return False

    def _speaks_for(self, seat: Seat | None, view: View) -> bool:
        """Whether the dice of this seat are this one's to tell; anybody seated throws for a bot."""
        if seat is None or self.seat is None:
            return False
        return seat in self.hands or view.lobby.players[seat].is_bot


def first_phone(view: View) -> Seat | None:
    """The first seat with a person on it: who may start without the host."""
    return next((s for s, player in enumerate(view.lobby.players) if not player.is_bot), None)


def active_seat(view: View) -> Seat | None:
    """The seat whose throw is due, or who threw last; whoever threw may still mend that roll."""
    return view.due[1].seat if view.due else view.threw


class Tokens:
    """Signs and reads tokens: a player's id, the host's word, the table screen."""

    def __init__(self, secret: str, pin: str) -> None:
        self._serializer = URLSafeSerializer(secret, salt="companion")
        self._pin_mark = hashlib.sha256(f"{secret}:{pin}".encode()).hexdigest()[:16]

    def of_player(self, player_id: str) -> str:
        """The token of a seat."""
        return str(self._serializer.dumps(["player", player_id]))

    def of_host(self) -> str:
        """The host's token; it lapses when the PIN changes."""
        return str(self._serializer.dumps(["host", self._pin_mark]))

    def of_screen(self) -> str:
        """The token of the table screen."""
        return str(self._serializer.dumps(["screen", "table"]))

    def who(self, request: Request, view: View) -> Who:
        """Who sent this request."""
        header = request.headers.get("X-Seat-Token")
        cookies = (request.cookies.get(name) for name in (SEAT_COOKIE, HOST_COOKIE, SCREEN_COOKIE))
        shown = [header] if header else [token for token in cookies if token]
        known = dict(self._read(token) for token in shown)
        player = known.get("player", "")
        own = view.lobby.seat_of(player) if player else None
        host = known.get("host") == self._pin_mark
        hands = view.lobby.hands_of(player) if own is not None else ()
        if host:
            hands += tuple(s for s in _stands_in(request, view) if s not in hands)
        return Who(
            player=player if own is not None else "",
            seat=next(iter(hands), None) if own is None else own,
            hands=hands,
            host=host,
            screen=known.get("screen") == "table",
        )

    def player_of(self, token: str) -> str:
        """The player whom a seat's token names; empty if it is none."""
        kind, value = self._read(token)
        return value if kind == "player" else ""

    def _read(self, token: str) -> tuple[str, str]:
        try:
            kind, value = self._serializer.loads(token)
        except (BadSignature, ValueError, TypeError):
            return "", ""
        return str(kind), str(value)


def stand_in_words(view: View, seats: set[Seat]) -> str:
    """The seats of this game that the host answers for, as the cookie holds them."""
    return ".".join(map(str, (view.game_id, *sorted(seats))))


def _stands_in(request: Request, view: View) -> tuple[Seat, ...]:
    game, *words = request.cookies.get(FOR_COOKIE, "").split(".")
    if game != str(view.game_id):
        return ()  # in another game somebody else sits there
    return tuple(s for s in range(len(view.lobby.players)) if str(s) in words)


class PinTries:
    """Counts wrong PINs: a few a minute in all, then whoever tries must wait. Any thread may ask."""

    def __init__(self, pin: str, most: int = 5, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._most, self._clock = pin, most, clock
        self._wrong: deque[float] = deque(maxlen=most)
        self._lock = threading.Lock()

    def check(self, pin: str) -> None:
        """Refuse a wrong PIN, and any PIN after too many wrong ones within a minute."""
        with self._lock:
            now = self._clock()
            if len(self._wrong) == self._most and (left := self._wrong[0] + LOCKED_S - now) > 0:
                raise Refused(
                    "too many wrong PINs: wait %(seconds)s seconds and try again", seconds=math.ceil(left)
                )
            if not secrets.compare_digest(pin.strip().encode(), self._pin.encode()):
                self._wrong.append(now)
                raise WrongPin("that is not the PIN; it stands on the table screen")
            self._wrong.clear()


class WrongPin(Refused):
    """A PIN that is not the host's."""
