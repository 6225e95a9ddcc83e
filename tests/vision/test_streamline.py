"""The detector's first convolution, put another way for speed, must see what it saw before."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.train.streamline import MOST, SIDE_BY_SIDE, folded, rounded


def convolved(image: np.ndarray, weights: np.ndarray, steps: tuple[int, int], left: int) -> np.ndarray:
    """A convolution by hand: image [row, column, channel], weights [out, channel, row, column]."""
    high, wide = weights.shape[2:]
    right = left if wide == 3 else 0
    padded = np.pad(image.astype(int), ((1, 1), (left, right), (0, 0)))
    rows = range(0, padded.shape[0] - high + 1, steps[0])
    columns = range(0, padded.shape[1] - wide + 1, steps[1])
    return np.array(
        [
            [
                np.einsum("yxc,ocyx->o", padded[y : y + high, x : x + wide], weights.astype(int))
                for x in columns
            ]
            for y in rows
        ]
    )


def test_four_pixels_at_once_give_the_same_cells_as_one_by_one() -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (8, 16, 3))
    weights = rng.integers(-MOST, MOST + 1, (5, 3, 3, 3)).astype(np.int8)
    plain = convolved(image, weights, (2, 2), left=1)
    abreast = image.reshape(8, 16 // SIDE_BY_SIDE, 3 * SIDE_BY_SIDE)
    wide = convolved(abreast, folded(weights), (2, 1), left=1)
    assert wide.reshape(plain.shape).tolist() == plain.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_weights_in_seven_bits_are_near_and_those_of_a_colour_add_up_as_before(seed: int) -> None:
    weights = np.random.default_rng(seed).normal(0, 0.3, (6, 3, 3, 3)).astype(np.float32)
    whole, scales = rounded(weights)
    told = whole * scales[:, None, None, None]
    assert np.abs(whole).max() <= MOST + 1
    assert (np.abs(told - weights) <= 1.5 * scales[:, None, None, None]).all()
    off = (told - weights).sum(axis=(2, 3)) / scales[:, None]
    assert np.abs(off).max() <= 0.5 + 1e-4
