"""Keer op Keer 2 alone over the simulated tray: thirty throws."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.at_the_tray import AtTheTray
from tests.web.phones import Server

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(900)]


def crosses_most(choices: list[str], may_throw: bool) -> str:
    """The longest group that needs no joker."""
    return max(choices, key=lambda choice: ("joker" not in choice, len(choice)))


def test_keer_op_keer_2_alone_for_thirty_throws(browser: Browser, tray: Server) -> None:
    tray.open("keer_op_keer_2")
    night = AtTheTray(browser, tray, ("Anna",), crosses_most)
    night.play()
    night.end()
    assert night.server.state()["rolls_made"] == 30
