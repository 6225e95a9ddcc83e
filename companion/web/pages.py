"""The pages: join, the seat, the table screen and the host; whole, or only the part that lives."""

from __future__ import annotations

import hashlib
from datetime import datetime
from itertools import islice, takewhile
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale

from companion.advice import BOTS
from companion.dice import Seat
from companion.games import GAMES
from companion.games.core import Chose, Rolled, State
from companion.table import Lobby, Refused, View
from companion.web import acts
from companion.web.asking import Ask, Malformed, whole
from companion.web.copies import kept_sets
from companion.web.draft import Draft
from companion.web.joining import address
from companion.web.roles import A_YEAR, HOST_COOKIE, SCREEN_COOKIE, SEAT_COOKIE, Role
from companion.web.room import addresses, look_again, room, view, who
from companion.web.rules import rules_context
from companion.web.sheets import FEW, Sheet, sheet_of
from companion.web.taps import for_phone, next_taps, remaining, without_place
from companion.web.translations import COOKIE, LANGUAGES
from companion.web.words import now_words, past_words, say, waiting_words

pages = Blueprint("pages", __name__)

PLACES = {
    "home": "pages.home",
    "seat": "pages.seat",
    "table": "pages.table",
    "host": "pages.host",
    "rules": "around.rules",
    "history": "around.history",
    "sheets": "around.sheets",
    "trouble": "around.trouble",
    "setup": "setup.page",
}
"""Where a form may lead back to."""
SHOWN_GAMES = 8
"""So many games that were put away, and as many that are finished, are offered to the host."""


def version(now: View) -> str:
    """The name of what a page shows: an open page is told when it is no longer this."""
    return room().version(now.version, addresses())


@pages.get("/")
def home() -> ResponseReturnValue:
    """Take a seat; who has one goes on to it."""
    if who().seat is not None:
        return redirect(url_for("pages.seat"), 303)
    return living("home.html", "home_live.html", {"view": view(), "who": who()})


@pages.post("/join")
def join() -> ResponseReturnValue:
    """A name becomes a seat."""
    _, player = acts.join(room().table, Ask.from_form(request, who()))
    answer = redirect(url_for("pages.seat"), 303)
    token = room().tokens.of_player(player.id)
    answer.set_cookie(SEAT_COOKIE, token, max_age=A_YEAR, httponly=True, samesite="Lax")
    return answer


@pages.post("/claim")
def claim() -> ResponseReturnValue:
    """A newcomer takes the seat of somebody who left."""
    ask = Ask.from_form(request, who())
    player = room().table.claim(ask.number("seat"), ask.text("name", ""))
    answer = redirect(url_for("pages.seat"), 303)
    token = room().tokens.of_player(player.id)
    answer.set_cookie(SEAT_COOKIE, token, max_age=A_YEAR, httponly=True, samesite="Lax")
    return answer


@pages.get("/seat")
def seat() -> ResponseReturnValue:
    """A player's page: the lobby, the sheet, the result."""
    if who().seat is None:
        return redirect(url_for("pages.home"), 303)
    return living("seat.html", "seat_live.html", _seat_context(view()))


@pages.get("/table")
def table() -> ResponseReturnValue:
    """The table screen."""
    answer = living("table.html", "table_live.html", _table_context(view()))
    if not who().screen:
        answer.set_cookie(SCREEN_COOKIE, room().tokens.of_screen(), httponly=True, samesite="Lax")
    return answer


@pages.get("/host")
def host() -> ResponseReturnValue:
    """The host's page."""
    now, seat = view(), seat_named(request.args.get("seat", ""))
    taking = now.lobby.players[seat] if seat is not None and who().host else None
    context = {"view": now, "who": who(), "bots": tuple(BOTS), "taking": taking, "acting": None}
    if who().host:
        context |= {"put_away": _kept(now, "playing"), "finished": _kept(now, "over")}
    if taking:
        context["link"] = f"{address()}{url_for('around.take', token=room().tokens.of_player(taking.id))}"
    return living("host.html", "host_live.html", context)


def _kept(now: View, phase: str) -> list[dict[str, Any]]:
    """The games that can be laid on the table again, the newest first."""
    games = (
        game
        for game in room().table.games()
        if game.phase == phase and game.id != now.game_id and game.key in GAMES
    )
    return [
        {
            "id": game.id,
            "title": GAMES[game.key].title,
            "names": _names(game.lobby),
            "when": datetime.fromtimestamp(game.at),
        }
        for game in islice(games, SHOWN_GAMES)
    ]


def _names(lobby: dict[str, Any]) -> list[str]:
    """Who played a game that is kept; nobody where that cannot be read any more."""
    try:
        return [player.name for player in Lobby.from_json(lobby).players]
    except ValueError:
        return []


@pages.post("/host")
def become_host() -> ResponseReturnValue:
    """The PIN makes a host."""
    room().tries.check(Ask.from_form(request, who()).text("pin"))
    answer = redirect(url_for("pages.host"), 303)
    answer.set_cookie(HOST_COOKIE, room().tokens.of_host(), max_age=A_YEAR, httponly=True, samesite="Lax")
    return answer


@pages.post("/language")
def language() -> ResponseReturnValue:
    """Speak another language from now on."""
    code = request.form.get("language", "")
    if code not in LANGUAGES:
        raise Malformed("that language is not here")
    came_from = urlsplit(request.referrer or "")
    here = came_from.netloc == request.host and came_from.path
    answer = make_response(redirect(f"{here}?{came_from.query}".rstrip("?"), 303)) if here else back()
    answer.set_cookie(COOKIE, code, max_age=A_YEAR, samesite="Lax")
    return answer


@pages.get("/picture/<int:throw_number>-<mark>.jpg")
def picture(throw_number: int, mark: str) -> ResponseReturnValue:
    """The picture that the reading came from."""
    sight = view().sight
    if sight is None or not sight.picture or sight.throw_number != throw_number:
        abort(404)
    answer = Response(sight.picture, mimetype="image/jpeg")
    if mark == picture_mark(sight.picture):
        answer.headers["Cache-Control"] = "private, max-age=3600, immutable"
    return answer


@pages.get("/live.jpg")
def live() -> ResponseReturnValue:
    """What the camera sees now."""
    live_picture = room().live_picture
    jpeg = live_picture() if live_picture else b""
    if not jpeg:
        abort(404)
    answer = Response(jpeg, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def picture_mark(jpeg: bytes) -> str:
    """A short name of a picture's content, so that a phone loads it once."""
    return hashlib.sha256(jpeg).hexdigest()[:10]


def seat_named(number: str) -> Seat | None:
    """The seat with this number, if there is one."""
    seat = whole(number)
    return seat if seat is not None and seat < len(view().lobby.players) else None


def back() -> Response:
    """After a deed: the page it was done on, or only its living part for a script."""
    page = request.form.get("back", "seat")
    if "X-Fragment" not in request.headers:
        return make_response(redirect(url_for(PLACES.get(page, "pages.home")), 303))
    now = look_again()
    if page == "seat" and who().seat is not None:
        return living("seat.html", "seat_live.html", _seat_context(now))
    if page == "table":
        return living("table.html", "table_live.html", _table_context(now))
    return Response(status=205)


def living(whole: str, part: str, context: dict[str, Any]) -> Response:
    """A page, or for a script only the part that lives; nothing if it has that version already."""
    fragment = "X-Fragment" in request.headers
    now = context["view"]
    mark = f"{version(now)}-{get_locale()}-{who()}-{request.query_string!r}-{fragment}"
    etag = hashlib.sha256(mark.encode()).hexdigest()[:16]
    if fragment and request.method == "GET" and etag in request.if_none_match:
        answer = Response(status=304)
    else:
        answer = make_response(
            render_template(
                part if fragment else whole,
                live=part,
                room=room(),
                version=version(now),
                first=who().may(Role.FIRST, now),
                **context,
            )
        )
    answer.set_etag(etag)
    answer.headers["X-Version"] = version(now)
    answer.vary.update(("X-Fragment", "Cookie", "Accept-Language"))
    return answer


def _acting(now: View) -> Seat:
    """The seat this phone acts for: the one asked for, else the first of its hands that is needed."""
    hands, own = who().hands, who().seat
    assert own is not None  # noqa: S101 - the page is only for the seated
    wanted = whole(request.values.get("as", ""))
    if wanted is not None and wanted in hands:
        return wanted
    needed = {now.due[1].seat} if now.due else set()
    if now.state is not None:
        needed |= set(now.state.asked())
    return next((s for s in (own, *hands) if s in needed), own)


def _seat_context(now: View) -> dict[str, Any]:
    acting = _acting(now)
    sheet, state = sheet_of(now.lobby.key), now.state
    context: dict[str, Any] = {
        "view": now,
        "who": who(),
        "acting": acting,
        "sheet": sheet,
        "bots": tuple(BOTS),
        "few": FEW,
    }
    if state is None:
        return context | _lobby_context(now)
    legal = state.legal(acting)
    asked = state.asked().get(acting)
    asks = sheet.asked_words(asked, state, acting) if asked else ""
    quiet = now.due is not None and bool(legal) and all(map(sheet.gives_up, legal))
    tapped = request.args.getlist("tap")
    if tapped:  # a page that was kept may name things of another turn
        known = {word for choice in legal for word in sheet.taps(choice)}
        tapped = [word for word in tapped if word in known]
    look = seat_named(request.args.get("look", ""))
    drawn = sheet.draw(now, acting, mine=True) if look in (None, acting) else ""
    choices = for_phone(state, acting, sheet)
    unplaced = without_place(legal, choices, drawn)
    left = remaining(legal, sheet, tapped)
    if len(legal) > FEW:  # those have their buttons anyhow
        left = [choice for choice in left if choice not in unplaced]
    return context | {
        "now": now_words(now, (acting,), asks, throw_first=quiet),
        "quiet": quiet,
        "asks": asks,
        "legal": legal,
        "choices": choices,
        "drawn": drawn,
        "unplaced": unplaced,
        "tapped": tapped,
        "left": left,
        "next_taps": next_taps(left, sheet, tapped) if len(left) > FEW else [],
        "look": look,
        "meanwhile": _meanwhile(now, acting),
        "may_undo": _may_undo(now, acting),
        **_roll_context(now, acting),
    }


def _lobby_context(now: View) -> dict[str, Any]:
    """What the lobby tells about this copy of the game."""
    figures = rules_context(now.game, now.lobby.options, len(now.lobby.players))["figures"]
    return {"figures": figures, "sets": kept_sets(room().table)}


def _meanwhile(now: View, seat: Seat) -> list[tuple[State, Chose]]:
    """What was lately chosen on other phones, and by bots, since this seat did; the oldest first."""
    others = takewhile(lambda made: made[1].seat != seat, now.lately)
    return [made for made in others if made[1].seat not in who().hands][::-1]


def _may_undo(now: View, seat: Seat) -> bool:
    for event in reversed(now.events):
        if isinstance(event, Rolled):
            return False
        if event.seat == seat:
            return True
    return False


def _roll_context(now: View, acting: Seat | None) -> dict[str, Any]:
    """What the roll panel needs: who may speak for the roll, the draft, and what a correction undoes."""
    draft = Draft.from_args(request.args, now)
    may_roll, may_correct = who().may(Role.ACTIVE, now), who().may(Role.THREW, now)
    if draft is not None and not (may_correct if draft.mode == "correct" else may_roll):
        draft = None
    overtaken = ""  # what was being changed here when somebody else confirmed a roll
    if may_correct and draft is None and request.args.get("rolls") == str(now.rolls_made - 1):
        overtaken = request.args.get("mode", "")
    undoes: list[str] = []
    refused = ""
    if draft is not None and draft.mode == "correct" and draft.complete(now):
        try:
            gone = room().table.undone_by(draft.dice)
            undoes = [past_words(past, now) for past in gone]
        except Refused as problem:
            refused = say(problem.sentence)
    sight = now.sight
    return {
        "draft": draft,
        "Draft": Draft,
        "overtaken": overtaken,
        "may_roll": may_roll,
        "may_correct": may_correct and bool(now.last_roll),
        "undoes": undoes,
        "undoes_refused": refused,
        "picture_url": url_for(
            "pages.picture", throw_number=sight.throw_number, mark=picture_mark(sight.picture)
        )
        if sight and sight.picture
        else "",
    }


def _table_context(now: View) -> dict[str, Any]:
    sheet: Sheet = sheet_of(now.lobby.key)
    context: dict[str, Any] = {
        "view": now,
        "who": who(),
        "sheet": sheet,
        "bots": tuple(BOTS),
        "few": FEW,
        "acting": None,
    }
    if now.state is None:
        return context | _lobby_context(now)
    return context | {
        "waits": waiting_words(now, None) or now_words(now, ()),
        "look": None,
        **_roll_context(now, None),
    }
