"""The JSON interface: the same table and the same checks as the pages."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from flask_babel import gettext

from companion.web import acts, events
from companion.web.asking import Ask
from companion.web.roles import A_YEAR, HOST_COOKIE, SEAT_COOKIE
from companion.web.room import look_again, room, view, who
from companion.web.told import told
from companion.web.words import past_words

api = Blueprint("api", __name__, url_prefix="/api")


def _ask() -> Ask:
    return Ask.from_json(request, who())


def _state(status: int = 200) -> tuple[Response, int]:
    now = look_again()
    return jsonify(told(now, who())), status


@api.post("/host")
def host() -> Response:
    """The host's token for the PIN."""
    room().tries.check(_ask().text("pin"))
    token = room().tokens.of_host()
    answer = jsonify({"token": token})
    answer.set_cookie(HOST_COOKIE, token, max_age=A_YEAR, httponly=True, samesite="Lax")
    return answer


@api.post("/games")
def games() -> tuple[Response, int]:
    """A fresh lobby."""
    acts.open_game(room().table, _ask())
    return jsonify({"game": look_again().lobby.key}), 201


@api.post("/join")
def join() -> Response:
    """A seat."""
    seat, player = acts.join(room().table, _ask())
    token = room().tokens.of_player(player.id)
    answer = jsonify({"seat": seat, "token": token})
    answer.set_cookie(SEAT_COOKIE, token, max_age=A_YEAR, httponly=True, samesite="Lax")
    return answer


@api.post("/start")
def start() -> tuple[Response, int]:
    """Begin."""
    room().table.start()
    return _state()


@api.get("/state")
def state() -> Response:
    """The table for the one who asks."""
    return jsonify(told(view(), who()))


@api.post("/choose")
def choose() -> tuple[Response, int]:
    """A seat decides."""
    acts.choose(room().table, _ask())
    return _state()


@api.post("/confirm")
def confirm() -> tuple[Response, int]:
    """Take the sure reading."""
    acts.confirm(room().table, _ask())
    return _state()


@api.post("/roll")
def roll() -> tuple[Response, int]:
    """A roll typed in by hand."""
    acts.roll(room().table, _ask())
    return _state()


@api.post("/correct")
def correct() -> Response:
    """Replace the last roll, and say what that undid."""
    before = view()
    gone = acts.correct(room().table, _ask())
    now = look_again()
    undid = [past_words(past, before) for past in gone]
    said = gettext("This took back: %(list)s", list="; ".join(undid)) if undid else ""
    return jsonify({**told(now, who()), "undid": undid, "said": said})


@api.post("/undo")
def undo() -> tuple[Response, int]:
    """Take back the own last choice."""
    acts.undo(room().table, _ask())
    return _state()


@api.post("/throw")
def throw() -> tuple[Response, int]:
    """Throw the simulated dice."""
    acts.throw(room().throw, room().table, _ask())
    return _state(202)


@api.get("/events", endpoint="events")
def stream() -> Response:
    """Server-sent events."""
    answer = Response(events.look_again(room()), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer
