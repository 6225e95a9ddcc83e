"""Training the network that names the colours of bodies and crosses."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from companion.vision.faces import BODIES, INKS
from companion.vision.train.crops import COLUMNS, Bytes, Labels, Shard, growing, held_back, plain
from companion.vision.train.loop import Course, crosses_balanced, learn, tensor
from companion.vision.train.networks import Colours, Network

_BODY, _INK = COLUMNS.index("body"), COLUMNS.index("ink")


def add(parts: Any) -> None:
    """Register the part `colours`."""
    parser = parts.add_parser("colours", help="the network that names body and cross colours")
    parser.add_argument("--crops", type=Path, required=True, help="folder of crops made by the part `crops`")
    parser.add_argument("--out", type=Path, default=Path("models/colours.onnx"))
    parser.add_argument("--steps", type=int, default=10000, help="batches of 128 crops")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train, or go on training, and export."""
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    unseen = held_back(arguments.crops)
    network = Colours().to(memory_format=torch.channels_last)
    learn(
        network,
        lambda seed: asked(growing(arguments.crops, 128, seed, balance)),
        loss,
        Course(arguments.steps, seed=arguments.seed),
        arguments.out,
        lambda told: checked(told, unseen),
    )
    return 0


def balance(labels: np.ndarray[Any, np.dtype[np.int16]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Weights that make every body, and every cross colour, about equally frequent."""
    bodies = np.bincount(labels[:, _BODY] + 1, minlength=len(BODIES) + 1).astype(np.float64)
    inks = np.bincount(labels[:, _INK] + 1, minlength=len(INKS) + 1).astype(np.float64)
    bodies[0] = inks[0] = np.inf
    return np.asarray(
        1 / np.maximum(bodies, 1)[labels[:, _BODY] + 1] + 2 / np.maximum(inks, 1)[labels[:, _INK] + 1]
    )


def asked(batches: Iterator[tuple[Bytes, Labels]]) -> Iterator[tuple[Bytes, Labels]]:
    """Batches in which a crop is asked for its cross or for its body, never both: a cross is looked at after
    balancing the crop by its body, which then says nothing."""
    for crops, known in batches:
        labels = known.copy()
        crosses = np.nonzero(labels[:, _INK] >= 0)[0]
        labels[crosses[::3], _INK] = -1
        labels[labels[:, _INK] >= 0, _BODY] = -1
        yield crops, labels


def loss(scores: Tensor, labels: Tensor) -> Tensor:
    """How wrong the scores are about bodies and crosses, each where it is known."""
    total = scores.sum() * 0
    for column, part in ((_BODY, scores[:, : len(BODIES)]), (_INK, scores[:, len(BODIES) :])):
        known = labels[:, column] >= 0
        if bool(known.any()):
            total = total + cross_entropy(part[known], labels[known, column], label_smoothing=0.005)
    return total


def checked(network: Network, shard: Shard) -> str:
    """How many unseen colours it names right, in words."""
    crops = plain(shard.crops)
    with torch.no_grad():
        bodies = network(tensor(crops, network)).numpy()[:, : len(BODIES)]
        inks = network(tensor(crosses_balanced(crops, shard.labels), network)).numpy()[:, len(BODIES) :]
    words = []
    for name, column, part in (("bodies", _BODY, bodies), ("crosses", _INK, inks)):
        known = shard.labels[:, column] >= 0
        right = (part[known].argmax(1) == shard.labels[known, column]).mean() if known.any() else 0
        words.append(f"{name} {right:.4f}")
    return "unseen: " + ", ".join(words)
