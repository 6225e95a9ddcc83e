from __future__ import annotations

from dataclasses import replace

from companion.dice import Die
from companion.vision.doubts import doubts_about, roll_of, thrown
from companion.vision.reading import Spotted


def spot(text: str, sure: bool = True) -> Spotted:
    return Spotted(Die.named(text), (0, 0, 40, 40), 0.99 if sure else 0.6, sure=sure)


def said(*spots: Spotted, due: tuple[str, ...] | None, lying: str = "") -> list[str]:
    still = tuple(Die.named(text) for text in lying.split())
    assert roll_of(spots, due, still) is None
    return [str(sentence) for sentence in doubts_about(spots, due, still)]


def test_sure_dice_that_are_due_are_the_roll() -> None:
    dice = [spot("blue:5"), spot("white:1")]
    assert roll_of(dice, ("white", "blue")) == (Die("blue", "5"), Die("white", "1"))


def test_any_sure_dice_are_a_roll_when_nothing_is_known() -> None:
    assert roll_of([spot("pip:4")], None) == (Die("pip", "4"),)
    assert roll_of([], None) is None


def test_dice_lying_already_are_no_part_of_the_roll() -> None:
    dice = [spot("pip:4"), spot("pip:2"), spot("pip:4")]
    assert roll_of(dice, ("pip", "pip"), (Die("pip", "4"),)) == (Die("pip", "2"), Die("pip", "4"))
    assert roll_of(dice[:2], ("pip", "pip"), (Die("pip", "4"),)) == (Die("pip", "4"), Die("pip", "2"))


def test_many_dice_that_lie_already_take_no_time() -> None:
    lying = tuple(Die("pip", str(1 + n % 6)) for n in range(40))
    assert thrown((*lying, Die("pip", "1")), ("pip",), lying) == [(Die("pip", "1"),)]
    assert len(thrown(lying, ("pip",) * 20, lying)) > 100


def test_it_says_when_it_cannot_tell_which_dice_were_lying() -> None:
    dice = [spot("pip:4"), spot("pip:2")]
    assert said(*dice, due=("pip",), lying="pip:4 pip:2") == [
        "It is not clear which dice were thrown and which were lying already."
    ]


def test_a_kept_die_is_not_taken_for_one_that_was_thrown_and_fell_off_the_table() -> None:
    kept = "pip:6 pip:6 pip:6 pip:6"
    seen = [*(spot("pip:6") for _ in range(4)), spot("pip:3")]
    assert said(*seen, due=("pip", "pip"), lying=kept) == [
        "It is not clear which dice were thrown and which were lying already."
    ]
    assert roll_of([spot("pip:6"), spot("pip:3")], ("pip", "pip"), (Die("pip", "6"),) * 4), "all out of view"
    assert roll_of([*seen, spot("pip:1")], ("pip", "pip"), (Die("pip", "6"),) * 4), "all in view"


def test_it_says_when_a_die_that_lay_aside_was_knocked_over() -> None:
    sentence = ["A die that lay aside shows another face: put it back, or take it away."]
    assert said(spot("pip:4"), spot("pip:2"), due=("pip",), lying="pip:6") == sentence
    clever = [spot("white:5"), spot("blue:3"), spot("yellow:2")]
    assert said(*clever, due=("white", "blue"), lying="yellow:4") == sentence


def test_every_trouble_has_its_sentence() -> None:
    assert said(due=("pip",)) == ["No dice can be seen."]
    assert said(spot("worm:3"), due=("worm",) * 8) == ["Only 1 of 8 dice can be seen."]
    assert said(spot("blue:3"), due=("blue", "white")) == ["A die is missing: white."]
    assert said(spot("pip:3"), spot("pip:3"), due=("pip",)) == ["2 dice can be seen, but 1 are due."]
    cocked = replace(spot("blue:3", sure=False), state="cocked")
    assert said(cocked, due=("blue",)) == ["The blue die does not lie flat."]
    cut = replace(cocked, state="cut_off")
    assert said(cut, due=("blue",)) == ["The blue die is cut off by the edge of the picture."]
    hidden = replace(cocked, state="stacked")
    assert said(hidden, due=("blue",)) == ["The blue die is partly hidden."]
    stranger = replace(cocked, state="foreign")
    assert said(spot("blue:3"), stranger, due=("blue",)) == ["A die that is not due lies in view."]
    either = replace(spot("blue:3", sure=False), alternatives=(("3", 0.6), ("5", 0.4)))
    assert said(either, due=("blue",)) == ["The blue die may show 3 or 5."]
    assert said(spot("blue:3", sure=False), due=("blue",)) == ["The blue die is hard to read."]


def test_a_sentence_names_the_die_it_is_about() -> None:
    dice = (spot("blue:3"), spot("white:4", sure=False))
    assert [sentence.about for sentence in doubts_about(dice, ("blue", "white"))] == [1]
