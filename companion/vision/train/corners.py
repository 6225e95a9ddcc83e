"""Training the network that finds a face's corners more exactly than the detector can."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from companion.vision.aim import AIM_MARGIN
from companion.vision.faces import FACES, SIZE
from companion.vision.train.crops import (
    HELD,
    LOOK_AGAIN,
    STORED,
    STORED_MARGIN,
    UNKNOWN,
    Bytes,
    Labels,
    held_back,
    load,
    worsened,
)
from companion.vision.train.loop import Course, learn, tensor
from companion.vision.train.networks import Corners, Network

_NONE = FACES.index("none")


def add(parts: Any) -> None:
    """Register the part `corners`."""
    parser = parts.add_parser("corners", help="the network that finds a face's corners exactly")
    parser.add_argument("--crops", type=Path, required=True, help="folder of crops made by the part `crops`")
    parser.add_argument("--out", type=Path, default=Path("models/corners.onnx"))
    parser.add_argument("--steps", type=int, default=6000, help="batches of 128 crops")
    parser.add_argument("--rate", type=float, default=2.5e-3, help="peak learning rate")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train, or go on training, and export."""
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    held = held_back(arguments.crops)
    unseen = _examples(held.crops, held.labels, np.random.default_rng(5))
    known = held.labels[:, 0] != _NONE
    learn(
        Corners().to(memory_format=torch.channels_last),
        lambda seed: _batches(arguments.crops, seed),
        loss,
        Course(arguments.steps, rate=arguments.rate, seed=arguments.seed),
        arguments.out,
        lambda told: checked(told, unseen[0][known], unseen[1][known]),
    )
    return 0


def _batches(folder: Path, seed: int) -> Iterator[tuple[Bytes, NDArray[np.float32]]]:
    chance = np.random.default_rng(seed)
    names: list[Path] = []
    while True:
        found = sorted(folder.glob("crops_*.npz"))
        if found != names:
            names, shard = found, load(folder)
            usable = np.nonzero((shard.labels[:, 0] != _NONE) & (np.arange(len(shard.labels)) % HELD != 0))[0]
        for _ in range(LOOK_AGAIN):
            picks = chance.choice(usable, 128)
            yield _examples(shard.crops[picks], shard.labels[picks], chance)


def _examples(crops: Bytes, labels: Labels, chance: np.random.Generator) -> tuple[Bytes, NDArray[np.float32]]:
    pairs = [missed(crop, label[-2:], chance) for crop, label in zip(crops, labels, strict=True)]
    return np.stack([crop for crop, _ in pairs]), np.stack([corners for _, corners in pairs])


def missed(crop: Bytes, off: Labels, chance: np.random.Generator) -> tuple[Bytes, NDArray[np.float32]]:
    """A stored crop as the detector would have cut it, where the true corners are in it, and the way from the
    middle of the die's box to the middle of its upper face (not a number where that is not known).

    All are measured from the middle of the crop, one unit being half a face's edge as expected.
    """
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    lean = chance.uniform(0, np.pi)
    squeeze = chance.uniform(0.5, 1) if chance.random() < 0.3 else 1 - abs(chance.normal(0, 0.13))
    along = np.array([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
    turn = chance.uniform(-np.pi, np.pi)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    shape = spin @ along.T @ np.diag([squeeze, 1.0]) @ along
    shape = shape * np.exp(chance.normal(0, 0.16))
    true = square @ shape
    way = off.astype(np.float64) / 1000 @ shape if off[0] != UNKNOWN else np.full(2, np.nan)
    true = true + chance.normal(0, 0.2, 2) + chance.normal(0, 0.02, (4, 2))
    half = STORED * (0.5 - STORED_MARGIN)
    source = square * half + STORED / 2 - 0.5
    unit = SIZE * (0.5 - AIM_MARGIN)
    target = true * unit + SIZE / 2 - 0.5
    warp = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    out = cv2.warpPerspective(
        crop, warp, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return worsened(np.asarray(out, np.uint8), chance), np.vstack([true, way]).astype(np.float32)


def loss(scores: Tensor, wanted: Tensor) -> Tensor:
    """How far off the corners are, whichever of them comes first, and the way from the box's middle."""
    known = ~wanted[:, 4, 0].isnan()
    total = _distances(scores[:, :8], wanted[:, :4]).mean()
    if bool(known.any()):
        total = total + 6 * smooth_l1_loss(scores[known, 8:], wanted[known, 4], beta=0.05)
    return total


def _distances(scores: Tensor, wanted: Tensor) -> Tensor:
    told = scores.reshape(-1, 4, 2)
    turns = [
        smooth_l1_loss(told, wanted.roll(k, dims=1), beta=0.1, reduction="none").sum(dim=(1, 2))
        for k in range(4)
    ]
    return torch.stack(turns).amin(dim=0)


def checked(network: Network, crops: Bytes, places: NDArray[np.float32]) -> str:
    """How exact the corners of unseen crops are, in words."""
    with torch.no_grad():
        scores = network(tensor(crops.astype(np.float32) / np.float32(255), network))
    told, wanted = scores[:, :8].reshape(-1, 4, 2), torch.from_numpy(places)
    turns = torch.stack([(told - wanted[:, :4].roll(k, dims=1)).norm(dim=2).mean(dim=1) for k in range(4)])
    corners = _words(turns.amin(dim=0).numpy())
    known = ~wanted[:, 4, 0].isnan()
    way = _words((scores[known, 8:] - wanted[known, 4]).norm(dim=1).numpy()) if known.any() else "unknown"
    return f"unseen: corners off by {corners} of an edge (50, 90, 98 %), the box's middle by {way}"


def _words(halves: NDArray[np.float32]) -> str:
    return ", ".join(f"{part / 2:.3f}" for part in np.percentile(halves, [50, 90, 98]))
