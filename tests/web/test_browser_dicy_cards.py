"""Two phones play Dicy Cards to its end by tapping, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.games.dicy_cards import DicyCards
from tests.web.evening import Evening, evening
from tests.web.phones import Phone

pytestmark = pytest.mark.browser


def pips(faces: str) -> tuple[str, ...]:
    return tuple(f"pip:{face}" for face in faces)


def state(night: Evening) -> DicyCards:
    found = night.table.view().state
    assert isinstance(found, DicyCards)
    return found


def score(night: Evening, phone: Phone, card: int, faces: str) -> None:
    """A turn by the quickest taps: throw, then the card twice."""
    night.throw(phone, *pips(faces))
    night.take(phone, f"score:{card}")


def test_two_phones_play_to_a_hundred(browser: Browser, tmp_path: Path) -> None:
    with evening(browser, tmp_path, "dicy_cards") as night:
        anna, bram = night.phones

        night.throw(anna, *pips("335666"))
        night.why(anna, "score:2", "Met deze dobbelstenen scoort deze kaart niets.")
        night.take(anna, "freeze:4")
        assert state(night).paid
        anna.see("h1:has-text('Welke dobbelstenen gooi je opnieuw?')")
        anna.tap('.dc-die[data-tap="3"] >> nth=0')
        anna.tap('.dc-die[data-tap="3"] >> nth=1')
        anna.see('#dock [data-choice="reroll 3 3"]')
        night.press(anna, "#dock [data-choice]")
        night.throw(anna, *pips("55"))
        night.take(anna, "score:5")
        assert state(night).points[0] == (0, 0, 0, 0, 22)
        assert state(night).frozen[0] == {4, 5}

        night.throw(bram, *pips("113566"))
        night.take(bram, "score:1")
        night.settle()
        anna.see("h1:has-text('Kies een kaart om te bevriezen')")
        anna.see("text=Bram scoorde met Twee naar keuze")
        night.why(anna, "freeze:4", "Deze kaart is al bevroren.")
        night.take(anna, "freeze:2")
        assert state(night).frozen[0] == {2, 4, 5}

        night.throw(anna, *pips("123456"))
        night.why(anna, "score:4", "Deze kaart is bevroren: hij scoort pas weer als hij ontdooit.")
        night.take(anna, "skip")
        assert not state(night).frozen[0]
        night.settle()
        bram.see("h1:has-text('Kies een kaart om te ontdooien')")
        night.take(bram, "thaw:1")
        assert not state(night).frozen[1]

        night.throw(bram, *pips("135555"))
        bram.tap('[data-tap="score:3"]')
        bram.tap('[data-tap="for:3:23"]')
        bram.see('#dock [data-choice="score 3 for 23"]')
        night.press(bram, "#dock [data-choice]")
        assert state(night).points[1] == (12, 0, 23, 0, 0)

        # all six again, by one tap on the dice and one on the dock
        night.throw(anna, *pips("111111"))
        night.take(anna, "freeze:1")
        night.take(anna, "all")
        night.throw(anna, *pips("555555"))
        night.take(anna, "score:2")
        score(night, bram, 2, "555555")
        score(night, anna, 3, "555555")
        score(night, bram, 4, "123456")
        assert state(night).scores() == (82, 86)
        score(night, anna, 4, "123456")
        assert state(night).scores() == (103, 86)
        assert not state(night).over
        score(night, bram, 5, "556612")
        assert state(night).over
        night.settle()
        for phone in night.phones:
            phone.see(".result")
            phone.says("h1", "Bram wint")
        night.check()
