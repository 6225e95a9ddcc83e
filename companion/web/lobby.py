"""Arranging a game: what is played, who sits where, and what only the host may do."""

from __future__ import annotations

from random import SystemRandom

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from companion.games.core import IllegalOption
from companion.games.dicy_cards import cards as dicy
from companion.games.geizen import board as geizen
from companion.table import Refused
from companion.web import acts, copies
from companion.web.asking import Ask, Malformed, whole
from companion.web.pages import back, seat_named
from companion.web.problems import problem_words
from companion.web.roles import FOR_COOKIE, Role, stand_in_words
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
    acts.add(room().table, _ask(), first=who().may(Role.FIRST, view()))
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


@lobby.post("/order")
def order() -> ResponseReturnValue:
    """All seats in another order."""
    ask = _ask()
    words = ask.text("order").split(",")
    order = tuple(seat for word in words if (seat := whole(word)) is not None)
    if len(order) != len(words):
        raise Malformed("that is not an order of the players seated")
    acts.reorder(room().table, ask, order)
    return back()


@lobby.post("/lots")
def lots() -> ResponseReturnValue:
    """Chance says who begins."""
    arranged = view().lobby
    starter = SystemRandom().randrange(max(1, len(arranged.players)))
    room().table.change(arranged.key, {**arranged.options, "start_player": starter})
    return back()


@lobby.get("/cards")
def choose_cards() -> ResponseReturnValue:
    """Five cards of one's own choice, and the sets of the booklet."""
    return _cards_page(_chosen_cards(), copies.kept_sets(room().table))


@lobby.post("/cards")
def cards() -> ResponseReturnValue:
    """Which five cards everybody has; what cannot be is said, and what was typed stays."""
    ask, table = _ask(), room().table
    ticked = [n for word in request.form.getlist("card") if (n := whole(word)) is not None]
    typed = {letter: request.form.get(letter, "") for letter in dicy.PRESETS}
    try:
        match ask.text("how"):
            case "glacial":
                _play_with(dicy.written(dicy.GLACIAL))
            case "draw":
                _play_with(copies.drawn())
            case "set":
                _play_with(copies.kept_sets(table).get(ask.text("letter"), "glacial"))
            case "own":
                _play_with(dicy.written(dicy.read(",".join(map(str, ticked)) or "0")))
            case "keep":
                text = copies.as_toml(typed)
                dicy.presets(text)
                table.keep(copies.SETS, text)
                flash(gettext("The sets are kept."))
                return redirect(url_for("lobby.choose_cards"), 303)
            case _:
                raise Malformed("that is no way to choose cards")
    except IllegalOption as problem:
        return _cards_page(ticked or _chosen_cards(), typed, _set_problem(problem))
    return back()


def _play_with(numbers: str) -> None:
    arranged = view().lobby
    options = arranged.options if arranged.key == "dicy_cards" else {}
    room().table.change("dicy_cards", {**options, "cards": numbers})


def _chosen_cards() -> list[int]:
    try:
        return list(dicy.read(str(view().lobby.options.get("cards", "glacial"))))
    except IllegalOption:
        return []


def _set_problem(problem: IllegalOption) -> str:
    """The problem with the name of the set instead of the line it would have in a file."""
    said = problem_words(str(problem))
    sentence = said.partition(": ")[2] if str(problem).startswith("line ") else said
    letter = next(iter(getattr(problem, "where", ())), "")
    return f"{letter}: {sentence}" if letter else sentence


def _cards_page(chosen: list[int], typed: dict[str, str], problem: str = "") -> ResponseReturnValue:
    page = render_template(
        "cards.html",
        who=who(),
        cards=dicy.CARDS,
        presets=dicy.PRESETS,
        chosen=chosen,
        typed=typed,
        problem=problem,
    )
    return page, 400 if problem else 200


@lobby.get("/board")
def board() -> ResponseReturnValue:
    """The board of Geizen as text, to be changed."""
    table = room().table
    return render_template("board.html", who=who(), text=table.kept(copies.BOARD) or geizen.example())


@lobby.post("/board")
def keep_board() -> ResponseReturnValue:
    """Keep the board and play on it; a mistake is named with its line, and nothing typed is lost."""
    table, text = room().table, _ask().text("board").replace("\r\n", "\n")
    if _ask().text("how", "keep") == "printed":
        text = geizen.example()
    try:
        geizen.Board.from_toml(text)
    except IllegalOption as problem:
        return render_template("board.html", who=who(), text=text, problem=problem_words(str(problem))), 400
    table.keep(copies.BOARD, text)
    if view().phase == "lobby":
        options = {k: v for k, v in view().lobby.options.items() if k == "start_player"}
        table.change("geizen", {**options, **copies.usual(table, "geizen")})
    return redirect(url_for("pages.seat" if who().seat is not None else "pages.table"), 303)


@lobby.post("/start")
def start() -> ResponseReturnValue:
    """Begin; whoever was quicker has fulfilled the wish."""
    if view().phase == "lobby":
        room().table.start()
    return back()


@lobby.post("/put_away")
def put_away() -> ResponseReturnValue:
    """End this game as it is."""
    room().table.put_away()
    return back()


@lobby.post("/next_game")
def next_game() -> ResponseReturnValue:
    """After the game: a lobby with the same players."""
    if view().phase != "over":
        raise Refused("the game is not over yet")
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
    """Let another phone, somebody's guest or a bot go on for a seat."""
    ask = _ask()
    seat, to = ask.number("seat"), ask.text("plays")
    if to == "phone":
        room().table.hand_over(seat)
        return redirect(url_for("pages.host", seat=seat), 303)
    if to == "free":
        room().table.hand_over(seat, "greedy", free=True)
        return back()
    keeper = ""
    if to.startswith("guest."):
        phone = seat_named(to.removeprefix("guest."))
        if phone is None or phone == seat:
            raise Malformed("there is no such phone")
        to, keeper = "guest", view().lobby.players[phone].id
    room().table.hand_over(seat, to, keeper)
    return back()


@lobby.post("/stand_in")
def stand_in() -> ResponseReturnValue:
    """The host answers for a seat on this phone, or no longer."""
    ask, hands = _ask(), set(who().hands) - set(view().lobby.hands_of(who().player))
    seat = ask.number("seat")
    if not 0 <= seat < len(view().lobby.players):
        raise Refused("there is no seat %(seat)s", seat=seat)
    seats = hands | {seat} if ask.flag("on") else hands - {seat}
    answer = make_response(redirect(url_for("pages.seat" if ask.flag("on") else "pages.host"), 303))
    answer.set_cookie(FOR_COOKIE, stand_in_words(view(), seats), httponly=True, samesite="Lax")
    return answer


@lobby.post("/step_out")
def step_out() -> ResponseReturnValue:
    """A player leaves in the middle of the game: a bot goes on until somebody takes that seat."""
    ask = _ask()
    seat = ask.seat()
    if view().phase == "lobby":
        room().table.leave(seat)
    else:
        room().table.hand_over(seat, "greedy", free=True)
    return redirect(url_for("pages.home"), 303)


@lobby.post("/take_up")
def take_up() -> ResponseReturnValue:
    """Lay a game that was put away or is over on the table; the one that lies there is put away instead."""
    room().table.take_up(_ask().number("game"))
    return back()


@lobby.post("/undo_all")
def undo_all() -> ResponseReturnValue:
    """Take back a seat's last choice and everything after it."""
    ask = _ask()
    room().table.undo_all(ask.number("seat"), ask.count("choices_made"))
    return back()


@lobby.post("/auto_confirm")
def auto_confirm() -> ResponseReturnValue:
    """Take sure rolls without anybody's word, or no longer."""
    room().table.auto_confirm = _ask().flag("on")
    return back()
