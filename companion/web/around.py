"""The pages around the game: its rules."""

from __future__ import annotations

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from flask_babel import get_locale

from companion.games import GAMES
from companion.web.pages import living
from companion.web.room import view, who
from companion.web.rules import rules_context, rules_template

around = Blueprint("around", __name__)


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
