"""The app factory: one table, its pages and its JSON interface."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from flask import Flask, Response, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import Babel, get_locale, gettext
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from companion.games import GAMES
from companion.table import Refused, Table
from companion.vision.reading import Sentence
from companion.web.api import api
from companion.web.around import around
from companion.web.asking import Ask, Malformed, NotYours
from companion.web.dice_names import dice_words, die_words, face_words, kind_words, letter
from companion.web.drawing import add_filters
from companion.web.ending import breakdown, rating_words, tie_words
from companion.web.joining import address, ours, places, qr
from companion.web.lobby import lobby
from companion.web.pages import PLACES, back, pages
from companion.web.play import play
from companion.web.roles import ROLES, PinTries, Role, Tokens, WrongPin
from companion.web.room import Room, view, who
from companion.web.setup import Setup
from companion.web.setup import setup as setup_pages
from companion.web.sheets import sheet_of
from companion.web.squeeze import squeeze
from companion.web.translations import LANGUAGES, best_language
from companion.web.words import say

_log = logging.getLogger(__name__)

MOST_BYTES = 256 * 1024
"""The largest request that anybody needs to send; a board of Geizen is a hundredth of it."""


def create_app(
    table: Table,
    *,
    secret: str,
    pin: str,
    throw: Callable[[], None] | None = None,
    live_picture: Callable[[], bytes] | None = None,
    addresses: Callable[[], Sequence[str]] = tuple,
    names: Sequence[str] = (),
    setup: Setup | None = None,
    language: str = "nl",
) -> Flask:
    """The web face of a table.

    `throw` throws the simulated dice and is there only with the simulated tray; `live_picture` is the newest
    JPEG of the camera; `addresses` tells the places where phones find us now; `names` are
    names of this machine beyond the home network; `setup` is the camera as the setup page knows it.
    All streams end when the table is closed.
    """
    app = Flask(__name__)
    app.config.update(SECRET_KEY=secret, MAX_CONTENT_LENGTH=MOST_BYTES, SESSION_COOKIE_SAMESITE="Lax")
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["companion"] = Room(
        table=table,
        tokens=Tokens(secret, pin),
        tries=PinTries(pin),
        pin=pin,
        throw=throw,
        live_picture=live_picture,
        addresses=addresses,
        names=frozenset(name.lower() for name in names),
        setup=setup,
        language=language,
    )
    Babel(app, default_locale="nl", locale_selector=best_language)
    for part in (api, pages, play, lobby, around, setup_pages):
        app.register_blueprint(part)
    _templates(app)
    _guard(app)
    _refusals(app)
    squeeze(app)
    return app


def _templates(app: Flask) -> None:
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    folder = Path(str(app.static_folder))

    @cache
    def fingerprint(name: str) -> str:
        return hashlib.sha256((folder / name).read_bytes()).hexdigest()[:10]

    app.jinja_env.globals.update(
        static_url=lambda name: url_for("static", filename=name, v=fingerprint(name)),
        die_words=die_words,
        dice_words=dice_words,
        face_words=face_words,
        kind_words=kind_words,
        letter=letter,
        say=say,
        sheet_of=sheet_of,
        address=address,
        places=places,
        qr=qr,
        breakdown=breakdown,
        tie_words=tie_words,
        rating_words=rating_words,
        GAMES=GAMES,
        LANGUAGES=LANGUAGES,
        language=lambda: str(get_locale()),
    )
    add_filters(app)


def _guard(app: Flask) -> None:
    @app.before_request
    def _check() -> ResponseReturnValue | None:
        host = request.headers.get("Host", "localhost")
        if not ours(host):
            return _not_here(host)
        if request.endpoint is None:
            return None
        if request.method not in ("GET", "HEAD", "OPTIONS") and _foreign():
            return _sentence(Sentence("this came from another site and is refused"), 403)
        if request.method == "POST" and (late := _of_another_game()) is not None:
            return late
        role = ROLES[request.endpoint]
        if role is Role.ANYONE or who().may(role, view()):
            return None
        if not who().known:
            return _sentence(Sentence("take a seat first: your token is missing or no longer valid"), 401)
        return _sentence(_NEEDED[role], 403)

    @app.after_request
    def _headers(answer: Response) -> Response:
        answer.headers.setdefault("X-Content-Type-Options", "nosniff")
        answer.headers.setdefault("Referrer-Policy", "same-origin")
        answer.headers.setdefault(
            "Content-Security-Policy",
            "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
            "frame-ancestors 'self'; form-action 'self'",
        )
        if request.endpoint == "static" and "v" in request.args:
            answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        elif request.endpoint != "static":
            answer.headers.setdefault("Cache-Control", "no-cache")
        return answer


def _not_here(host: str) -> ResponseReturnValue:
    """A refusal without a page: all that a page is made of is refused under that name too."""
    said = Sentence(
        "this table does not go by the name “%(name)s”: open the address that its screen shows",
        (("name", host),),
    )
    if _wants_json():
        return _sentence(said, 403)
    return Response(f"{say(said)}\n", 403, mimetype="text/plain")


def _foreign() -> bool:
    origin = request.headers.get("Origin")
    return origin is not None and origin.partition("://")[2] != request.host


_ENDINGS = ("play.rematch", "lobby.next_game", "lobby.put_away")
"""What these wish for has come true once another game lies on the table."""


def _of_another_game() -> ResponseReturnValue | None:
    """The answer to a tap that was made for a game which lies no longer on the table."""
    read = Ask.from_json if request.path.startswith("/api/") else Ask.from_form
    ask, on_table = read(request, who()), view().game_id
    if ask.count("game_id") in (None, on_table):
        return None
    if request.endpoint in _ENDINGS or (
        request.endpoint == "lobby.take_up" and ask.count("game") == on_table
    ):
        return back()
    return _sentence(Sentence("that tap came too late: it was about another game"), 409)


_NEEDED = {
    Role.AT_THE_TABLE: Sentence("only those at the table may do that"),
    Role.SEAT: Sentence("take a seat first"),
    Role.FIRST: Sentence("only the first seat or the host may do that"),
    Role.ACTIVE: Sentence("only the player whose throw it is, or the host, may do that"),
    Role.THREW: Sentence("only the player whose throw it is, or the host, may do that"),
    Role.HOST: Sentence("only the host may do that: type the PIN of the table screen"),
}


def _refusals(app: Flask) -> None:
    @app.errorhandler(Refused)
    def _refused(refused: Refused) -> ResponseReturnValue:
        status = 409
        if isinstance(refused, Malformed):
            status = 400
        elif isinstance(refused, NotYours | WrongPin):
            status = 403
        return _sentence(refused.sentence, status)

    @app.errorhandler(sqlite3.Error)
    def _unwritten(problem: sqlite3.Error) -> ResponseReturnValue:
        _log.error("the log cannot be written or read: %s", problem)
        said = Sentence(
            "the disk cannot be written: make room on it and try again; all that was taken is kept"
        )
        if request.method == "GET" and not _wants_json():  # the page one came from may fail as well
            return render_template("no_page.html", said=say(said)), 503
        return _sentence(said, 503)

    @app.errorhandler(HTTPException)
    def _http(problem: HTTPException) -> ResponseReturnValue:
        said = {
            404: gettext("there is nothing here"),
            405: gettext("that cannot be done here"),
            413: gettext("that is too much at once"),
        }
        if isinstance(problem, RequestRedirect):
            return problem
        if not _wants_json():
            page = render_template("no_page.html", said=said.get(problem.code or 500, ""))
            return page, problem.code or 500
        answer = jsonify({"error": said.get(problem.code or 500, problem.description or problem.name)})
        answer.status_code = problem.code or 500
        return answer


def _wants_json() -> bool:
    return request.path.startswith("/api/") or "X-Fragment" in request.headers


def _sentence(sentence: Sentence, status: int) -> ResponseReturnValue:
    """A refusal: JSON for scripts, a flashed sentence on the page one came from for everybody else."""
    words = say(sentence)
    words = words[:1].upper() + words[1:]
    if _wants_json():
        answer = jsonify({"error": words})
        answer.status_code = status
        return answer
    flash(words)
    return redirect(url_for(PLACES.get(request.form.get("back", ""), "pages.home")), 303)
