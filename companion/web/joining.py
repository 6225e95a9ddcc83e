"""How a phone finds the table: the address, the same as a QR code, and the names the table goes by."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

import segno
from flask import request
from markupsafe import Markup

from companion.web.room import addresses, room

OF_HOME = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""Endings of names that only the home network itself gives."""


def ours(host: str) -> bool:
    """Whether a `Host` names this table: by a number, a name of the home network, or a name it was given.

    Any other name was made to lead here by its owner, whose pages the browser then takes for ours.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    return "." not in name or name.endswith(OF_HOME) or name in room().names or _is_number(name)


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def places() -> Sequence[str]:
    """Where phones find the table; under the name this page was asked for while no network is known."""
    return addresses() or (request.host_url.rstrip("/"),)


def address() -> str:
    """The first of these places: the numeric address, which every phone understands."""
    return places()[0]


def qr(text: str) -> Markup:
    """A text as a QR code that scales with its place."""
    drawn = segno.make(text, error="m").svg_inline(
        scale=1, border=2, omitsize=True, dark="#2b2420", light="#fff"
    )
    return Markup(drawn)  # noqa: S704 - segno's own drawing
