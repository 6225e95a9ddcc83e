"""Keer op Keer 2 by tapping, in a real browser: two phones to the end of a game, and one alone.

The kinds of choices are made by taps, and so are the last throws; the long middle of a game is played at the
table, while the phones follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.dice import Die
from companion.games.core import Choice, Chose, Rolled
from companion.games.keer_op_keer_2 import KeerOpKeer2, Special
from companion.games.keer_op_keer_2.rules import Cross
from companion.games.keer_op_keer_2.sheet import COLOUR_OF
from tests.web.evening import Evening, evening
from tests.web.phones import chromium

pytestmark = pytest.mark.browser

TARGETS = ("green", "blue")
THROWS = (
    "green+blue+yellow 5+4+3 block",
    "green+blue+red 3+2+1 block",
    "yellow+red+orange 5+3+1 bomb",
    "green+blue+orange 1+1+2 bomb",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def state(night: Evening) -> KeerOpKeer2:
    found = night.table.view().state
    assert isinstance(found, KeerOpKeer2)
    return found


def dice_of(text: str) -> tuple[str, ...]:
    colours, numbers, special = text.split(" ")
    return (
        *(f"colour:{face}" for face in colours.split("+")),
        *(f"number:{face}" for face in numbers.split("+")),
        f"special:{special}",
    )


def worth(cells: tuple[str, ...]) -> tuple[int, int]:
    """What brings two colours to their end: cells of them first, then any."""
    return sum(COLOUR_OF[cell] in TARGETS for cell in cells), len(cells)


def ends(now: KeerOpKeer2, cells: tuple[str, ...]) -> bool:
    """Whether Anna has both colours with these cells."""
    crossed = {*now.sheets[0].cells, *cells}
    return all(cell in crossed for cell, colour in COLOUR_OF.items() if colour in TARGETS)


def cells_of(choice: Choice) -> tuple[str, ...]:
    return choice.cells if isinstance(choice, Cross | Special) else ()


def best_of(now: KeerOpKeer2, text: str) -> tuple[tuple[int, int], bool, str, Choice]:
    """Anna's best choice with these dice that does not end the game; if it is her throw, one that does."""
    rolled = now.apply(Rolled(tuple(map(Die.named, dice_of(text)))))
    if now.active != 0 and not rolled.open_to_all:
        rolled = rolled.apply(Chose(1, rolled.legal(1)[-1]))
    legal = [each for each in rolled.legal(0) if now.active == 0 or not ends(now, cells_of(each))]
    best = max(legal, key=lambda each: (ends(now, cells_of(each)), worth(cells_of(each))))
    return worth(cells_of(best)), ends(now, cells_of(best)), text, best


def play_on(night: Evening) -> tuple[str, Choice]:
    """The table plays Anna's colours on, Bram passing, until one throw is left: its dice and choice."""
    for _ in range(150):
        now = state(night)
        found = [best_of(now, text) for text in THROWS]
        if last := [(text, choice) for _, over, text, choice in found if over]:
            return last[0]
        _, _, text, choice = max(found, key=lambda each: each[0])
        night.table.roll(tuple(map(Die.named, dice_of(text))))
        while asked := state(night).asked():
            seat = min(asked)
            if seat == 0 and asked[0] == "bomb":
                bombs = [
                    each
                    for each in state(night).legal(0)
                    if not ends(now, (*cells_of(choice), *cells_of(each)))
                ]
                night.table.choose(0, str(max(bombs, key=lambda each: worth(cells_of(each)))))
            else:
                night.table.choose(seat, str(choice) if seat == 0 else "pass")
    raise AssertionError("the middle of the game does not come to an end")


def test_two_phones_play_to_the_end(browser: Browser, tmp_path: Path) -> None:
    with evening(browser, tmp_path, "keer_op_keer_2") as night:
        anna, bram = night.phones

        # a group grows cell by cell; what does not fit says why
        night.throw(anna, *dice_of("blue+red+yellow 3+4+1 heart"))
        anna.see('.kk-board [data-tap="HS"].can')
        anna.tap('.kk-board [data-tap="HS"]')
        anna.tap('.kk-board [data-tap="HT"]')
        night.why(anna, "HU", "Dat is een andere kleur: een groep heeft één kleur.")
        anna.tap('.kk-board [data-tap="GT"]')
        anna.tap('.kk-dice [data-tap="number:3"]')
        night.why(anna, "FT", "Dat is er een te veel.")
        anna.counts(".kk-board .on", 3)
        night.press(anna, '#dock [data-choice="cross HS GT HT with blue 3"]')
        assert state(night).sheets[0].cells == ("HS", "GT", "HT")
        night.take(bram, "pass")

        # a bomb: hundreds of choices, tapped anywhere, quickly
        night.throw(bram, *dice_of("joker+red+red joker+5+5 bomb"))
        bram.see('.kk-dice [data-tap="bomb"].can')
        assert len(state(night).legal(1)) > 800
        bram.tap('.kk-dice [data-tap="bomb"]')
        for cell in ("AP", "BP", "AQ"):
            bram.tap(f'.kk-board [data-tap="{cell}"].can')
        night.why(bram, "CP", "sluit niet aan")
        bram.counts(".kk-board .on", 3)
        took = bram.page.evaluate(
            """() => {
              const cell = document.querySelector('.kk-board [data-tap="BQ"]');
              const clear = () => document.querySelector("#dock .quiet").click();
              const taps = [...document.querySelectorAll(".kk-board .on"), cell];
              const times = [1, 2, 3, 4, 5].map(() => {
                clear();
                document.querySelector('.kk-dice [data-tap="bomb"]').click();
                for (const each of taps.slice(0, 3)) each.click();
                const began = performance.now();
                cell.click();
                return performance.now() - began;
              });
              return Math.min(...times);
            }"""
        )
        assert took < 400, f"a tap among 800 choices took {took:.0f} ms"
        bram.says("#dock", "Kruis 4 vakjes aan")
        night.press(bram, "#dock [data-choice]")
        assert state(night).sheets[1].cells == ("AP", "BP", "AQ", "BQ")
        assert state(night).sheets[1].special_dice == 0

        # jokers cost exclamation marks
        night.take(anna, "colour:joker", "number:joker", "HU", "HV")
        assert state(night).sheets[0].exclamation_marks == 4
        anna.see("text=nog 4")

        # dice that the active player has taken are gone for the other
        night.throw(anna, *dice_of("green+red+red 1+1+2 heart"))
        night.take(anna, "heart")
        assert state(night).sheets[0].hearts == 1
        night.take(bram, "pass")
        night.throw(bram, *dice_of("green+red+red 1+2+2 row"))
        night.why(bram, "row", "geen omcirkelde speciale dobbelsteen")
        night.take(bram, "HP")
        night.settle()
        night.why(anna, "taken", "Bram heeft deze dobbelsteen genomen.")
        night.take(anna, "pass")

        # the sheet of the other is one tap away
        anna.tap(".player:not(.own)")
        anna.see("text=Het blad van Bram")
        anna.counts(".kk-cell.crossed", 5)
        anna.tap("[data-part=now] a")

        dice, choice = play_on(night)
        night.settle()
        night.throw(anna, *dice_of(dice))
        night.take(anna, *cells_of(choice))
        if not state(night).over:
            night.take(bram, "pass")
        assert state(night).over
        night.settle()
        for phone in night.phones:
            phone.see(".result")
        anna.counts(".kk-colours .won", 2)
        night.check()


def test_alone_for_thirty_throws(browser: Browser, tmp_path: Path) -> None:
    with evening(browser, tmp_path, "keer_op_keer_2", players=1) as night:
        (anna,) = night.phones
        night.throw(anna, *dice_of("blue+red 3+1 bomb"))
        anna.see("text=Worp 1 van 30")
        night.take(anna, "HS", "HT", "GT")
        night.throw(anna, *dice_of("yellow+joker joker+1 block"))
        night.take(anna, "colour:yellow", "number:1", "HU")
        assert state(night).sheets[0].exclamation_marks == 6
        for _ in range(26):
            night.table.roll(tuple(map(Die.named, dice_of("green+red 1+2 heart"))))
            choice = next((each for each in state(night).legal(0) if isinstance(each, Cross)), "pass")
            night.table.choose(0, str(choice))
        night.settle()
        night.throw(anna, *dice_of("green+blue 2+2 row"))
        anna.see("text=Worp 29 van 30")
        night.take(anna, "pass")
        night.throw(anna, *dice_of("orange+blue 2+2 row"))
        night.take(anna, "pass")
        assert state(night).over
        night.settle()
        anna.see(".result")
        night.check()
