"""Clever: every ruling and exception, each option in both positions."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from companion.dice import Die
from companion.games.clever.choices import Extra
from companion.games.clever.rules import rating
from companion.games.clever.sheet import DICE
from companion.games.core import Chose, IllegalChoice, IllegalRoll, Rolled
from tests.games import clever_recount
from tests.games.clever_table import (
    FULL,
    LOW,
    YELLOW_PLACES,
    choose,
    legal,
    roll,
    served,
    sheet,
    solo_passive,
    start,
    third_throw,
    with_sheet,
)

# ---- rulings: the active player ----------------------------------------------------------------------


def test_ruling_active_must_choose():
    state = roll(start(2), "white 4 yellow 1 blue 2 green 1 orange 1 purple 1")
    assert state.throw() is None
    assert {text.split()[0] for text in legal(state)} == {"pick", "reroll"}


@pytest.mark.parametrize("option", [False, True])
def test_option_wasted_pick(option):
    state = with_sheet(start(2, wasted_pick=option), green=4, purple=(5,))
    state = roll(state, LOW)
    assert [text for text in legal(state) if text.startswith("waste")] == (
        ["waste green", "waste purple"] if option else []
    )
    assert "pass" not in legal(state)


def test_a_wasted_die_is_placed_and_lower_ones_go_to_the_tray():
    state = with_sheet(start(2, wasted_pick=True), yellow=YELLOW_PLACES)
    was = sheet(state)
    state = choose(roll(state, LOW), "waste yellow")
    assert sheet(state) == was
    assert state.placed == ("yellow",)
    assert state.tray == ("green", "purple")
    assert state.throw().kinds == ("white", "blue", "orange")


def test_wasted_pick_beside_passing_when_nothing_is_usable():
    state = third_throw(
        with_sheet(start(2, wasted_pick=True), purple=(5,)),
        LOW,
        ("white", "orange"),
        ("yellow", "blue", "green"),
    )
    assert legal(state) == ["pass", "waste purple", "reroll"]


def test_speciale_situatie_only_a_low_purple_die_left_enters_nothing():
    state = with_sheet(start(2), purple=(5,), rerolls=0)
    state = third_throw(state, LOW, ("white", "orange"), ("yellow", "blue", "green"))
    assert legal(state) == ["pass"]
    was = sheet(state)
    state = choose(state, "pass")
    assert sheet(state) == was
    assert set(state.tray) == {"yellow", "blue", "green", "purple"}
    assert state.asked() == {1: "pick"}


def test_ruling_active_no_usable_die_the_roll_counts_and_the_same_dice_roll_again():
    state = roll(with_sheet(start(2), **FULL), LOW)
    for rolls in (1, 2):
        assert state.rolls == rolls
        state = choose(state, "pass")
        assert state.placed == state.tray == ()
        assert set(state.throw().kinds) == set(DICE)
        state = roll(state, LOW)
    state = choose(state, "pass")
    assert state.placed == ()
    assert set(state.tray) == set(DICE)
    assert state.asked() == {1: "pick"}


def test_ruling_a_reroll_may_be_spent_first_when_nothing_is_usable():
    state = roll(with_sheet(start(2), **FULL), LOW)
    assert legal(state) == ["pass", "reroll"]
    state = choose(state, "reroll")
    assert state.rolls == 1
    assert set(state.throw().kinds) == set(DICE)


def test_ruling_tray_comparison_own_face_strictly_lower():
    state = choose(roll(start(2), "white 3 yellow 3 blue 2 green 4 orange 3 purple 2"), "pick white blue 5")
    assert state.tray == ("blue", "purple")
    assert state.throw().kinds == ("yellow", "green", "orange")
    state = choose(roll(start(2), "white 6 yellow 3 blue 2 green 1 orange 2 purple 5"), "pick blue 8")
    assert state.tray == ("green",)
    assert set(state.throw().kinds) == {"white", "yellow", "orange", "purple"}


def test_the_lowest_die_sends_nothing_to_the_tray():
    state = choose(roll(start(2), LOW), "pick green")
    assert state.tray == ()
    assert len(state.throw().kinds) == 5


def test_let_op_a_high_die_too_early_leaves_fewer_throws():
    state = choose(roll(start(2), "white 1 yellow 1 blue 1 green 1 orange 6 purple 2"), "pick orange 6")
    assert state.throw() is None
    assert state.placed == ("orange",)
    assert len(state.tray) == 5
    assert state.asked() == {1: "pick"}


def test_ruling_tray_size_three_to_six():
    state = third_throw(start(2), "white 6 yellow 6 blue 6 green 6 orange 6 purple 6", ("white", "green"))
    state = choose(state, "pick purple 6")
    assert len(state.tray) == 3


def test_dice_on_the_tray_are_not_rolled_again():
    state = choose(roll(start(2), "white 6 yellow 3 blue 2 green 1 orange 2 purple 5"), "pick blue 8")
    with pytest.raises(IllegalRoll):
        roll(state, "white 6 yellow 3 green 1 orange 2 purple 5")


def test_ruling_reroll_all_dice_just_rolled_as_often_as_actions_last():
    state = with_sheet(start(2), rerolls=2)
    state = choose(roll(state, "white 6 yellow 3 blue 2 green 1 orange 2 purple 5"), "pick blue 8")
    state = roll(state, "white 1 yellow 1 orange 1 purple 1")
    for _ in range(2):
        state = choose(state, "reroll")
        assert set(state.throw().kinds) == {"white", "yellow", "orange", "purple"}
        assert state.rolls == 2
        state = roll(state, "white 1 yellow 1 orange 2 purple 1")
    assert sheet(state).rerolls_used == 2
    assert "reroll" not in legal(state)


def test_ruling_reroll_unlocked_in_the_same_turn():
    state = with_sheet(start(2), rerolls=0, orange=(1, 1))
    state = roll(state, "white 2 yellow 2 blue 2 green 2 orange 1 purple 2")
    assert "reroll" not in legal(state)
    state = choose(state, "pick orange 1")
    state = roll(state, "white 2 yellow 2 blue 2 green 2 purple 2")
    assert "reroll" in legal(state)


def test_ruling_blue_white_sum_wherever_they_lie_and_twice_a_turn():
    state = roll(start(2), "white 2 yellow 2 blue 5 green 6 orange 6 purple 6")
    assert [text for text in legal(state) if " blue " in text] == ["pick white blue 7", "pick blue 7"]
    state = choose(state, "pick blue 7")
    assert "white" in state.tray
    state = roll(with_sheet(start(2), rerolls=0), "white 2 yellow 2 blue 5 green 6 orange 6 purple 6")
    state = choose(state, "pick white blue 7")
    state = roll(state, "yellow 2 blue 6 green 6 orange 6 purple 6")
    state = choose(state, "pick blue 8")
    assert sheet(state).blue == {7, 8}


def test_a_blue_sum_already_crossed_makes_the_blue_die_useless():
    state = roll(
        with_sheet(start(2), blue=frozenset({7})), "white 2 yellow 2 blue 5 green 6 orange 6 purple 6"
    )
    assert not [text for text in legal(state) if "blue" in text]


def test_one_die_marks_one_field():
    state = choose(roll(start(2), LOW), "pick yellow 2 row 2")
    assert clever_recount.marks(sheet(state)) == 1


# ---- rulings: bonuses --------------------------------------------------------------------------------


def test_ruling_bonus_immediate_before_the_next_throw():
    state = with_sheet(start(2), green=5)
    state = choose(roll(state, LOW), "pick green")
    assert state.asked() == {0: "bonus"}
    assert state.throw() is None
    assert {text.split()[1] for text in legal(state)} == {"blue"}
    state = choose(state, "bonus blue 12")
    assert state.throw() is not None
    assert sheet(state).blue == {12}


def test_green_x_ignores_the_threshold():
    state = with_sheet(start(2), green=10, yellow=frozenset({8, 10}))
    state = choose(roll(state, "white 1 yellow 4 blue 1 green 1 orange 1 purple 1"), "pick yellow 4 row 3")
    assert sheet(state).green == 11


def test_orange_bonus_numbers_are_multiplied():
    state = with_sheet(start(2), orange=(1,) * 10, yellow=frozenset({4, 5}))
    state = choose(roll(state, "white 1 yellow 5 blue 1 green 1 orange 1 purple 1"), "pick yellow 5 row 2")
    assert sheet(state).orange[-1] == 12


def test_purple_6_bonus_after_anything():
    state = with_sheet(start(2), purple=(5, 6), blue=frozenset({3, 7}))
    state = choose(roll(state, "white 5 yellow 1 blue 6 green 1 orange 1 purple 1"), "pick blue 11")
    assert sheet(state).purple == (5, 6, 6)


def test_bonuses_chain():
    """Yellow row 2 writes an orange 4 in the fifth field, whose yellow cross ends row 3, whose green cross
    is the sixth, whose blue cross ends the column of the re-roll."""
    state = with_sheet(
        start(2), yellow=frozenset({4, 5, 8, 10}), orange=(1,) * 4, green=5, blue=frozenset({5}), rerolls=0
    )
    state = choose(roll(state, "white 6 yellow 5 blue 6 green 6 orange 6 purple 6"), "pick yellow 5 row 2")
    assert sheet(state).orange == (1, 1, 1, 1, 4)
    state = choose(state, "bonus yellow 4 row 3")
    assert sheet(state).green == 6
    state = choose(state, "bonus blue 9")
    assert sheet(state).rerolls == 1
    assert not state.asked()
    assert len(state.throw().kinds) == 5


SIX = "white 4 yellow 6 blue 2 green 6 orange 6 purple 6"


@pytest.mark.parametrize("first", ["bonus yellow 4 row 3", "bonus green"])
def test_ruling_bonus_order_is_the_players(first):
    """Blue 6 ends a row (yellow cross) and a column (green cross) at once."""
    state = with_sheet(start(2), blue=frozenset({2, 10, 5, 7, 8}))
    state = choose(roll(state, SIX), "pick blue 6")
    assert state.asked() == {0: "bonus"}
    assert len(legal(state)) == 12 + 1
    state = choose(state, first)
    if first == "bonus green":
        assert len(legal(state)) == 12
        state = choose(state, "bonus yellow 4 row 3")
    assert (sheet(state).yellow, sheet(state).green) == ({11}, 1)
    assert not state.asked()


def test_bonus_order_can_matter():
    """Blue 2 gives an orange 5 and a green cross; the cross leads over a purple 6 to an orange 6, and the
    next orange field is a double one."""
    state = with_sheet(start(2), blue=frozenset({3, 4, 6, 10}), green=8, purple=(6,) * 9, orange=(1, 1, 1))
    state = choose(roll(state, "white 1 yellow 6 blue 1 green 6 orange 6 purple 6"), "pick blue 2")
    assert legal(state) == ["bonus orange 10", "bonus green"]
    assert sheet(choose(state, "bonus orange 10")).orange[3:] == (10, 6)
    state = choose(choose(state, "bonus green"), "bonus purple 6")
    assert legal(state) == ["bonus orange 10", "bonus orange 12"]
    state = choose(state, "bonus orange 12")
    assert sheet(state).orange[3:5] == (12, 5)
    assert sheet(state).purple == (6,) * 10


def test_a_chain_is_told_mark_by_mark():
    state = with_sheet(start(2), yellow=frozenset({4, 5}), orange=(1, 2, 3))
    state = roll(state, "white 6 yellow 5 blue 1 green 1 orange 1 purple 1")
    state = choose(state, "pick yellow 5 row 2")
    told = [(str(m.field), m.points, [str(b) for b in m.fired]) for m in state.players[0].chain()]
    assert told == [("yellow 5 row 2", 0, ["orange 4"]), ("orange 8", 8, [])]
    assert state.players[1].chain() == ()


def test_two_numbers_in_either_order():
    """Blue 3 gives an orange 5 and a purple 6."""
    state = with_sheet(start(2), blue=frozenset({2, 4, 7, 11}))
    state = choose(roll(state, "white 1 yellow 6 blue 2 green 6 orange 6 purple 6"), "pick blue 3")
    assert legal(state) == ["bonus orange 5", "bonus purple 6"]
    assert choose(state, "bonus orange 5") == choose(state, "bonus purple 6")
    assert (sheet(choose(state, "bonus orange 5")).orange, sheet(state).purple) == ((5,), ())


def test_yellow_row_and_diagonal_by_one_mark():
    state = with_sheet(start(2), yellow=frozenset({0, 5, 10, 13, 14}))
    state = choose(roll(state, "white 1 yellow 6 blue 1 green 1 orange 1 purple 1"), "pick yellow 6 row 4")
    assert (sheet(state).foxes, sheet(state).extras) == (1, 1)


def test_a_bonus_is_lost_only_when_its_area_is_full():
    sixes = "white 6 yellow 4 blue 6 green 6 orange 6 purple 6"
    full = with_sheet(start(2), green=11, yellow=frozenset({8, 10}))
    state = choose(roll(full, sixes), "pick yellow 4 row 3")
    assert not state.asked()
    assert sheet(state).green == 11
    nearly = with_sheet(start(2), yellow=YELLOW_PLACES - {0}, orange=(1,) * 4)
    state = choose(roll(nearly, sixes), "pick orange 6")
    assert sheet(state).yellow == YELLOW_PLACES


def test_a_bonus_cannot_be_kept_for_later():
    state = with_sheet(start(2), green=5)
    state = choose(roll(state, LOW), "pick green")
    with pytest.raises(IllegalChoice):
        choose(state, "done")


# ---- rulings: passive players ------------------------------------------------------------------------


@pytest.mark.parametrize("option", [False, True])
def test_option_passive_skip_and_ruling_passive_mandatory(option):
    state = served(passive_skip=option)
    picks = ["pick yellow 2 row 2", "pick yellow 2 row 3", "pick blue 5", "pick green"]
    assert legal(state, 1) == ([*picks, "skip"] if option else picks)
    if option:
        was = sheet(state, 1)
        state = choose(state, "skip", 1)
        assert sheet(state, 1) == was
        assert state.throw().seat == 1


def test_ruling_passive_same_die_in_any_order():
    state = served(4)
    answers = {1: "pick green", 2: "pick green", 3: "pick blue 5"}
    assert set(state.asked()) == set(answers)
    ends = []
    for order in permutations(answers):
        after = state
        for seat in order:
            after = choose(after, answers[seat], seat)
        ends.append(after)
    assert all(end == ends[0] for end in ends)
    assert [sheet(ends[0], seat).green for seat in range(4)] == [0, 1, 1, 0]


STUCK = {"yellow": YELLOW_PLACES, "blue": frozenset({5}), "green": 1}
"""A sheet for which nothing on the tray of `served` is usable."""


def stuck(seats=2, **marks):
    state = third_throw(
        with_sheet(start(seats), 1, **{**STUCK, **marks}),
        "white 3 yellow 2 blue 2 green 1 orange 5 purple 6",
        ("white", "orange"),
        ("yellow", "blue", "green"),
    )
    return choose(state, "pick purple 6")


def test_ruling_passive_fallback_to_the_active_players_dice():
    state = stuck()
    assert legal(state, 1) == [
        "pick white green",
        "pick white orange 3",
        "pick white purple 3",
        "pick orange 5",
        "pick purple 6",
        "skip",
    ]
    assert sheet(choose(state, "pick orange 5", 1), 1).orange == (5,)


def test_ruling_passive_fallback_is_optional_without_any_option():
    state = choose(stuck(), "skip", 1)
    assert state.throw().seat == 1


def test_ruling_passive_without_any_usable_die_is_not_asked():
    state = stuck(green=11, orange=(1,) * 11, purple=(6,) * 11)
    assert not state.asked()
    assert state.throw().seat == 1


def test_ruling_passive_fallback_solo_does_not_exist():
    state = with_sheet(start(), yellow=YELLOW_PLACES, green=10, blue=frozenset({7}))
    state = roll(solo_passive(state), "yellow 1 green 1 blue 2 white 5 orange 6 purple 6")
    assert not state.asked()
    assert (state.round, state.stage) == (2, "active")


# ---- rulings: extra dice -----------------------------------------------------------------------------


def test_ruling_extra_die_window_of_a_passive_player_after_the_tray_die():
    state = with_sheet(served(), 1, extras=1)
    assert not [text for text in legal(state, 1) if text.startswith("extra")]
    state = choose(state, "pick green", 1)
    assert state.asked() == {1: "extra"}
    state = with_sheet(state, 1, green=0)
    assert {choice.die for choice in state.legal(1) if isinstance(choice, Extra)} == set(DICE)
    assert legal(state, 1)[-1] == "done"
    state = choose(state, "done", 1)
    assert sheet(state, 1).extras_used == 0
    assert state.throw().seat == 1


def test_ruling_extra_die_window_after_finding_no_usable_die():
    state = stuck(orange=(1,) * 11, purple=(6,) * 11, extras=1, blue=frozenset({5}), green=3)
    assert state.asked() == {}
    state = stuck(orange=(1,) * 10, purple=(6,) * 11, extras=1, green=11)
    assert "skip" in legal(state, 1)
    state = choose(state, "skip", 1)
    assert state.asked() == {1: "extra"}
    assert legal(state, 1) == ["extra white orange 9", "extra orange 15", "done"]


def test_ruling_extra_die_each_die_at_most_once_a_turn_then_again_next_turn():
    state = with_sheet(served(), 1, extras=3)
    state = choose(choose(state, "pick green", 1), "extra orange 5", 1)
    assert not [text for text in legal(state, 1) if text.startswith("extra orange")]
    assert [text for text in legal(state, 1) if text.startswith("extra white orange")]
    state = choose(choose(state, "extra purple 6", 1), "done", 1)
    assert sheet(state, 1).extras_used == 2
    state = third_throw(state, "white 1 yellow 1 blue 1 green 1 orange 5 purple 6", ("white", "yellow"))
    state = choose(state, "pick purple 6", 1)
    assert "extra orange 5" in legal(state, 1)


def test_an_extra_die_won_in_the_window_may_be_used_in_it():
    state = with_sheet(served(), 1, extras=1, green=3)
    state = choose(state, "pick blue 5", 1)
    state = choose(with_sheet(state, 1, purple=(1, 2, 3, 4)), "extra purple 6", 1)
    assert sheet(state, 1).extras == 2
    assert state.asked() == {1: "extra"}


def test_no_extra_action_no_question():
    assert choose(served(), "pick green", 1).throw().seat == 1


def test_the_active_player_uses_extra_dice_before_the_tray_is_served():
    state = third_throw(
        with_sheet(start(2), extras=1),
        "white 3 yellow 2 blue 2 green 1 orange 5 purple 6",
        ("white", "orange"),
        ("yellow", "blue", "green"),
    )
    state = choose(state, "pick purple 6")
    assert state.asked() == {0: "extra"}
    assert state.legal(1) == ()
    state = choose(state, "extra green")
    assert state.asked() == {1: "pick"}


def last_turn(**marks):
    state = replace(start(2), round=6, active=1)
    state = with_sheet(state, 0, **marks)
    state = with_sheet(state, 1, **marks)
    return third_throw(
        state,
        "white 3 yellow 2 blue 2 green 1 orange 5 purple 6",
        ("white", "orange"),
        ("yellow", "blue", "green"),
    )


def test_einde_van_het_spel_everybody_may_use_extra_dice_once_more():
    state = choose(last_turn(extras=1), "pick purple 6", 1)
    state = choose(state, "done", 1)
    state = choose(choose(state, "pick green", 0), "done", 0)
    assert state.asked() == {0: "last", 1: "last"}
    assert state.outcome() is None
    one = choose(choose(state, "extra orange 5", 0), "extra green", 1)
    other = choose(choose(state, "extra green", 1), "extra orange 5", 0)
    assert one == other
    assert one.outcome() is not None
    assert sheet(one, 0).orange == (5,)
    assert sheet(one, 1).green == 1


def test_last_chance_keeps_to_each_die_once_since_the_dice_still_lie():
    state = choose(last_turn(extras=2), "pick purple 6", 1)
    state = choose(choose(state, "extra orange 5", 1), "done", 1)
    state = choose(choose(state, "pick green", 0), "done", 0)
    assert not [text for text in legal(state, 1) if text.startswith("extra orange")]
    assert [text for text in legal(state, 0) if text.startswith("extra orange")]


def test_einde_van_het_spel_rerolls_left_expire():
    state = choose(choose(last_turn(rerolls=3), "pick purple 6", 1), "pick green", 0)
    assert state.outcome() is not None
    assert sheet(state).rerolls_used == 0


def test_ruling_extra_die_solo_passive_but_no_reroll():
    state = roll(
        solo_passive(with_sheet(start(), extras=1)), "orange 3 blue 1 green 5 purple 2 yellow 4 white 4"
    )
    assert not [text for text in legal(state) if not text.startswith("pick")]
    state = choose(state, "pick orange 3")
    assert state.asked() == {0: "extra"}
    assert {choice.die for choice in state.legal(0) if isinstance(choice, Extra)} == set(DICE)


# ---- solo --------------------------------------------------------------------------------------------


def test_solo_six_active_and_six_passive_turns():
    full_throws = []
    state = start()
    chance = Random(5)
    while state.outcome() is None:
        if state.throw():
            if len(state.throw().kinds) == 6 and state.rolls <= 1:
                full_throws.append(state.stage)
            state = state.apply(Rolled(tuple(Die(k, str(chance.randint(1, 6))) for k in state.throw().kinds)))
        else:
            state = state.apply(Chose(0, state.legal(0)[0]))
    assert full_throws == ["active", "passive"] * 6
    assert state.outcome().rating == rating(state.scores()[0])
    assert state.outcome().winners == (0,)


def test_solo_three_lowest_without_a_tie_are_served_unasked():
    state = roll(solo_passive(), "white 6 yellow 1 blue 2 green 3 orange 4 purple 5")
    assert state.tray == ("yellow", "blue", "green")
    assert state.asked() == {0: "pick"}
    state = roll(solo_passive(), "white 6 yellow 1 blue 2 green 2 orange 4 purple 5")
    assert state.asked() == {0: "pick"}


def test_ruling_solo_tray_tie_all_six_equal_asks_three_times_in_any_order():
    state = roll(solo_passive(), "white 2 yellow 2 blue 2 green 2 orange 2 purple 2")
    ends = []
    for order in permutations(("blue", "green", "purple")):
        after = state
        for die in order:
            assert after.asked() == {0: "tray"}
            after = choose(after, f"tray {die}")
        ends.append(after)
    assert all(end == ends[0] for end in ends)
    assert ends[0].asked() == {0: "pick"}


def test_ruling_solo_tray_tie_by_nearness_in_the_order_seen():
    state = roll(solo_passive(), "purple 2 white 5 green 2 blue 2 yellow 2 orange 2", nearest_first=True)
    assert set(state.tray) == {"purple", "green", "blue"}


def test_nearness_means_nothing_in_an_active_throw():
    seen = roll(start(), LOW, nearest_first=True)
    assert seen == roll(start(), LOW)
