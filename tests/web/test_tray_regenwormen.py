"""Regenwormen on three phones over the simulated tray, to its end: a die put right, a choice taken back, and
a server that goes and comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.at_the_tray import AtTheTray
from tests.web.phones import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

NAMES = ("Anna", "Bram", "Chris")


class Worms:
    """Players who like tiles; after some throws they stop as soon as they may, to come to an end."""

    def __init__(self, daring: int) -> None:
        self.daring = daring

    def __call__(self, choices: list[str], may_throw: bool) -> str:
        for liked in ("steal", "take", "aside worm"):
            if found := [choice for choice in choices if choice.startswith(liked)]:
                return found[0]
        self.daring -= may_throw
        return "" if may_throw and self.daring > 0 else choices[-1]


def restart(night: AtTheTray) -> None:
    """The server goes and comes back; nobody touches a phone."""
    before = [(phone.name(), phone.version().split("-")[0]) for phone in night.phones]
    night.server.stop()
    for phone in night.phones:
        phone.see("#banner")
    night.server.start()
    for phone, (name, boot) in zip(night.phones, before, strict=True):
        phone.page.wait_for_function(
            "b => !document.getElementById('live').dataset.version.startsWith(b)", arg=boot
        )
        phone.page.locator("#banner").wait_for(state="hidden")
        assert phone.name() == name


def test_three_phones_play_regenwormen_to_its_end(browser: Browser, tray: Server) -> None:
    tray.open("regenwormen", short_game=True, fail_without_tile="turn")
    night = AtTheTray(browser, tray, NAMES, Worms(daring=4))
    anna, bram, chris = night.phones

    # a die that Anna typed wrong, seen after she has set dice aside
    night.throw(0, dice=[f"worm:{face}" for face in "44333221"])
    typed = [f"worm:{face}" for face in ("worm", *"4333221")]
    assert night.type_in(anna, typed)
    night.choose(0)
    bram.counts(".rw-aside .die", 1)
    night.correct(anna, "worm:worm", "worm:4")
    assert sorted(night.server.state()["rolled"]) == night.server.lies()

    # another choice, taken back, and made once more
    night.choose(0)
    chris.counts(".rw-aside .die", 2)
    night.undo(0)
    anna.see('.choices [data-choice="aside 4"]')
    night.choose(0)
    chris.counts(".rw-aside .die", 2)

    restart(night)
    night.play()
    night.end()
