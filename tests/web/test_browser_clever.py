"""The sheet of Clever under a finger, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.phones import Phone, Server, eventually

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def seated(browser: Browser, server: Server, *names: str) -> list[Phone]:
    server.open("clever")
    phones = [Phone(browser, server.url, width=360 if n else 390) for n in range(len(names))]
    for phone, name in zip(phones, names, strict=True):
        phone.join(name)
    phones[0].tap("[data-start]")
    for phone in phones:
        phone.see(".cl")
    return phones


def throw(phone: Phone) -> None:
    phone.tap("[data-throw]")
    phone.tap("[data-confirm]")
    phone.see(".cl-die.can")


def taps(phone: Phone, state: str) -> set[str]:
    found = phone.page.eval_on_selector_all(
        f'[data-sheet="mine"] [data-tap].{state}', "all => all.map((e) => e.dataset.tap)"
    )
    return set(found)


def _orange_shows(phone: Phone) -> None:
    assert phone.page.inner_text('[data-tap="orange"] .cl-f >> nth=0').startswith(tuple("123456"))
    assert phone.page.inner_text(".cl-totals .cl-orange .cl-gain").startswith("+")


def _orange_counts(phone: Phone) -> None:
    assert phone.page.inner_text('[data-sheet="other"] .cl-totals .cl-orange dd').strip() != "0"


def test_dice_and_fields_narrow_each_other(browser: Browser, server: Server) -> None:
    anna, bram = seated(browser, server, "Anna", "Bram")
    throw(anna)
    assert {"die-white", "die-yellow", "green", "orange", "purple"} <= taps(anna, "can")

    # a die narrows to its fields, and another die moves the selection
    anna.tap('[data-tap="die-yellow"]')
    anna.see('[data-tap="die-yellow"].on')
    yellow = taps(anna, "can")
    assert yellow and all(tap.startswith("yellow-") for tap in yellow)
    anna.tap('[data-tap="die-white"]')
    anna.see('[data-tap="die-white"].on')
    assert taps(anna, "on") == {"die-white"}
    assert {"green", "orange", "purple"} <= taps(anna, "can")
    # a field narrows to the dice that may go there
    anna.tap("#dock .quiet")
    anna.counts("[data-tap].on", 0)
    anna.tap('[data-tap="orange"] .next')
    anna.see('[data-tap="orange"].on')
    assert taps(anna, "can") == {"die-orange", "die-white"}
    anna.tap('[data-tap="die-orange"]')
    anna.says("#dock [data-choice]", "oranje")
    version = anna.version()
    anna.tap('[data-tap="die-orange"]')
    anna.changed(version)
    eventually(lambda: _orange_shows(anna))

    # somebody else looks at the sheet, and taps there change nothing
    bram.tap(".player:not(.own)")
    bram.see('[data-sheet="other"] .cl')
    eventually(lambda: _orange_counts(bram))
    bram.tap('[data-sheet="other"] [data-tap="green"]')
    bram.counts("#dock.open", 0)
    bram.page.goto(server.url + "/seat")

    # what cannot be tapped says why
    bram.tap('[data-tap="blue-12"]')
    bram.says("#toast", "Je hebt nu niets te kiezen.")
    assert all(phone.problems == [] for phone in (anna, bram))


def in_view(phone: Phone, what: str) -> bool:
    box = phone.page.locator(what).first.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 844


def test_what_is_to_be_done_next_comes_into_view(browser: Browser, server: Server) -> None:
    anna, _ = seated(browser, server, "Anna", "Bram")
    throw(anna)
    anna.tap('[data-tap="die-purple"]')
    anna.tap('[data-tap="purple"]')
    anna.see("#dock [data-choice]")
    assert not in_view(anna, ".now h1"), "the purple row lies low on the sheet"
    anna.tap("#dock [data-choice]")
    anna.see("[data-throw]")
    eventually(lambda: _in_view(anna))


def _in_view(phone: Phone) -> None:
    assert in_view(phone, ".now h1") and in_view(phone, "[data-throw]")


def test_every_target_is_large_enough(browser: Browser, server: Server) -> None:
    anna, bram = seated(browser, server, "Anna", "Bram")
    throw(anna)
    for phone in (anna, bram):
        # In one go: a page renewed between finding and measuring would leave targets without a size.
        sizes = phone.page.evaluate(
            """() => [...document.querySelectorAll('[data-sheet="mine"] [data-tap]')]
                 .map((e) => [e.dataset.tap, e.getBoundingClientRect()])
                 .map(([tap, r]) => [tap, r.width, r.height])"""
        )
        assert sizes
        assert [size for size in sizes if min(size[1:]) < 44] == []
        wide = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, "nothing sticks out to the side"
