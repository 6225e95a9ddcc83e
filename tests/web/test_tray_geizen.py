"""Geizen on two phones over the simulated tray, to its end; a phone goes away and comes back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from companion.games.geizen.board import PRINTED
from tests.web.at_the_tray import AtTheTray
from tests.web.phones import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

FEW_CHIPS = str(replace(PRINTED, start=(12, 12, 12, 12), chips=60))
"""The rules as they are, and a game that does not take an evening."""


def in_two_throws(choices: list[str], may_throw: bool) -> str:
    """Keep three dice of the first throw and the rest of the next."""
    three = [choice for choice in choices if len(choice.split()) == 4]
    return three[-1] if three and len(max(choices, key=len).split()) > 4 else max(choices, key=len)


def test_two_phones_play_geizen_to_its_end(browser: Browser, tray: Server) -> None:
    tray.open("geizen", board=FEW_CHIPS)
    night = AtTheTray(browser, tray, ("Anna", "Bram"), in_two_throws)
    anna, bram = night.phones
    night.roll(night.thrower())
    anna.counts(".gz-lying-dice [data-tap]", 5)
    night.choose(0)
    anna.counts(".gz-kept .die", 3)
    bram.counts(".gz-kept .die", 3)

    # Bram's phone goes away while Anna plays on, and comes back to the table as it is
    bram.page.goto("about:blank")
    night.thrower()
    night.roll(0)
    night.choose(0)
    night.comes_back(1)
    bram.see("[data-throw]")
    assert night.server.state()["throw"]["seat"] == 1

    night.play()
    night.end()
    hands = [int(text) for text in anna.page.locator(".gz-hands li:not(.pot) b").all_inner_texts()]
    assert min(hands) == 0
    assert night.told["confirmed"] + night.told["answered"] > 0, "the eye was never of any use"
