"""What a request asks for, read from JSON or from a form alike; malformed input is refused here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Request

from companion.dice import Seat
from companion.games.core import Game, Value
from companion.table import Refused
from companion.web.roles import Who

LONGEST_NUMBER = 20
"""Characters; nothing that is counted at a table needs more."""


def whole(text: str) -> int | None:
    """The whole number that these digits write, or None if they are none or too many."""
    return int(text) if text.isdecimal() and len(text) < LONGEST_NUMBER else None


class Malformed(Refused):
    """A request that says nothing we can understand; it is wrong now and always."""


class Ask:
    """The fields of one request and who sent it."""

    def __init__(self, fields: Mapping[str, Any], who: Who) -> None:
        self._fields, self.who = fields, who

    @classmethod
    def from_json(cls, request: Request, who: Who) -> Ask:
        """From a JSON object; an empty body is an empty object."""
        if not request.get_data():
            return cls({}, who)
        try:
            fields = request.get_json(force=True, silent=True)
        except RecursionError:
            fields = None  # thousands of brackets
        if not isinstance(fields, dict):
            raise Malformed("send a JSON object")
        return cls(fields, who)

    @classmethod
    def from_form(cls, request: Request, who: Who) -> Ask:
        """From a form."""
        return cls(request.form.to_dict(), who)

    def has(self, name: str) -> bool:
        """Whether a field was sent along."""
        return self._fields.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """A field that holds text."""
        value = self._fields.get(name, default)
        if not isinstance(value, str) or not _is_text(value):
            raise Malformed("“%(name)s” must be given as text", name=name)
        return value

    def count(self, name: str) -> int | None:
        """A field that holds a whole number, or is left out."""
        value = self._fields.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, str) and (size := whole(value.removeprefix("-"))) is not None:
            return -size if value.startswith("-") else size
        if not isinstance(value, int) or isinstance(value, bool):
            raise Malformed("“%(name)s” must be a whole number", name=name)
        return value

    def number(self, name: str) -> int:
        """A field that must hold a whole number."""
        value = self.count(name)
        if value is None:
            raise Malformed("“%(name)s” must be a whole number", name=name)
        return value

    def flag(self, name: str) -> bool:
        """A field that is set or not."""
        return self._fields.get(name) in (True, "on", "yes", "1", "true")

    def dice(self) -> tuple[str, ...]:
        """The dice, each written `kind:face`."""
        value = self._fields.get("dice")
        if isinstance(value, str):
            value = value.replace(",", " ").split()
        if not isinstance(value, list) or not all(isinstance(die, str) for die in value):
            raise Malformed("“%(name)s” must be a list of dice such as “worm:3”", name="dice")
        return tuple(value)

    def seat(self) -> Seat:
        """The seat to act for: the own one, a guest's on this phone, or any if the host asks."""
        seat = self.count("seat")
        if seat is None:
            seat = self.who.seat
        if seat is None:
            raise Malformed("“%(name)s” must be a whole number", name="seat")
        if seat not in self.who.hands and not self.who.host:
            raise NotYours("that is not your seat")
        return seat

    def options(self, game: Game) -> dict[str, Value]:
        """Options of a game: a JSON object, or form fields named `option.NAME` with their text."""
        given = self._fields.get("options", {})
        if not isinstance(given, dict) or not all(isinstance(v, bool | int | str) for v in given.values()):
            raise Malformed("“%(name)s” must be an object of names and values", name="options")
        options: dict[str, Value] = dict(given)
        for option in game.options:
            text = self._fields.get(f"option.{option.name}")
            if isinstance(text, str):
                words = {("on" if v is True else "off" if v is False else str(v)): v for v in option.values}
                options[option.name] = words.get(text, text)
        return options


def _is_text(value: str) -> bool:
    """Whether it can be written on a page: JSON also lets halves of signs through."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


class NotYours(Refused):
    """A thing that this one may not do: it needs another role."""
