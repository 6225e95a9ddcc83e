"""Keer op Keer 2 on two phones over the simulated tray, to its end; somebody changes their mind."""

from __future__ import annotations

from itertools import cycle

import pytest
from playwright.sync_api import Browser, expect

from companion.games.keer_op_keer_2.sheet import COLOUR_OF
from tests.web.at_the_tray import AtTheTray
from tests.web.phones import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

TARGETS = ("green", "blue")
THROWS = cycle(
    (
        "green+blue+yellow 5+4+3 block",
        "green+blue+red 3+2+1 block",
        "yellow+red+orange 5+3+1 bomb",
        "green+blue+orange 1+1+2 bomb",
    )
)
"""Dice that fall well, so that two colours are full in some thirty throws."""


def dice_of(text: str) -> list[str]:
    kinds = zip(("colour", "number", "special"), text.split(), strict=True)
    return [f"{kind}:{face}" for kind, faces in kinds for face in faces.split("+")]


def fills_two_colours(choices: list[str], may_throw: bool) -> str:
    """The most cells of two colours, then the most of any."""

    def worth(choice: str) -> tuple[int, int, int]:
        cells = [word for word in choice.split() if word in COLOUR_OF]
        return sum(COLOUR_OF[cell] in TARGETS for cell in cells), len(cells), -len(choice)

    return max(choices, key=worth)


class LuckyHand(AtTheTray):
    """Players whose dice fall well."""

    def roll(self, seat: int, **wish: object) -> None:
        super().roll(seat, **(wish or {"dice": dice_of(next(THROWS))}))


def test_two_phones_play_keer_op_keer_2_to_its_end(browser: Browser, tray: Server) -> None:
    tray.open("keer_op_keer_2")
    night = LuckyHand(browser, tray, ("Anna", "Bram"), fills_two_colours)
    anna, _ = night.phones

    phone = night.throw(seat := night.thrower(), dice=dice_of("blue+red+yellow 3+4+1 heart"))
    upright = phone.page.viewport_size
    assert upright
    phone.page.set_viewport_size({"width": 844, "height": 390})  # held sideways
    expect(phone.page.locator("[data-confirm], .doubt .face").first).to_be_in_viewport(ratio=1)
    phone.page.set_viewport_size(upright)
    night.say_roll(seat)
    night.choose(0)
    anna.counts(".kk-board .kk-cell.crossed", 4)
    night.undo(0)
    anna.counts(".kk-board .kk-cell.crossed", 0)
    assert "0" in night.server.state()["asked"]

    night.play()
    night.end()
    assert max(phone.page.locator(".kk-colours .won").count() for phone in night.phones) >= 2
