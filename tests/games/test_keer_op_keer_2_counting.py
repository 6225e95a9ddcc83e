"""Keer op Keer 2, the sheet and its worth: columns, rows, colours, hearts, the end, and playing alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.advice import BOTS, play
from companion.games.core import Chose, IllegalEvent, Rolled
from companion.games.keer_op_keer_2 import KEER_OP_KEER_2, Cross, Pass, Sheet, Special
from companion.games.keer_op_keer_2 import sheet as printed
from companion.games.keer_op_keer_2.rules import rating
from companion.games.keer_op_keer_2.sheet import ALL, BLOCKS, CELLS, COLOUR_OF, COLOURS, mask
from tests.games import keer_op_keer_2_recount as booklet
from tests.games.keer_op_keer_2_table import (
    DULL,
    all_pass,
    choose,
    colour,
    column,
    dice,
    later,
    legal,
    marked,
    rolled,
    row,
    start,
)

# ---- the sheet


def test_the_sheet_colours_stars_and_golden_cells():
    letters = {letter: name for name, letter in booklet.LETTERS.items()}
    for cell in CELLS:
        place = booklet.cell_named(cell)
        assert COLOUR_OF[cell] == letters[booklet.COLOUR[place]]
        assert bool(printed.STARS & printed.BIT[cell]) == (place in booklet.STARS)
        assert bool(printed.GOLDEN & printed.BIT[cell]) == (place in booklet.GOLDEN)
    assert set(printed.names(printed.GOLDEN)) == {"BR", "OR", "ES", "LT", "FV"}
    stars = {"CP", "FP", "KP", "LP", "JQ", "HR", "BS", "DS", "MS", "OT", "GU", "NU", "AV", "EV", "IV"}
    assert set(printed.names(printed.STARS)) == stars


def test_the_sheet_each_colour_has_21_cells_in_blocks_of_one_to_six():
    for place, blocks in enumerate(BLOCKS):
        assert sorted(block.bit_count() for block in blocks) == [1, 2, 3, 4, 5, 6]
        assert (printed.COLOUR_CELLS[place] & printed.STARS).bit_count() == 3
        six = max(blocks, key=int.bit_count)
        assert (six & printed.GOLDEN).bit_count() == 1
        assert all((block & printed.STARS).bit_count() <= 1 for block in blocks)
    assert not printed.STARS & printed.GOLDEN


def test_the_sheet_each_column_has_one_star_and_all_colours_in_five_pieces():
    for cells in printed.COLUMN_CELLS:
        assert (cells & printed.STARS).bit_count() == 1
        touched = [block for blocks in BLOCKS for block in blocks if block & cells]
        assert len(touched) == 5
        assert sorted((block & cells).bit_count() for block in touched) == [1, 1, 1, 2, 2]
    stars_in_rows = [(cells & printed.STARS).bit_count() for cells in printed.ROW_CELLS]
    assert stars_in_rows == [4, 1, 1, 3, 1, 2, 3]


def test_the_sheet_values_and_items():
    assert list(printed.COLUMN_POINTS["first"]) == booklet.UPPER
    assert list(printed.COLUMN_POINTS["later"]) == booklet.LOWER
    assert (sum(booklet.UPPER), sum(booklet.LOWER)) == (42, 24)
    items = {"special": "die"}
    assert [items.get(item, item) for item in printed.ROW_ITEMS.values()] == booklet.ITEMS
    assert 1 + 5 + booklet.ITEMS.count("die") + 1 == printed.SPECIAL_DICE


def test_the_sheet_at_the_start():
    state = start()
    assert state.sheets == (Sheet(), Sheet())
    sheet = state.sheets[0]
    assert (sheet.exclamation_marks, sheet.special_dice, sheet.hearts, sheet.cells) == (6, 1, 0, ())
    assert state.parts(0) == {
        "colours": 0,
        "columns": 0,
        "rows": 0,
        "hearts": 0,
        "exclamation marks": 6,
        "special dice": 2,
        "stars": -30,
    }


# ---- columns


def test_example_inka_completes_column_d():
    state = marked(start(3), cells=column("D", "DU DV"))
    state = choose(rolled(state, "orange red red 2 2 2 heart"), 0, "cross DU DV with orange 2")
    state = all_pass(state)
    assert state.parts(0)["columns"] == 3
    state = marked(state, 1, cells=column("D", "DU DV"))
    state = all_pass(choose(rolled(state, "orange red red 2 2 2 heart"), 1, "cross DU DV with orange 2"))
    assert state.parts(1)["columns"] == 2
    state = marked(state, 2, cells=column("D", "DU DV"))
    state = all_pass(choose(rolled(state, "orange red red 2 2 2 heart"), 2, "cross DU DV with orange 2"))
    assert state.parts(2)["columns"] == 2  # the lower value stays open for everybody


@pytest.mark.parametrize("place", range(15))
def test_column_values_first_and_later(place):
    letter = printed.COLUMNS[place]
    last = f"{letter}P"
    state = marked(start(), 0, cells=column(letter, last))
    state = marked(state, 1, cells=column(letter, last))
    die = COLOUR_OF[last]
    for seat, value in ((0, booklet.UPPER[place]), (1, booklet.LOWER[place])):
        state = rolled(state, f"{die} {die} {die} 1 1 1 stars")
        state = all_pass(choose(state, seat, f"cross {last} with {die} 1"))
        assert state.parts(seat)["columns"] == value


def test_several_columns_with_one_throw():
    state = marked(start(), cells=column("A", "AP") | column("B", "BP"))
    state = all_pass(choose(rolled(state, "red red red 2 2 2 stars"), 0, "cross AP BP with red 2"))
    assert state.parts(0)["columns"] == 5 + 3


def test_all_who_complete_a_column_first_in_the_same_throw_get_the_upper_value():
    state = later(start(3))
    for seat in range(3):
        state = marked(state, seat, cells=column("A", "AP"))
    state = rolled(state, "red red red 1 1 1 stars")
    for seat in (0, 2):
        state = choose(state, seat, "cross AP with red 1")
    state = all_pass(state)
    assert [state.parts(seat)["columns"] for seat in range(3)] == [5, 0, 5]
    state = all_pass(choose(rolled(later(state, 1), "red red red 1 1 1 stars"), 1, "cross AP with red 1"))
    assert state.parts(1)["columns"] == 3


def test_columns_are_ranked_when_all_have_answered():
    state = marked(start(), cells=column("A", "AP"))
    state = choose(rolled(state, "red red red 1 1 1 stars"), 0, "cross AP with red 1")
    assert set(state.sheets[0].columns) == {""}
    assert state.parts(0)["columns"] == 5
    state = choose(state, 1, "pass")
    assert state.sheets[0].columns[0] == "first"


def test_the_heart_bonus_is_given_whatever_the_rank():
    state = marked(start(), 0, cells=column("A", "AP"), hearts=2)
    state = marked(state, 1, cells=column("A", "AP"), hearts=5)
    for seat in (0, 1):
        state = all_pass(choose(rolled(state, "red red red 1 1 1 stars"), seat, "cross AP with red 1"))
    assert [state.parts(seat)["hearts"] for seat in (0, 1)] == [2, 5]


def test_column_h_gives_every_completer_a_special_die():
    state = start(3)
    for seat in range(3):
        state = marked(state, seat, cells=column("H", "HQ"))
    state = rolled(state, "red red red 1 1 1 stars")
    for seat in (0, 1):
        state = choose(state, seat, "cross HQ with red 1")
    state = rolled(all_pass(state), "red red red 1 1 1 stars")
    state = all_pass(choose(state, 2, "cross HQ with red 1"))
    assert [sheet.special_dice for sheet in state.sheets] == [2, 2, 2]
    assert [state.parts(seat)["columns"] for seat in range(3)] == [2, 2, 0]


# ---- rows


LAST_OF_ROW = {"P": "AP", "Q": "AQ", "R": "AR", "S": "AS", "T": "AT", "U": "AU", "V": "AV"}


@pytest.mark.parametrize("letter", printed.ROWS)
def test_the_first_to_complete_a_row_gets_its_item_and_later_ones_only_the_points(letter):
    last = LAST_OF_ROW[letter]
    die = COLOUR_OF[last]
    state = marked(start(), 0, cells=row(letter, last))
    state = marked(state, 1, cells=row(letter, last))
    before = state.sheets[0]
    for seat, wins in ((0, True), (1, False)):
        state = rolled(state, f"{die} {die} {die} 1 1 1 stars")
        state = choose(state, seat, f"cross {last} with {die} 1")
        sheet = state.sheets[seat]
        won = {"special": sheet.circled - before.circled, "heart": sheet.hearts, "bomb": sheet.bombs}
        assert won == {item: int(wins and item == printed.ROW_ITEMS[letter]) for item in won}
        state = all_pass(state)
        assert state.parts(seat)["rows"] == 5


def test_all_who_complete_a_row_in_the_same_throw_get_the_item():
    state = later(start(3))
    for seat in range(3):
        state = marked(state, seat, cells=row("R", "AR"))
    state = rolled(state, "blue blue blue 1 1 1 stars")
    for seat in (0, 2):
        state = choose(state, seat, "cross AR with blue 1")
    state = rolled(all_pass(state), "blue blue blue 1 1 1 stars")
    state = all_pass(choose(state, 1, "cross AR with blue 1"))
    assert [sheet.hearts for sheet in state.sheets] == [1, 0, 1]
    assert [state.parts(seat)["rows"] for seat in range(3)] == [5, 5, 5]


def test_a_row_bomb_goes_off_at_once_costs_nothing_and_goes_anywhere():
    state = marked(later(start(3)), cells=row("Q", "AQ"))
    state = choose(rolled(state, "blue blue blue 1 1 1 stars"), 0, "cross AQ with blue 1")
    assert dict(state.asked()) == {0: "bomb", 1: "choose", 2: "choose"}
    assert legal(state) == booklet.every_bomb(booklet.crossed_cells(state.sheets[0])) | {"pass"}
    state = choose(state, 0, "bomb NU OU NV OV")
    assert state.sheets[0].special_dice == 1
    assert dict(state.asked()) == {1: "choose", 2: "choose"}
    assert state.taken == dice("blue 1")


def test_a_row_bomb_may_be_left_unused():
    state = marked(start(), cells=row("Q", "AQ"))
    state = choose(rolled(state, "blue blue blue 1 1 1 stars"), 0, "cross AQ with blue 1")
    state = choose(state, 0, "pass")
    assert dict(state.asked()) == {1: "choose"}
    assert state.sheets[0].cells == tuple(f"{c}Q" for c in printed.COLUMNS)


def test_row_bombs_of_several_players_are_asked_together():
    state = start(2)
    for seat in (0, 1):
        state = marked(state, seat, cells=row("Q", "AQ"))
    state = rolled(state, "blue blue blue 1 1 1 stars")
    for seat in (1, 0):
        state = choose(state, seat, "cross AQ with blue 1")
    assert dict(state.asked()) == {0: "bomb", 1: "bomb"}
    one = choose(choose(state, 0, "bomb OV"), 1, "bomb NV OV")
    other = choose(choose(state, 1, "bomb NV OV"), 0, "bomb OV")
    assert one == other
    assert one.throw()


def test_a_bomb_from_a_row_may_chain():
    """Row Q's bomb completes row S, whose bomb completes column O, all in one throw."""
    cells = row("Q", "AQ") | row("S", "NS OS") | column("O", "OS OT OU")
    state = marked(start(), cells=cells)
    state = choose(rolled(state, "blue blue blue 1 1 1 stars"), 0, "cross AQ with blue 1")
    state = choose(state, 0, "bomb NS OS NT OT")
    assert dict(state.asked())[0] == "bomb"
    state = all_pass(choose(state, 0, "bomb OU"))
    assert state.parts(0)["rows"] == 10
    assert state.parts(0)["columns"] == 5
    assert state.sheets[0].rows[1] == state.sheets[0].rows[3] == "first"


def test_a_row_completed_by_a_chained_bomb_is_still_the_same_throw():
    """Seat 0 fills row U with its dice, seat 1 with the bomb of row Q: both are first."""
    state = marked(start(), 0, cells=row("U", "AU BU"))
    state = marked(state, 1, cells=row("Q", "AQ") | row("U", "AU BU"))
    state = rolled(state, "green blue blue 1 2 2 stars")
    state = choose(state, 1, "cross AQ with blue 1")
    state = choose(state, 0, "cross AU BU with green 2")
    state = all_pass(choose(state, 1, "bomb AU BU"))
    assert [sheet.hearts for sheet in state.sheets] == [1, 1]


def test_two_rows_with_bombs_at_once_give_two_bombs():
    """The red block of five spans rows Q, R and S: two bombs and a heart."""
    red_five = "MQ MR NR NS OS"
    state = marked(start(), cells=row("Q", red_five) | row("R", red_five) | row("S", red_five))
    state = choose(rolled(state, "red red red 5 5 5 stars"), 0, "cross MQ MR NR NS OS with red 5")
    assert (state.sheets[0].bombs, state.sheets[0].hearts) == (2, 1)
    state = choose(state, 0, "bomb AV")
    assert state.asked()[0] == "bomb"
    state = choose(state, 0, "bomb OV")
    assert 0 not in state.asked()


def test_a_bomb_on_a_full_sheet_is_lost():
    state = marked(start(), cells=ALL & ~mask(["AV"]))
    state = choose(rolled(state, "yellow red red 1 1 1 stars"), 0, "cross AV with yellow 1")
    assert state.sheets[0].bombs == 0
    assert dict(state.asked()) == {1: "choose"}


def test_important_row_items_come_before_the_points_of_columns():
    """One cross completes row R (a heart) and column A: the heart counts for the column."""
    state = marked(start(), cells=row("R", "AR") | column("A", "AR"), hearts=1)
    state = all_pass(choose(rolled(state, "blue blue blue 1 1 1 stars"), 0, "cross AR with blue 1"))
    assert state.sheets[0].hearts == 2
    assert state.parts(0)["hearts"] == 2


def test_a_bomb_that_completes_a_row_and_columns_takes_the_row_item_first():
    cells = row("R", "AR BR") | row("Q", "AQ BQ") | column("A", "AQ AR") | column("B", "BQ BR")
    state = marked(start(), cells=cells)
    state = choose(rolled(state, "red red red 1 1 1 bomb"), 0, "bomb AQ BQ AR BR")
    assert state.asked()[0] == "bomb"
    state = all_pass(state)
    assert state.parts(0)["rows"] == 10
    assert state.parts(0)["columns"] == 5 + 3
    assert state.parts(0)["hearts"] == 1 + 1


# ---- colours, the end and the count


def test_colour_bonus_five_for_the_first_three_for_the_others():
    state = start(3)
    for seat in range(3):
        state = marked(state, seat, cells=colour("red", "AP"))
    for seat, value in ((0, 5), (1, 3), (2, 3)):
        state = all_pass(choose(rolled(state, "red red red 1 1 1 stars"), seat, "cross AP with red 1"))
        assert state.parts(seat)["colours"] == value
    assert state.outcome() is None


def test_colour_bonus_all_first_in_the_same_throw_get_five():
    state = later(start(3))
    for seat in range(3):
        state = marked(state, seat, cells=colour("red", "AP"))
    state = rolled(state, "red red red 1 1 1 stars")
    state = choose(choose(state, 0, "cross AP with red 1"), 2, "cross AP with red 1")
    state = all_pass(state)
    assert [state.parts(seat)["colours"] for seat in range(3)] == [5, 0, 5]


def test_each_star_not_crossed_costs_two():
    state = marked(start(), cells="CP FP")
    assert state.parts(0)["stars"] == -26
    assert marked(state, cells=printed.STARS).parts(0)["stars"] == 0


@pytest.mark.parametrize("rank", ["first", "later"])
def test_the_game_ends_after_the_throw_with_a_second_colour_bonus_of_either_value(rank):
    state = later(start(3))
    state = marked(
        state,
        0,
        cells=colour("red") | colour("blue", "AQ"),
        colours=tuple("first" if name == "red" else "" for name in COLOURS),
    )
    if rank == "later":
        state = marked(
            state, 1, cells=colour("blue"), colours=tuple("first" if c == "blue" else "" for c in COLOURS)
        )
    state = choose(rolled(state, "blue red red 1 2 3 heart"), 0, "cross AQ with blue 1")
    assert state.outcome() is None
    state = choose(state, 1, "heart")  # everybody finishes the throw
    assert state.outcome() is None
    state = choose(state, 2, "pass")
    assert state.outcome() is not None
    assert state.parts(0)["colours"] == 5 + {"first": 5, "later": 3}[rank]
    assert state.throw() is None
    assert not state.asked()
    with pytest.raises(IllegalEvent):
        state.apply(Rolled(dice(DULL)))


def test_others_may_still_get_colour_bonuses_in_the_last_throw():
    state = start()
    state = marked(state, 0, cells=colour("red") | colour("blue", "AQ"))
    state = marked(state, 1, cells=colour("red", "AP") | colour("green"))
    state = replace(state, sheets=tuple(sheet.count(state.claims()) for sheet in state.sheets))
    state = rolled(state, "blue red red 1 2 3 heart")
    state = choose(choose(state, 0, "cross AQ with blue 1"), 1, "cross AP with red 1")
    outcome = state.outcome()
    assert outcome is not None
    assert [state.parts(seat)["colours"] for seat in (0, 1)] == [10, 8]


def test_more_than_two_colour_bonuses_only_in_the_last_throw():
    state = marked(start(), cells=ALL & ~mask(["AP", "BQ", "AQ"]))
    state = replace(state, sheets=tuple(sheet.count(state.claims()) for sheet in (state.sheets[0], Sheet())))
    state = marked(state, cells=state.sheets[0].crossed, colours=("", "", "", "", "first"))
    state = choose(rolled(state, "red red red 1 1 1 bomb"), 0, "bomb AP AQ BQ")
    state = all_pass(state)
    assert sum(rank != "" for rank in state.sheets[0].colours) == 5
    assert state.outcome() is not None


def test_the_count_line_by_line():
    sheet = Sheet(
        crossed=column("A") | row("P") | mask(["HR", "DS"]),
        struck=2,
        circled=4,
        used=1,
        hearts=3,
        columns=("later", *("",) * 14),
        heart_points=(3, *(0,) * 14),
        rows=("first", *("",) * 6),
        colours=("first", "later", "", "", ""),
    )
    assert sheet.parts() == {
        "colours": 8,
        "columns": 3,
        "rows": 5,
        "hearts": 3,
        "exclamation marks": 4,
        "special dice": 6,
        "stars": -2 * (15 - 7),  # crossed: CP FP KP LP of row P, AV, HR, DS
    }


def ended(*sheets):
    """A finished game with these sheets."""
    return replace(start(len(sheets)), sheets=sheets, over=True)


def test_most_points_win():
    outcome = ended(Sheet(struck=1), Sheet()).outcome()
    assert (outcome.scores, outcome.winners, outcome.decided_by) == ((-23, -22), (1,), "")


def test_a_tie_goes_to_who_has_more_exclamation_marks():
    outcome = ended(Sheet(struck=2, circled=2), Sheet(), Sheet(struck=6)).outcome()
    assert outcome.scores == (-22, -22, -28)
    assert outcome.winners == (1,)
    assert outcome.decided_by == "exclamation marks"


def test_a_tie_that_remains_is_shared():
    outcome = ended(Sheet(), Sheet(struck=2, circled=2), Sheet()).outcome()
    assert outcome.winners == (0, 2)
    outcome = ended(Sheet(), Sheet()).outcome()
    assert (outcome.winners, outcome.decided_by) == ((0, 1), "")


# ---- alone


def test_solo_two_colour_two_number_and_the_special_die():
    state = start(1)
    assert sorted(state.throw().kinds) == ["colour"] * 2 + ["number"] * 2 + ["special"]
    state = choose(rolled(state, "red blue 1 2 heart"), 0, "pass")
    assert state.throw().seat == 0


def test_solo_ends_after_thirty_throws_and_passing_uses_one_up():
    state = start(1)
    for throw in range(30):
        assert state.outcome() is None
        assert state.thrown == throw
        state = choose(rolled(state, "red blue 1 2 heart"), 0, "pass")
    outcome = state.outcome()
    assert outcome.scores == (6 + 2 - 30,)
    assert outcome.winners == (0,)
    assert outcome.rating == rating(-22)


@pytest.mark.parametrize(("thrown", "bonus"), [(0, 58), (19, 20), (29, 0)])
def test_solo_two_points_for_each_unused_throw_when_two_colours_are_full(thrown, bonus):
    state = marked(later(start(1), thrown), cells=colour("red") | colour("blue", "AQ"))
    assert state.parts(0)["unused throws"] == 0
    state = choose(rolled(state, "blue blue 1 1 heart"), 0, "cross AQ with blue 1")
    assert state.outcome() is not None
    assert state.parts(0)["unused throws"] == bonus
    assert state.parts(0)["colours"] == 10


def test_solo_always_first():
    state = start(1)
    for letter, values in (("A", 5), ("B", 8)):
        crossed = column("A") if letter == "B" else 0
        state = marked(state, cells=crossed | column(letter, f"{letter}P"))
        state = choose(rolled(state, "red red 1 1 stars"), 0, f"cross {letter}P with red 1")
        assert state.parts(0)["columns"] == values
    state = marked(state, cells=row("Q", "AQ"))
    state = choose(rolled(state, "blue blue 1 1 stars"), 0, "cross AQ with blue 1")
    assert dict(state.asked()) == {0: "bomb"}
    state = choose(state, 0, "bomb OV")
    assert state.throw()


def test_solo_ratings():
    edges = (91, 85, 79, 74, 70, 66, 60, 50, 40, 30, 20, 10)
    words = [rating(edge) for edge in edges]
    assert len(set(words)) == 12
    for edge, word in zip(edges, words, strict=True):
        assert rating(edge - 1) != word
    assert rating(200) == words[0]
    assert rating(9) == rating(-30) not in words


# ---- whole games


@pytest.mark.parametrize("leaning", ["allowed", "strict"])
@pytest.mark.parametrize("seats", range(1, 7))
def test_a_referee_counts_the_same(seats, leaning):
    for seed in range(4):
        referee = booklet.Referee(seats)
        options = {"leaning": leaning}
        for step in play(KEER_OP_KEER_2, options, [BOTS["random"]] * seats, Random(seed)):
            match step.event:
                case Rolled():
                    referee.hear_throw()
                case Chose(seat, choice):
                    referee.hear_choice(seat, str(choice))
        outcome = step.state.outcome()
        assert referee.final() == (list(outcome.scores), list(outcome.winners))


# ---- words and drawing


def test_the_words_of_the_choices():
    assert str(Cross(("HS", "HT"), "blue", "2")) == "cross HS HT with blue 2"
    assert str(Cross(("HS",), "joker", "joker")) == "cross HS with joker joker"
    assert str(Special("bomb", ("AP", "BQ"))) == "bomb AP BQ"
    assert str(Special("heart")) == "heart"
    assert str(Pass()) == "pass"
    assert Cross(("HS", "HT"), "blue", "2").dice == dice("blue 2")
    assert Special("heart").dice == dice("heart")


def test_drawn_as_text():
    state = marked(start(), 1, cells=column("A") | row("P"), columns=("first", *("",) * 14), hearts=2)
    state = marked(state, 1, cells=state.sheets[1].crossed, heart_points=(2, *(0,) * 14), bombs=1)
    lines = str(rolled(state, DULL)).splitlines()
    assert lines[:2] == [
        "throw 1",
        "dice colour:orange colour:red colour:yellow number:3 number:4 number:5 special:heart",
    ]
    own = lines[lines.index("seat 1: 0 points, to bomb") + 1 :]
    assert own[1].split() == ["P", *["×"] * 15, "5", "special"]
    assert own[8].split()[:3] == ["first", "(5)", "3"]
    assert own[9].split()[:3] == ["later", "-", "2"]
    assert own[10].split()[:3] == ["heart", "2", "·"]
    assert own[11].startswith("! 6 left, special dice 1 left of 1, hearts 2 of 5, green 5")
    assert own[12] == "bombs to set off: 1"
    other = lines[lines.index("seat 0: -22 points, active, to choose") + 1 :]
    assert other[8].split()[:3] == ["first", "-", "3"]
    assert other[3].split()[:6] == ["R", "b", "y+", "b", "b", "b"]
