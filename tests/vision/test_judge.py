from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.dice import Die
from companion.vision.detector import Find
from companion.vision.faces import BODIES, FACES, INKS, Glance, log_chances
from companion.vision.judge import Noted, Seen, jointly, ordinary, outermost, understood
from companion.vision.trust import Signs, Trust, may_be_sure
from companion.vision.world import SETS

SIZE = (640, 480)


def chosen(names: tuple[str, ...], best: str, second: str | None = None) -> np.ndarray:
    scores = np.zeros(len(names), np.float32)
    scores[names.index(best)] = 9
    if second:
        scores[names.index(second)] = 8.5
    return log_chances(scores)


def seen(
    face: str, body: str = "white", ink: str = "black", x: float = 100, score: float = 0.95, **how: object
) -> Seen:
    states = np.array([0.9, 0.0, how.get("cut", 0.0), how.get("hidden", 0.0)], np.float32)
    corners = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32) + np.array([x, 100], np.float32)
    if isinstance(edge := how.get("edge"), float):
        corners = corners[0] + (corners - corners[0]) * np.float32(edge / 40)
    find = Find(score, np.array([x - 4, 96, x + 44, 144], np.float32), corners, states)
    second = how.get("body_or")
    bodies = chosen(BODIES, body, second if isinstance(second, str) else None)
    odd = how.get("odd", 0.0)
    glance = Glance(chosen(FACES, face), bodies[None], chosen(INKS, ink))
    return Seen(find, glance, odd if isinstance(odd, float) else 0.0)


def named(noted: list[Noted]) -> list[str]:
    return [str(each.spot.die) for each in noted]


def test_the_three_kinds_of_keer_op_keer_are_told_by_what_they_show() -> None:
    dice = [seen("cross", ink="red"), seen("question", "black"), seen("heart", "gold"), seen("cross")]
    due = ("colour", "colour", "number", "special")
    assert named(jointly(dice, due, (), SIZE)) == [
        "colour:red",
        "number:joker",
        "special:heart",
        "colour:joker",
    ]


def test_the_orange_die_is_orange_because_the_other_is_surely_yellow() -> None:
    dice = [seen("3", "yellow", body_or="orange"), seen("4", "yellow")]
    assert named(jointly(dice, ("yellow", "orange"), (), SIZE)) == ["orange:3", "yellow:4"]


def test_a_six_on_a_worm_die_cannot_be() -> None:
    (noted,) = jointly([seen("6")], ("worm",), (), SIZE)
    assert noted.spot.die.face != "6" and noted.signs.chance < 0.9


def test_a_six_that_might_be_a_four_is_no_sure_four_on_a_worm_die() -> None:
    """Taken for the likeliest face that is due, but with the doubt whether the die is due at all."""
    six = seen("6")
    face = log_chances(np.where(np.arange(len(FACES)) == FACES.index("4"), 3.0, six.glance.face))
    both = replace(six, glance=replace(six.glance, face=face.astype(np.float32)))
    (noted,) = jointly([both], ("worm",), (), SIZE)
    assert noted.spot.die == Die("worm", "4")
    assert noted.signs.chance < 0.97
    (ordinary_die,) = jointly([seen("4")], ("worm",), (), SIZE)
    assert ordinary_die.signs.chance > 0.99


def sure(dice: list[Seen], due: tuple[str, ...]) -> bool:
    """Whether all of this may be a roll: dice due alone, each read surely."""
    noted = jointly(dice, due, (), SIZE)
    return all(each.spot.state == "flat" and each.signs.chance > 0.9 for each in noted)


def test_a_cocked_die_too_many_is_a_stranger_and_may_be_the_one_thrown() -> None:
    due = ("pip",) * 4
    flat = [seen(str(n), x=60.0 * n) for n in (1, 2, 3, 4)]
    assert sure(flat, due)
    assert not sure([*flat, seen("5", x=400, odd=8.0)], due)


def test_a_plain_die_too_many_that_cannot_be_read_is_a_stranger() -> None:
    due = ("pip",) * 4
    flat = [seen(str(n), x=60.0 * n) for n in (1, 2, 3, 4)]
    blurred = {"1": 0.4, "2": 0.35, "3": 0.2}
    assert not sure([*flat, looking_like(seen("1", x=400), **blurred)], due)
    assert sure([*flat, looking_like(seen("1", x=400, score=0.25), **blurred)], due), "hardly a die"


@pytest.mark.parametrize(("edge", "known"), [(46.0, True), (60.0, False), (66.0, False), (26.0, False)])
def test_a_die_of_another_size_is_not_surely_the_one_that_is_missing(edge: float, known: bool) -> None:
    flat = [seen(str(n), x=60.0 * n) for n in (1, 2, 3, 4)]
    noted = jointly([*flat, seen("6", x=400, edge=edge)], ("pip",) * 5, (), SIZE)
    assert (len(noted) == 5 and noted[-1].signs.chance > 0.9) == known


@pytest.mark.parametrize(
    ("bodies", "due", "known"),
    [
        (["blue"], ("blue",), True),
        (["white"], ("blue",), False),
        (["purple", "blue"], ("blue", "yellow"), False),
        (["white", "yellow", "blue", "green", "black", "purple"], SETS["clever"], False),
        (["white", "yellow", "blue", "green", "orange", "purple"], SETS["clever"], True),
        (["black"], ("number",), True),
        (["white"], ("number",), False),
    ],
)
def test_a_colour_that_is_not_due_is_never_surely_another(
    bodies: list[str], due: tuple[str, ...], known: bool
) -> None:
    assert sure([seen("5", body, x=60.0 * n) for n, body in enumerate(bodies, 1)], due) == known


def test_a_symbol_that_is_not_due_is_no_sure_worm() -> None:
    dice = [seen("3", x=60.0 * n) for n in range(1, 8)]
    heart = looking_like(seen("1", x=500), heart=0.985, worm=0.0099)
    assert not sure([*dice, heart], ("worm",) * 8)
    assert sure([*dice, looking_like(seen("1", x=500), stars=0.6, worm=0.39)], ("worm",) * 8)


def test_a_second_blue_die_is_a_stranger() -> None:
    dice = [seen("3", "blue", score=0.99), seen("5", "blue", x=300)]
    states = [each.spot.state for each in jointly(dice, ("blue",), (), SIZE)]
    assert sorted(states) == ["flat", "foreign"]


@pytest.mark.parametrize(
    ("edge", "score", "states"),
    [
        (32.0, 0.3, ["flat"] * 4),
        (22.0, 0.3, ["flat"] * 3),
        (22.0, 0.5, ["flat"] * 3),
        (22.0, 0.9, ["flat"] * 3 + ["foreign"]),
    ],
    ids=[
        "as large",
        "half as large and faint: no die",
        "half as large and not plain enough for a stranger, as one of the size of the others would be",
        "half as large but plain: a stranger",
    ],
)
def test_a_find_of_another_size_is_not_the_die_that_is_missing(
    edge: float, score: float, states: list[str]
) -> None:
    dice = [seen(str(n), x=60.0 * n) for n in (1, 2, 3)]
    noted = jointly([*dice, seen("4", x=300, score=score, edge=edge)], ("pip",) * 4, (), SIZE)
    assert sorted(each.spot.state for each in noted) == states


@pytest.mark.parametrize(
    ("kind", "odds"),
    [
        ("pip", {"stars": 0.88, "5": 0.115}),
        ("worm", {"bomb": 0.88, "1": 0.115}),
        ("worm", {"heart": 0.85, "3": 0.14}),
    ],
)
def test_what_looks_like_a_symbol_is_no_sure_number(kind: str, odds: dict[str, float]) -> None:
    dice = [seen("3", x=60.0 * n) for n in range(1, 5)]
    assert not sure([*dice, looking_like(seen("1", x=400), **odds)], (kind,) * 5)


@pytest.mark.parametrize(
    ("score", "none", "known"), [(0.31, 0.45, False), (0.35, 0.4, False), (0.8, 0.05, True)]
)
def test_what_is_hardly_a_die_is_not_surely_the_one_that_is_missing(
    score: float, none: float, known: bool
) -> None:
    dice = [seen("3", x=60.0 * n) for n in range(1, 8)]
    spot = looking_like(seen("1", x=500, score=score), none=none, **{"1": 1 - none})
    assert sure([*dice, spot], ("worm",) * 8) == known


def looking_like(die: Seen, **odds: float) -> Seen:
    """The die with these chances of faces."""
    faces = np.full(len(FACES), 1e-4, np.float32)
    for face, chance in odds.items():
        faces[FACES.index(face)] = chance
    return replace(die, glance=replace(die.glance, face=log_chances(np.log(faces))))


def test_a_bomb_among_worm_dice_is_the_worm_it_looks_like_next_and_not_print_beside_it() -> None:
    worm = looking_like(seen("1", x=300, score=0.54), bomb=0.9, worm=0.08, none=0.01)
    printed = looking_like(seen("1", x=500, score=0.65), worm=0.41, none=0.29)
    noted = jointly([seen("3"), worm, printed], ("worm", "worm"), (), SIZE)
    flat = [(str(each.spot.die), each.spot.box[0]) for each in noted if each.spot.state == "flat"]
    assert flat == [("worm:3", 96.0), ("worm:worm", 296.0)]


def test_one_more_die_of_the_same_size_is_a_stranger_though_it_is_not_plain() -> None:
    dice = [*(seen(str(n), x=60.0 * n) for n in (1, 2, 3)), seen("4", x=300, score=0.65)]
    states = [each.spot.state for each in jointly(dice, ("pip",) * 3, (), SIZE)]
    assert sorted(states) == ["flat"] * 3 + ["foreign"]


@pytest.mark.parametrize(
    ("score", "none", "cut", "roll"),
    [
        (0.35, 0.001, 0.0, False),
        (0.28, 0.001, 0.0, True),
        (0.5, 0.2, 0.0, True),
        (0.55, 0.6, 0.9, False),
        (0.45, 0.6, 0.9, True),
        (0.6, 0.95, 0.9, True),
    ],
    ids=["legible", "vague", "hardly legible", "cut off", "cut off and vague", "cut off clutter"],
)
def test_a_die_too_many_keeps_the_others_from_being_sure_if_it_is_nearly_plain(
    score: float, none: float, cut: float, roll: bool
) -> None:
    """On photographs one that scored 0.56 at a glance vanished without a word; in pictures one half out of
    view, of which the upper face hardly shows."""
    dice = [*(seen(str(n), x=60.0 * n) for n in (1, 2, 3, 4))]
    extra = looking_like(seen("5", x=592, score=score, cut=cut), **{"5": 1 - none - 0.01, "none": none})
    assert sure([*dice, extra], ("pip",) * 4) == roll


def test_a_die_lying_already_is_expected() -> None:
    dice = [seen("3", "blue"), seen("5", "white", x=300)]
    noted = jointly(dice, ("blue",), (Die("white", "5"),), SIZE)
    assert named(noted) == ["blue:3", "white:5"]


def test_ordinary_dice_need_no_game_and_clutter_is_no_die() -> None:
    dice = [seen("3", "blue"), seen("none", score=0.6), seen("heart", score=0.6), seen("worm", score=0.3)]
    assert named(ordinary(dice, SIZE)) == ["pip:3"]


@pytest.mark.parametrize(
    ("score", "edge", "told"),
    [(0.9, 12, True), (0.65, 12, False), (0.65, 18, True), (0.12, 18, False), (0.12, 24, True)],
    ids=["plain", "a speck", "tiny", "vague and tiny", "vague"],
)
def test_a_tiny_die_is_told_of_when_it_is_plain_so_that_no_roll_leaves_it_out(
    score: float, edge: float, told: bool
) -> None:
    tiny = seen("3", score=score)
    find = replace(tiny.find, box=np.array([100, 100, 100 + edge, 100 + edge], np.float32))
    assert bool(ordinary([replace(tiny, find=find)], SIZE)) is told


def test_a_plain_die_that_cannot_be_read_is_told_of_and_never_sure() -> None:
    (noted,) = ordinary([seen("none", score=0.9)], SIZE)
    assert not may_be_sure(noted.signs)


@pytest.mark.parametrize(("edge", "doubted"), [(21.0, True), (30.0, False), (56.0, False), (72.0, True)])
def test_a_speck_that_is_no_size_for_a_die_beside_the_others_is_not_sure(edge: float, doubted: bool) -> None:
    dice = [*(seen("4", x=100.0 * i) for i in range(1, 4)), seen("1", x=400.0, edge=edge)]
    *others, odd = ordinary(dice, SIZE)
    assert (odd.signs.chance < 0.5) == doubted
    assert min(each.signs.chance for each in others) > 0.95
    (alone,) = ordinary(dice[-1:], SIZE)
    assert alone.signs.chance > 0.95


@pytest.mark.parametrize(
    ("how", "state"), [({"odd": 5.0}, "cocked"), ({"hidden": 0.9}, "stacked"), ({}, "flat")]
)
def test_how_a_die_lies_is_said(how: dict[str, float], state: str) -> None:
    assert ordinary([seen("3", **how)], SIZE)[0].spot.state == state


def test_where_as_many_dice_lean_as_lie_flat_none_counts_as_flat() -> None:
    """A camera that hangs upside down: sides pass for tops, and few of them agree."""

    def states(*odd: float) -> list[str]:
        dice = [seen(str(n), x=60.0 * n, odd=each) for n, each in enumerate(odd, 1)]
        return [each.spot.state for each in understood(jointly(dice, ("pip",) * len(dice), (), SIZE))]

    assert states(8.0, 8.0, 0.0, 0.0) == ["cocked"] * 4
    assert states(8.0, 0.0, 0.0, 0.0) == ["cocked", "flat", "flat", "flat"]
    assert states(8.0, 0.0) == ["cocked", "flat"]


def test_only_a_die_at_the_edge_is_cut_off() -> None:
    assert ordinary([seen("3", cut=0.9, x=2)], SIZE)[0].spot.state == "cut_off"
    assert ordinary([seen("3", cut=0.9, x=200)], SIZE)[0].spot.state == "flat"


def test_confidence_follows_the_weights_and_grows_with_every_good_sign() -> None:
    trust = Trust((0.5, 0.8, 0.3, 0.2, 0.1, 0.2), 0.98)
    good = Signs(0.99, 0.9, 0.01, 0.05, 60)
    worse = [
        Signs(0.9, 0.9, 0.01, 0.05, 60),
        Signs(0.99, 0.4, 0.01, 0.05, 60),
        Signs(0.99, 0.9, 0.3, 0.05, 60),
        Signs(0.99, 0.9, 0.01, 0.4, 60),
        Signs(0.99, 0.9, 0.01, 0.05, 30),
    ]
    best, *others = trust.confidences([good, *worse])
    assert max(others) < best < 1
    assert Trust().confidences([good]) == [pytest.approx(0.99)]
    assert Trust().confidences([]) == []


def boxed(found: Seen, left: float, top: float, size: float) -> Seen:
    """The same, with a square box of this size."""
    box = np.array([left, top, left + size, top + size], np.float32)
    return replace(found, find=replace(found.find, box=box))


def test_pips_of_a_large_die_that_pass_for_dice_are_none() -> None:
    large = boxed(seen("2", score=0.7), 50, 50, 300)
    pips = [boxed(seen("1", score=0.6), 100, 100, 60), boxed(seen("1", score=0.5), 250, 250, 60)]
    beside = boxed(seen("4", score=0.6), 400, 50, 60)
    assert outermost([large, *pips, beside]) == [large, beside]


def test_a_heap_of_plain_dice_is_no_large_die() -> None:
    heap = boxed(seen("none", score=0.8), 50, 50, 300)
    dice = [boxed(seen("1", score=0.9), 60, 60, 100), boxed(seen("5", score=0.9), 200, 60, 100)]
    assert outermost([heap, *dice]) == dice


def test_a_heap_hides_none_of_its_dice() -> None:
    heap = boxed(seen("3", score=0.5), 50, 50, 300)
    dice = [boxed(seen("1", score=0.9), 60, 60, 100), boxed(seen("5", score=0.5), 200, 60, 100)]
    assert outermost([heap, *dice]) == dice


def test_of_two_finds_that_are_hardly_dice_none_hides_the_other() -> None:
    vague = boxed(seen("3", score=0.2), 50, 50, 300)
    tiny = boxed(seen("1", score=0.2), 100, 100, 60)
    assert outermost([vague, tiny]) == [vague, tiny]
    assert outermost([]) == []


def test_dice_that_differ_less_in_size_may_cover_each_other() -> None:
    below, above = boxed(seen("2"), 100, 100, 80), boxed(seen("5"), 110, 110, 60)
    assert outermost([below, above]) == [below, above]
