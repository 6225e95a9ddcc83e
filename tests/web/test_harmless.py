"""Late taps, double taps, names that try things and seats that others sit on: none of them does harm."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page

from companion.table import Table
from companion.web import create_app
from companion.web.serving import Serving
from tests.web.phones import Phone, chromium, eventually
from tests.web.rig import PIN, free_port, served
from tests.web.test_around import Room, play_out
from tests.web.test_pages import FORM, form_of
from tests.web.test_setup import DrawnCamera

ONE_PLACE = """form.deed button.big, form.deed button[data-undo]
  { position: fixed; left: 40px; top: 300px; width: 300px; height: 90px; z-index: 9; }"""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.log.close()


def test_a_name_does_not_become_an_attribute(room: Room) -> None:
    anna = room.phone("A onfocus=alert(1) x")
    room.phone("Bram")
    page = anna.get("/seat").text
    assert 'aria-label="A onfocus=alert(1) x leaves"' in page
    assert "aria-label=&#34;" not in page


def test_a_name_in_the_log_that_no_page_can_show_stops_none(room: Room) -> None:
    room.table.join("Anna")
    room.table.join("Bram")
    room.table.start()
    first = room.table.view()
    kept = first.lobby.as_json()
    kept["players"][0]["name"] = "\ud800x"
    room.log.arrange(first.game_id, "regenwormen", kept, "playing")
    room.table.put_away()
    host = room.host()
    assert "?x" in host.get("/host").text
    host.post("/lobby/take_up", data={"game": str(first.game_id)})
    assert room.names() == ["?x", "Bram"]
    assert "?x" in host.get("/table").text


def test_a_guest_on_the_first_seat_lets_the_keeper_start(room: Room) -> None:
    anna = room.phone("Anna")
    anna.post("/lobby/add", data={"plays": "guest", "name": "Opa"})
    room.table.reorder((1, 0))
    assert anna.post("/api/start").status_code == 200


def test_removing_a_player_twice_removes_one(room: Room) -> None:
    anna, _, _ = (room.phone(name) for name in ("Anna", "Bram", "Chris"))
    for _ in range(2):
        anna.post("/lobby/leave", data={"seat": "1", "name": "Bram"})
    assert room.names() == ["Anna", "Chris"]


def test_a_late_correction_does_not_change_a_newer_roll(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    anna.post("/lobby/start")
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    room.table.choose(0, "aside 3")
    room.table.roll(("worm:5",) * 4)
    late = anna.post("/api/correct", json={"dice": ["worm:4"] * 4, "rolls_made": 1})
    assert late.status_code == 409
    assert [str(die) for die in room.table.view().last_roll] == ["worm:5"] * 4


def test_who_threw_may_correct_after_the_turn_has_passed(room: Room) -> None:
    anna, bram, chris = (room.phone(name) for name in ("Anna", "Bram", "Chris"))
    anna.post("/lobby/start")
    room.table.roll(("worm:worm",) * 5 + ("worm:1",) * 3)
    room.table.choose(0, "aside worm")
    room.table.choose(0, "take 25")
    due = room.table.due()
    assert due is not None and due[1].seat == 1
    dice = ["worm:worm"] * 6 + ["worm:1"] * 2
    assert "data-correct" in anna.get("/seat").text
    assert chris.post("/api/correct", json={"dice": dice}).status_code == 403
    assert anna.post("/api/roll", json={"dice": dice}).status_code == 403, "that throw is Bram's"
    assert bram.get("/seat").status_code == 200
    assert anna.post("/api/correct", json={"dice": dice}).status_code == 200


def test_the_host_who_stood_in_takes_a_seat_of_their_own_in_the_next_game(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    anna.post("/lobby/start")
    host = room.host()
    host.post("/lobby/stand_in", data={"seat": "1", "on": "on"})
    assert host.get("/seat").status_code == 200
    room.table.put_away()
    assert host.get("/").status_code == 200, "the stand-in ended with its game"
    assert host.post("/api/join", json={"name": "Chris"}).json["seat"] == 2


def test_joining_while_standing_in_does_not_take_that_players_seat(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    anna.post("/lobby/start")
    host = room.host()
    host.post("/lobby/stand_in", data={"seat": "1", "on": "on"})
    assert host.post("/api/join", json={"name": "Chris"}).status_code == 409


def test_taking_back_all_twice_takes_back_once(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    anna.post("/lobby/start")
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    room.table.choose(0, "aside 3")
    host = room.host()
    for _ in range(2):
        host.post("/lobby/undo_all", data={"seat": "0", "choices_made": "1"})
    assert [line.kind for line in room.table.history()].count("undone") == 1


class Kept:
    """A tap as a phone keeps it when the answer is lost: it can be sent again, and again."""

    def __init__(self, phone: FlaskClient, page: str, mark: str, **typed: str) -> None:
        self.phone = phone
        self.action, self.fields = form_of(phone, page, mark)
        self.fields |= typed

    def send(self) -> tuple[int, str]:
        """Send it as a script does: the status, and the sentence if it is refused."""
        answer = self.phone.post(self.action, data=self.fields, headers={"X-Fragment": "yes"})
        return answer.status_code, answer.json["error"] if answer.is_json else ""


TOO_LATE = (409, "That tap came too late: it was about another game")


def test_a_tap_kept_for_a_game_that_was_put_away_does_not_strike_the_next(room: Room) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    room.table.start()
    room.dice.next = ("worm:3",) * 8
    room.dice.throw()
    confirm = Kept(anna, "/seat", "data-confirm")
    room.table.put_away()
    assert confirm.send() == TOO_LATE
    room.table.start()
    room.dice.next = ("worm:3",) * 8
    room.dice.throw()
    assert confirm.send() == TOO_LATE
    assert room.table.view().rolls_made == 0
    del confirm.fields["game_id"]
    assert confirm.send() == (200, ""), "a script need not name the game"


def test_the_json_interface_refuses_a_roll_for_another_game(room: Room) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    room.table.start()
    first = anna.get("/api/state").json["game_id"]
    room.table.put_away()
    room.table.start()
    body = {"dice": ["worm:3"] * 8, "rolls_made": 0}
    late = anna.post("/api/roll", json={**body, "game_id": first})
    assert (late.status_code, late.json["error"]) == TOO_LATE
    second = anna.get("/api/state").json["game_id"]
    assert anna.post("/api/roll", json={**body, "game_id": second}).status_code == 200
    assert anna.post("/api/roll", json={**body, "game_id": "x"}).status_code == 400


def test_putting_away_twice_leaves_the_game_begun_meanwhile(room: Room) -> None:
    room.phone("Anna"), room.phone("Bram")
    room.table.start()
    put_away = Kept(room.host(), "/host", "Put this game away")
    assert put_away.send() == (205, "")
    room.table.start()
    second = room.table.view()
    assert put_away.send() == (205, ""), "the wish has come true: nothing to be alarmed about"
    assert room.table.view() == second


def test_starting_twice_starts_once(room: Room) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    start = Kept(anna, "/seat", "data-start")
    assert start.send() == (200, "")
    begun = room.table.view()
    assert start.send() == (200, "") and room.table.view() == begun
    room.table.put_away()
    assert start.send() == TOO_LATE and room.table.view().phase == "lobby"


@pytest.mark.parametrize("mark", ["data-rematch", "Another game"])
def test_what_follows_a_game_follows_once(room: Room, mark: str) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    room.table.start()
    play_out(room.table, 5000)
    after = Kept(anna, "/seat", mark)
    assert after.send() == (200, "")
    second = room.table.view()
    assert after.send() == (200, "") and room.table.view() == second


def test_taking_up_twice_takes_up_once(room: Room) -> None:
    room.phone("Anna"), room.phone("Bram")
    room.table.start()
    host, first = room.host(), room.table.view().game_id
    room.table.put_away()
    take_up = Kept(host, "/host", f'name="game" value="{first}"')
    assert take_up.send() == (205, "")
    lies = room.table.view()
    assert take_up.send() == (205, "") and room.table.view() == lies
    room.table.put_away()
    assert take_up.send() == TOO_LATE


def test_calling_a_throw_off_twice_spares_the_next_one(room: Room) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    room.table.start()
    room.dice.throw()
    again = Kept(anna, "/seat", "data-again")
    assert again.send() == (200, "") and room.table.view().offered is None
    room.dice.next = ("worm:3",) * 4 + ("worm:5",) * 4
    room.dice.throw()
    assert again.send() == (200, "") and room.table.view().offered is not None
    room.table.confirm()
    room.table.choose(0, "aside 3")
    room.dice.throw()
    assert again.send() == (409, "That tap came too late: it was about another throw")
    assert room.table.view().offered is not None


def test_that_is_right_takes_the_dice_shown_and_no_others(room: Room) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    room.table.start()
    room.dice.next = ("worm:3",) * 4 + ("worm:5",) * 4
    room.dice.throw()
    right = Kept(anna, "/seat", "data-confirm")
    room.dice.next = ("worm:3",) * 3 + ("worm:5",) * 5
    room.dice.throw()
    assert right.send() == (409, "The dice were read anew meanwhile: look again")
    assert room.table.view().rolls_made == 0
    room.dice.next = ("worm:5",) * 4 + ("worm:3",) * 4
    room.dice.throw()
    assert right.send() == right.send() == (200, ""), "in whatever order they lie"
    assert room.table.view().rolls_made == 1


def test_a_confirmation_without_dice_takes_what_is_read(room: Room) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    room.table.start()
    room.dice.next = ("worm:3",) * 8
    room.dice.throw()
    assert anna.post("/api/confirm", json={"dice": ["worm:4"] * 8}).status_code == 409
    assert anna.post("/api/confirm", json={"dice": "worm"}).status_code == 409
    assert anna.post("/api/confirm", json={"dice": 3}).status_code == 400
    assert anna.post("/api/confirm", json={}).json["rolled"] == ["worm:3"] * 8


def test_a_throw_of_the_simulated_dice_is_not_made_for_the_next_player(room: Room) -> None:
    anna, _ = room.phone("Anna"), room.phone("Bram")
    room.table.start()
    room.dice.next = ("worm:3",) * 4 + ("worm:5",) * 4
    throw = Kept(anna, "/seat", "data-throw")
    assert throw.send() == (200, "")
    room.table.confirm()
    room.table.choose(0, "aside 3")
    assert throw.send() == (200, "") and room.table.view().sight is None


def test_a_bot_or_guest_added_twice_by_one_tap_is_one(room: Room) -> None:
    anna = room.phone("Anna")
    for _ in range(2):
        bot = Kept(anna, "/seat", 'data-bot="greedy"')
        assert bot.send() == bot.send() == (200, "")
    assert room.names() == ["Anna", "Bip", "Blik"]
    guest = Kept(anna, "/seat", 'id="other"', name=" Opa  Jan ")
    assert guest.send() == guest.send() == (200, "")
    assert room.names() == ["Anna", "Bip", "Blik", "Opa Jan"]
    room.phone("Chris")
    assert guest.send() == (200, "") and len(room.names()) == 5
    namesake = Kept(anna, "/seat", 'id="other"', name="Opa Jan")
    assert namesake.send() == (409, "“Opa Jan” sits here already; choose another name")


def test_moving_a_player_twice_by_one_tap_moves_one(room: Room) -> None:
    anna, _, _ = (room.phone(name) for name in ("Anna", "Bram", "Chris"))
    up = Kept(anna, "/seat", "Move Chris up")
    assert up.send() == up.send() == (200, "")
    assert room.names() == ["Anna", "Chris", "Bram"]
    drag = {"order": "0,2,1", "seat": "1", "name": "Chris", "back": "seat"}
    for _ in range(2):
        anna.post("/lobby/order", data=drag)
    assert room.names() == ["Anna", "Bram", "Chris"]


def test_every_deed_names_its_game(room: Room) -> None:
    anna, host, around = room.phone("Anna"), room.host(), ("/language", "/join", "/setup/")
    room.phone("Bram")

    def check() -> None:
        for phone, page in ((anna, "/seat"), (host, "/host"), (host, "/table"), (anna, "/trouble")):
            for action, inside in FORM.findall(phone.get(page).text):
                if not action.startswith(around):
                    assert f'name="game_id" value="{room.table.view().game_id}"' in inside, (page, action)

    check()
    room.table.start()
    check()
    room.dice.throw()
    check()
    room.table.hand_over(1, "greedy", free=True)
    assert 'name="game_id"' in room.phone().get("/").text
    play_out(room.table, 5000)
    check()


def test_a_bot_finds_a_name_beside_a_namesake_in_small_letters(room: Room) -> None:
    anna = room.phone("bip")
    anna.post("/lobby/add", data={"plays": "greedy", "name": ""})
    assert room.names() == ["bip", "Blik"]


def test_nobody_adds_a_phone_that_is_not_there(room: Room) -> None:
    room.phone("Anna").post("/lobby/add", data={"plays": "phone", "name": "Ghost"})
    assert room.names() == ["Anna"]


def test_a_number_of_thousands_of_digits_is_refused(room: Room) -> None:
    answer = room.host().post("/lobby/take_up", data={"game": "9" * 5000}, headers={"X-Fragment": "yes"})
    assert answer.status_code == 400


DIGITS, BRACKETS = "9" * 5000, "[" * 50_000


@pytest.mark.parametrize(
    "address",
    [
        f"/history?until={DIGITS}",
        f"/host?seat={DIGITS}",
        f"/seat?as={DIGITS}",
        f"/seat?look={DIGITS}",
        f"/seat?mode=roll&rolls=0&d=worm:1&at={DIGITS}&ok={DIGITS}",
    ],
    ids=lambda address: address.partition("9")[0],
)
def test_an_address_with_thousands_of_digits_is_a_page(room: Room, address: str) -> None:
    host = room.host()
    host.post("/join", data={"name": "Anna"})
    room.phone("Bram")
    host.post("/lobby/start")
    assert host.get(address).status_code == 200


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/lobby/order", {"order": f"0,{DIGITS}"}),
        ("/lobby/hand_over", {"seat": "0", "plays": f"guest.{DIGITS}"}),
        ("/lobby/cards", {"how": "own", "card": DIGITS}),
        ("/lobby/cards", {"how": "keep", "B": DIGITS}),
        ("/lobby/cards", {"how": "keep", "B": "0x" + "F" * 5000}),
        ("/lobby/cards", {"how": "keep", "B": BRACKETS}),
        ("/lobby/board", {"board": f"chips = {DIGITS}"}),
        ("/lobby/board", {"board": f"chips = {BRACKETS}"}),
    ],
    ids=lambda value: value if isinstance(value, str) else ",".join(value),
)
def test_a_form_with_thousands_of_digits_or_brackets_is_refused(
    room: Room, address: str, form: dict[str, str]
) -> None:
    answer = room.host().post(address, data=form, headers={"X-Fragment": "yes"})
    assert answer.status_code == 400
    assert "recursion" not in answer.text and "limit" not in answer.text


def test_a_game_with_an_option_of_another_version_is_not_taken_up(room: Room) -> None:
    room.phone("Anna").post("/lobby/add", data={"plays": "greedy", "name": ""})
    room.table.start()
    first = room.table.view()
    room.table.put_away()
    kept = first.lobby.as_json() | {"options": {"wind": True}}
    room.log.arrange(first.game_id, "regenwormen", kept, "playing")
    answer = room.host().post("/lobby/take_up", data={"game": first.game_id}, headers={"X-Fragment": "yes"})
    assert answer.status_code == 409 and "no option “wind”" in answer.json["error"]
    assert room.table.view().phase == "lobby"


def test_a_game_that_cannot_be_read_is_said_in_the_lobby_and_stops_no_page(room: Room) -> None:
    first = room.table.view().game_id
    room.log.arrange(first, "regenwormen", {}, "playing")
    app = create_app(Table(room.log), secret="s", pin=PIN)
    host = app.test_client()
    host.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    host.post("/host", data={"pin": PIN})
    assert "The last game cannot be read any more" in host.get("/table").text
    assert f'name="game" value="{first}"' in host.get("/host").text
    assert host.post("/lobby/take_up", data={"game": first}, headers={"X-Fragment": "y"}).status_code == 409


def _full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def test_a_full_disk_is_said_and_what_stands_is_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    room.table.start()
    before = room.table.view()
    with monkeypatch.context() as full:
        full.setattr(room.log, "append", _full)
        roll = {"dice": " ".join(["worm:3"] * 8), "back": "seat"}
        assert "The disk cannot be written" in anna.post("/play/roll", data=roll, follow_redirects=True).text
        answer = anna.post("/api/roll", json={"dice": ["worm:3"] * 8})
        assert answer.status_code == 503 and "The disk cannot be written" in answer.json["error"]
    assert room.table.view() == before
    assert anna.post("/api/roll", json={"dice": ["worm:3"] * 8}).status_code == 200
    monkeypatch.setattr(room.log, "lines", _full)
    page = anna.get("/history")
    assert page.status_code == 503 and "The disk cannot be written" in page.text


def test_a_page_that_is_not_there_says_so_in_the_phones_language(room: Room) -> None:
    answer = room.phone().get("/nowhere", headers={"Accept-Language": "nl"})
    assert answer.status_code == 404
    assert 'lang="nl"' in answer.text and "Not Found" not in answer.text


def test_a_load_in_percent_does_not_break_the_setup_page(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = DrawnCamera()
    monkeypatch.setattr(camera, "facts", lambda: {"load of the eye": "12 %"})
    seen = room.app.extensions["companion"]
    object.__setattr__(seen, "setup", camera)
    page = room.host().get("/setup")
    assert page.status_code == 200 and "12 %" in page.text


# ---- taps that follow each other faster than people can see -----------------------------------------


class Taps:
    """A finger that stays in one place, over a page whose time stands still; what it makes the page send."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        page.on("request", lambda request: request.method == "POST" and self.sent.append(request.url))
        page.clock.install()
        page.add_style_tag(content=ONE_PLACE)

    def see(self, what: str) -> None:
        self.page.locator(what).locator("visible=true").first.wait_for()

    def tap(self) -> None:
        self.page.touchscreen.tap(190, 345)

    def sends(self, *deeds: str) -> None:
        def check() -> None:
            assert [url.rpartition("/")[2] for url in self.sent] == list(deeds)

        eventually(check)


@pytest.mark.browser
def test_a_double_tap_does_not_hit_the_button_that_comes_next(room: Room) -> None:
    room.table.open("regenwormen", {})
    with served(room.app, free_port()) as url, chromium() as browser:
        phone = Phone(browser, url, quick=False)
        phone.join("Anna")
        room.table.join("Bram")
        room.table.start()
        phone.see("[data-throw]")
        finger = Taps(phone.page)
        finger.page.clock.pause_at(finger.page.evaluate("Date.now()") + 1000)

        room.dice.next = ("worm:3",) * 4 + ("worm:5",) * 4
        finger.tap()
        finger.see("[data-confirm]")
        finger.tap()  # came with the button: was meant for the one before
        finger.page.clock.run_for(200)
        finger.tap()
        finger.page.clock.run_for(200)
        finger.tap()
        finger.see(".choices [data-choice]")
        finger.tap()
        finger.sends("throw", "confirm")

        # keys and screen readers are not held up
        finger.page.locator('.choices [data-choice="aside 3"]').focus()
        finger.page.keyboard.press("Enter")
        finger.see("[data-undo]")
        finger.sends("throw", "confirm", "choose")
        assert room.table.view().choices_made == (1, 0)
        phone.context.close()


@pytest.mark.parametrize(("claimed", "sent"), [(300 * 1024, 300 * 1024), (2**29, 0)])
def test_a_request_that_is_far_too_large_is_not_even_read(room: Room, claimed: int, sent: int) -> None:
    port = free_port()
    head = ["POST /api/join HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {claimed}", "Connection: close"]
    with served(room.app, port), socket.create_connection(("127.0.0.1", port), timeout=10) as phone:
        phone.sendall("\r\n".join([*head, "Accept-Language: en", "", ""]).encode() + b" " * sent)
        answer = b"".join(iter(lambda: phone.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 413")
    assert (b"that is too much at once" in answer) == bool(sent)


def test_a_server_that_is_stopped_while_an_answer_ends_goes_without_a_word() -> None:
    pages = Serving(Flask("pages"), "127.0.0.1", free_port(), threads=2)
    pages.start()
    trigger = pages._listeners[0].trigger
    pull = trigger._physical_pull

    def too_late() -> None:
        os.write(trigger.trigger, b"x")  # the answer wakes the thread, which then closes everything
        eventually(lambda: gone(trigger))
        pull()

    def gone(trigger: Any) -> None:
        assert trigger._closed

    trigger._physical_pull = too_late
    pages.stop()
    assert not pages.alive()
