"""Clever over the simulated tray, to its end: two phones, two languages and a wary eye; and one alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.at_the_tray import AtTheTray
from tests.web.phones import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


def picks_high(choices: list[str], may_throw: bool) -> str:
    """The highest die, which ends turns soon."""
    return max(choices, key=lambda choice: max(map(int, re.findall(r"\d+", choice)), default=0))


def test_two_phones_play_clever_to_its_end(browser: Browser, tray: Server) -> None:
    tray.open("clever")
    night = AtTheTray(browser, tray, ("Anna", "Bram"), picks_high)
    anna, bram = night.phones

    # a doubtful die is shown by itself, and answered with one tap
    night.throw(0, wary=True)
    assert not anna.page.locator("[data-confirm]").count()
    anna.see(".doubt .crop")
    night.say_roll(0)
    assert night.told["answered"]

    # Bram reads English
    bram.tap('[name="language"][value="en"]')
    expect(bram.page.locator("html")).to_have_attribute("lang", "en")
    bram.says(".foot", "Rules")
    anna.says(".foot", "Spelregels")

    night.play()
    night.end()
    bram.says(".result", "Keep the sheets")
    anna.says(".cl-rounds .at", "6")


@pytest.mark.long
def test_clever_alone_to_its_end(browser: Browser, tray: Server) -> None:
    tray.open("clever")
    night = AtTheTray(browser, tray, ("Anna",), picks_high)
    night.play()
    night.end()
    (anna,) = night.phones
    anna.says(".result", anna.page.inner_text(".cl-all dd"))
