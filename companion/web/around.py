"""The pages around the game: its rules, its history, and all sheets to keep."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date, get_locale

from companion.games import GAMES
from companion.table import Refused
from companion.web.asking import whole
from companion.web.pages import living
from companion.web.roles import A_YEAR, SEAT_COOKIE
from companion.web.room import room, view, who
from companion.web.rules import rules_context, rules_template
from companion.web.sheets import sheet_of

around = Blueprint("around", __name__)

A_PAGE = 100
"""So many entries of the history a page: a long evening has over a thousand."""


@around.get("/rules")
def rules() -> ResponseReturnValue:
    """The rules of the game on the table as it is played here, or of any game with its defaults."""
    now = view()
    key = request.args.get("game", now.lobby.key)
    if key not in GAMES:
        abort(404)
    on_table = key == now.lobby.key
    options = now.lobby.options if on_table else {}
    seats = len(now.lobby.players) if on_table else 0
    context = rules_context(GAMES[key], options, seats, now.state if on_table else None)
    told = {"rules": rules_template(key, str(get_locale())), "on_table": on_table, **context}
    return living("rules_page.html", "rules_live.html", {"view": now, "who": who(), **told})


@around.get("/history")
def history() -> ResponseReturnValue:
    """Every entry of this game, the newest first, a page at a time."""
    now = view()
    told = room().chronicle.told(room().table, now)
    until = whole(request.args.get("until", ""))
    last = len(told) if until is None else min(until, len(told))
    first = max(0, last - A_PAGE)
    context = {"view": now, "who": who(), "sheet": sheet_of(now.lobby.key), "told": told[first:last][::-1]}
    context |= {"earlier": first, "newest": last == len(told)}
    return living("history.html", "history_live.html", context)


@around.get("/sheets")
def sheets() -> ResponseReturnValue:
    """All sheets on one page, to print or to keep as a picture."""
    now = view()
    if now.state is None:
        return redirect(url_for("pages.home"), 303)
    began = next((line.at for line in room().table.history(now.game_id)), None)
    day = format_date(datetime.fromtimestamp(began)) if began else ""
    context = {"view": now, "who": who(), "sheet": sheet_of(now.lobby.key), "day": day}
    return living("all_sheets.html", "all_sheets_live.html", context)


@around.get("/take/<token>")
def take(token: str) -> ResponseReturnValue:
    """A seat that was handed over: shown first, since a preview of the link must not take it."""
    seat = view().lobby.seat_of(room().tokens.player_of(token))
    player = None if seat is None else view().lobby.players[seat]
    page = render_template("take.html", player=player, token=token, view=view(), who=who())
    return page, 200 if player else 404


@around.post("/take/<token>")
def sit(token: str) -> ResponseReturnValue:
    """This phone goes on for that seat."""
    seat = view().lobby.seat_of(room().tokens.player_of(token))
    if seat is None:
        raise Refused("that seat has been given to somebody else")
    answer = make_response(redirect(url_for("pages.seat"), 303))
    answer.set_cookie(SEAT_COOKIE, token, max_age=A_YEAR, httponly=True, samesite="Lax")
    return answer


@around.get("/trouble")
def trouble() -> ResponseReturnValue:
    """Something is wrong at the table: what to do about it."""
    return living("trouble.html", "trouble_live.html", {"view": view(), "who": who()})
