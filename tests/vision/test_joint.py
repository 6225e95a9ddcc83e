from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from companion.vision.joint import assign, expected


def weighed(rows: list[list[float]], *lamps: list[list[float]]) -> np.ndarray:
    return np.array([rows, *lamps], float)


def test_each_colour_is_given_once_although_two_dice_look_yellow() -> None:
    expect = expected(("orange", "yellow"))
    chosen = assign(weighed([[0.4, 0.6], [0.1, 0.9]]), np.full(2, 0.001), expect)
    assert [expect.kinds[i] for i in chosen.best] == ["orange", "yellow"]
    assert chosen.chances[0, 0] == pytest.approx(0.36 / (0.36 + 0.06), abs=0.02)


def test_chances_are_the_sum_over_all_permutations() -> None:
    rng = np.random.default_rng(3)
    kinds = ("a", "b", "c", "d")
    weights = rng.random((4, 4))
    chosen = assign(weights[None], np.zeros(4), expected(kinds))
    ways = {p: np.prod([weights[i, p[i]] for i in range(4)]) for p in permutations(range(4))}
    total = sum(ways.values())
    for die in range(4):
        for kind in range(4):
            share = sum(v for p, v in ways.items() if p[die] == kind) / total
            assert chosen.chances[die, kind] == pytest.approx(share)
    assert chosen.best == max(ways, key=lambda p: ways[p])


def test_a_die_too_many_is_the_one_that_fits_least() -> None:
    chosen = assign(weighed([[0.9], [0.2], [0.8]]), np.full(3, 0.01), expected(("worm", "worm")))
    assert chosen.best == (0, 1, 0)
    assert chosen.chances[1, 1] > 0.5


def test_clutter_is_left_out_unless_a_die_is_missing() -> None:
    faint = weighed([[0.9], [0.9], [0.15]])
    doubt = np.array([0.1, 0.1, 0.85])
    assert assign(faint, doubt, expected(("pip",) * 2)).best == (0, 0, 1)
    assert assign(faint, doubt, expected(("pip",) * 3)).best == (0, 0, 0)


def test_dice_that_may_stay_lying_need_not_be_there() -> None:
    expect = expected(("pip", "pip"), ("pip",))
    assert expect.due == (2,) and expect.most == (3,)
    assert assign(weighed([[0.9]] * 3), np.full(3, 0.01), expect).best == (0, 0, 0)
    assert assign(weighed([[0.9]] * 2), np.full(2, 0.01), expect).best == (0, 0)


def test_the_lamp_under_which_all_fits_is_believed() -> None:
    cold = [[0.9, 0.1], [0.9, 0.1]]
    warm = [[0.95, 0.05], [0.05, 0.95]]
    chosen = assign(
        weighed(cold, warm), np.full(2, 0.001), expected(("white", "yellow")), np.array([0.5, 0.5])
    )
    assert chosen.lamps[1] > 0.7
    assert chosen.best == (0, 1)
