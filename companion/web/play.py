"""What a seat does on its page: plain forms that post and come back to the page."""

from __future__ import annotations

from flask import Blueprint, flash, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from companion.web import acts
from companion.web.asking import Ask
from companion.web.pages import back
from companion.web.room import room, view, who
from companion.web.words import past_words

play = Blueprint("play", __name__, url_prefix="/play")


def _ask() -> Ask:
    return Ask.from_form(request, who())


@play.post("/choose")
def choose() -> ResponseReturnValue:
    """A seat decides."""
    acts.choose(room().table, _ask())
    return back()


@play.post("/confirm")
def confirm() -> ResponseReturnValue:
    """Take the sure reading."""
    acts.confirm(room().table, _ask())
    return back()


@play.post("/roll")
def roll() -> ResponseReturnValue:
    """A roll typed in or mended."""
    acts.roll(room().table, _ask())
    return back()


@play.post("/correct")
def correct() -> ResponseReturnValue:
    """Replace the last roll."""
    before = view()
    gone = acts.correct(room().table, _ask())
    if gone and "X-Fragment" not in request.headers:  # a script was told before, and shows no flash
        flash(gettext("This took back: %(list)s", list="; ".join(past_words(past, before) for past in gone)))
    return back()


@play.post("/undo")
def undo() -> ResponseReturnValue:
    """Take back the own last choice."""
    acts.undo(room().table, _ask())
    return back()


@play.post("/throw")
def throw() -> ResponseReturnValue:
    """Throw the simulated dice."""
    acts.throw(room().throw, room().table, _ask())
    return back()


@play.post("/throw_again")
def throw_again() -> ResponseReturnValue:
    """What was read does not count; the dice are thrown once more."""
    acts.throw_again(room().table, _ask())
    return back()


@play.post("/rematch")
def rematch() -> ResponseReturnValue:
    """The same once more."""
    room().table.rematch()
    return back()
