"""Arranging a game: what is played, who sits where, and what only the host may do."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.web import acts
from companion.web.asking import Ask
from companion.web.pages import back
from companion.web.roles import Role
from companion.web.room import room, view, who

lobby = Blueprint("lobby", __name__, url_prefix="/lobby")


def _ask() -> Ask:
    return Ask.from_form(request, who())


@lobby.post("/game")
def game() -> ResponseReturnValue:
    """Another game or other options."""
    acts.change_game(room().table, _ask())
    return back()


@lobby.post("/add")
def add() -> ResponseReturnValue:
    """A guest on this phone, or a bot."""
    acts.add(room().table, _ask())
    return back()


@lobby.post("/leave")
def leave() -> ResponseReturnValue:
    """Free a seat."""
    acts.leave(room().table, _ask(), first=who().may(Role.FIRST, view()))
    return back()


@lobby.post("/move")
def move() -> ResponseReturnValue:
    """One place up or down."""
    acts.move(room().table, _ask())
    return back()


@lobby.post("/start")
def start() -> ResponseReturnValue:
    """Begin."""
    room().table.start()
    return back()


@lobby.post("/put_away")
def put_away() -> ResponseReturnValue:
    """End this game as it is."""
    room().table.put_away()
    return back()


@lobby.post("/rename")
def rename() -> ResponseReturnValue:
    """Give a player another name."""
    ask = _ask()
    room().table.rename(ask.number("seat"), ask.text("name"))
    return back()


@lobby.post("/hand_over")
def hand_over() -> ResponseReturnValue:
    """Let a bot, or a guest on the host's phone, go on for a seat."""
    ask = _ask()
    plays = ask.text("plays")
    room().table.hand_over(ask.number("seat"), plays, who().player if plays == "guest" else "")
    return back()


@lobby.post("/undo_all")
def undo_all() -> ResponseReturnValue:
    """Take back a seat's last choice and everything after it."""
    room().table.undo_all(_ask().number("seat"))
    return back()


@lobby.post("/auto_confirm")
def auto_confirm() -> ResponseReturnValue:
    """Take sure rolls without anybody's word, or no longer."""
    room().table.auto_confirm = _ask().flag("on")
    return back()
