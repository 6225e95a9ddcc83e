"""Geizen on two phones, in a real browser: a turn touched die by die, the rest in a hurry to the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.hurry import hurry
from tests.web.phones import Phone, Server, chromium

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, seed=2)
    server.start()
    yield server
    server.close()


def test_two_phones_play_geizen_to_its_end(browser: Browser, server: Server) -> None:
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

    told = hurry(server, *phones, every_die=True)
    assert all(each["offered"] for each in told)
    for phone in phones:
        phone.see(".gz-broke")
        assert phone.problems == []
    scores = {phone.page.inner_text(".result ol") for phone in phones}
    assert len(scores) == 1
    hands = [int(text) for text in anna.page.locator(".gz-hands li:not(.pot) b").all_inner_texts()]
    assert min(hands) == 0 and str(max(hands)) in scores.pop()
