"""Clever's sheet as it is drawn: everything printed is there, every choice can be tapped, points show."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from markupsafe import Markup

from companion.advice import throw_dice
from companion.games.clever import sheet as printed
from companion.games.clever.sheet import AREAS
from companion.table import Table
from companion.web.sheets import sheet_of
from tests.web.rig import room_of

CSS = Path("companion/web/static/sheets/clever.css")


@pytest.fixture
def table_and_app(tmp_path: Path) -> Iterator[tuple[Table, Flask]]:
    log, table, _, app = room_of(tmp_path)
    yield table, app
    log.close()


def begin(table: Table, *names: str, **options: bool | int | str) -> None:
    table.open("clever", options, len(names))
    for name in names:
        table.join(name)
    table.start()


def drawn(app: Flask, table: Table, seat: int = 0, mine: bool = True, language: str = "nl") -> str:
    with app.test_request_context(headers={"Accept-Language": language}):
        return str(sheet_of("clever").draw(table.view(), seat, mine))


def words(app: Flask, table: Table, text: str, seat: int = 0) -> str:
    state = table.view().state
    assert state is not None
    with app.test_request_context(headers={"Accept-Language": "nl"}):
        said = sheet_of("clever").choice_words(state.find(seat, text), state, seat)
    return " ".join(Markup(said).striptags().split())


def cells(html: str) -> dict[str, str]:
    """What can be tapped, by its word, with its label."""
    found = re.findall(r'data-tap="([^"]+)"[^>]*?aria-label="([^"]+)"', html, re.DOTALL)
    assert len(found) == html.count("data-tap=")
    assert len(dict(found)) == len(found), "every word is there once"
    return dict(found)


def test_everything_printed_is_on_the_sheet(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram")
    html = drawn(app, table)
    there = set(cells(html))
    yellow = {
        f"yellow-{number}-row-{row}"
        for row, line in enumerate(printed.YELLOW, 1)
        for number in line
        if number
    }
    assert yellow | {f"blue-{n}" for n in range(2, 13)} | {"green", "orange", "purple"} <= there
    # 18 areas' bonuses and three lines' ones, and a round's each
    given = [*printed.YELLOW_ROWS, printed.YELLOW_DIAGONAL, *printed.BLUE_ROWS, *printed.BLUE_COLUMNS]
    given += [*printed.GREEN_BONUSES, *printed.ORANGE_BONUSES, *printed.PURPLE_BONUSES, *printed.ROUNDS]
    foxes = sum(bonus == printed.FOX for bonus in given)
    assert html.count('aria-label="vos"') == foxes == 5
    assert html.count('aria-label="opnieuw gooien"') == sum(bonus == printed.REROLL for bonus in given)
    for points in (*printed.YELLOW_POINTS, *printed.BLUE_POINTS[1:], *printed.GREEN_POINTS):
        assert f">{points}<" in html
    assert re.search(r'class="at" aria-current="step"><b>1</b>', html)


@pytest.mark.parametrize("seats", [1, 3])
def test_every_choice_with_a_place_is_tapped_there_and_the_others_need_a_button(
    table_and_app: tuple[Table, Flask], seats: int
) -> None:
    table, app = table_and_app
    begin(table, *"ABC"[:seats], wasted_pick=True, passive_skip=True)
    chance, seen = Random(seats), set()
    for _ in range(90):
        view = table.view()
        state = view.state
        assert state is not None
        if not state.asked():
            if view.due is None:
                break
            table.roll(throw_dice(view.due[1], chance))
            continue
        seat = chance.choice(sorted(state.asked()))
        there = set(cells(drawn(app, table, seat)))
        ways = dict[tuple[str, ...], str]()
        with app.test_request_context():
            for choice in state.legal(seat):
                taps = sheet_of("clever").taps(choice)
                kind = type(choice).__name__
                seen.add(kind)
                if kind in ("Reroll", "Pass", "Skip", "Done"):
                    assert not there & set(taps), "its button is looked for in test_reach.py"
                    continue
                assert set(taps) <= there, choice
                assert ways.setdefault(taps, str(choice)) == str(choice), "two choices, the same taps"
        table.choose(seat, str(chance.choice(state.legal(seat))))
    assert {"Pick", "Reroll", "Done"} <= seen


def test_labels_say_what_can_be_chosen(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram")
    table.roll(("white:4", "yellow:5", "blue:3", "green:1", "orange:6", "purple:2"))
    labels = cells(drawn(app, table))
    assert labels["blue-7"] == "blauw 7, aan te kruisen"
    assert labels["blue-8"] == "blauw 8"
    assert labels["yellow-5-row-1"] == "geel 5, aan te kruisen"
    assert labels["die-white"] == "wit 4, joker, te kiezen"
    assert labels["green"] == "groen: 0 van 11 aangekruist, volgende: minstens 1, in te vullen"
    assert words(app, table, "pick white blue 7") == "wit als blauw 7 +1"
    assert words(app, table, "pick orange 6") == "oranje 6 +6"
    assert "Blauw en wit zijn samen 7." in drawn(app, table)
    table.choose(0, "pick blue 7")
    after = drawn(app, table)
    assert cells(after)["blue-7"] == "blauw 7, aangekruist"
    assert re.search(r'aria-label="blauw 7, aangekruist"><span>7</span><b class="cl-plus"[^>]*>\+1', after)
    assert "can be" not in drawn(app, table, language="en").replace("can be chosen", "")


def test_a_chain_of_bonuses_is_shown_one_by_one(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna")
    # 2 and 1 in the second yellow row, then the 5: an orange 4 follows by itself
    for faces, picks in (
        (("1", "2", "1", "1", "1", "1"), "pick yellow 2 row 2"),
        (("1", "1", "6", "6", "6", "6"), "pick yellow 1 row 2"),
        (("6", "5", "6", "6", "6", "6"), "pick yellow 5 row 2"),
    ):
        while picks not in {str(choice) for choice in _state(table).legal(0)}:
            _on(table, faces)
        table.choose(0, picks)
    html = drawn(app, table)
    chain = html[html.index("cl-chain") : html.index("</ol>", html.index("cl-chain"))]
    marks = re.findall(r'class="cl-chip">([^<]+)<', chain)
    assert marks == ["Ge 5", "O 4"]
    assert "+4" in chain and "een 4 in oranje" in chain
    assert '<b class="cl-gain">+4</b>' in html[html.index("cl-totals") :]


def _state(table: Table):  # type: ignore[no-untyped-def]
    return table.view().state


def _on(table: Table, faces: tuple[str, ...]) -> None:
    """One step towards a pick: a throw with these faces, or the dullest choice."""
    view = table.view()
    if view.due is not None:
        shown = dict(zip(printed.DICE, faces, strict=True))
        table.roll(tuple(f"{kind}:{shown[kind]}" for kind in view.due[1].kinds))
        return
    dull = [str(choice) for choice in _state(table).legal(0)]
    table.choose(0, next((c for c in dull if c in ("done", "skip", "pass") or "purple" in c), dull[0]))


def test_a_bonus_owed_is_said_in_words(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna")
    rolls = 0
    while _state(table).round < 4:
        _on(table, ("1", "1", "1", "1", "1", "1"))
        rolls += 1
        assert rolls < 300
    assert _state(table).asked() == {0: "bonus"}
    with app.test_request_context(headers={"Accept-Language": "nl"}):
        asked = sheet_of("clever").asked_words("bonus", _state(table), 0)
    assert asked == "Bonus: een kruisje in geel, blauw of groen, of een 6 in oranje of paars"
    assert "nog in te vullen:" in drawn(app, table)
    assert words(app, table, "bonus orange 6").startswith("Bonus: oranje 6 +6")


def test_the_sheet_is_light(table_and_app: tuple[Table, Flask]) -> None:
    table, app = table_and_app
    begin(table, "Anna", "Bram")
    table.roll(("white:4", "yellow:5", "blue:3", "green:1", "orange:6", "purple:2"))
    assert len(gzip.compress(drawn(app, table).encode(), 6)) < 8_000


def test_numbers_stand_out_on_every_colour() -> None:
    css = CSS.read_text()
    base = (CSS.parents[1] / "companion.css").read_text()
    colours = dict(re.findall(r"--(\w+): (#\w{3,6});", base[: base.index("@media")]))
    for area in AREAS:
        found = re.search(rf"^\.cl-{area} \{{ --a: var\(--{area}\); --on: (#\w+);", css, re.MULTILINE)
        assert found, area
        assert contrast(colours[area], found[1]) >= 4.5, area


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG counts it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(c * 2 for c in digits) if len(digits) == 3 else digits
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
