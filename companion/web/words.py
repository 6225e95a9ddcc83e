"""The words of the table in the reader's language: sentences, dice, and what is to be done now."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask_babel import gettext, ngettext
from markupsafe import Markup

from companion.dice import Seat
from companion.games.core import Chose, Rolled
from companion.table import Past, View
from companion.vision.reading import Sentence
from companion.web.dice_names import FACES, KINDS, counted_words, dice_words, which_words
from companion.web.drawing import number
from companion.web.problems import problem_words
from companion.web.sheets import sheet_of

STAY_ENGLISH = ("name", "names", "key", "keys")
"""Blanks that hold somebody's own words and are never looked up."""
_NAMED = re.compile(r'<[^>]*\baria-label="([^"]*)"[^>]*>')
"""The beginning of a drawing that has a name."""


def say(sentence: Sentence) -> str:
    """A sentence of the table or the eye in the reader's language."""
    blanks = {name: _word(name, value) for name, value in sentence.blanks}
    return str(gettext(sentence.text)) % blanks


def _word(name: str, value: str) -> str:
    if name in STAY_ENGLISH or not value:
        return value
    if name == "kind":
        return which_words(value)
    if (said := problem_words(value)) != value:
        return said
    if value in FACES:
        return str(FACES[value])
    if value in KINDS:
        return str(KINDS[value])
    return str(gettext(value))


def kinds_words(kinds: Sequence[str], all_kinds: Sequence[str]) -> str:
    """“8 dice”, or which ones if they differ and not all are thrown."""
    if len(set(kinds)) == 1 or sorted(kinds) == sorted(all_kinds):
        return str(ngettext("%(num)d die", "%(num)d dice", len(kinds)))
    return counted_words(kinds)


def past_words(past: Past, view: View) -> str:
    """An event of this game as one line; the dice drawn in it by their names."""
    state, event = past
    match event:
        case Rolled(dice):
            return dice_words(dice)
        case Chose(seat, choice):
            drawn = sheet_of(view.lobby.key).choice_words(choice, state, seat)
            words = Markup(_NAMED.sub(r" \1 ", drawn)).striptags()  # noqa: S704 - escaped already
            return f"{name_of(view, seat)}: {words}"


def name_of(view: View, seat: Seat) -> str:
    """The name of a seat's player."""
    return view.lobby.players[seat].name


def names(words: Sequence[str]) -> str:
    """“Anna, Bram and Chris”."""
    if len(words) < 2:
        return "".join(words)
    return str(gettext("%(most)s and %(last)s", most=", ".join(words[:-1]), last=words[-1]))


def now_words(view: View, mine: Sequence[Seat], asks: str = "", *, throw_first: bool = False) -> str:
    """What is to be done now, in one sentence for somebody who decides for these seats.

    `asks` is the sheet's sentence for what this seat is asked, if it is asked something; `throw_first` says
    that a throw which is open beside it is the usual way to go on.
    """
    state, due = view.state, view.due
    if state is None:
        return str(gettext("The game has not begun yet"))
    if outcome := state.outcome():
        winners = names([name_of(view, seat) for seat in outcome.winners])
        if len(view.lobby.players) == 1:
            return str(gettext("Finished with %(score)s points", score=number(outcome.scores[0])))
        return str(ngettext("%(names)s wins", "%(names)s share the win", len(outcome.winners), names=winners))
    asked = state.asked()
    if due is not None and (due[1].seat in mine):
        dice = kinds_words(due[1].kinds, view.game.dice)
        sight = view.sight
        if sight and sight.roll is not None:
            return str(gettext("Is this what you rolled?"))
        if sight and sight.reading and sight.reading.doubts and not sight.moving:
            return str(gettext("I am not sure: please look"))
        if sight and sight.moving:
            return str(gettext("The dice are rolling …"))
        if asks and throw_first:
            asks = asks[:1].lower() + asks[1:]
            return str(gettext("Throw %(dice)s, or %(asks)s", asks=asks, dice=dice))
        if asks:
            return str(gettext("%(asks)s, or throw %(dice)s", asks=asks, dice=dice))
        return str(gettext("Throw %(dice)s", dice=dice))
    if asks:
        return asks
    return waiting_words(view, asked, mine)


def waiting_words(view: View, asked: object, mine: Sequence[Seat] = ()) -> str:
    """What the table waits for, and from whom."""
    state, due = view.state, view.due
    if state is None or state.outcome():
        return ""
    if due is not None:
        dice, name = kinds_words(due[1].kinds, view.game.dice), name_of(view, due[1].seat)
        if view.sight and view.sight.roll is not None:
            return str(gettext("The throw of %(name)s lies there: is it right?", name=name))
        if view.sight and view.sight.reading and view.sight.reading.doubts and not view.sight.moving:
            return str(gettext("The throw of %(name)s lies there, but is not clear yet", name=name))
        return str(gettext("%(name)s throws %(dice)s", name=name, dice=dice))
    waiting = [name_of(view, seat) for seat in sorted(state.asked()) if seat not in mine]
    return str(ngettext("%(names)s chooses", "%(names)s choose", len(waiting), names=names(waiting)))
