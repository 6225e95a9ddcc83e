"""What every view needs at hand: the table, the tokens and the devices this app was made with."""

from __future__ import annotations

import secrets
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flask import current_app, g, request

from companion.table import Table, View
from companion.web.history import Chronicle
from companion.web.roles import PinTries, Tokens, Who

if TYPE_CHECKING:
    from companion.web.setup import Setup


@dataclass(frozen=True, slots=True)
class Room:
    """One table and all that its pages need; each app has its own."""

    table: Table
    tokens: Tokens
    tries: PinTries
    pin: str
    throw: Callable[[], None] | None = None
    live_picture: Callable[[], bytes] | None = None
    addresses: Callable[[], Sequence[str]] = tuple
    """Where phones find the table now: a network may come, go or change while the table is open."""
    names: frozenset[str] = frozenset()
    """What else the table is called, in small letters, besides names of the home network."""
    setup: Setup | None = None
    language: str = "nl"
    streams: deque[object] = field(default_factory=deque)
    """The open event streams, the oldest first."""
    chronicle: Chronicle = field(default_factory=Chronicle)
    boot: str = field(default_factory=lambda: secrets.token_hex(3))
    """Names this run of the server: versions are counted anew after a restart."""

    def version(self, table: int, addresses: Sequence[str]) -> str:
        """The name of what pages show: this run of the server, the table's version and its addresses."""
        return f"{self.boot}-{table}-{zlib.crc32(' '.join(addresses).encode()):x}"


def room() -> Room:
    """The room of the app that answers now."""
    found: Room = current_app.extensions["companion"]
    return found


def view() -> View:
    """The table as it was when this request first looked."""
    if "view" not in g:
        g.view = room().table.view()
    seen: View = g.view
    return seen


def addresses() -> Sequence[str]:
    """The table's addresses, asked for once in a request; empty while no network is known."""
    if "addresses" not in g:
        g.addresses = tuple(room().addresses())
    found: tuple[str, ...] = g.addresses
    return found


def look_again() -> View:
    """The table after this request has changed it."""
    g.pop("view", None)
    g.pop("who", None)
    return view()


def who() -> Who:
    """Who sent this request."""
    if "who" not in g:
        g.who = room().tokens.who(request, view())
    asking: Who = g.who
    return asking
