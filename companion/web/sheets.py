"""Sheets: one template a game, `sheets/<game>.html`, whose macros draw it and give its choices words.

A sheet template may hold these macros; only `sheet` is needed. A game without any gets the generic one.

    sheet(state, seat, view, legal, mine)   the seat's sheet; things with `data-tap` can be tapped
    choice_words(choice, state, seat)       a choice on its button, and as others are told of it
    gives_up(choice)                        any word if it ends a turn for nothing: quiet beside a throw
    asked_words(word, state, seat)          what the seat is asked, as a sentence without a full stop
    taps(choice)                            the words that narrow to this choice, if not those of its text
    tap_words(word, state)                  a word that narrows, for phones without script
    part_words(name)                        a category of the score
    option_words(name) · value_words(name, value)   an option and its values in the lobby
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import current_app
from markupsafe import Markup, escape

from companion.dice import Seat
from companion.games.core import Choice, State
from companion.table import View
from companion.web.ending import part_words

FEW = 12
"""Up to so many choices are listed as buttons; more are only tapped on the sheet."""
WORDED = 150
"""Up to so many choices carry their display words to the phone; more would be too heavy."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The macros of one game's sheet template, with defaults for those it does not have."""

    macros: Any

    def draw(self, view: View, seat: Seat, mine: bool) -> Markup:
        """A seat's sheet; only on one's own can things be tapped."""
        state = view.state
        assert state is not None  # noqa: S101 - a sheet is drawn only while a game is on the table
        legal = state.legal(seat) if mine else ()
        drawn: Markup = self.macros.sheet(state, seat, view, legal, mine)
        return drawn

    def choice_words(self, choice: Choice, state: State, seat: Seat) -> Markup:
        """A choice as its button says it, and as others are told of it: it addresses nobody."""
        return self._say("choice_words", str(choice), choice, state, seat)

    def gives_up(self, choice: Choice) -> bool:
        """Whether a choice ends a turn for nothing, so that nobody should take it by mistake for a throw."""
        return bool(self._say("gives_up", "", choice))

    def asked_words(self, word: str, state: State, seat: Seat) -> str:
        """What a seat is asked, in one sentence."""
        return str(self._say("asked_words", word, word, state, seat).striptags())

    def option_words(self, name: str) -> Markup:
        """An option's name."""
        return self._say("option_words", name.replace("_", " "), name)

    def value_words(self, name: str, value: object) -> Markup:
        """An option's value."""
        default = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
        return self._say("value_words", default, name, value)

    def tap_words(self, word: str, state: State) -> Markup:
        """A thing on the sheet that can be tapped, by name: for phones without script."""
        return self._say("tap_words", word, word, state)

    def part_words(self, name: str) -> Markup:
        """A category of the score as the sheet calls it."""
        return self._say("part_words", part_words(name), name)

    def taps(self, choice: Choice) -> tuple[str, ...]:
        """The words whose taps lead to this choice."""
        return tuple(self._say("taps", str(choice), choice).unescape().split())

    def _say(self, macro: str, default: str, *arguments: object) -> Markup:
        words = getattr(self.macros, macro, None)
        said = Markup(words(*arguments)).strip() if words else Markup()  # noqa: S704 - our own template
        return said or escape(default)


def sheet_of(key: str) -> Sheet:
    """The sheet of a game."""
    names = [f"sheets/{key}.html", "sheets/generic.html"]
    return Sheet(current_app.jinja_env.select_template(names).module)
