"""Dicy Cards on two phones over the simulated tray, to a hundred points; a wrong die is put right late."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.web.at_the_tray import AtTheTray
from tests.web.phones import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


def scores(choices: list[str], may_throw: bool) -> str:
    """Score as much as a card gives; thaw or skip rather than freeze."""

    def worth(choice: str) -> int:
        points = re.search(r"^score \d+(?: for (\d+))?", choice)
        return 1000 + int(points[1] or 40) if points else choice.startswith(("thaw", "skip"))

    return max(choices, key=worth)


def test_two_phones_play_dicy_cards_to_a_hundred(browser: Browser, tray: Server) -> None:
    tray.open("dicy_cards")
    night = AtTheTray(browser, tray, ("Anna", "Bram"), scores)
    anna, _ = night.phones

    # Anna types a wrong die, scores with it, sees her mistake and mends it: the score is taken back
    assert night.thrower() == 0
    night.throw(0, dice=[f"pip:{face}" for face in "335666"])
    assert night.type_in(anna, [f"pip:{face}" for face in "335566"])
    night.choose(0)
    night.correct(anna, "pip:5", "pip:6")
    assert sorted(night.server.state()["rolled"]) == night.server.lies()
    assert night.server.state()["asked"].keys() == {"0"}
    assert [seat["score"] for seat in night.server.state()["seats"]] == [0, 0]

    night.play()
    night.end()
    assert max(seat["score"] for seat in night.server.state()["seats"]) >= 100
