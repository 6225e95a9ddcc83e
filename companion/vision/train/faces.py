"""Training the network that reads faces."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from companion.vision.faces import FACES
from companion.vision.train.crops import COLUMNS, Shard, growing, held_back, plain
from companion.vision.train.loop import Course, learn, tensor
from companion.vision.train.networks import Faces, Network

_FACE = COLUMNS.index("face")


def add(parts: Any) -> None:
    """Register the part `faces`."""
    parser = parts.add_parser("faces", help="the network that reads a rectified face")
    parser.add_argument("--crops", type=Path, required=True, help="folder of crops made by the part `crops`")
    parser.add_argument("--out", type=Path, default=Path("models/faces.onnx"))
    parser.add_argument("--steps", type=int, default=20000, help="batches of 128 crops")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train, or go on training, and export."""
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    unseen = held_back(arguments.crops)
    network = Faces().to(memory_format=torch.channels_last)
    learn(
        network,
        lambda seed: growing(arguments.crops, 128, seed, lambda labels: balance(labels[:, _FACE])),
        loss,
        Course(arguments.steps, seed=arguments.seed),
        arguments.out,
        lambda told: checked(told, unseen),
    )
    return 0


def balance(faces: np.ndarray[Any, np.dtype[np.int16]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Weights that make every face about equally frequent, and `none` two and a half times as much."""
    counts = np.bincount(faces, minlength=len(FACES)).astype(np.float64)
    share = 1 / np.maximum(counts, 1)
    share[FACES.index("none")] *= 2.5
    return np.asarray(share[faces])


def loss(scores: Tensor, labels: Tensor) -> Tensor:
    """How wrong the scores are."""
    return cross_entropy(scores, labels[:, _FACE], label_smoothing=0.005)


def checked(network: Network, shard: Shard) -> str:
    """How many unseen crops it reads right, in words."""
    with torch.no_grad():
        scores = network(tensor(plain(shard.crops), network)).numpy()
    right = scores.argmax(1) == shard.labels[:, _FACE]
    big = shard.labels[:, COLUMNS.index("size")] >= 30
    return f"unseen: {right.mean():.4f} right ({right[big].mean():.4f} from 30 px)"
