"""Regenwormen: every figure of the booklet, every ruling, each option in both positions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.dice import Die
from companion.games.core import Chose, IllegalChoice, IllegalRoll, Rolled
from companion.games.regenwormen import REGENWORMEN, TILES, WORMS


def start(seats=2, **options):
    return REGENWORMEN.start(seats, options)


def rolled(state, faces):
    """Roll faces written as `w w 4 4 1`."""
    names = {"w": "worm"}
    return state.apply(Rolled(tuple(Die("worm", names.get(f, f)) for f in faces.split())))


def choose(state, text, seat=None):
    seat = state.turn if seat is None else seat
    return state.apply(Chose(seat, state.find(seat, text)))


def legal(state):
    return [str(choice) for choice in state.legal(state.turn)]


def with_aside(state, *aside):
    return replace(state, aside=aside)


def row(state, *tiles):
    return replace(state, row=tiles)


def test_setup_sixteen_tiles_open_and_eight_dice():
    state = start(3)
    assert state.row == TILES == tuple(range(21, 37))
    assert state.throw().kinds == ("worm",) * 8
    assert not state.asked()


def test_afb_2_worms_on_the_tiles():
    assert [WORMS[t] for t in (21, 24, 25, 28, 29, 32, 33, 36)] == [1, 1, 2, 2, 3, 3, 4, 4]


def test_afb_3_three_rolls_and_their_subtotals():
    state = rolled(start(), "w w 1 2 3 3 4 5")
    state = choose(state, "aside worm")
    assert state.total == 10
    assert state.throw().kinds == ("worm",) * 6
    state = rolled(state, "4 4 w w w 1")
    assert "aside worm" not in legal(state)
    state = choose(state, "aside 4")
    assert state.total == 18
    state = rolled(state, "5 w 4 4")
    assert legal(state) == ["aside 5"]
    state = choose(state, "aside 5")
    assert state.total == 23
    assert len(state.throw().kinds) == 3


def test_afb_4a_tile_24_from_the_row():
    state = with_aside(start(), ("worm", 2), ("4", 2), ("2", 3))
    assert state.total == 24
    assert legal(state) == ["take 24"]
    after = choose(state, "take 24")
    assert after.stacks == ((24,), ())
    assert 24 not in after.row
    assert after.turn == 1


def test_afb_4b_tile_21_from_mariannes_stack():
    state = row(replace(start(), stacks=((), (30, 21))), *range(22, 30))
    state = with_aside(state, ("worm", 2), ("4", 1), ("1", 2), ("5", 1))
    assert state.total == 21
    assert legal(state) == ["steal 21"]
    assert choose(state, "steal 21").stacks == ((21,), (30,))


def test_afb_4c_own_23_and_22_gone_gives_21():
    state = row(replace(start(), stacks=((23,), (22,))), 21, 24, 25)
    state = with_aside(state, ("worm", 4), ("3", 1))
    assert legal(state) == ["take 21"]


def test_afb_4d_31_30_29_gone_gives_28():
    state = row(replace(start(), stacks=((29, 30), (31, 36))), *range(21, 29), 32)
    state = with_aside(state, ("worm", 5), ("3", 2))
    assert state.total == 31
    assert legal(state) == ["take 28"]


def test_afb_4e_steal_26_or_take_25():
    state = row(replace(start(), stacks=((), (26,))), 24, 25, 27)
    state = with_aside(state, ("worm", 5), ("1", 1))
    assert legal(state) == ["steal 26", "take 25"]
    assert choose(state, "take 25").stacks == ((25,), (26,))


def test_afb_5_a_covered_tile_is_safe():
    state = row(replace(start(), stacks=((), (26, 28))), 22)
    state = with_aside(state, ("worm", 5), ("1", 1))
    assert legal(state) == ["take 22"]


def test_afb_6a_fourth_roll_only_known_symbols():
    state = with_aside(replace(start(), stacks=((25,), ())), ("worm", 2), ("4", 2), ("5", 1))
    state = rolled(row(state, *[t for t in TILES if t != 25]), "w 4 5")
    assert state.throw() is None
    assert state.asked() == {0: "stop"}
    assert legal(state) == ["stop"]
    after = choose(state, "stop")
    assert after.stacks == ((), ())
    assert after.turned == (36,)


def test_afb_6b_31_without_a_worm():
    state = with_aside(start(), ("5", 5), ("3", 2))
    assert state.total == 31
    assert legal(state) == ["stop"]


def test_afb_6c_no_lower_tile():
    state = row(replace(start(), stacks=((25,), ())), 26, 30)
    state = with_aside(state, ("worm", 4), ("3", 1), ("1", 2))
    assert state.total == 25
    assert legal(state) == ["stop"]
    after = choose(state, "stop")
    assert after.row == (25, 26)
    assert after.turned == (30,)


def test_afb_7a_highest_tile_34_is_turned():
    state = row(replace(start(), stacks=((30,), ())), 21, 34)
    after = choose(with_aside(state, ("1", 2)), "stop")
    assert after.row == (21, 30)
    assert after.turned == (34,)


def test_afb_7b_returned_30_is_highest_and_stays_open():
    state = row(replace(start(), stacks=((30,), ())), 21, 28)
    after = choose(with_aside(state, ("1", 2)), "stop")
    assert after.row == (21, 28, 30)
    assert after.turned == ()


def test_variant_short_game_turns_even_the_returned_tile():
    state = row(replace(start(short_game=True), stacks=((30,), ())), 21, 28)
    after = choose(with_aside(state, ("1", 2)), "stop")
    assert after.row == (21, 28)
    assert after.turned == (30,)


@pytest.mark.parametrize(("option", "turned"), [("nothing", ()), ("turn", (36,))])
def test_failing_without_a_tile(option, turned):
    state = with_aside(start(fail_without_tile=option), ("1", 2))
    assert choose(state, "stop").turned == turned


@pytest.mark.parametrize(("option", "choices"), [("highest", ["take 28"]), ("any", ["take 28", "take 21"])])
def test_lower_tile(option, choices):
    state = row(start(lower_tile=option), 21, 28, 36)
    assert legal(with_aside(state, ("worm", 6))) == choices


def test_total_above_36_takes_a_lower_tile():
    assert legal(with_aside(start(), ("worm", 8))) == ["take 36"]


def test_exact_tile_open_excludes_lower_ones_even_with_any_lower():
    state = with_aside(start(lower_tile="any"), ("worm", 5))
    assert legal(state) == ["take 25"]


def test_exact_tile_face_down_counts_as_gone():
    state = replace(start(), row=(21, 22), turned=(36,), stacks=((), ()))
    assert legal(with_aside(state, ("worm", 6), ("3", 2))) == ["take 22"]


def test_after_setting_aside_a_throw_and_take_are_open_at_once():
    state = with_aside(start(), ("worm", 5))
    assert state.throw().kinds == ("worm",) * 3
    assert state.asked() == {0: "take"}


def test_after_setting_aside_a_throw_and_stop_are_open_at_once():
    state = with_aside(start(), ("1", 2))
    assert state.throw() is not None
    assert state.asked() == {0: "stop"}


def test_turn_ends_by_force_at_eight_dice():
    state = with_aside(start(), ("worm", 4), ("1", 4))
    assert state.throw() is None
    assert state.asked() == {0: "take"}


def test_turn_ends_by_force_at_six_symbols_though_dice_remain():
    state = with_aside(start(), *((s, 1) for s in ("1", "2", "3", "4", "5", "worm")))
    assert state.dice_left == 2
    assert state.throw() is None


def test_a_worm_is_not_a_five():
    state = rolled(with_aside(start(), ("5", 1)), "w w 5 5 1 1 1")
    assert legal(state) == ["aside 1", "aside worm"]


def test_all_dice_with_the_symbol_are_set_aside():
    assert choose(rolled(start(), "3 3 3 1 1 2 4 5"), "aside 3").aside == (("3", 3),)


def test_a_symbol_that_was_not_rolled_cannot_be_chosen():
    with pytest.raises(IllegalChoice):
        choose(rolled(start(), "3 3 3 1 1 2 4 5"), "aside worm")


def test_the_wrong_number_of_dice_is_refused():
    with pytest.raises(IllegalRoll):
        rolled(start(), "3 3")


def test_game_ends_when_the_row_is_empty_and_most_worms_win():
    state = row(replace(start(), stacks=((36,), (21, 22, 23))), 24)
    after = choose(with_aside(state, ("worm", 4), ("4", 1)), "take 24")
    outcome = after.outcome()
    assert outcome.scores == (5, 3)
    assert outcome.winners == (0,)
    assert after.throw() is None


def test_tie_goes_to_the_single_highest_tile():
    state = replace(start(), stacks=((21, 30), (33,)), row=())
    assert state.outcome().winners == (1,)
    assert state.outcome().decided_by == "highest tile"


def test_nobody_with_a_tile_is_a_shared_win():
    assert replace(start(), row=()).outcome().winners == (0, 1)


def test_short_game_with_turning_can_end_on_a_failed_turn():
    state = row(start(fail_without_tile="turn"), 21)
    assert choose(with_aside(state, ("1", 2)), "stop").outcome() is not None


def test_start_player_and_clockwise_order():
    state = start(3, start_player=2)
    assert state.throw().seat == 2
    assert choose(with_aside(state, ("worm", 5)), "take 25").throw().seat == 0
