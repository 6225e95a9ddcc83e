"""Three phones at a game of Regenwormen, in a real browser: taps that are lost, late, wrong or quick."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.dice import Die
from companion.web import create_app
from tests.web.phones import PATIENCE_S, Phone, Server
from tests.web.rig import PIN, free_port, picture_of, room_of, served

pytestmark = pytest.mark.browser

NAMES = ("Anna", "Bram", "Chris")


class Evening:
    """Three phones at a table; each step taps whatever the phone in turn shows."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.server = server
        server.open("regenwormen", short_game=True, fail_without_tile="turn")
        self.phones = [Phone(browser, server.url) for _ in NAMES]
        for phone, name in zip(self.phones, NAMES, strict=True):
            phone.join(name)

    def begin(self) -> None:
        """The first phone starts the game; all follow by themselves."""
        self.phones[0].tap("[data-start]")
        for phone in self.phones:
            phone.see(".players")

    def step(self) -> Phone | None:
        """One tap, on the phone in turn; None when the game is over."""
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            for phone in self.phones:
                shown = phone.shows()
                if shown["over"]:
                    return None
                if what := self.wanted(shown):
                    version = phone.version()
                    if not phone.taps(what):  # dice that began to move took the button away
                        continue
                    if what.startswith(".rw"):  # on the sheet: the first tap selects, the second one takes
                        phone.see("#dock [data-choice]")
                        phone.tap(what)
                    if phone.changes(version):
                        return phone
            time.sleep(0.02)
        raise AssertionError(
            "nobody can do anything: " + str([phone.page.inner_text("h1") for phone in self.phones])
        )

    def wanted(self, shown: dict[str, object]) -> str:
        """What a player who likes tiles taps."""
        choices = [str(choice) for choice in shown["choices"]]  # type: ignore[attr-defined]
        if shown["confirm"]:
            return "[data-confirm]"
        if shown["doubt"]:
            return ".doubt .face"
        if any(choice.startswith("steal") for choice in choices):
            return f'[data-choice="{choices[0]}"]'
        if any(choice.startswith("take") for choice in choices):
            return f'.rw-row [data-tap="{choices[0].split()[1]}"]'
        if shown["throw"]:
            return "[data-throw]"
        if any(choice.startswith("aside") for choice in choices):
            face = "worm" if "aside worm" in choices else choices[-1].split()[1]
            return f'.rw-lying [data-tap="{face}"]'
        return f'[data-choice="{choices[0]}"]' if choices else ""

    def until(self, what: str) -> Phone:
        """Play on until a phone shows this."""
        while True:
            for phone in self.phones:
                if phone.page.locator(what).locator("visible=true").count():
                    return phone
            assert self.step() is not None, f"the game ended before any phone showed {what}"


def test_a_tap_made_offline_is_kept_and_sent(browser: Browser, server: Server) -> None:
    evening = Evening(browser, server)
    evening.begin()
    phone = evening.until(".rw-lying [data-tap]")
    phone.context.set_offline(True)
    choice = phone.shows()["choices"][0]
    phone.tap(f'.choices [data-choice="{choice}"]')
    phone.says("#banner", "bewaard")
    phone.page.evaluate("dispatchEvent(new Event('offline'))")
    phone.says("#banner", "bewaard")
    phone.context.set_offline(False)
    phone.see("[data-throw]")
    phone.page.locator("#banner").wait_for(state="hidden")
    for each in evening.phones:
        each.see(".rw-aside")


def test_a_tap_whose_way_failed_once_is_sent_again_by_itself(browser: Browser, server: Server) -> None:
    evening = Evening(browser, server)
    evening.begin()
    phone = evening.until(".rw-lying [data-tap]")
    phone.page.route("**/play/choose", lambda route: route.abort(), times=1)
    phone.tap('.choices [data-choice^="aside"]')
    phone.says("#banner", "bewaard")
    phone.see("[data-throw]")
    phone.page.locator("#banner").wait_for(state="hidden")


def test_a_tap_that_does_not_fit_says_why(browser: Browser, server: Server) -> None:
    evening = Evening(browser, server)
    evening.begin()
    phone = evening.until(".rw-lying [data-tap]")
    phone.tap('.rw-row [data-tap="36"]')
    phone.says("#toast", "Leg eerst dobbelstenen apart.")
    waiting = evening.phones[1]
    waiting.tap('.rw-row [data-tap="36"]')
    expect(waiting.page.locator("#toast")).not_to_be_empty()


def test_quick_typing_loses_no_die(browser: Browser, server: Server) -> None:
    evening = Evening(browser, server)
    evening.begin()
    phone = evening.phones[0]
    phone.tap("[data-type]")
    phone.see("[data-add]")
    phone.page.evaluate(
        """() => { for (const face of ["1","1","worm","2","5","5","5","3"])
             document.querySelector(`[data-add="worm:${face}"]`).click(); }"""
    )
    phone.see("[data-roll]")
    phone.counts(".edit .die", 8)
    phone.tap("[data-roll]")
    phone.see('.choices [data-choice="aside worm"]')
    assert len(phone.shows()["choices"]) == 5


def test_the_last_picture_stays_while_the_table_is_away(browser: Browser, tmp_path: Path) -> None:
    log, table, dice, _ = room_of(tmp_path)
    jpeg = picture_of((Die("worm", "1"),))[0]
    app = create_app(table, secret="s", pin="1", throw=dice.throw, live_picture=lambda: jpeg)
    for name in NAMES:
        table.join(name)
    table.start()
    shown = "() => document.querySelector('[data-live-picture]:not([hidden])')?.naturalWidth > 0"
    screen = browser.new_page(viewport={"width": 1280, "height": 800})
    with served(app, free_port()) as url:
        screen.goto(url + "/table")
        screen.wait_for_function(shown)
        screen.route("**/live.jpg*", lambda route: route.abort())
        for _ in range(2):
            with screen.expect_event("requestfailed", lambda failed: "live.jpg" in failed.url):
                pass
        assert screen.evaluate(shown), "and no icon of a broken picture"
        screen.reload()
        screen.wait_for_selector("[data-live-picture]", state="hidden")
        screen.unroute("**/live.jpg*")
        screen.wait_for_function(shown)
    screen.close()
    log.close()


def test_the_space_bar_on_the_table_screen_confirms(browser: Browser, server: Server) -> None:
    evening = Evening(browser, server)
    evening.begin()
    screen = browser.new_page(viewport={"width": 1280, "height": 800})
    screen.goto(server.url + "/table")
    evening.phones[0].tap("[data-throw]")
    screen.locator("[data-confirm]").wait_for()
    screen.keyboard.press("Space")
    evening.phones[0].see(".rw-lying")
    screen.close()


def test_a_half_typed_name_stays_while_others_tap(browser: Browser, server: Server) -> None:
    anna, child = Phone(browser, server.url), Phone(browser, server.url)
    anna.join("Anna")
    name = child.page.locator("#name")
    name.fill("Emma")
    name.press("ArrowLeft")
    for key, title in (("clever", "Clever"), ("geizen", "Geizen")):
        anna.tap(f'[data-game="{key}"]')
        child.says(".welcome .kicker", title)
        expect(name).to_have_value("Emma")
    expect(name).to_be_focused()
    name.press("x")
    expect(name).to_have_value("Emmxa")


def test_a_guests_name_stays_until_it_is_sent_and_the_fold_stays_open(
    browser: Browser, server: Server
) -> None:
    anna, bram = Phone(browser, server.url), Phone(browser, server.url)
    anna.join("Anna")
    anna.page.locator(".fold:has(#other) summary").tap()
    anna.page.fill("#other", "Opa")
    bram.join("Bram")
    anna.says(".seats", "Bram")
    expect(anna.page.locator("#other")).to_have_value("Opa")
    anna.page.select_option("#keeper", "1")
    for phone in ("Chris", "Dirk"):
        Phone(browser, server.url).join(phone)
        anna.says(".seats", phone)
    expect(anna.page.locator("#keeper")).to_have_value("1")
    anna.tap(".fold:has(#other) button")
    anna.says(".seats", "Opa op de telefoon van Bram")
    expect(anna.page.locator("#other")).to_be_visible()
    expect(anna.page.locator("#other")).to_have_value("")


def test_a_guests_name_whose_way_failed_once_is_gone_when_it_is_seated(
    browser: Browser, server: Server
) -> None:
    anna = Phone(browser, server.url)
    anna.join("Anna")
    anna.page.locator(".fold:has(#other) summary").tap()
    anna.page.fill("#other", "Opa")
    anna.page.route("**/lobby/add", lambda route: route.abort(), times=1)
    anna.tap(".fold:has(#other) button")
    anna.says(".seats", "Opa")
    expect(anna.page.locator("#other")).to_have_value("")
    anna.page.fill("#other", "opa")
    anna.tap(".fold:has(#other) button")
    anna.says("#toast", "zit hier al")
    Phone(browser, server.url).join("Bram")
    anna.says(".seats", "Bram")
    expect(anna.page.locator("#other")).to_have_value("opa")


def test_what_the_host_unfolds_stays_open_while_others_choose(browser: Browser, tmp_path: Path) -> None:
    log, table, _, app = room_of(tmp_path)
    for name in NAMES:
        table.join(name)
    table.start()
    with served(app, free_port()) as url:
        host = Phone(browser, url + "/host")
        host.page.fill("#pin", PIN)
        host.page.locator("form.join button").tap()
        fold = host.page.locator('.host-seat:has(summary:has-text("Bram"))')
        fold.locator("summary").tap()
        fold.locator('[name="name"]').fill("Bra")
        fold.locator("select").select_option("greedy")
        version = host.version()
        table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
        table.choose(0, "aside 3")
        table.rename(0, "Anne")
        host.changed(version)
        host.says(".host-seats", "Anne")
        expect(fold).to_have_attribute("open", "")
        expect(fold.locator('[name="name"]')).to_have_value("Bra")
        expect(fold.locator("select")).to_have_value("greedy")
        assert host.page.locator(".host-seat[open]").count() == 1
        assert host.problems == []
        host.context.close()
    log.close()
