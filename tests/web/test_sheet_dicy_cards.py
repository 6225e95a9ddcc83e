"""The phone sheet of Dicy Cards: five cards with what they score now, frozen ones, dice to throw again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.dice import Die, Roll
from companion.games.dicy_cards import CARDS, DicyCards
from tests.web.sheet_checks import Sitting, check_names, check_taps, check_weight, things

ALL_CARDS = ("1,2,3,4,5", "6,7,8,9,10", "8,9,10,11,12")


def pips(faces: str) -> Roll:
    return tuple(Die("pip", face) for face in faces)


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    sitting = Sitting(tmp_path, "dicy_cards")
    yield sitting
    sitting.log.close()


def taps(html: str) -> dict[str, dict[str, str]]:
    return {thing["data-tap"]: thing for thing in things(html) if "data-tap" in thing}


@pytest.mark.parametrize("cards", ALL_CARDS)
def test_everything_legal_can_be_tapped_in_a_whole_game(tmp_path: Path, cards: str) -> None:
    sitting = Sitting(tmp_path, "dicy_cards", players=3, cards=cards)
    kinds = set()
    for view in sitting.moments("greedy"):
        assert isinstance(view.state, DicyCards)
        for seat, asked in view.state.asked().items():
            kinds.add(asked)
            if asked != "skip":
                check_taps(sitting, seat)
                check_names(sitting.sheet(seat))
            check_weight(sitting, seat)
    assert "turn" in kinds
    sitting.log.close()


def test_a_card_says_what_it_scores_now_and_offers_less(sitting: Sitting) -> None:
    sitting.roll(pips("335666"))
    found = taps(sitting.sheet())
    assert found["score:5"]["aria-label"].endswith("scoort nu 18")
    assert "data-dear" not in found["for:3:11"]
    assert "data-dear" in found["for:3:8"]
    assert found["score:2"]["data-why"] == "Met deze dobbelstenen scoort deze kaart niets."
    assert {"freeze:1", "freeze:5", "skip"} <= set(found)


def test_freezing_turns_the_card_to_ice_and_asks_which_dice(sitting: Sitting) -> None:
    sitting.roll(pips("335666"))
    sitting.table.choose(0, "freeze 4")
    html = sitting.sheet()
    assert [t["data-tap"] for t in things(html) if "dc-die" in t.get("class", "")] == list("335666")
    assert "all" in taps(html)
    assert html.count("dc-card frozen") == 1
    sitting.table.choose(0, "reroll 3 3 5")
    assert "Deze blijven liggen; 3 opnieuw" in sitting.sheet()


def test_an_effect_is_said_in_words_with_its_reason(sitting: Sitting) -> None:
    sitting.roll(pips("335666"))
    sitting.table.choose(0, "score 1 for 12")
    asked = sitting.drawn(lambda sheet, view: sheet.asked_words("freeze", view.state, 1))
    assert asked == "Kies een kaart om te bevriezen"
    html = sitting.sheet(1)
    assert "Anna scoorde met Twee naar keuze" in html
    assert set(taps(html)) == {f"freeze:{card}" for card in range(1, 6)}


def test_skipping_makes_the_others_thaw(sitting: Sitting) -> None:
    sitting.roll(pips("335666"))
    sitting.table.choose(0, "score 5 for 18")
    sitting.roll(pips("111111"))
    sitting.table.choose(1, "skip")
    html = sitting.sheet(0)
    assert "Bram sloeg over" in html
    found = taps(html)
    assert found["thaw:1"]["data-why"] == "Deze kaart is niet bevroren."
    assert "frozen" not in found["thaw:5"]["class"]


def test_the_words_of_every_card(tmp_path: Path) -> None:
    seen = set()
    for place, cards in enumerate(ALL_CARDS):
        sitting = Sitting(tmp_path / str(place), "dicy_cards", cards=cards)
        labels = [t["aria-label"] for t in things(sitting.sheet()) if "dc-face" in t.get("class", "")]
        seen |= set(labels)
        sitting.log.close()
    assert len({label.split(",")[0] for label in seen}) == len(CARDS)
    assert any(
        label.startswith("1, Twee naar keuze, 2 dobbelstenen: de som, buren bevriezen") for label in seen
    )
    assert any(label.startswith("11, Veertig min, 6 dobbelstenen: 40 min de som") for label in seen)


def test_the_race_shows_every_score(sitting: Sitting) -> None:
    sitting.roll(pips("335666"))
    sitting.table.choose(0, "score 5 for 18")
    html = sitting.sheet(1)
    assert "width:18.0%" in html
    assert "1 kaart bevroren" in html
