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
