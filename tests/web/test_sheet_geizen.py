"""Geizen's board as it is drawn: spaces, chips, what the dice kept will do, and the last turn in words."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from markupsafe import Markup

from companion.games.geizen import PRINTED
from companion.table import Table
from companion.web.sheets import sheet_of
from tests.web.rig import room_of


@pytest.fixture
def table_and_app(tmp_path: Path) -> Iterator[tuple[Table, Flask]]:
    log, table, _, app = room_of(tmp_path)
    yield table, app
    log.close()


def begin(table: Table, *names: str, **options: str) -> None:
    table.open("geizen", options, len(names))
    for name in names:
        table.join(name)
    table.start()


def turn(table: Table, *faces: str) -> None:
    """Five dice, all kept at once."""
    view = table.view()
    assert view.due is not None
    table.roll(tuple(f"pip:{face}" for face in faces))
    table.choose(view.due[1].seat, "keep " + " ".join(sorted(faces)))


def drawn(app: Flask, table: Table, seat: int = 0, mine: bool = True) -> str:
    with app.test_request_context(headers={"Accept-Language": "nl"}):
        return str(sheet_of("geizen").draw(table.view(), seat, mine))


def text(html: str) -> str:
    return " ".join(Markup(html).striptags().split())


def told(html: str) -> list[str]:
    """The steps of the last turn."""
    part = html[html.index("gz-told") :]
    return [text(step) for step in re.findall(r"<li.*?</li>", part, re.DOTALL)]


def test_the_board_is_drawn_space_by_space(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram")
    html = drawn(app, table)
    spaces = "".join(column.spaces for column in PRINTED.columns)
    for colour, name in (("g", "groen, jij betaalt"), ("y", "geel, de pot betaalt"), ("r", "rood, de kolom")):
        assert len(re.findall(rf'class="gz-space gz-{colour}\b', html)) == spaces.count(colour)
        assert html.count(name) == spaces.count(colour)
    assert html.count("<b>×2</b>") == 2
    for column in PRINTED.columns:
        assert f">{column.arrow}</span>" in html
    assert 'aria-label="kolom 5: 0 van 8 vakken bezet, 0 fiches erop"' in html


def test_an_owners_board_is_drawn_as_it_is(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram", board="gr:1 gr:1 gyr:2 gr:2 3gggggggggggr:9")
    html = drawn(app, table)
    assert len(re.findall(r'class="gz-space', html)) == 2 + 2 + 3 + 2 + 12
    assert "<b>×3</b>" in html


def test_dice_lying_are_tapped_and_dice_kept_are_foreseen(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram")
    table.roll(("pip:2", "pip:2", "pip:4", "pip:6", "pip:1"))
    html = drawn(app, table)
    assert sorted(re.findall(r'data-tap="(\d)"', html)) == ["1", "2", "2", "4", "6"]
    with app.test_request_context():
        sheet, state = sheet_of("geizen"), table.view().state
        assert state is not None
        assert {tuple(sheet.taps(choice)) for choice in state.legal(0)} == {
            choice.dice and tuple(map(str, choice.dice))
            for choice in state.legal(0)  # type: ignore[attr-defined]
        }
    table.choose(0, "keep 2 2")
    html = drawn(app, table)
    assert "−3 fiches" in html  # two on the first space of column 2, one on the next
    assert html.count(" coming") == 2
    assert table.view().state.chips.filled == (0,) * 5  # type: ignore[union-attr]


def test_the_last_turn_is_told_in_words(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram")
    turn(table, "1", "1", "1", "6", "6")
    turn(table, "1", "6", "6", "6", "6")
    steps = told(drawn(app, table))
    assert steps == ["1: Bram legt 1 fiche; kolom vol: Bram pakt 5 fiches; naar de pot: Anna 1"]
    turn(table, "6", "6", "6", "6", "6")
    assert "Alleen zessen" in drawn(app, table)


def test_the_pot_pays_yellow_and_a_loan_is_said(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram", board="yyyyr:1 gr:1 gr:1 gr:1 gggggggr:1 start:3,3,3,3")
    turn(table, "1", "1", "1", "5", "5")
    assert told(drawn(app, table))[0] == "1: de pot legt 1 fiche"
    turn(table, "5", "5", "5", "5", "5")
    html = drawn(app, table)
    assert "(1 geleend van de pot)" in text(html)
    assert "De lening van" in text(html)


def test_the_end_says_who_is_broke(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram", board="ggggggggr:1 gr:1 gr:1 gr:1 gr:1 start:5,5,5,5")
    turn(table, "1", "1", "1", "1", "1")
    html = drawn(app, table)
    assert "Anna heeft geen fiches meer: het spel is afgelopen." in text(html)
    assert "data-tap" not in html


def test_the_board_is_light(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram", "Chris", "Dana", "Emma")
    assert len(gzip.compress(drawn(app, table).encode(), 6)) < 5_000
