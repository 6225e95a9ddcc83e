"""Dicy Cards as the booklet tells it: every card, every worked turn, every ruling."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement, permutations
from random import Random

import pytest

from companion.advice import BOTS, play
from companion.dice import Die, Throw
from companion.games.core import Chose, IllegalChoice, IllegalEvent, IllegalOption, IllegalRoll, Rolled
from companion.games.dicy_cards import CARDS, DICY_CARDS, PRESETS, example, presets, ways, written
from tests.games.dicy_cards_recount import OPTION_VALUES, Pad, may_score


def start(seats=2, **options):
    return DICY_CARDS.start(seats, options)


def roll(state, *faces):
    return state.apply(Rolled(tuple(Die("pip", str(face)) for face in faces)))


def choose(state, *answers):
    """Answers written `seat: text`."""
    for answer in answers:
        seat, _, text = answer.partition(": ")
        state = state.apply(Chose(int(seat), state.find(int(seat), text)))
    return state


def texts(state, seat):
    return [str(choice) for choice in state.legal(seat)]


def scores_of(state, seat):
    return [text for text in texts(state, seat) if text.startswith("score")]


def with_frozen(state, *frozen):
    return replace(state, frozen=tuple(map(frozenset, frozen)))


# -- the twelve cards ------------------------------------------------------------------------------


EXAMPLES = {
    "A1 any two": (1, (4, 5), (1, 1, 1, 1), 9),
    "A2 all six without a 6": (2, (2, 3, 5, 5, 1, 4), (), 20),
    "A3 odd": (3, (1, 1, 5, 5, 3), (2,), 15),
    "A4 straight": (4, (2, 3, 4), (6, 6, 2), 9),
    "A5 two pairs": (5, (6, 6, 3, 3), (1, 2), 18),
    "I6 sixes": (6, (6, 6, 6), (1, 2, 3), 18),
    "I7 pair doubled": (7, (4, 4), (1, 2, 3, 5), 16),
    "I8 three lowest": (8, (1, 3, 3), (4, 5, 6), 7),
    "I9 different, four each": (9, (1, 5, 2, 6), (1, 5), 16),
    "I10 different, at most five": (10, (5, 2, 4), (5, 2, 4), 11),
    "I11 forty minus": (11, (2, 3, 6, 4, 1, 3), (), 21),
    "I12 of a kind, five each": (12, (1, 1, 1), (2, 3, 4), 15),
}


@pytest.mark.parametrize(("card", "chosen", "rest", "points"), EXAMPLES.values(), ids=EXAMPLES)
def test_example_of_every_card(card, chosen, rest, points):
    state = roll(start(cards=written([*sorted({1, 2, 3, 4, 5} - {card})[:4], card])), *chosen, *rest)
    assert ways(card, state.dice)[points] == tuple(sorted(chosen))
    assert choose(state, f"0: score {card} for {points}").scores() == (points, 0)


def test_every_card_with_every_throw_scores_what_the_booklet_says():
    for dice in combinations_with_replacement(range(1, 7), 6):
        for card in CARDS:
            assert set(ways(card, dice)) == may_score(card, dice), (card, dice)


def test_the_most_points_come_first():
    for card in CARDS:
        points = list(ways(card, (1, 1, 2, 3, 5, 5)))
        assert points == sorted(points, reverse=True)


NO_WAY = {
    "no two pairs from four of a kind": (5, (4, 4, 4, 4, 1, 2)),
    "no six among the six": (2, (1, 2, 3, 4, 5, 6)),
    "no odd die": (3, (2, 2, 4, 4, 6, 6)),
    "no two consecutive values": (4, (1, 1, 3, 3, 5, 5)),
    "no six at all": (6, (1, 2, 3, 4, 5, 5)),
    "no pair": (7, (1, 2, 3, 4, 5, 6)),
}


@pytest.mark.parametrize(("card", "dice"), NO_WAY.values(), ids=NO_WAY)
def test_what_a_card_does_not_take(card, dice):
    assert not ways(card, dice)


def test_straight_takes_each_value_once():
    assert max(ways(4, (1, 2, 3, 4, 4, 6))) == 10


def test_straight_does_not_go_round_from_six_to_one():
    assert set(ways(4, (1, 1, 3, 3, 6, 6))) == set()
    assert set(ways(4, (1, 4, 4, 4, 6, 6))) == set()
    assert set(ways(4, (1, 2, 4, 4, 6, 6))) == {3}


def test_straight_may_be_all_six():
    assert ways(4, (1, 2, 3, 4, 5, 6))[21] == (1, 2, 3, 4, 5, 6)


def test_three_pairs_score_any_two_of_them():
    assert list(ways(5, (1, 1, 3, 3, 6, 6))) == [18, 14, 8]


def test_full_house_of_four_and_two_is_two_pairs():
    assert list(ways(5, (2, 2, 5, 5, 5, 5))) == [14]


def test_three_lowest_with_ties_has_one_score():
    assert dict(ways(8, (1, 3, 3, 3, 4, 6))) == {7: (1, 3, 3)}


def test_different_takes_at_most_five_dice_but_four_each_takes_six():
    every = (1, 2, 3, 4, 5, 6)
    assert max(ways(10, every)) == 20
    assert max(ways(9, every)) == 24


def test_fewer_dice_than_possible_may_be_used():
    assert list(ways(6, (1, 2, 6, 6, 6, 6))) == [24, 18, 12, 6]
    assert list(ways(12, (1, 2, 6, 6, 6, 6))) == [20, 15, 10, 5]


def test_exactly_two_dice_are_exactly_two():
    assert max(ways(1, (6, 6, 6, 6, 6, 6))) == 12
    assert dict(ways(7, (6, 6, 6, 6, 6, 6))) == {24: (6, 6)}


def test_all_twelve_cards_are_there_and_three_have_an_effect():
    assert list(CARDS) == list(range(1, 13))
    effects = {card.number: (card.effect.verb, card.effect.who) for card in CARDS.values() if card.effect}
    assert effects == {
        1: ("freeze", "neighbours"),
        6: ("thaw", "neighbours"),
        8: ("freeze", "everybody"),
    }


# -- a turn ----------------------------------------------------------------------------------------


def test_a_turn_begins_with_all_six_dice_and_nothing_else():
    state = start(3)
    assert state.throw() == Throw(0, ("pip",) * 6)
    assert state.asked() == {}
    with pytest.raises(IllegalRoll):
        roll(state, 1, 2, 3, 4, 5)


def test_after_the_throw_score_freeze_or_skip():
    state = roll(start(), 6, 6, 4, 4, 2, 2)
    assert state.asked() == {0: "turn"}
    assert [text for text in texts(state, 0) if not text.startswith("score")] == [
        *(f"freeze {card}" for card in (1, 2, 3, 4, 5)),
        "skip",
    ]
    assert scores_of(state, 0) == [
        *(f"score 1 for {points}" for points in (12, 10, 8, 6, 4)),
        "score 5 for 20",
        "score 5 for 16",
        "score 5 for 12",
    ]


def test_christina_turn_1_doubles_her_pair_of_sixes():
    state = roll(start(cards="2,3,4,5,7"), 6, 6, 5, 2, 1, 1)
    state = choose(state, "0: score 7 for 24")
    assert state.scores() == (24, 0)
    assert state.frozen[0] == {7}
    assert state.throw() == Throw(1, ("pip",) * 6)


def test_christina_turn_2_freezes_two_cards_to_roll_again():
    state = roll(with_frozen(start(cards="2,3,4,5,7"), {7}, ()), 5, 5, 4, 4, 2, 1)
    assert not any(text.startswith("score 7") for text in texts(state, 0))
    assert len(state.active(0)) == 4
    assert "score 2 for 21" in texts(state, 0)
    state = choose(state, "0: freeze 3")
    assert state.asked() == {0: "reroll"}
    state = choose(state, "0: reroll 1 2")
    lying = tuple(Die("pip", face) for face in "4455")
    assert state.throw() == Throw(0, ("pip", "pip"), lying)
    assert state.asked() == {}
    state = choose(roll(state, 6, 3), "0: freeze 5", "0: reroll 6")
    assert state.throw() == Throw(0, ("pip",), tuple(Die("pip", face) for face in "34455"))
    state = roll(state, 4)
    assert state.dice == (3, 4, 4, 4, 5, 5)
    state = choose(state, "0: score 2 for 25")
    assert state.scores() == (25, 0)
    assert state.active(0) == (4,)


def test_christina_turn_3_scores_a_straight_and_must_skip_next():
    state = roll(with_frozen(start(cards="2,3,4,5,7"), {2, 3, 5, 7}, ()), 6, 4, 4, 3, 2, 1)
    state = choose(state, "0: score 4 for 10")
    assert state.active(0) == ()
    state = choose(roll(state, 1, 1, 1, 1, 1, 2), "1: score 3 for 5")
    assert state.throw() is None
    assert state.asked() == {0: "skip"}
    assert texts(state, 0) == ["skip"]
    state = choose(state, "0: skip")
    assert state.active(0) == (2, 3, 4, 5, 7)


def test_all_frozen_at_the_start_no_throw_is_taken():
    state = roll(with_frozen(start(), (), {1, 2, 3, 4, 5}), 1, 2, 2, 4, 4, 6)
    state = choose(state, "0: score 3 for 1")
    with pytest.raises(IllegalRoll):
        roll(state, 1, 2, 3, 4, 5, 6)
    assert texts(state, 1) == ["skip"]


def test_a_card_frozen_for_a_reroll_cannot_score_this_turn():
    state = choose(roll(start(), 1, 1, 1, 1, 1, 1), "0: freeze 3", "0: reroll 1")
    state = roll(state, 5)
    assert not any(text.startswith("score 3") for text in texts(state, 0))
    assert "freeze 3" not in texts(state, 0)


def test_freezing_for_a_reroll_triggers_nothing():
    state = choose(roll(start(cards="1,6,8,9,12"), 1, 1, 1, 1, 1, 1), "0: freeze 8", "0: reroll 1")
    assert state.owing == frozenset()
    assert state.frozen == (frozenset({8}), frozenset())


def test_after_freezing_the_dice_must_be_chosen():
    state = choose(roll(start(), 1, 2, 3, 4, 5, 6), "0: freeze 1")
    assert state.throw() is None
    assert len(texts(state, 0)) == 63
    assert all(text.startswith("reroll ") for text in texts(state, 0))


def test_like_dice_are_alike_when_rolled_again():
    state = choose(roll(start(), 3, 3, 3, 1, 1, 1), "0: freeze 1")
    assert len(texts(state, 0)) == 4 * 4 - 1
    assert texts(state, 0)[:4] == ["reroll 1", "reroll 3", "reroll 1 1", "reroll 1 3"]


def test_as_many_dice_as_you_like_may_be_rolled_again_even_all_six():
    state = choose(roll(start(), 1, 2, 3, 4, 5, 6), "0: freeze 1", "0: reroll 1 2 3 4 5 6")
    assert state.throw() == Throw(0, ("pip",) * 6)


def test_rerolls_go_on_as_long_as_there_are_active_cards():
    state = roll(start(), 2, 2, 4, 4, 6, 6)
    for card in (1, 2, 3, 4, 5):
        state = roll(choose(state, f"0: freeze {card}", "0: reroll 2 2 4 4 6 6"), 2, 2, 4, 4, 6, 6)
    assert state.asked() == {0: "skip"}
    assert texts(state, 0) == ["skip"]


def test_the_last_card_frozen_for_all_six_dice_still_throws_them():
    state = roll(with_frozen(start(), {1, 2, 3, 4}, ()), 1, 2, 3, 4, 5, 6)
    state = choose(state, "0: freeze 5", "0: reroll 1 2 3 4 5 6")
    assert state.throw() == Throw(0, ("pip",) * 6)
    assert state.asked() == {}


def test_score_only_with_one_card_then_the_dice_go_left():
    state = choose(roll(start(4, start_player=3), 1, 1, 1, 1, 1, 2), "3: score 3 for 5")
    assert state.turn == 0
    assert state.legal(3) == ()
    with pytest.raises(IllegalChoice):
        state.find(3, "score 2 for 7")


def test_points_add_up_by_card():
    state = choose(roll(start(), 1, 1, 1, 1, 1, 2), "0: score 3 for 5")
    state = choose(roll(state, 1, 1, 1, 1, 1, 2), "1: skip", "0: thaw 3")
    state = choose(roll(state, 5, 5, 5, 1, 1, 2), "0: score 3 for 17")
    assert state.parts(0) == {"any two": 0, "all six, no 6": 0, "odd": 22, "straight": 0, "two pairs": 0}
    assert state.scores() == (22, 0)


# -- skipping --------------------------------------------------------------------------------------


def test_skip_is_free_to_choose_and_thaws_also_what_was_frozen_this_turn():
    state = roll(with_frozen(start(), {4}, ()), 1, 2, 3, 4, 5, 6)
    state = roll(choose(state, "0: freeze 2", "0: reroll 6"), 5)
    state = choose(state, "0: skip")
    assert state.frozen[0] == frozenset()
    assert state.turn == 1


def test_skip_then_everybody_else_with_a_frozen_card_thaws_one():
    state = with_frozen(start(4), {1}, {2, 5}, (), {3})
    state = choose(roll(state, 1, 2, 3, 4, 5, 6), "0: skip")
    assert state.asked() == {1: "thaw", 3: "thaw"}
    assert texts(state, 1) == ["thaw 2", "thaw 5"]
    assert texts(state, 3) == ["thaw 3"]
    assert state.throw() is None
    state = choose(state, "3: thaw 3", "1: thaw 5")
    assert state.frozen == (frozenset(), frozenset({2}), frozenset(), frozenset())
    assert state.throw().seat == 1


def test_skip_when_nobody_else_has_a_frozen_card_ends_the_turn():
    state = choose(roll(start(3), 1, 2, 3, 4, 5, 6), "0: skip")
    assert state.throw().seat == 1


# -- effects ---------------------------------------------------------------------------------------


def test_any_two_makes_both_neighbours_freeze_a_card_of_their_choice():
    state = choose(roll(start(4, start_player=1), 4, 5, 1, 1, 1, 1), "1: score 1 for 9")
    assert state.asked() == {0: "freeze", 2: "freeze"}
    assert texts(state, 2) == [f"freeze {card}" for card in (1, 2, 3, 4, 5)]
    state = choose(state, "2: freeze 5", "0: freeze 1")
    assert state.frozen == (frozenset({1}), frozenset({1}), frozenset({5}), frozenset())


def test_sixes_make_both_neighbours_thaw_a_card_of_their_choice():
    state = with_frozen(start(4, cards="1,6,8,9,12"), (), {1, 8}, {9}, {12})
    state = choose(roll(state, 6, 6, 6, 1, 2, 3), "0: score 6 for 18")
    assert state.asked() == {1: "thaw", 3: "thaw"}
    state = choose(state, "1: thaw 8", "3: thaw 12")
    assert state.frozen == (frozenset({6}), frozenset({1}), frozenset({9}), frozenset())


def test_three_lowest_makes_all_others_freeze_a_card_of_their_choice():
    state = choose(roll(start(4, cards="1,6,8,9,12"), 1, 3, 3, 4, 5, 6), "0: score 8 for 7")
    assert state.asked() == {1: "freeze", 2: "freeze", 3: "freeze"}


def test_two_players_are_neighbours_once():
    state = choose(roll(start(2), 4, 5, 1, 1, 1, 1), "0: score 1 for 9")
    assert state.asked() == {1: "freeze"}
    state = choose(state, "1: freeze 2")
    assert state.frozen[1] == {2}
    assert state.throw().seat == 1


def test_three_players_are_all_neighbours():
    state = choose(roll(start(3), 4, 5, 1, 1, 1, 1), "0: score 1 for 9")
    assert state.asked() == {1: "freeze", 2: "freeze"}


def test_an_effect_is_if_possible():
    state = with_frozen(start(3), (), {1, 2, 3, 4, 5}, {1})
    state = choose(roll(state, 4, 5, 1, 1, 1, 1), "0: score 1 for 9")
    assert state.asked() == {2: "freeze"}
    thaw = roll(with_frozen(start(3, cards="1,6,8,9,12"), (), (), ()), 6, 1, 1, 1, 1, 1)
    assert choose(thaw, "0: score 6 for 6").throw().seat == 1


def test_an_effect_is_compulsory_and_comes_before_the_scored_card_freezes():
    state = choose(roll(start(3), 4, 5, 1, 1, 1, 1), "0: score 1 for 9")
    assert 1 in state.active(0)
    assert state.throw() is None
    with pytest.raises(IllegalChoice):
        state.find(1, "skip")
    state = choose(state, "1: freeze 1")
    assert 1 in state.active(0)
    assert choose(state, "2: freeze 1").frozen[0] == {1}


def test_an_effect_may_freeze_the_last_card_of_the_next_player():
    state = with_frozen(start(2), (), {1, 2, 3, 4})
    state = choose(roll(state, 4, 5, 1, 1, 1, 1), "0: score 1 for 9", "1: freeze 5")
    assert state.throw() is None
    assert texts(state, 1) == ["skip"]


def test_answers_at_the_same_time_commute():
    state = choose(roll(start(4, cards="1,6,8,9,12"), 1, 3, 3, 4, 5, 6), "0: score 8 for 7")
    answers = ("1: freeze 1", "2: freeze 12", "3: freeze 8")
    after = [choose(state, *order) for order in permutations(answers)]
    assert all(one == after[0] for one in after)
    assert after[0].throw().seat == 1


def test_a_seat_answers_once():
    state = choose(roll(start(3), 4, 5, 1, 1, 1, 1), "0: score 1 for 9", "1: freeze 1")
    assert state.legal(1) == ()


# -- the end ---------------------------------------------------------------------------------------


def with_points(state, *points):
    return replace(state, points=tuple((0, 0, score, 0, 0) for score in points))


def test_a_hundred_points_finish_the_round():
    state = with_points(start(3, start_player=1), 50, 95, 60)
    state = choose(roll(state, 1, 1, 1, 1, 1, 2), "1: score 3 for 5")
    assert state.outcome() is None
    state = choose(roll(state, 1, 1, 1, 1, 1, 2), "2: score 3 for 5")
    state = choose(roll(state, 1, 1, 1, 1, 1, 2), "0: score 3 for 5")
    assert state.outcome().scores == (55, 100, 65)
    assert state.outcome().winners == (1,)
    assert state.asked() == {}
    assert state.throw() is None
    with pytest.raises(IllegalEvent):
        roll(state, 1, 1, 1, 1, 1, 1)


def test_a_later_player_may_still_overtake():
    state = with_points(start(2), 99, 97)
    state = choose(roll(state, 1, 2, 2, 4, 4, 6), "0: score 3 for 1")
    state = choose(roll(state, 1, 1, 1, 1, 2, 4), "1: score 3 for 4")
    assert state.outcome().winners == (1,)
    assert state.outcome().decided_by == ""


def test_the_last_player_reaching_a_hundred_ends_at_once():
    state = choose(roll(with_points(start(2), 10, 99), 2, 2, 4, 4, 6, 6), "0: skip")
    state = choose(roll(state, 1, 2, 2, 4, 4, 6), "1: score 3 for 1")
    assert state.outcome().scores == (10, 100)


def test_ninety_nine_is_not_enough():
    state = choose(roll(with_points(start(2), 10, 98), 2, 2, 4, 4, 6, 6), "0: skip")
    state = choose(roll(state, 1, 2, 2, 4, 4, 6), "1: score 3 for 1")
    assert state.outcome() is None
    assert state.round == 2


def test_the_last_effect_is_still_answered_before_the_end():
    state = choose(roll(with_points(start(2), 100, 0), 2, 2, 4, 4, 6, 6), "0: skip")
    state = choose(roll(state, 1, 2, 2, 4, 4, 6), "1: score 1 for 10")
    assert state.outcome() is None
    assert choose(state, "0: freeze 3").outcome().winners == (0,)


def ended(frozen, *points):
    """A round whose last player skips, so that everybody keeps these cards."""
    state = with_points(start(len(points)), *points)
    return replace(state, frozen=tuple(map(frozenset, frozen)), over=True, due=0)


def test_a_tie_goes_to_more_active_cards():
    outcome = ended(({1, 2}, {3}, ()), 104, 104, 90).outcome()
    assert outcome.winners == (1,)
    assert outcome.decided_by == "active cards"


def test_a_tie_with_as_many_active_cards_is_shared():
    outcome = ended(({1, 2}, {3, 5}, ()), 104, 104, 90).outcome()
    assert outcome.winners == (0, 1)
    assert outcome.decided_by == ""


def test_of_three_tied_two_share_by_active_cards():
    outcome = ended(({1, 2}, {3}, {4}), 104, 104, 104).outcome()
    assert outcome.winners == (1, 2)
    assert outcome.decided_by == "active cards"


def test_a_tie_in_a_played_round_counts_the_card_just_frozen():
    state = with_points(start(2), 99, 99)
    state = choose(roll(state, 1, 2, 2, 4, 4, 6), "0: skip")
    state = choose(roll(with_points(state, 100, 99), 1, 2, 2, 4, 4, 6), "1: score 3 for 1")
    assert state.outcome().winners == (0,)
    assert state.outcome().decided_by == "active cards"


# -- card sets -------------------------------------------------------------------------------------


def test_glacial_is_the_default_set():
    assert start().cards == (1, 2, 3, 4, 5)
    assert start(cards="glacial") == start(cards="1,2,3,4,5") == start()


@pytest.mark.parametrize("text", OPTION_VALUES["cards"][1:])
def test_drawn_or_chosen_sets(text):
    numbers = [int(word) for word in text.replace(",", " ").split()]
    assert start(cards=text).cards == tuple(sorted(numbers))
    assert start(cards=written(numbers)) == start(cards=text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("interglacial", "“interglacial” is no set of cards"),
        ("", "is no set of cards"),
        ("1,2,3,4", "a set is 5 cards, not 4"),
        ("1,2,3,4,5,6", "a set is 5 cards, not 6"),
        ("1,2,3,4,13", "there is no card 13"),
        ("0,2,3,4,5", "there is no card 0"),
        ("1,2,3,4,4", "card 4 is there twice"),
        ("1,2,3,4,²", "is no set of cards"),
        ("1,2,3,4," + "9" * 9999, "is no set of cards"),
    ],
)
def test_sets_that_cannot_be(text, sentence):
    with pytest.raises(IllegalOption, match=sentence):
        start(cards=text)


def test_the_start_player_begins_and_closes_the_round():
    state = start(3, start_player=2)
    assert state.throw().seat == 2
    for seat in (2, 0, 1):
        assert state.round == 1
        state = choose(roll(state, 1, 2, 3, 4, 5, 6), f"{seat}: skip")
    assert (state.turn, state.round) == (2, 2)


def test_the_example_of_presets_offers_nothing_until_filled():
    assert presets(example()) == {}
    assert all(f"{card.number:2}  {card.name}" in example() for card in CARDS.values())
    assert list(PRESETS) == ["B", "C", "D"]


def test_presets_an_owner_filled_in():
    text = example().replace("D = []", "D = [8, 1, 6, 12, 9]")
    assert presets(text) == {"D": "1,6,8,9,12"}
    assert start(cards=presets(text)["D"]).cards == (1, 6, 8, 9, 12)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# mine\nB = [1, 2, 3, 4, 5]\nC = [1, 2, 3, 4]\n", "line 3: a set is 5 cards, not 4"),
        ("\nB = [1, 2, 3, 4, 14]\n", "line 2: there is no card 14"),
        ("B = [1, 2, 2, 4, 5]", "line 1: card 2 is there twice"),
        ("B = [\n 1,\n", "line 3: "),
        ("B = []\nE = [1, 2, 3, 4, 5]", "line 2: “E” is not known here: write B, C, D"),
        ("B = []\nC = 5", "line 2: “C” must be a list of five card numbers, not 5"),
        ('B = []\n\nC = [1, 2, "x", 4, 5]', "line 3: “C” must be a list of five card numbers"),
        ("B = [true, 2, 3, 4, 5]", "line 1: “B” must be a list of five card numbers"),
        ("B = []\nB = []", "line 2: "),
    ],
)
def test_presets_that_cannot_be_name_their_line(text, sentence):
    with pytest.raises(IllegalOption) as problem:
        presets(text)
    assert str(problem.value).startswith(sentence)


# -- the whole -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", DICY_CARDS.seats)
@pytest.mark.parametrize("cards", OPTION_VALUES["cards"])
def test_random_games_agree_with_a_table_that_follows_the_texts(seats, cards):
    for seed in range(4):
        first = seed % seats
        options = {"cards": cards, "start_player": first}
        pad = Pad(DICY_CARDS.start(seats, options).cards, seats, first)
        steps = list(play(DICY_CARDS, options, [BOTS["random"]] * seats, Random(seed)))
        for step in steps:
            match step.event:
                case Rolled(dice):
                    pad.roll([int(die.face) for die in dice])
                case Chose(seat, choice):
                    pad.choose(seat, str(choice))
            state = step.state
            assert list(state.scores()) == list(map(sum, pad.pad))
            assert [set(frozen) for frozen in state.frozen] == pad.ice
            assert state.over or state.turn == pad.turn
            assert dict.fromkeys(state.owing, state.effect) == pad.todo
        turns = [0] * seats
        for step in steps:
            if isinstance(step.event, Chose) and str(step.event.choice).split()[0] in ("score", "skip"):
                turns[step.event.seat] += 1
        assert len(set(turns)) == 1, "all have had as many turns"
        assert max(state.outcome().scores) >= 100


def test_drawn_as_text():
    state = choose(roll(start(3, cards="1,6,8,9,12"), 1, 3, 3, 4, 5, 6), "0: score 8 for 7", "2: freeze 12")
    assert str(state).splitlines() == [
        "round 1",
        "▸ 0    7   1 any two 0     6 sixes 0     8 three lowest 7     9 four each 0     12 of a kind 0  ",
        "  1    0   1 any two 0     6 sixes 0     8 three lowest 0     9 four each 0     12 of a kind 0  ",
        "  2    0   1 any two 0     6 sixes 0     8 three lowest 0     9 four each 0    ❄12 of a kind 0  ",
        "lying 1 3 3 4 5 6",
        "to freeze one card: seat 1",
    ]
