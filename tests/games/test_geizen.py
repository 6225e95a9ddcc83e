"""Geizen as the booklet tells it: the worked example, every way chips move, every ruling."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.advice import BOTS, play
from companion.dice import Die, Throw
from companion.games.core import Chose, IllegalChoice, IllegalEvent, IllegalOption, IllegalRoll, Rolled
from companion.games.geizen import GEIZEN, PRINTED, Board, Chips, Column, example, place
from companion.games.geizen.rules import Account
from tests.games.geizen_recount import DRY_BOARD, OPTION_VALUES, OWN_BOARD, Table, conserved, turns


def start(seats=2, **options):
    return GEIZEN.start(seats, options)


def table(hands, filled=None, board=PRINTED, turn=0):
    """A game in which these hands hold chips and so many spaces of the columns are taken."""
    taken = tuple((filled or {}).get(value, 0) for value in range(1, 6))
    lying = tuple(
        count + column.first - 1 if count else 0 for count, column in zip(taken, board.columns, strict=True)
    )
    chips = Chips(tuple(hands), board.chips - sum(hands) - sum(lying), taken, lying)
    state = start(len(hands), board=str(board))
    return replace(state, turn=turn, chips=chips, accounts=tuple(map(Account, hands)))


def roll(state, *faces):
    return state.apply(Rolled(tuple(Die("pip", str(face)) for face in faces)))


def keep(state, *dice):
    text = " ".join(["keep", *map(str, sorted(dice))])
    return state.apply(Chose(state.turn, state.find(state.turn, text)))


def take(state, *dice):
    """A whole turn in one throw."""
    after = keep(roll(state, *dice), *dice)
    conserved(after)
    return after


def texts(state, seat):
    return [str(choice) for choice in state.legal(seat)]


# -- setting dice aside ----------------------------------------------------------------------------


def test_a_turn_begins_with_all_five_dice():
    state = start(3)
    assert state.throw() == Throw(0, ("pip",) * 5)
    assert state.asked() == {}
    with pytest.raises(IllegalRoll):
        roll(state, 1, 2, 3, 4)


def test_at_least_one_die_is_kept():
    state = roll(start(), 1, 2, 3, 4, 5)
    assert state.asked() == {0: "keep"}
    assert state.throw() is None
    assert len(texts(state, 0)) == 2**5 - 1
    assert "keep" not in texts(state, 0)
    with pytest.raises(IllegalChoice):
        keep(state, 6)


def test_several_dice_may_be_kept_equal_or_different():
    state = roll(start(), 4, 4, 4, 2, 6)
    for dice in ((4, 4), (2, 6), (2, 4, 4), (2, 4, 4, 4, 6)):
        assert "keep " + " ".join(map(str, dice)) in texts(state, 0)


def test_of_three_fours_two_may_be_kept_and_the_third_thrown_again():
    state = keep(roll(start(), 4, 4, 4, 2, 6), 4, 4)
    assert state.kept == (4, 4)
    assert state.throw() == Throw(0, ("pip",) * 3)


def test_like_dice_are_alike():
    assert texts(roll(start(), 4, 4, 4, 4, 4), 0) == [
        "keep 4",
        "keep 4 4",
        "keep 4 4 4",
        "keep 4 4 4 4",
        "keep 4 4 4 4 4",
    ]


def test_kept_dice_are_never_thrown_again_and_nobody_stops_early():
    state = start()
    for left in (5, 4, 3, 2, 1):
        assert state.throw() == Throw(0, ("pip",) * left)
        assert state.asked() == {}
        state = keep(roll(state, *(6,) * left), 6)
    assert state.throw() == Throw(1, ("pip",) * 5)


def test_the_last_die_leaves_no_choice():
    state = keep(roll(start(), 6, 6, 6, 6, 2), 6, 6, 6, 6)
    assert texts(roll(state, 3), 0) == ["keep 3"]


def test_chips_move_only_when_all_five_dice_are_kept():
    state = keep(roll(start(), 1, 2, 3, 4, 5), 1, 2, 3, 4)
    assert state.chips == start().chips
    assert keep(roll(state, 5), 5).chips != start().chips


# -- the worked example ----------------------------------------------------------------------------


def test_example_1_2_and_3():
    state = table((20, 20, 20), {2: 3, 4: 3, 5: 3})
    assert state.chips.lying == (0, 4, 0, 3, 3)
    pot = state.chips.pot
    state = keep(roll(state, 4, 1, 3, 5, 6), 4)
    state = keep(roll(state, 2, 2, 5, 1), 2, 2)
    state = keep(roll(state, 6, 5), 6)
    state = roll(state, 2)
    assert texts(state, 0) == ["keep 2"]
    state = keep(state, 2)
    conserved(state)
    assert state.chips.filled == (0, 1, 0, 4, 3)
    assert state.chips.lying == (0, 2, 0, 4, 3)
    assert state.scores() == (22, 19, 19), "-1 -1 +6 -2 for the player, the arrow's 1 for each other"
    assert state.chips.pot == pot - 1 + 2
    steps = {(step.value, step.space): step for step in state.last_steps}
    assert (steps[4, 3].own, steps[4, 3].pot) == (0, 1)
    assert (steps[2, 3].own, steps[2, 4].own, steps[2, 0].own) == (1, 1, 2)
    assert (steps[2, 4].collected, steps[2, 4].paid) == (6, (0, 1, 1))
    assert len(steps) == 4, "nothing for the six"
    assert state.parts(0) == {"start": 20, "placed": -4, "collected": 6, "arrows": 0, "loan": 0}
    assert state.parts(2) == {"start": 20, "placed": 0, "collected": 0, "arrows": -1, "loan": 0}
    assert state.throw() == Throw(1, ("pip",) * 5)


# -- laying chips ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "cost"), [(1, 2), (2, 2), (3, 1), (4, 1), (5, 1)])
def test_the_first_space_of_ones_and_twos_costs_two_chips(value, cost):
    state = take(table((20, 20)), value, 6, 6, 6, 6)
    assert state.scores() == (20 - cost, 20)
    assert state.chips.filled[value - 1] == 1
    assert state.chips.lying[value - 1] == cost


def test_a_die_goes_to_the_first_free_space_from_the_top():
    state = take(table((20, 20), {3: 1}), 3, 3, 6, 6, 6)
    assert [step.space for step in state.last_steps] == [1, 2]
    assert state.scores() == (18, 20)


def test_a_six_costs_nothing():
    state = take(table((20, 20)), 6, 6, 6, 6, 6)
    assert state.chips == table((20, 20)).chips
    assert state.turn == 1


def test_a_green_space_takes_own_chips():
    state = take(table((20, 20)), 3, 6, 6, 6, 6)
    assert (state.scores(), state.chips.pot) == ((19, 20), 90)


@pytest.mark.parametrize("value", [3, 4, 5])
def test_a_yellow_space_takes_a_chip_of_the_pot(value):
    state = take(table((20, 20), {value: 3}), value, 6, 6, 6, 6)
    assert (state.scores(), state.chips.pot) == ((20, 20), 130 - 40 - 3 - 1)
    assert state.chips.lying[value - 1] == 4


@pytest.mark.parametrize(
    ("value", "length", "full", "arrow"),
    [(1, 4, 5, 1), (2, 5, 6, 1), (3, 6, 6, 2), (4, 7, 7, 2), (5, 8, 8, 3)],
)
def test_red_is_paid_from_own_chips_then_the_column_is_taken_and_the_others_pay_the_arrow(
    value, length, full, arrow
):
    before = table((20, 20, 20), {value: length - 1})
    state = take(before, value, 6, 6, 6, 6)
    (step,) = state.last_steps
    assert (step.own, step.pot, step.collected) == (1, 0, full)
    assert state.scores() == (20 - 1 + full, 20 - arrow, 20 - arrow)
    assert state.chips.filled[value - 1] == state.chips.lying[value - 1] == 0
    assert state.chips.pot == before.chips.pot + 2 * arrow, (
        "the arrow is paid to the pot, not out of the game"
    )


def test_arrow_with_fewer_chips_pays_all_there_are():
    state = take(table((20, 2, 0), {5: 7}), 5, 6, 6, 6, 6)
    assert state.scores() == (27, 0, 0)
    assert state.last_steps[0].paid == (0, 2, 0)


def test_a_column_emptied_starts_again_in_the_same_turn():
    state = take(table((20, 20), {3: 5}), 3, 3, 3, 6, 6)
    assert state.chips.filled[2] == 2
    assert state.scores() == (20 - 1 + 6 - 2, 18)


def test_two_chips_again_after_a_restart_in_the_same_turn():
    state = take(table((20, 20), {1: 3}), 1, 1, 6, 6, 6)
    assert state.chips.lying[0] == 2
    assert state.scores() == (20 - 1 + 5 - 2, 19)


def test_a_column_can_be_filled_twice_in_one_turn():
    state = take(table((20, 20), {1: 3}), 1, 1, 1, 1, 1)
    assert state.scores() == (20 - 1 + 5 - 5 + 5, 18)
    assert state.chips.filled[0] == 0


def test_chips_stay_on_the_board_for_the_next_player():
    state = take(table((20, 20)), 3, 3, 6, 6, 6)
    state = take(state, 3, 6, 6, 6, 6)
    assert state.chips.filled[2] == 3
    assert state.scores() == (18, 19)


# -- the loan --------------------------------------------------------------------------------------


def test_a_loan_is_paid_back_in_the_same_turn():
    state = take(table((1, 20), {2: 3}), 2, 2, 6, 6, 6)
    assert [step.lent for step in state.last_steps] == [0, 1]
    assert state.scores() == (1 - 1 - 1 + 6, 19)
    assert state.chips.pot == 130 - 24 - sum(state.chips.lying)
    assert state.outcome() is None
    assert state.turn == 1


def test_a_player_with_nothing_begins_with_a_loan():
    state = take(table((0, 20), {5: 7}), 5, 6, 6, 6, 6)
    assert state.last_steps[0].lent == 1
    assert state.scores() == (7, 17)
    assert state.outcome() is None


def test_a_loan_of_five_is_allowed():
    state = take(table((0, 20), {5: 3}), 5, 5, 5, 5, 5)
    assert sum(step.lent for step in state.last_steps) == 4, "the first of them is yellow"
    assert state.scores() == (8 - 4, 17)
    board = Board.read("2gggr:1 2ggggr:1 gggggr:1 gggyggr:2 gggygggr:3")
    state = take(table((0, 20), {3: 1}, board), 3, 3, 3, 3, 3)
    assert sum(step.lent for step in state.last_steps) == 5
    assert state.scores() == (1, 19)
    assert state.outcome() is None


def test_after_paying_back_at_least_one_chip_must_be_left():
    state = take(table((1, 20)), 3, 6, 6, 6, 6)
    assert state.outcome() is not None
    state = take(table((0, 20), {1: 3}), 1, 1, 1, 1, 6)
    assert state.chips.hands[0] == 0, "-1 +5 -2 -1 -1"
    assert state.outcome().winners == (1,)
    state = take(table((1, 20), {1: 3}), 1, 1, 1, 1, 6)
    assert state.chips.hands[0] == 1
    assert state.outcome() is None


def test_a_loan_that_cannot_be_paid_back_ends_the_game():
    state = take(table((1, 20, 15)), 1, 3, 6, 6, 6)
    assert state.scores() == (0, 20, 15)
    assert state.outcome().winners == (1,)
    assert state.parts(0) == {"start": 1, "placed": -3, "collected": 0, "arrows": 0, "loan": 2}


def test_a_column_filled_on_a_loan_that_cannot_be_paid_back_still_costs_the_others():
    state = take(table((0, 9, 9), {1: 3}), 1, 2, 3, 4, 5)
    assert state.scores() == (0, 8, 8), "-1 +5 -2 -1 -1 -1 leaves one chip unpaid"
    assert state.parts(0)["loan"] == 1
    assert state.outcome().winners == (1, 2)


def test_more_than_five_to_lend_lays_chips_until_the_loan_is_used_up():
    state = take(table((1, 20)), 1, 2, 3, 3, 4)
    assert sum(step.lent for step in state.last_steps) == 5
    assert sum(step.own for step in state.last_steps) == 6
    assert state.scores() == (0, 20)
    assert state.outcome().winners == (1,)
    assert state.parts(0)["loan"] == 5


def test_the_loan_may_end_in_the_middle_of_a_space_for_two():
    state = take(table((0, 20)), 1, 1, 1, 2, 2)
    assert sum(state.chips.lying) == 5
    assert sum(step.unpaid for step in state.last_steps) == 1
    assert state.chips.hands[0] == 0


def test_zero_at_the_end_of_the_own_turn_ends_the_game_at_once():
    state = take(table((20, 3, 21), turn=1), 3, 3, 3, 6, 6)
    assert state.outcome().scores == (20, 0, 21)
    assert state.outcome().winners == (2,)
    assert state.throw() is None
    assert state.asked() == {}
    with pytest.raises(IllegalEvent):
        roll(state, 1, 2, 3, 4, 5)


def test_zero_through_anothers_arrow_does_not_end_the_game():
    state = take(table((20, 3, 20), {5: 7}), 5, 6, 6, 6, 6)
    assert state.scores() == (27, 0, 17)
    assert state.outcome() is None
    assert state.throw() == Throw(1, ("pip",) * 5)


def test_nothing_at_the_start_and_only_sixes_ends_the_game():
    state = take(table((20, 0), turn=1), 6, 6, 6, 6, 6)
    assert state.outcome().winners == (0,)


def test_nothing_at_the_start_and_a_yellow_space_ends_the_game():
    assert take(table((0, 20), {4: 3}), 4, 6, 6, 6, 6).outcome().winners == (1,)


# -- the order of placing --------------------------------------------------------------------------


def test_the_column_that_will_be_full_comes_first():
    state = take(table((1, 20), {5: 7}), 1, 3, 4, 5, 6)
    assert state.last_steps[0].value == 5
    assert sum(step.lent for step in state.last_steps) == 0
    assert state.scores() == (1 - 1 + 8 - 2 - 1 - 1, 17)


def test_the_cheaper_of_two_columns_to_fill_comes_first():
    state = take(table((1, 20), {3: 3, 5: 7}), 3, 3, 3, 5, 6)
    assert [step.value for step in state.last_steps] == [5, 3, 3, 3]
    assert sum(step.lent for step in state.last_steps) == 0


def test_an_order_within_five_saves_who_would_be_lost_in_another():
    state = take(table((0, 20), {5: 7}), 1, 2, 4, 4, 5)
    assert sum(step.lent for step in state.last_steps) == 1
    assert state.scores() == (8 - 1 - 2 - 2 - 2, 17)
    assert state.outcome() is None


def test_dice_of_a_column_need_not_stay_together():
    board = Board.read("gr:1 9gr:1 ggggr:1 gr:1 gr:1")
    chips = Chips((1, 20), 98, (0, 1, 2, 0, 0), (0, 9, 2, 0, 0))
    placed = place(board, chips, 0, (2, 2, 3, 3, 3))
    assert [step.value for step in placed.steps] == [2, 3, 3, 3, 2], "2 2 and then 3 3 3 would lend two"
    assert placed.peak == 0


def test_of_orders_that_all_lend_too_much_the_one_that_needs_least_is_begun():
    board = Board.read("9gr:1 9gr:1 gr:3 gr:1 gr:1")
    state = take(table((0, 20), {3: 1}, board), 1, 3, 6, 6, 6)
    assert [step.value for step in state.last_steps] == [3, 1], "eight to lend, not ten"
    assert state.scores() == (0, 17)


def test_with_chips_enough_the_order_does_not_matter():
    for seed in range(200):
        chance = Random(seed)
        filled = {value: chance.randrange(len(PRINTED.column(value).spaces)) for value in range(1, 6)}
        state = table((25, 6, 2), filled)
        dice = tuple(chance.choices(range(1, 7), k=5))
        seen = {after.as_seen() for after in turns(heaps(state.chips, PRINTED), 0, dice)}
        assert len(seen) == 1
        assert chips_seen(place(PRINTED, state.chips, 0, dice).chips) in seen


# -- the end ---------------------------------------------------------------------------------------


def test_the_most_chips_win_and_those_on_the_board_count_for_nobody():
    state = take(table((1, 20, 19), {4: 6, 5: 7}), 3, 6, 6, 6, 6)
    assert state.outcome().scores == (0, 20, 19)
    assert state.outcome().winners == (1,)


def test_a_tie_has_several_winners():
    outcome = take(table((1, 20, 20)), 3, 6, 6, 6, 6).outcome()
    assert outcome.winners == (1, 2)
    assert outcome.decided_by == ""


def test_the_round_is_not_finished():
    state = take(table((1, 20, 20)), 3, 6, 6, 6, 6)
    assert state.outcome() is not None


# -- the board -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "each", "pot"), [(2, 25, 80), (3, 22, 64), (4, 20, 50), (5, 18, 40)])
def test_start_chips(seats, each, pot):
    state = start(seats)
    assert state.chips == Chips((each,) * seats, pot)
    assert state.chips.total == 130


def test_what_is_known_of_the_printed_board():
    two = PRINTED.column(2)
    assert (two.spaces[0], two.spaces[3:], two.first, two.arrow) == ("g", "gr", 2, 1)
    assert PRINTED.column(4).spaces[3] == "y"
    assert [PRINTED.column(value).first for value in range(1, 6)] == [2, 2, 1, 1, 1]
    assert {PRINTED.column(value).arrow for value in range(1, 6)} == {1, 2, 3}
    assert len({len(column.spaces) for column in PRINTED.columns}) == 5, "the columns differ in length"


@pytest.mark.parametrize("text", OPTION_VALUES["board"])
def test_a_board_is_read_as_it_is_written(text):
    board = Board.read(text)
    assert str(board) == text
    assert Board.from_toml(board.to_toml()) == board
    assert start(board=text).board == board


def test_a_board_may_stand_on_lines_and_leave_chips_out():
    assert Board.read("2gggr:1\n2ggggr:1\ngggygr:2\ngggyggr:2\ngggygggr:3") == PRINTED
    assert GEIZEN.settings(2, {})["board"] == str(PRINTED)


def test_another_board_is_played():
    state = start(2, board=OWN_BOARD, start_player=1)
    assert state.chips == Chips((12, 12), 36)
    state = take(state, 1, 1, 1, 2, 2)
    assert state.scores() == (12 - 2 - 1, 12 - 2 + 3 - 3 + 3)
    assert state.chips.lying == (0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a board has five columns, not 0"),
        ("gr:1 gr:1 gr:1 gr:1", "a board has five columns, not 4"),
        ("gr:1 gr:1 gr:1 gr:1 gr:1 gr:1", "a board has five columns, not 6"),
        ("gr:1 gr:1 gxr:1 gr:1 gr:1", "column 3 has a space “x”"),
        ("gr:1 gr:1 ggg:1 gr:1 gr:1", "column 3 needs one red space, the last"),
        ("gr:1 gr:1 grr:1 gr:1 gr:1", "column 3 needs one red space, the last"),
        ("gr:1 gr:1 gr:1 r:1 gr:1", "column 4 has 1 spaces"),
        (f"gr:1 gr:1 gr:1 {'g' * 12}r:1 gr:1", "column 4 has 13 spaces; it needs 2 to 12"),
        ("gr:0 gr:1 gr:1 gr:1 gr:1", "column 1: arrow is 1 to 9, not 0"),
        ("gr:1 gr:10 gr:1 gr:1 gr:1", "column 2: arrow is 1 to 9, not 10"),
        ("0gr:1 gr:1 gr:1 gr:1 gr:1", "column 1: first is 1 to 9, not 0"),
        ("nonsense", "“nonsense” is no column"),
        ("gr:1 gr:1 gr:1 gr:1 gr:1 start:1,2,3", "four numbers"),
        ("gr:1 gr:1 gr:1 gr:1 gr:1 start:9,0,9,9", "3 players start with 0 chips"),
        ("gr:1 gr:1 gr:1 gr:1 gr:1 start:25,25,25,27", "5 players with 27 chips each are more than the 130"),
        ("gr:1 gr:1 gr:1 gr:1 gr:1 chips:0", "1 to 999 chips, not 0"),
        ("gr:1 gr:1 gr:1 gr:1 gr:1 chips:1,2", "takes one number"),
        ("gr:1 gr:1 gr:1 gr:1 gr:1 chips:200 chips:100", "is there twice"),
        ("gr:1 gr:1 gr:1 gr:1 gr:" + "9" * 9999, "is no column"),
    ],
)
def test_boards_that_cannot_be(text, sentence):
    with pytest.raises(IllegalOption, match=sentence):
        start(board=text)


def test_the_example_file_is_the_shipped_board():
    assert Board.from_toml(example()) == PRINTED


def test_what_an_owner_leaves_out_stays_as_printed():
    columns = "".join(f'[column.{v}]\nspaces = ["yellow", "red"]\narrow = 1\n' for v in range(1, 6))
    assert Board.from_toml(columns) == Board((Column("yr", 1, 1),) * 5)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("chips = 130", "chips = 80", "line 3: 5 players with 18 chips each are more than the 80"),
        ("chips = 130", "chips = 1000", "line 4: a game has 1 to 999 chips, not 1000"),
        ("chips = 130", 'chips = "many"', "line 4: “chips” must be a number, not 'many'"),
        ("chips = 130", "chips = true", "line 4: “chips” must be a number, not True"),
        ("chips = 130", "chip = 130", "line 4: “chip” is not known here: write start, chips, column"),
        ("[25, 22, 20, 18]", "[25, 22, 20]", "line 3: the start chips are four numbers"),
        ("[25, 22, 20, 18]", '[25, 22, 20, "x"]', "line 3: “start” must be a list of four numbers"),
        ("[25, 22, 20, 18]", "[25, 22, 20, 18", "line 4: "),
        ("[column.1]", "[column.one]", "line 6: “one” is not known here: write 1, 2, 3, 4, 5"),
        ("[column.1]", "[columns.1]", "line 6: “columns” is not known here"),
        ("first = 2  # chips", "frist = 2  # chips", "line 8: “frist” is not known here"),
        ("arrow = 3", "arrow = 12", "line 29: column 5: arrow is 1 to 9, not 12"),
        ("arrow = 3", "arow = 3", "line 29: “arow” is not known here"),
        ("arrow = 3", "", "line 26: “column.5.arrow” is missing: a number"),
        ('"green", "red"', '"green", "blue"', "line 7: column 1 has a space 'blue'"),
        ('"green", "red"', '"green"', "line 7: column 1 needs one red space, the last"),
        ('"green", "red"', '"red", "red"', "line 7: column 1 needs one red space, the last"),
        ("first = 2", "first = 0", "line 8: column 1: first is 1 to 9, not 0"),
        ("arrow = 1", "arrow = = 1", "line 9: "),
    ],
)
def test_a_file_that_cannot_be_names_its_line(old, new, sentence):
    text = example()
    assert old in text
    with pytest.raises(IllegalOption) as problem:
        Board.from_toml(text.replace(old, new, 1))
    assert str(problem.value).startswith(sentence)


def test_a_missing_column_names_the_line_of_the_columns():
    text = example()
    with pytest.raises(IllegalOption, match=r"^line 6: “column\.5” is missing"):
        Board.from_toml(text[: text.index("[column.5]")])


# -- a pot that runs dry ---------------------------------------------------------------------------


def test_an_empty_pot_pays_nothing_and_it_is_said():
    board = Board.read("ggyr:1 gr:1 gr:1 gr:1 gr:1 start:5,4,3,2 chips:12")
    state = table((5, 5), {1: 2}, board)
    assert state.chips.pot == 0
    state = take(state, 1, 6, 6, 6, 6)
    assert (state.chips.filled[0], state.chips.lying[0]) == (3, 2)
    assert state.last_steps[0].unpaid == 1
    assert "space 3 (1 short: nobody could pay)" in str(state)
    state = take(state, 1, 6, 6, 6, 6)
    assert state.scores() == (5 - 1, 5 - 1 + 3)


def test_an_empty_pot_lends_nothing():
    board = Board.read("gggggr:1 gr:1 gr:1 gr:1 gr:1 start:5,3,2,2 chips:10")
    state = take(table((1, 9), board=board), 1, 1, 6, 6, 6)
    assert sum(step.lent for step in state.last_steps) == 0
    assert state.outcome().scores == (0, 9)


def test_the_pot_never_runs_dry_on_the_printed_board():
    lowest = min(
        step.state.chips.pot
        for seed in range(60)
        for step in play(GEIZEN, {}, [BOTS["random"]] * 5, Random(seed))
    )
    assert lowest >= 30


# -- the whole -------------------------------------------------------------------------------------


def heaps(chips, board):
    """The chips as a real table has them, every taken space with its heap (all that lies on the last)."""
    columns = [
        [0] * (filled - 1) + [lying] if filled else []
        for filled, lying in zip(chips.filled, chips.lying, strict=True)
    ]
    return Table(board, chips.hands, chips.pot, columns)


def chips_seen(chips):
    return chips.hands, chips.pot, chips.lying


@pytest.mark.parametrize("board", OPTION_VALUES["board"])
@pytest.mark.parametrize("seats", GEIZEN.seats)
def test_random_games_agree_with_a_table_laid_chip_by_chip(seats, board):
    for seed in range(10):
        state = start(seats, board=board)
        kept = []
        for step in play(GEIZEN, {"board": board}, [BOTS["random"]] * seats, Random(seed)):
            conserved(step.state)
            if isinstance(step.event, Chose):
                kept += map(int, str(step.event.choice).split()[1:])
                if len(kept) == 5:
                    possible = turns(heaps(state.chips, state.board), step.event.seat, kept)
                    assert chips_seen(step.state.chips) in {after.as_seen() for after in possible}
                    kept = []
            for seat in range(seats):
                assert sum(step.state.parts(seat).values()) == step.state.scores()[seat]
            state = step.state
        assert state.outcome().scores[state.last_seat] == 0


def test_the_dry_board_of_the_random_games_does_run_dry():
    pots = {
        step.state.chips.pot
        for seed in range(10)
        for step in play(GEIZEN, {"board": DRY_BOARD}, [BOTS["random"]] * 5, Random(seed))
    }
    assert 0 in pots


def test_drawn_as_text():
    state = take(table((20, 20), {2: 4, 4: 3}), 2, 4, 5, 6, 6)
    assert str(keep(roll(state, 1, 2, 3, 4, 6), 6)).splitlines() == [
        "1  gg g g r            arrow 1, lying 0",
        "2  gg g g g r          arrow 1, lying 0",
        "3  g g g y g r         arrow 2, lying 0",
        "4  ● ● ● ● g g r       arrow 2, lying 4",
        "5  ● g g y g g g r     arrow 3, lying 1",
        "pot  82",
        "  0  24 chips",
        "▸ 1  19 chips",
        "seat 0 laid  2: space 5 own 1, takes 6, the others pay 1; 4: space 4 pot 1; 5: space 1 own 1",
        "kept  6",
    ]
