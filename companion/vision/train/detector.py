"""Training the detector: `python -m companion.vision.train detector`; resumes where it was stopped."""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from companion.vision.train.examples import EDGE, example
from companion.vision.train.finder import Finder, box_of
from companion.vision.train.integers import in_integers
from companion.vision.train.photographs import photographs
from companion.vision.train.pool import Taken, taken
from companion.vision.train.streamline import streamline
from companion.vision.train.targets import target, worsened

BATCH = 16
"""Crops a step; half as many as long as the rate is level, when steps count more than their exactness."""
KEPT = 0.998
"""Share of the running mean of the weights that a step keeps; the mean is what is shipped."""
FOLD = 0.6
"""The last part of the steps over which the rate falls to nothing."""
_PHOTOGRAPHS = 0.3
_SAMPLES, _SAMPLE_SEED = 64, 99
"""Crops by which the ranges of whole numbers are measured."""


class Crops(torch.utils.data.IterableDataset):  # type: ignore[misc]
    """Endless varied crops of the pool and, if given, of photographs."""

    def __init__(self, pool: Path, seed: int, photographs: list[Taken] | None = None) -> None:
        self.pool, self.seed, self.photographs = pool, seed, photographs or []

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        pictures: list[Taken] = []
        made = 0
        while True:
            if made % 4000 == 0:
                pictures = list(taken(self.pool))
            made += 1
            source = self.photographs if self.photographs and rng.random() < _PHOTOGRAPHS else pictures
            crop, seen = example(source, rng)
            crop = worsened(crop, rng)
            planes = np.ascontiguousarray(crop[..., ::-1].transpose(2, 0, 1))
            yield torch.from_numpy(planes), torch.from_numpy(target(seen, EDGE))


def loss(raw: Tensor, wanted: Tensor) -> tuple[Tensor, dict[str, float]]:
    """How wrong the raw map is, and its parts for the progress line."""
    heat, weight = wanted[:, 0], wanted[:, 1]
    score = raw[:, 0].clamp(-12, 12)
    hit = heat >= 0.9999
    right, wrong = nn.functional.logsigmoid(score), nn.functional.logsigmoid(-score)
    chance = torch.sigmoid(score)
    found = -(right * (1 - chance) ** 2 * hit).sum()
    false = -(wrong * chance**2 * (1 - heat) ** 4 * weight * ~hit).sum()
    centre = (found + false) / hit.sum().clamp(min=1)

    near, face = wanted[:, 2], wanted[:, 3]
    some, some_face = near.sum().clamp(min=1), face.sum().clamp(min=1)
    here, box = box_of(raw), torch.exp(wanted[:, 4:8]) * 16.0
    overlap = (torch.minimum(here[:, 0], box[:, 0]) + torch.minimum(here[:, 2], box[:, 2])) * (
        torch.minimum(here[:, 1], box[:, 1]) + torch.minimum(here[:, 3], box[:, 3])
    )
    both = (here[:, 0] + here[:, 2]) * (here[:, 1] + here[:, 3]) + (box[:, 0] + box[:, 2]) * (
        box[:, 1] + box[:, 3]
    )
    apart = ((1 - overlap / (both - overlap)) * near).sum() / some
    sides = ((raw[:, 1:5] - wanted[:, 4:8]).abs().mean(1) * near).sum() / some
    off = (raw[:, 5:14] - wanted[:, 8:17]).abs()
    scale = off.new_tensor([3, 3, 1.5, 0.3, 0.3, 1, 1, 0.1, 0.1])[None, :, None, None]
    corners = ((off * scale).sum(1) * face).sum() / some_face
    rare = raw.new_tensor([1.0, 5.0, 2.0, 1.0])[None, :, None, None]
    states = nn.functional.binary_cross_entropy_with_logits(
        raw[:, 14:18], wanted[:, 17:21], reduction="none", pos_weight=rare
    )
    lying = (states.sum(1) * near).sum() / some
    upper = nn.functional.binary_cross_entropy_with_logits(raw[:, 18], wanted[:, 21], reduction="none")
    faces = (upper * weight).mean()
    total = centre + 2 * apart + sides + corners + 0.4 * lying + 5 * faces + 0 * raw[:, 19].mean()
    turn = ((off[:, 3] + off[:, 4]) * face).sum() / some_face
    parts = {"heat": centre, "iou": apart, "face": corners, "turn": turn, "state": lying, "mask": faces}
    return total, {name: float(value.detach()) for name, value in parts.items()}


def level(steps: int) -> int:
    """The step from which on the rate falls."""
    return int(steps * (1 - FOLD))


def rate_at(step: int, steps: int, rate: float) -> float:
    """A short rise, a long level, a straight fall."""
    fall = level(steps)
    if step < 200:
        return rate * (step + 1) / 200
    return rate if step < fall else rate * max(0.01, (steps - step) / max(1, steps - fall))


def add(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the part."""
    parser = parts.add_parser("detector", help="train the network that finds dice (make the pool first)")
    parser.add_argument("--pool", type=Path, default=Path("build/pool"), help="folder of the pictures")
    parser.add_argument("--work", type=Path, default=Path("build/detector"), help="folder of the checkpoints")
    parser.add_argument("--out", type=Path, default=Path("models/detector.onnx"), help="where the model goes")
    parser.add_argument(
        "--steps", type=int, default=30000, help=f"steps of {BATCH} crops (half as many at first)"
    )
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate on the level part")
    parser.add_argument("--photographs", type=Path, help="labels.json of photographs that may join")
    parser.add_argument("--workers", type=int, default=1, help="processes that make crops")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train, saving every few hundred steps, then write the model."""
    torch.set_num_threads(1)
    torch.manual_seed(4)
    cv2.setNumThreads(1)  # before a process is forked: its threads would be waited for in vain
    arguments.work.mkdir(parents=True, exist_ok=True)
    finder = Finder().to(memory_format=torch.channels_last)
    mean = copy.deepcopy(finder).eval()
    adam = torch.optim.AdamW(finder.parameters(), lr=arguments.rate, weight_decay=1e-3)
    saved, step = arguments.work / "last.pt", 0
    if saved.exists():
        state = torch.load(saved, weights_only=True)
        finder.load_state_dict(state["finder"])
        mean.load_state_dict(state["mean"])
        adam.load_state_dict(state["adam"])
        step = int(state["step"])
    kept = arguments.work / "photographs"
    joined = photographs(arguments.photographs, mean, kept) if arguments.photographs else []
    crops = Crops(arguments.pool, 4 + step, joined)
    half = BATCH // 2
    feed = iter(torch.utils.data.DataLoader(crops, half, num_workers=arguments.workers, prefetch_factor=8))
    sums: dict[str, float] = {}
    start, since = time.perf_counter(), step
    finder.train()
    while step < arguments.steps:
        for group in adam.param_groups:
            group["lr"] = rate_at(step, arguments.steps, arguments.rate)
        drawn = [next(feed) for _ in range(1 if step < level(arguments.steps) else 2)]
        picture, wanted = (torch.cat(halves) for halves in zip(*drawn, strict=True))
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor knows such numbers
            raw = finder(picture.to(memory_format=torch.channels_last).float() / 255)
        total, parts = loss(raw.float(), wanted)
        adam.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(finder.parameters(), 5.0)
        adam.step()
        _follow(mean, finder, min(KEPT, (step + 1) / (step + 10)))
        step += 1
        for name, value in parts.items():
            sums[name] = 0.98 * sums.get(name, value) + 0.02 * value
        if step % 50 == 0:
            pace = (time.perf_counter() - start) / (step - since)
            line = " ".join(f"{name} {value:.3f}" for name, value in sums.items())
            print(f"step {step}/{arguments.steps} {line} {pace:.2f} s/step", flush=True)  # noqa: T201
        if step % 250 == 0 or step == arguments.steps:
            state = {
                "finder": finder.state_dict(),
                "mean": mean.state_dict(),
                "adam": adam.state_dict(),
                "step": step,
            }
            torch.save(state, saved.with_suffix(".part"))
            saved.with_suffix(".part").replace(saved)
    part = arguments.out.with_suffix(".part")
    export(mean, part)
    samples = islice(Crops(arguments.pool, _SAMPLE_SEED), _SAMPLES)
    in_integers(part, (crop.numpy()[None].astype(np.float32) / 255 for crop, _ in samples))
    streamline(part)
    part.replace(arguments.out)
    return 0


def _follow(mean: Finder, finder: Finder, kept: float) -> None:
    """Move the running mean of the weights a little towards the newest ones."""
    with torch.no_grad():
        for old, new in zip(mean.state_dict().values(), finder.state_dict().values(), strict=True):
            if old.dtype.is_floating_point:
                old.lerp_(new, 1 - kept)
            else:
                old.copy_(new)


def export(finder: Finder, path: Path) -> None:
    """Write the network in floating point, with batch norms folded into the convolutions."""
    model = copy.deepcopy(finder).to(memory_format=torch.contiguous_format).eval()
    sample = torch.zeros(1, 3, 96, 128)
    free = {0: "n", 2: "h", 3: "w"}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        model,
        (sample,),
        str(path),
        input_names=["image"],
        output_names=["map"],
        dynamic_axes={"image": free, "map": {0: "n", 2: "h4", 3: "w4"}},
        opset_version=17,
        dynamo=False,
    )
