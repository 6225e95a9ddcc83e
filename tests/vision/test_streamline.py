"""The detector's first convolution, put another way for speed, must see what it saw before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.vision.detector import STRIDE
from companion.vision.models import session
from companion.vision.train.streamline import MOST, PIXELS, SIDE_BY_SIDE, folded, rounded, streamline


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
    assert np.abs(whole).max() <= MOST
    assert (np.abs(told - weights) <= 1.5 * scales[:, None, None, None]).all()
    off = (told - weights).sum(axis=(2, 3)) / scales[:, None]
    assert np.abs(off).max() <= 0.5 + 1e-4


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what PyTorch says of the exporter used
def test_a_network_tells_the_same_after_it_was_streamlined(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="networks are made with the extra `train` alone")
    from companion.vision.train.detector import export
    from companion.vision.train.finder import Finder
    from companion.vision.train.integers import in_integers

    torch.manual_seed(1)
    path, finder, rng = tmp_path / "detector.onnx", Finder(), np.random.default_rng(1)
    finder.head.weight.data *= 10
    export(finder, path)
    coarse = rng.integers(0, 256, (4, 2, 8, 12, 3), np.uint8)
    pictures = coarse.repeat(8, axis=2).repeat(8, axis=3)
    pictures[0, 0], pictures[0, 1] = (255, 0, 0), (0, 0, 255)
    planes = np.ascontiguousarray(pictures[..., ::-1].transpose(0, 1, 4, 2, 3), np.float32) / 255
    in_integers(path, [one[None] for pair in planes for one in pair])
    before = session(path, 1, "image").run(None, {"image": planes[0]})[0].transpose(0, 2, 3, 1)
    streamline(path)
    after = session(path, 1, PIXELS).run(None, {PIXELS: pictures[0]})[0]
    after = after.reshape(2, 64 // STRIDE, 96 // STRIDE, 20)
    blue, red = before
    assert np.abs(after - before).mean() < 0.3 * np.abs(blue - red).mean()
