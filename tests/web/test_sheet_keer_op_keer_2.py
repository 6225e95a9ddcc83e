"""The phone sheet of Keer op Keer 2: cells with names, every choice within reach, points where earned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.dice import Die, Roll
from companion.games.keer_op_keer_2 import KeerOpKeer2
from companion.games.keer_op_keer_2.sheet import CELLS, COLOUR_OF
from tests.web.sheet_checks import Sitting, check_names, check_taps, check_weight, things


def roll(text: str) -> Roll:
    return tuple(map(Die.named, text.split()))


BOMB = roll("colour:joker colour:blue colour:red number:joker number:3 number:4 special:bomb")


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    sitting = Sitting(tmp_path, "keer_op_keer_2")
    yield sitting
    sitting.log.close()


def state(sitting: Sitting) -> KeerOpKeer2:
    found = sitting.table.view().state
    assert isinstance(found, KeerOpKeer2)
    return found


def test_every_cell_has_its_place_its_letter_and_its_name(sitting: Sitting) -> None:
    cells = [thing for thing in things(sitting.sheet()) if "kk-cell" in thing.get("class", "").split()]
    assert [cell["data-tap"] for cell in cells] == list(CELLS)
    assert {cell["style"] for cell in cells} == {f"--c:{c};--r:{r}" for c in range(15) for r in range(7)}
    assert all(f"kk-{COLOUR_OF[cell['data-tap']]}" in cell["class"] for cell in cells)
    named = {cell["data-tap"]: cell["aria-label"] for cell in cells}
    assert named["HP"] == "kolom H rij P, groen, open"
    assert named["CP"] == "kolom C rij P, oranje, ster, open"
    assert named["BR"] == "kolom B rij R, geel, goud, open"


def test_everything_legal_can_be_tapped_in_a_whole_game(sitting: Sitting) -> None:
    kinds = set()
    for moment, view in enumerate(sitting.moments()):
        assert view.state is not None
        for seat, asked in view.state.asked().items():
            kinds.add(asked)
            if moment % 3 == 0 or asked == "bomb":
                check_taps(sitting, seat)
    assert "choose" in kinds
    check_names(sitting.sheet())


def test_a_bomb_with_hundreds_of_choices_is_light(sitting: Sitting) -> None:
    sitting.roll(BOMB)
    assert len(state(sitting).legal(0)) > 800
    check_taps(sitting, 0)
    check_names(sitting.sheet())
    assert check_weight(sitting, 0) < 8_000


def test_a_crossed_cell_and_a_missing_colour_say_why(sitting: Sitting) -> None:
    sitting.roll(roll("colour:blue colour:blue colour:red number:3 number:3 number:4 special:heart"))
    sitting.table.choose(0, "cross HS GT HT with blue 3")
    sitting.table.choose(1, "pass")
    sitting.roll(roll("colour:blue colour:blue colour:red number:1 number:3 number:4 special:heart"))
    why = {
        thing["data-tap"]: thing.get("data-why", "")
        for thing in things(sitting.sheet())
        if "data-tap" in thing
    }
    assert why["HT"] == "Dit vakje is al aangekruist."
    assert why["HV"] == "Er ligt geen kleurdobbelsteen voor geel."
    assert "past geen groep" in why["AQ"]


def test_dice_taken_by_the_active_player_are_out_of_reach(sitting: Sitting) -> None:
    dice = roll("colour:blue colour:green colour:red number:1 number:3 number:4 special:heart")
    for _ in range(3):
        sitting.roll(dice)
        for seat in (0, 1):
            sitting.table.choose(seat, "pass")
    sitting.roll(dice)
    assert state(sitting).active == 1
    sitting.table.choose(1, "cross HS with blue 1")
    html = sitting.sheet(0)
    taps = [thing for thing in things(html) if "data-narrow" in thing]
    assert [tap["data-tap"] for tap in taps] == [
        "colour:green",
        "colour:red",
        "number:3",
        "number:4",
        "heart",
    ]
    taken = [thing for thing in things(html) if thing.get("data-tap") == "taken"]
    assert [tap["data-why"] for tap in taken] == ["Bram heeft deze dobbelsteen genomen."] * 2
    assert "Bram nam:" in html


def test_points_stand_where_they_are_earned(sitting: Sitting) -> None:
    """Column H is full for Anna in this throw, so she is the first and Bram can only be later."""
    for _ in range(40):
        if state(sitting).claims().columns:
            break
        sitting.roll(BOMB)
        for seat in sorted(state(sitting).asked()):
            legal = [choice for choice in state(sitting).legal(seat) if str(choice) != "pass"]
            in_h = [c for c in legal if all(cell[0] == "H" for cell in str(c).split() if cell in CELLS)]
            sitting.table.choose(
                seat, str(max(in_h, key=lambda c: len(str(c)))) if seat == 0 and in_h else "pass"
            )
        while (seats := state(sitting).asked()) and not sitting.table.due():
            sitting.table.choose(min(seats), "pass")
    assert state(sitting).sheets[0].columns[7] == "first"
    own = [t for t in things(sitting.sheet(0)) if t.get("style") == "--c:7;--r:7"]
    assert own[0]["aria-label"].endswith("van jou: 2")
    other = [t for t in things(sitting.sheet(1)) if t.get("style") == "--c:7;--r:7"]
    assert other[0]["aria-label"].endswith("iemand was eerst")


def test_the_words_of_choices_and_questions(sitting: Sitting) -> None:
    sitting.roll(BOMB)
    legal = {str(choice): choice for choice in state(sitting).legal(0)}

    def said(text: str) -> str:
        return sitting.drawn(lambda sheet, view: sheet.choice_words(legal[text], view.state, 0).striptags())

    assert said("pass") == "Pas"
    assert said("cross HS GT HT with blue 3").startswith("Kruis 3 vakjes aan HS GT HT")
    assert said("bomb AP").startswith("Kruis 1 vakje aan AP")
    asked = sitting.drawn(lambda sheet, view: sheet.asked_words("bomb", view.state, 0))
    assert asked == "Laat de bom afgaan: tot vier vakjes, twee bij twee"


def test_another_players_sheet_asks_for_nothing(sitting: Sitting) -> None:
    sitting.roll(BOMB)
    assert "data-narrow" not in sitting.sheet(1, mine=False)


def test_alone_the_throws_are_counted(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "keer_op_keer_2", players=1)
    sitting.roll(roll("colour:blue colour:red number:1 number:2 special:heart"))
    assert "Worp 1 van 30" in sitting.sheet()
    assert "Worpen over" in sitting.sheet()
    sitting.log.close()
