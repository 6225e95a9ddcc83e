"""Which readings are believed, and when."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, radians, sin

import numpy as np
import pytest

from companion.dice import Die, Throw
from companion.vision.reading import Doubt, Reading, Sentence, Spotted
from companion.vision.watch import LIMITS, Trusted, Watch, angle

WORMS = Throw(0, ("worm",) * 3)
PICTURE = np.zeros((4, 4, 3), np.uint8)
Place = tuple[float, float]


def spot(text: str, at: Place, turn: float = 0.0, sure: bool = True, size: float = 40.0) -> Spotted:
    corners = tuple(
        (
            at[0] + size / 1.5 * cos(radians(turn + 45 + 90 * n)),
            at[1] + size / 1.5 * sin(radians(turn + 45 + 90 * n)),
        )
        for n in range(4)
    )
    box = (at[0] - size / 2, at[1] - size / 2, size, size)
    return Spotted(Die.named(text), box, 0.99 if sure else 0.6, top_face=corners, sure=sure)


def reading(*dice: Spotted, due: int = 3) -> Reading:
    whole = len(dice) == due and all(die.sure for die in dice)
    roll = tuple(die.die for die in dice) if whole else None
    return Reading(dice, roll, () if whole else (Sentence("not whole"),))


def rolled(*faces: str, at: float = 100.0, jitter: float = 0.0) -> Reading:
    return reading(
        *(spot(f"worm:{face}", (at + 90 * n + jitter, 200 + jitter)) for n, face in enumerate(faces))
    )


def shown(watch: Watch, *looks: Reading | None) -> list[Trusted | Doubt]:
    return [seen for look in looks if (seen := watch.see(look, PICTURE)) is not None]


def settled(look: Reading, times: int = 10) -> list[Reading | None]:
    return [None, None, *[look] * times]


def test_nothing_is_believed_before_anything_moved() -> None:
    assert not shown(Watch(WORMS), *[rolled("1", "2", "3")] * 20)


def test_three_agreeing_readings_after_movement_are_a_roll() -> None:
    watch = Watch(WORMS)
    assert not shown(watch, None, *[rolled("1", "2", "worm")] * 2)
    (trusted,) = shown(watch, rolled("1", "2", "worm"))
    assert isinstance(trusted, Trusted)
    assert [str(die) for die in trusted.roll] == ["worm:1", "worm:2", "worm:worm"]
    assert trusted.confidence == pytest.approx(0.99**3)
    assert not trusted.nearest_first
    assert watch.standing is trusted
    assert watch.decided


def test_a_roll_is_told_once() -> None:
    assert len(shown(Watch(WORMS), *settled(rolled("1", "2", "3"), 50))) == 1


def test_movement_between_readings_begins_the_count_anew() -> None:
    look = rolled("1", "2", "3")
    assert not shown(Watch(WORMS), None, look, look, None, look, look, None, look)


def test_readings_that_tremble_within_a_tenth_of_a_die_agree() -> None:
    watch = Watch(WORMS)
    assert shown(watch, None, *(rolled("1", "2", "3", jitter=j) for j in (0.0, 1.5, -1.5)))


def test_readings_that_disagree_end_in_doubt_and_never_in_a_guess() -> None:
    one, other = rolled("1", "2", "3"), rolled("1", "2", "4")
    (doubt,) = shown(Watch(WORMS), None, *[one, other] * LIMITS.patience)
    assert isinstance(doubt, Doubt)
    assert doubt.image is PICTURE


@pytest.mark.parametrize("first", [0, 1], ids=["gone at last", "seen at last"])
def test_dice_that_come_and_go_are_doubted_whatever_the_last_look_shows(first: int) -> None:
    looks = [rolled("1", "2", "3"), reading()] * LIMITS.patience
    (doubt,) = shown(Watch(WORMS), None, *looks[first : first + LIMITS.patience])
    assert isinstance(doubt, Doubt)


def test_an_unsure_die_is_doubted_with_its_picture() -> None:
    unsure = reading(
        spot("worm:1", (100, 100)), spot("worm:2", (200, 100)), spot("worm:3", (300, 100), sure=False)
    )
    watch = Watch(WORMS)
    told = shown(watch, *settled(unsure, 30))
    assert [type(one) for one in told] == [Doubt]
    assert watch.standing is None
    assert not watch.decided


def test_a_doubt_can_still_be_settled() -> None:
    unsure = reading(
        spot("worm:1", (100, 100)), spot("worm:2", (200, 100)), spot("worm:3", (300, 100), sure=False)
    )
    sure = reading(spot("worm:1", (100, 100)), spot("worm:2", (200, 100)), spot("worm:3", (300, 100)))
    told = shown(Watch(WORMS), *settled(unsure), sure, sure, sure)
    assert [type(one) for one in told] == [Doubt, Trusted]


def test_a_missing_die_is_doubted() -> None:
    (doubt,) = shown(Watch(WORMS), *settled(reading(spot("worm:1", (100, 100)))))
    assert isinstance(doubt, Doubt)


def test_a_hand_passing_over_adds_no_roll() -> None:
    watch = Watch(WORMS)
    first = shown(watch, *settled(rolled("1", "2", "3")))
    again = shown(watch, *settled(rolled("1", "2", "3", jitter=1.0)), *settled(rolled("1", "2", "3")))
    assert len(first) == 1
    assert again == []
    assert watch.standing is first[0]


def test_the_roll_stands_while_dice_are_taken_away() -> None:
    watch = Watch(WORMS)
    (trusted,) = shown(watch, *settled(rolled("1", "2", "3")))
    left = reading(spot("worm:1", (100, 200)))
    assert shown(watch, *settled(left, 20)) == []
    assert watch.standing is trusted


def test_a_nudged_die_is_read_again() -> None:
    watch = Watch(WORMS)
    shown(watch, *settled(rolled("1", "2", "3")))
    nudged = reading(spot("worm:1", (100, 200)), spot("worm:2", (190, 200)), spot("worm:5", (320, 215)))
    (again,) = shown(watch, *settled(nudged))
    assert isinstance(again, Trusted)
    assert str(again.roll[2]) == "worm:5"


def test_a_die_that_was_only_turned_is_read_again() -> None:
    watch = Watch(WORMS)
    shown(watch, *settled(rolled("1", "2", "3")))
    turned = reading(
        spot("worm:1", (100, 200), turn=30), spot("worm:2", (190, 200)), spot("worm:3", (280, 200))
    )
    assert len(shown(watch, *settled(turned))) == 1


def test_a_quarter_turn_of_the_corners_is_the_same_die() -> None:
    watch = Watch(WORMS)
    shown(watch, *settled(rolled("1", "2", "3")))
    same = reading(
        spot("worm:1", (100, 200), turn=90), spot("worm:2", (190, 200), turn=268), spot("worm:3", (280, 200))
    )
    assert shown(watch, *settled(same)) == []


def test_a_nudge_into_doubt_withdraws_the_roll() -> None:
    watch = Watch(WORMS)
    shown(watch, *settled(rolled("1", "2", "3")))
    cocked = reading(
        spot("worm:1", (100, 200)), spot("worm:2", (190, 200)), spot("worm:3", (330, 200), sure=False)
    )
    (doubt,) = shown(watch, *settled(cocked))
    assert isinstance(doubt, Doubt)
    assert watch.standing is None


def test_a_die_turned_over_in_its_place_withdraws_the_roll_though_it_cannot_be_read() -> None:
    for unread in (
        spot("worm:3", (280, 200), sure=False),
        replace(spot("worm:2", (280, 200), sure=False), state="cocked"),
    ):
        watch = Watch(WORMS)
        before = reading(spot("worm:1", (100, 200)), spot("worm:1", (190, 200)), spot("worm:2", (280, 200)))
        assert shown(watch, *settled(before))
        (doubt,) = shown(watch, *settled(reading(*before.dice[:2], unread)))
        assert isinstance(doubt, Doubt)
        assert watch.standing is None


def test_a_die_seen_less_surely_than_before_still_lies_there() -> None:
    watch = Watch(WORMS)
    before = reading(spot("worm:1", (100, 200)), spot("worm:1", (190, 200)), spot("worm:2", (280, 200)))
    assert shown(watch, *settled(before))
    dim = reading(*before.dice[:2], spot("worm:2", (280, 200), sure=False))
    assert not shown(watch, *settled(dim))
    assert watch.standing is not None


def test_a_nudge_back_out_of_doubt_is_read_again() -> None:
    watch = Watch(WORMS)
    first = rolled("1", "2", "3")
    cocked = reading(
        spot("worm:1", (100, 200)), spot("worm:2", (190, 200)), spot("worm:3", (330, 200), sure=False)
    )
    elsewhere = reading(spot("worm:1", (100, 200)), spot("worm:2", (190, 200)), spot("worm:5", (330, 230)))
    told = shown(
        watch, *settled(first), *settled(cocked), *settled(elsewhere), *settled(cocked), *settled(elsewhere)
    )
    assert [type(one) for one in told] == [Trusted, Doubt, Trusted, Doubt, Trusted]
    assert watch.standing is told[-1]


def test_the_dice_of_the_throw_before_are_no_new_roll() -> None:
    """Set aside by hand: the others still lie as they lay, and everything due is there, but nobody threw."""
    before = reading(*(spot("worm:2", (100 + 90 * n, 200)) for n in range(5)), due=5)
    left = reading(*(spot("worm:2", (100 + 90 * n, 200)) for n in range(3)))
    watch = Watch(WORMS, before)
    assert shown(watch, *settled(left, 20)) == []
    assert watch.standing is None


def test_dice_that_lay_still_when_the_throw_fell_due_are_no_roll() -> None:
    lying = rolled("1", "2", "3")
    assert shown(Watch(WORMS), *[lying] * 4, *settled(lying, 20)) == []


def test_a_throw_in_which_only_some_dice_moved_is_doubted() -> None:
    before = rolled("1", "2", "3")
    bumped = reading(spot("worm:1", (100, 200)), spot("worm:2", (190, 200)), spot("worm:4", (330, 260)))
    (doubt,) = shown(Watch(WORMS, before), *settled(bumped))
    assert isinstance(doubt, Doubt)
    assert str(doubt.reading.doubts[-1]) == "Only 1 of 3 dice have moved: throw them all."
    assert doubt.reading.roll is None


def test_setting_dice_aside_is_no_throw() -> None:
    """Clever: what was chosen, and what is lower, goes aside in view; the three dice due lie untouched."""
    due = [spot("white:5", (100, 100)), spot("green:6", (300, 100)), spot("purple:6", (500, 100))]
    aside = ("yellow:4", "blue:2", "orange:3")
    before = reading(*due, *(spot(die, (100 + 150 * n, 300)) for n, die in enumerate(aside)), due=6)
    throw = Throw(0, ("white", "green", "purple"), tuple(map(Die.named, aside)))
    slid = Reading(
        (*due, *(spot(die, (100 + 150 * n, 420)) for n, die in enumerate(aside))), tuple(d.die for d in due)
    )
    watch = Watch(throw, before)
    assert shown(watch, *settled(slid, 20)) == []
    assert watch.decided


def turned_together(look: Reading, by: float, way: Place) -> Reading:
    """The dice of a look as they lie after their mat was turned by so many degrees and pulled that way."""

    def moved(at: Place) -> Place:
        x, y = at
        c, s = cos(radians(by)), sin(radians(by))
        return (x * c - y * s + way[0], x * s + y * c + way[1])

    dice = []
    for die in look.dice:
        x, y = moved((die.box[0] + 20, die.box[1] + 20))
        dice.append(replace(die, box=(x - 20, y - 20, 40, 40), top_face=tuple(map(moved, die.top_face))))
    return replace(look, dice=tuple(dice))


@pytest.mark.parametrize(("by", "way"), [(0.0, (9.0, 0.0)), (0.0, (60.0, 250.0)), (25.0, (30.0, -40.0))])
def test_a_mat_that_is_pulled_with_its_dice_is_no_throw(by: float, way: Place) -> None:
    before = reading(spot("worm:1", (100, 200)), spot("worm:2", (190, 300), 20), spot("worm:2", (280, 120)))
    (doubt,) = shown(Watch(WORMS, before), *settled(turned_together(before, by, way)))
    assert isinstance(doubt, Doubt)
    assert str(doubt.reading.doubts[-1]) == "Only pushed, not thrown: throw again."
    assert doubt.reading.roll is None


def test_the_same_faces_thrown_again_are_a_roll() -> None:
    before = reading(spot("worm:1", (100, 200)), spot("worm:2", (190, 300)), spot("worm:2", (280, 120)))
    thrown = reading(spot("worm:1", (300, 250)), spot("worm:2", (120, 310)), spot("worm:2", (230, 160)))
    (trusted,) = shown(Watch(WORMS, before), *settled(thrown))
    assert isinstance(trusted, Trusted)


@pytest.mark.parametrize(
    ("text", "at", "turn", "told"),
    [
        ("worm:4", (130, 200), 3, Doubt),
        ("worm:4", (160, 200), 3, Trusted),
        ("worm:4", (130, 200), 30, Trusted),
        ("worm:5", (130, 200), 3, Trusted),
    ],
)
def test_a_last_die_that_was_nudged_is_no_throw(text: str, at: Place, turn: float, told: type) -> None:
    before = reading(spot("worm:4", (100, 200)), due=1)
    (seen,) = shown(Watch(Throw(0, ("worm",)), before), *settled(reading(spot(text, at, turn), due=1)))
    assert isinstance(seen, told)


def test_a_die_that_falls_almost_where_one_lay_counts_as_thrown() -> None:
    """With the limits by which looks at one die agree, every hundredth throw of eight was refused."""
    before = rolled("1", "2", "3")
    near = spot("worm:1", (106, 200), turn=8)
    (seen,) = shown(
        Watch(WORMS, before), *settled(reading(near, spot("worm:5", (400, 90)), spot("worm:4", (70, 60))))
    )
    assert isinstance(seen, Trusted)


def test_the_roll_stands_when_some_dice_are_taken_away_and_another_is_brushed() -> None:
    watch = Watch(Throw(0, ("worm",) * 5))
    (trusted,) = shown(
        watch, *settled(reading(*(spot(f"worm:{n}", (90 * n, 200)) for n in range(1, 6)), due=5))
    )
    left = reading(spot("worm:1", (90, 200)), spot("worm:2", (180, 200)), spot("worm:4", (375, 210)), due=5)
    assert shown(watch, *settled(left, 20)) == []
    assert watch.standing is trusted
    turned = reading(spot("worm:1", (90, 200)), spot("worm:2", (180, 200)), spot("worm:5", (375, 210)), due=5)
    shown(watch, *settled(reading(*turned.dice[:2], replace(turned.dice[2], state="cocked"), due=5)))
    assert watch.standing is None


def test_dice_that_may_stay_lying_need_not_move() -> None:
    kept = [spot("pip:6", (100, 400)), spot("pip:6", (200, 400))]
    before = reading(*kept, spot("pip:1", (300, 100)), spot("pip:2", (400, 100)), due=4)
    throw = Throw(0, ("pip", "pip"), (Die("pip", "6"), Die("pip", "6")))
    fresh = [spot("pip:6", (500, 150)), spot("pip:4", (600, 300))]
    look = Reading((*kept, *fresh), tuple(die.die for die in fresh))
    (trusted,) = shown(Watch(throw, before), *settled(look))
    assert isinstance(trusted, Trusted)
    assert [str(die) for die in trusted.roll] == ["pip:6", "pip:4"]


def test_with_a_tray_the_nearest_die_comes_first_and_moved_dice_before_like_ones() -> None:
    def from_corner(point: Place) -> float:
        return hypot(*point)

    lying = spot("pip:6", (10, 10))
    look = Reading(
        (lying, spot("pip:4", (300, 300)), spot("pip:6", (500, 500)), spot("pip:1", (100, 100))),
        (Die("pip", "4"), Die("pip", "6"), Die("pip", "1")),
    )
    throw = Throw(0, ("pip",) * 3, (Die("pip", "6"),))
    (trusted,) = shown(Watch(throw, Reading((lying,)), from_corner), *settled(look))
    assert isinstance(trusted, Trusted)
    assert [die.face for die in trusted.roll] == ["1", "4", "6"]
    assert trusted.nearest_first


def test_any_dice_will_do_when_none_are_named() -> None:
    assert len(shown(Watch(None), *settled(rolled("1", "2", "3")))) == 1
    assert shown(Watch(None), *settled(Reading(roll=()))) == []


def test_an_empty_table_is_neither_roll_nor_doubt() -> None:
    watch = Watch(WORMS)
    assert shown(watch, *settled(Reading((), None, (Sentence("three are missing"),)), 20)) == []
    assert watch.decided


def test_one_corner_seen_elsewhere_turns_a_die_little() -> None:
    square = ((100.0, 100.0), (140.0, 100.0), (140.0, 140.0), (100.0, 140.0))
    straight = Spotted(Die("worm", "3"), (95, 95, 50, 50), 0.99, top_face=square)
    off = replace(straight, top_face=(square[0], (140.0, 108.0), *square[2:]))
    turn = abs(angle(off) - angle(straight))
    assert min(turn, 90 - turn) < 4  # by its first edge alone, 11 degrees
