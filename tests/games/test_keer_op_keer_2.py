"""Keer op Keer 2, what may be chosen: every example and figure of the booklet, every ruling, each option."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.games.core import Chose, IllegalChoice
from companion.games.keer_op_keer_2 import Cross, Sheet, Special
from companion.games.keer_op_keer_2 import sheet as printed
from companion.games.keer_op_keer_2.sheet import ALL, BLOCKS, CELLS, COLOUR_OF, COLOURS, mask
from tests.games import keer_op_keer_2_recount as booklet
from tests.games.keer_op_keer_2_table import (
    DULL,
    all_pass,
    choose,
    column,
    crosses,
    dice,
    later,
    legal,
    marked,
    rolled,
    row,
    start,
)

# ---- course of the game


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_active_player_throws_all_seven_dice(seats):
    due = start(seats).throw()
    assert due.seat == 0
    assert sorted(due.kinds) == ["colour"] * 3 + ["number"] * 3 + ["special"]


@pytest.mark.parametrize("first", [0, 2])
def test_option_start_player(first):
    state = start(3, start_player=first)
    assert state.throw().seat == first
    state = all_pass(rolled(state, DULL))
    assert state.throw().seat == (first + 1) % 3


def test_the_dice_go_to_the_left():
    state = start(3)
    throwers = []
    for _ in range(5):
        throwers.append(state.throw().seat)
        state = all_pass(rolled(state, DULL))
    assert throwers == [0, 1, 2, 0, 1]


def test_exception_in_the_first_three_throws_all_choose_from_all_seven():
    state = start(3)
    for _ in range(3):
        state = rolled(state, "blue X X 3 ? ? heart")
        assert dict(state.asked()) == {0: "choose", 1: "choose", 2: "choose"}
        state = choose(state, state.active, "heart")
        for seat in state.asked():
            assert state.dice_left == state.dice
            assert "cross FT GT HT with blue 3" in legal(state, seat)
        state = all_pass(state)
    state = rolled(state, DULL)
    assert dict(state.asked()) == {0: "choose"}


def test_later_the_rest_choose_from_what_the_active_player_leaves():
    state = rolled(later(start(3)), "blue red green 3 1 2 heart")
    assert set(state.asked()) == {0}
    state = choose(state, 0, "cross FT GT HT with blue 3")
    assert state.taken == dice("blue 3")
    assert set(state.asked()) == {1, 2}
    for seat in (1, 2):
        assert "heart" in legal(state, seat)
        assert crosses(state, seat, "green 2")
        assert not [text for text in crosses(state, seat) if "blue" in text or text.endswith(" 3")]


def test_the_special_die_taken_by_the_active_player_is_gone():
    state = choose(rolled(later(start()), "blue red green 3 1 2 heart"), 0, "heart")
    assert "heart" not in legal(state, 1)
    assert crosses(state, 1, "blue 3")
    assert len(state.dice_left) == 6


def test_of_two_equal_dice_the_second_stays():
    state = rolled(later(start()), "blue blue green 3 3 2 heart")
    assert len(state.legal(0)) == len(legal(state, 0))
    state = choose(state, 0, "cross FT GT HT with blue 3")
    assert crosses(state, 1, "blue 3")


def test_several_players_may_choose_the_same_dice():
    state = choose(rolled(later(start(3)), "blue blue green 3 3 2 heart"), 0, "pass")
    state = choose(state, 1, "heart")
    state = choose(state, 2, "heart")
    assert [sheet.hearts for sheet in state.sheets] == [0, 1, 1]


def test_passing_is_always_open_and_leaves_all_seven_to_the_others():
    state = rolled(later(start(3)), "blue red green 3 1 2 heart")
    assert "pass" in legal(state, 0)
    state = choose(state, 0, "pass")
    assert state.taken == ()
    for seat in (1, 2):
        assert len(state.dice_left) == 7
        assert {"pass", "heart", "cross FT GT HT with blue 3"} <= legal(state, seat)
    after = all_pass(state)
    assert [sheet.crossed for sheet in after.sheets] == [0, 0, 0]
    assert after.throw().seat == 1


def test_nothing_but_the_listed_is_accepted():
    state = rolled(start(), "blue red green 3 1 2 heart")
    for choice in (
        Cross(("FT", "GT"), "blue", "2"),
        Cross(("FT", "GT", "HT"), "joker", "3"),
        Cross(("GT", "FT", "HT"), "blue", "3"),
        Special("bomb", ("AP",)),
    ):
        with pytest.raises(IllegalChoice):
            state.apply(Chose(0, choice))


# ---- crossing


def test_example_yellow_and_4():
    state = marked(rolled(start(), "yellow red red 4 5 5 bomb"), cells="HP")
    four_at_the_bottom = "cross IT HU IU HV with yellow 4"
    assert crosses(state, with_dice="yellow 4") == {four_at_the_bottom}
    after = choose(state, 0, four_at_the_bottom)
    assert set(after.sheets[0].cells) == {"HP", "IT", "HU", "IU", "HV"}


def test_the_first_cross_must_lie_in_column_h():
    state = rolled(start(), "X red blue ? 1 2 stars")
    for choice in state.legal(0):
        if isinstance(choice, Cross):
            assert any(cell[0] == "H" for cell in choice.cells)
    assert crosses(state, with_dice="red 1") == {"cross HQ with red 1"}


def test_column_h_stays_a_start_later():
    state = marked(rolled(start(), "red red red 1 1 1 heart"), cells="FT GT HT")
    assert "cross HQ with red 1" in legal(state)


def test_figure_incorrect_three_crosses_that_do_not_touch_each_other():
    state = marked(rolled(start(), "green green green 3 3 3 heart"), cells="HS IS JS JT")
    groups = {choice.cells for choice in state.legal(0) if isinstance(choice, Cross)}
    assert ("JR", "KR", "KS") in groups
    assert ("JR", "KS", "LS") not in groups
    assert ("JR", "KR", "LS") not in groups


def test_figure_incorrect_three_crosses_that_touch_no_other_cross_or_only_with_a_corner():
    state = marked(rolled(start(), "red red red 3 3 3 heart"), cells="HT HS IS JS JT")
    # IU (yellow) lies below; the red six-block JV-IV-JU-KU meets JT only through JU.
    groups = {choice.cells for choice in state.legal(0) if isinstance(choice, Cross)}
    assert ("JU", "KU", "LU") in groups
    corner_only = marked(rolled(start(), "red red red 3 3 3 heart"), cells="HT IT")
    # JU touches IT with a corner only.
    groups = {choice.cells for choice in corner_only.legal(0) if isinstance(choice, Cross)}
    assert not [cells for cells in groups if "JU" in cells]


def test_all_crosses_lie_in_one_block_of_the_colour():
    """Column H has blue HS and HT of one block; the other blue blocks cannot help out."""
    state = marked(rolled(start(), "blue blue blue 5 5 5 heart"), cells="HP HQ HR IS ER")
    for choice in state.legal(0):
        if isinstance(choice, Cross):
            assert len({booklet.block_of(booklet.cell_named(cell)) for cell in choice.cells}) == 1


def test_the_number_may_not_be_split_over_blocks():
    state = marked(rolled(start(), "red red red 5 5 5 heart"), cells="HP")
    assert not crosses(state)  # the red block of four in G, F and H plus one elsewhere would make five


def test_not_fewer_and_not_more_than_the_number():
    state = rolled(start(), "blue blue blue 2 4 4 heart")
    sizes = {(choice.number, len(choice.cells)) for choice in state.legal(0) if isinstance(choice, Cross)}
    assert sizes == {("2", 2), ("4", 4)}


def test_a_block_need_not_be_filled_with_one_throw():
    state = rolled(start(), "blue blue blue 2 2 2 heart")
    assert crosses(state) == {"cross HS HT with blue 2", "cross GT HT with blue 2"}


def test_crossed_cells_do_not_join_the_chosen_cells():
    """Two single cells left of one block each need a 1."""
    state = marked(rolled(start(), "blue blue blue 1 2 2 heart"), cells="GT HT")
    assert crosses(state) == {"cross HS with blue 1", "cross FT with blue 1"}


def test_never_more_than_five_with_one_throw():
    state = marked(
        rolled(start(), "X blue blue ? ? ? heart"),
        cells=ALL & ~max(BLOCKS[COLOURS.index("blue")], key=int.bit_count),
    )
    sizes = {len(choice.cells) for choice in state.legal(0) if isinstance(choice, Cross)}
    assert sizes == {1, 2, 3, 4, 5}


# ---- jokers


def test_the_black_cross_is_any_colour_and_costs_an_exclamation_mark():
    state = rolled(start(), "X X X 1 5 5 heart")
    assert crosses(state, with_dice="joker 1") == {f"cross H{r} with joker 1" for r in "PQRSTUV"}
    after = choose(state, 0, "cross HQ with joker 1")
    assert after.sheets[0].exclamation_marks == 5


def test_the_question_mark_is_one_to_five():
    state = rolled(start(), "orange orange orange ? ? ? heart")
    sizes = {len(choice.cells) for choice in state.legal(0) if isinstance(choice, Cross)}
    assert sizes == {1, 2, 3, 4, 5}
    after = choose(state, 0, "cross EQ FQ FR GR HR with orange joker")
    assert after.sheets[0].exclamation_marks == 5


def test_a_plain_die_and_a_joker_are_two_decisions():
    state = rolled(start(), "red X X 1 ? ? heart")
    same_cell = {text for text in legal(state) if text.startswith("cross HQ with")}
    assert same_cell == {f"cross HQ with {pair}" for pair in ("red 1", "red joker", "joker 1", "joker joker")}
    costs = {str(c): c.jokers for c in state.legal(0) if isinstance(c, Cross) and c.cells == ("HQ",)}
    assert costs["cross HQ with red 1"] == 0
    assert costs["cross HQ with joker joker"] == 2


def test_both_jokers_in_one_throw_cost_two():
    state = rolled(start(), "red X X 1 ? ? heart")
    after = choose(state, 0, "cross HQ with joker joker")
    assert after.sheets[0].exclamation_marks == 4
    one_left = marked(state, struck=5)
    assert not crosses(one_left, with_dice="joker joker")
    assert crosses(one_left, with_dice="joker 1")
    assert crosses(one_left, with_dice="red joker")
    two_left = marked(state, struck=4)
    assert crosses(two_left, with_dice="joker joker")


def test_without_exclamation_marks_no_jokers():
    state = marked(rolled(start(), "red X X 1 ? ? heart"), struck=6)
    assert crosses(state) == {"cross HQ with red 1"}


# ---- the special die


def test_one_special_die_is_circled_at_the_start_and_using_it_strikes_it():
    state = rolled(start(), "red red red 1 1 1 heart")
    state = choose(state, 0, "heart")
    assert state.sheets[0].special_dice == 0
    state = rolled(all_pass(state), "red red red 1 1 1 heart")
    assert "heart" not in legal(state, 0)
    assert "heart" in legal(state, 1)


@pytest.mark.parametrize("face", ["heart", "bomb", "stars", "row", "block"])
def test_without_a_circled_special_die_no_face_is_offered(face):
    state = rolled(start(), f"red red red 1 1 1 {face}")
    assert any(isinstance(choice, Special) for choice in state.legal(0))
    spent = marked(state, used=1)
    assert not any(isinstance(choice, Special) for choice in spent.legal(0))


def test_a_golden_cell_circles_a_special_die():
    state = marked(rolled(start(), "green green green 1 2 3 heart"), cells="HV GV")
    after = choose(state, 0, "cross FV with green 1")
    assert after.sheets[0].special_dice == 2


def test_example_bomb_frees_a_special_die_at_once():
    state = rolled(start(), "red red red 1 1 1 bomb")
    after = choose(state, 0, "bomb BR CR BS CS")
    sheet = after.sheets[0]
    assert (sheet.circled, sheet.used, sheet.special_dice) == (2, 1, 1)
    assert sheet.cells == ("BR", "CR", "BS", "CS")


def test_the_bomb_needs_no_neighbour_and_no_column_h():
    state = rolled(start(), "red red red 1 1 1 bomb")
    bombs = {text for text in legal(state) if text.startswith("bomb")}
    assert bombs == booklet.every_bomb(set())
    assert len(bombs) == 881
    assert {"bomb AP", "bomb OV", "bomb AP BQ", "bomb AP BP AQ BQ"} <= bombs
    assert "bomb AP CP" not in bombs


def test_the_bomb_may_cross_fewer_and_several_colours():
    state = rolled(start(), "red red red 1 1 1 bomb")
    after = choose(state, 0, "bomb CP DQ")
    assert {COLOUR_OF[cell] for cell in after.sheets[0].cells} == {"orange", "yellow"}


def test_the_window_of_a_bomb_may_hold_crosses():
    state = marked(rolled(start(), "red red red 1 1 1 bomb"), cells="AP BP")
    assert "bomb AQ BQ" in legal(state)
    assert not [text for text in legal(state) if "AP" in text]


def test_later_groups_may_touch_bombed_cells():
    state = rolled(start(), "red red red 1 1 1 bomb")
    state = all_pass(choose(state, 0, "bomb AP"))
    state = rolled(state, "red blue blue 1 2 2 heart")
    assert "cross BP with red 1" in legal(state, 0)
    assert "cross AQ AR with blue 2" in legal(state, 0)
    assert "cross BP with red 1" not in legal(state, 1)


def test_example_hearts_columns_b_and_a():
    """Three hearts, column B as second (the sheet says 2, not 3) and 3 heart points; then a fourth heart,
    column A as first: 5 and 4 heart points."""
    state = marked(
        start(), 1, cells=column("B"), columns=tuple("first" if c == "B" else "" for c in printed.COLUMNS)
    )
    state = marked(state, 0, cells=column("B", "BP"), hearts=3, circled=2)
    state = all_pass(choose(rolled(state, "red red red 1 1 1 stars"), 0, "cross BP with red 1"))
    assert state.parts(0)["columns"] == 2
    assert state.parts(0)["hearts"] == 3
    state = all_pass(choose(rolled(state, "red red red 1 1 1 heart"), 0, "heart"))
    assert state.sheets[0].hearts == 4
    assert state.parts(0)["hearts"] == 3  # not retroactive
    state = marked(state, 0, cells=column("A", "AP") | column("B"))
    state = all_pass(choose(rolled(state, "red red red 1 1 1 heart"), 0, "cross AP with red 1"))
    assert state.parts(0)["columns"] == 2 + 5
    assert state.sheets[0].heart_points[:2] == (4, 3)


def test_a_sixth_heart_is_not_offered():
    state = rolled(start(), "red red red 1 1 1 heart")
    assert "heart" in legal(marked(state, hearts=4))
    assert "heart" not in legal(marked(state, hearts=5))


def test_a_sixth_heart_from_a_row_has_no_effect():
    state = marked(start(), cells=row("R", "AR"), hearts=5)
    state = choose(rolled(state, "blue blue blue 1 1 1 stars"), 0, "cross AR with blue 1")
    assert state.sheets[0].hearts == 5


def test_stars_one_or_two_that_touch_a_cross_or_lie_in_column_h():
    state = rolled(start(), "red red red 5 5 5 stars")
    assert {text for text in legal(state) if text.startswith("stars")} == {"stars HR"}
    state = marked(state, cells="FQ DR")
    assert {text for text in legal(state) if text.startswith("stars")} == {
        "stars HR",
        "stars FP",
        "stars DS",
        "stars FP HR",
        "stars FP DS",
        "stars HR DS",
    }
    after = choose(state, 0, "stars FP DS")
    assert {"FP", "DS"} <= set(after.sheets[0].cells)
    assert after.sheets[0].special_dice == 0


@pytest.mark.parametrize(("leaning", "offered"), [("allowed", True), ("strict", False)])
def test_option_leaning_the_second_star_on_the_first(leaning, offered):
    """K-P and L-P are the only stars side by side."""
    state = marked(rolled(start(leaning=leaning), "red red red 5 5 5 stars"), cells="JP")
    assert {"stars KP", "stars HR"} <= legal(state)
    assert ("stars KP LP" in legal(state)) is offered
    assert "stars LP" not in legal(state)
    both_touch = marked(state, cells="KQ LQ")
    assert "stars KP LP" in legal(both_touch)


def test_three_in_a_row_at_most_three_of_one_row_touching_crosses():
    state = marked(rolled(start(leaning="strict"), "red red red 5 5 5 row"), cells="AQ EQ IQ OQ")
    rows = {text for text in legal(state) if text.startswith("row")}
    assert {"row AP", "row AP EP", "row AP EP OP", "row BQ DQ NQ", "row AR"} <= rows
    assert "row AP EP IP OP" not in rows
    assert "row AP AR" not in rows  # a column
    assert "row BP" not in rows  # a corner
    after = choose(state, 0, "row AP EP OP")
    assert after.sheets[0].cells == ("AP", "EP", "OP", "AQ", "EQ", "IQ", "OQ")


@pytest.mark.parametrize(("leaning", "offered"), [("allowed", True), ("strict", False)])
def test_option_leaning_three_in_a_row_on_each_other_and_from_column_h(leaning, offered):
    state = marked(rolled(start(leaning=leaning), "red red red 5 5 5 row"), cells="AQ")
    assert ("row AP BP CP" in legal(state)) is offered
    assert "row BP CP" not in legal(state)
    assert "row AP CP" not in legal(state)
    assert ("row HT" in legal(state)) is offered
    assert ("row GT HT IT" in legal(state)) is offered
    assert ("row AP HP" in legal(state)) is offered


def test_three_in_a_row_on_an_empty_sheet():
    assert any(t.startswith("row") for t in legal(rolled(start(), "red red red 5 5 5 row")))
    strict = rolled(start(leaning="strict"), "red red red 5 5 5 row")
    assert legal(strict) == {"pass"}


def test_colour_block_six_at_once():
    state = marked(rolled(start(), "red red red 5 5 5 block"), cells="LS")
    after = choose(state, 0, "block LT JU KU LU IV JV")
    assert after.sheets[0].crossed.bit_count() == 7
    assert after.sheets[0].special_dice == 1  # one used, one freed by the golden LT


def test_colour_block_touches_a_cross_or_is_begun():
    state = marked(rolled(start(leaning="strict"), "red red red 5 5 5 block"), cells="AV")
    assert {t for t in legal(state) if t.startswith("block")} == {"block AU BU BV CV"}
    begun = marked(state, cells="MU")
    assert "block NU KV LV MV" in legal(begun)
    assert "block MU NU KV LV MV" not in legal(begun)


def test_colour_block_with_a_split_remainder_is_filled_as_printed():
    state = marked(rolled(start(), "red red red 5 5 5 block"), cells="GT HT")
    assert "block HS FT" in legal(state)
    assert not {"block HS", "block FT"} & legal(state)


@pytest.mark.parametrize(("leaning", "offered"), [("allowed", True), ("strict", False)])
def test_option_leaning_a_block_that_starts_in_column_h(leaning, offered):
    state = rolled(start(leaning=leaning), "red red red 5 5 5 block")
    blocks = {t for t in legal(state) if t.startswith("block")}
    in_h = {
        "block HP IP",
        "block FP GP GQ HQ",
        "block EQ FQ FR GR HR",
        "block HS FT GT HT",
        "block IT HU IU HV",
    }
    assert blocks == (in_h if offered else set())
    touched = marked(state, cells="HQ")
    assert "block HP IP" in legal(touched)


def test_a_face_without_effect_is_not_offered():
    state = marked(rolled(start(), "red red red 5 5 5 stars"), cells=printed.STARS)
    assert not any(isinstance(choice, Special) for choice in state.legal(0))
    full = marked(start(), cells=ALL)
    for face in ("bomb", "row", "block", "stars"):
        assert legal(rolled(full, f"red red red 5 5 5 {face}")) == {"pass"}


# ---- against the booklet's own words


ROLLS = (
    "red orange X 1 5 ? bomb",
    "green blue yellow 2 3 4 stars",
    "X yellow blue 2 3 ? row",
    "green X orange 3 4 5 block",
    "red red X 5 ? ? heart",
)


@pytest.mark.parametrize("leaning", ["allowed", "strict"])
@pytest.mark.parametrize("faces", ROLLS)
def test_the_choices_are_those_found_by_trying_everything(faces, leaning):
    """Sheets from the start, the middle and the end of random games, with little and much to spend."""
    chance = Random(f"{faces} {leaning}")
    for crossings in (0, 35, 80):
        cells = mask(chance.sample(CELLS, crossings))
        sheet = Sheet(crossed=cells, struck=chance.choice((0, 5, 6)), hearts=chance.choice((0, 5)))
        state = rolled(start(leaning=leaning), faces)
        state = replace(state, sheets=(sheet, sheet))
        assert legal(state) == booklet.every_choice(sheet, faces.split(), leaning == "allowed")
