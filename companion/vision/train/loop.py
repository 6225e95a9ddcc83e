"""The training loop of the crop networks: seeded, resumable, with progress."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from companion.vision.colours import own_balanced
from companion.vision.train.crops import COLUMNS, Bytes, lit
from companion.vision.train.integers import in_integers
from companion.vision.train.networks import Colours, Faces, Network, export

_SAMPLES, _SAMPLE_SEED = 4, 99
"""Batches by which the ranges of whole numbers are measured."""
Loss = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class Course:
    """How long and how fast to learn."""

    steps: int
    batch: int = 128
    rate: float = 2.5e-3
    seed: int = 1
    keep_every: int = 500


def learn(
    network: Network,
    source: Callable[[int], Iterator[tuple[Bytes, NDArray[Any]]]],
    loss: Loss,
    course: Course,
    out: Path,
    check: Callable[[Network], str] | None = None,
) -> None:
    """Train to the end of the course, going on from `out`'s checkpoint if there is one, and export."""
    torch.manual_seed(course.seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=course.rate, weight_decay=0.02)
    checkpoint = out.with_suffix(".pt")
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    step = 0
    steady = {name: value.clone() for name, value in network.state_dict().items()}
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(kept["network"])
        optimiser.load_state_dict(kept["optimiser"])
        steady, step = kept["steady"], int(kept["step"])
    chance = np.random.default_rng(course.seed + 7 * step)
    batches = source(course.seed + 13 * step)
    network.train()
    started, shown, mean = time.monotonic(), step, 0.0
    while step < course.steps:
        for group in optimiser.param_groups:
            group["lr"] = course.rate * pace(step, course.steps)
        crops, labels = next(batches)
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor knows such numbers
            scores = network(inputs(crops, labels, chance, network))
        value = loss(
            scores.float(),
            torch.from_numpy(labels if labels.dtype == np.float32 else labels.astype(np.int64)),
        )
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        step += 1
        now = float(value.detach())
        mean += 0.01 * (now - mean) if mean else now
        follow(steady, network, 0.998 if step > 1000 else 0.98)
        if step % course.keep_every == 0 or step == course.steps:
            torch.save(
                {
                    "network": network.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "steady": steady,
                    "step": step,
                },
                checkpoint.with_suffix(".part"),
            )
            checkpoint.with_suffix(".part").replace(checkpoint)
            told = averaged(network, steady)
            words = check(told) if check else ""
            speed = (step - shown) * course.batch / (time.monotonic() - started)
            print(f"step {step}/{course.steps} loss {mean:.4f} {speed:.0f} crops/s {words}", flush=True)  # noqa: T201
            started, shown = time.monotonic(), step
    part = out.with_suffix(".part")
    export(averaged(network, steady), part)
    sampled, chance = source(_SAMPLE_SEED), np.random.default_rng(_SAMPLE_SEED)
    in_integers(part, [inputs(*next(sampled), chance, network).numpy() for _ in range(_SAMPLES)])
    part.replace(out)


def pace(step: int, steps: int) -> float:
    """The learning rate's share of its peak: a short rise, then down along a cosine."""
    rise = min(1.0, (step + 1) / 300)
    return rise * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / steps)))


def follow(steady: dict[str, Tensor], network: torch.nn.Module, keep: float) -> None:
    """Let the steady weights trail the learning ones."""
    for name, value in network.state_dict().items():
        if value.dtype.is_floating_point:
            steady[name].mul_(keep).add_(value, alpha=1 - keep)
        else:
            steady[name] = value.clone()


def averaged(network: Network, steady: dict[str, Tensor]) -> Network:
    """The network with the steady weights."""
    copy = type(network)()
    copy.load_state_dict(steady)
    copy.eval()
    return copy


def inputs(crops: Bytes, labels: NDArray[Any], chance: np.random.Generator, network: Network) -> Tensor:
    """A batch under random light, as the network takes it."""
    colours = isinstance(network, Colours)
    plain = crops.astype(np.float32) / np.float32(255)
    stack = lit(plain, chance, not colours, veiled=isinstance(network, Faces))
    if colours:
        stack = crosses_balanced(stack, labels)
    return tensor(stack, network)


def crosses_balanced(stack: NDArray[np.float32], labels: NDArray[Any]) -> NDArray[np.float32]:
    """The crops, those whose cross is asked for balanced by the white of their own body."""
    crosses = labels[:, COLUMNS.index("ink")] >= 0
    if crosses.any():
        stack[crosses] = own_balanced(stack[crosses])
    return stack


def tensor(stack: NDArray[np.float32], network: Network) -> Tensor:
    """Crops (BGR, 0..1) as the network's input."""
    if stack.shape[1] != network.size:
        count, high = stack.shape[:2]
        stack = stack.reshape(count, high // 2, 2, high // 2, 2, 3).mean(axis=(2, 4))
    planes = np.ascontiguousarray(stack[..., ::-1].transpose(0, 3, 1, 2))
    return torch.from_numpy(planes).to(memory_format=torch.channels_last)
