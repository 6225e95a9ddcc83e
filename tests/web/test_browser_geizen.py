"""The board of Geizen under a finger, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.phones import Phone, Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def test_dice_are_kept_one_by_one(browser: Browser, server: Server) -> None:
    server.open("geizen")
    phones = anna, bram = Phone(browser, server.url), Phone(browser, server.url, width=360)
    anna.join("Anna")
    bram.join("Bram")
    anna.tap("[data-start]")
    for phone in phones:
        phone.see(".gz-board")
    anna.tap("[data-throw]")
    anna.tap("[data-confirm]")
    anna.see(".gz-lying-dice .can")
    anna.counts(".gz-lying-dice [data-tap]", 5)

    # one die more, one less, and a second touch keeps what is selected
    anna.tap(".gz-lying-dice [data-tap] >> nth=0")
    anna.tap(".gz-lying-dice [data-tap] >> nth=1")
    anna.counts(".gz-lying-dice .on", 2)
    kept = anna.page.locator("#dock [data-choice]").get_attribute("data-choice")
    assert kept is not None and len(kept.split()) == 3
    version = anna.version()
    anna.tap(".gz-lying-dice [data-tap] >> nth=1")
    anna.changed(version)
    anna.counts(".gz-kept .die", 2)
    bram.see(".gz-kept")
    small = anna.page.eval_on_selector_all(
        "[data-tap]", "all => all.filter((e) => e.getBoundingClientRect().width < 44).length"
    )
    assert small == 0
    for phone in phones:
        assert phone.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert phone.problems == []


def test_long_words_fit_in_their_frames_on_a_phone(browser: Browser, server: Server) -> None:
    server.open("geizen")
    long = "Wilhelmina-Alexandrina"
    anna, bram = Phone(browser, server.url), Phone(browser, server.url)
    anna.join("Anna")
    bram.join(long)
    over = anna.page.eval_on_selector_all(
        ".fold > summary",
        """all => all.filter((each) => {
             const words = document.createRange();
             words.selectNodeContents(each);
             const [inner, outer] = [words, each.parentElement].map((part) => part.getBoundingClientRect());
             return inner.top - outer.top < 8 || outer.bottom - inner.bottom < 8;
           }).map((each) => each.textContent)""",
    )
    assert over == [], "words that touch their frame"
    anna.tap("[data-start]")
    anna.see(".gz-hands")
    name = anna.page.locator(f'.gz-hands .name:has-text("{long}")')
    assert name.evaluate("each => each.scrollWidth > each.clientWidth"), "too long for its box"
    assert name.evaluate("each => getComputedStyle(each).display") == "block", (
        "only then an ellipsis is drawn"
    )
    label = anna.page.locator("#signals").bounding_box()
    tops = anna.page.eval_on_selector_all(
        ".signals button:not([hidden])",
        "all => all.map((each) => each.getBoundingClientRect().top + scrollY)",
    )
    assert label and tops and len(set(tops)) == 1
    assert anna.page.evaluate("scrollY") + label["y"] + label["height"] <= tops[0]
