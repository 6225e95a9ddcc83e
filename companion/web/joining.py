"""How a phone finds the table: the address, and the same as a QR code."""

from __future__ import annotations

import segno
from flask import request
from markupsafe import Markup

from companion.web.room import room


def address() -> str:
    """Where phones find the table: the numeric address, which every phone understands."""
    return next(iter(room().addresses), request.host_url.rstrip("/"))


def qr(text: str) -> Markup:
    """A text as a QR code that scales with its place."""
    drawn = segno.make(text, error="m").svg_inline(
        scale=1, border=2, omitsize=True, dark="#2b2420", light="#fff"
    )
    return Markup(drawn)  # noqa: S704 - segno's own drawing
