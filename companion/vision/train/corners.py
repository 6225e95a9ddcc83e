"""Training the networks that find a face's corners more exactly than the detector can: one from wherever the
detector points to, one from where that one has ended.

They learn from the detector's own pictures: crops are turned, shifted and scaled as the look before errs,
never bent, so that how a face is foreshortened and how much of the die's sides shows belong together as they
do in life. By these two the dice that lean are told.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from companion.vision.aim import AIM_MARGIN, FINE_MARGIN, FINE_SIZE, squared
from companion.vision.faces import SIZE, rectified
from companion.vision.sides import edge
from companion.vision.train.crops import HELD, VEILED, Bytes, veil, worsened
from companion.vision.train.loop import Course, learn, tensor
from companion.vision.train.networks import Corners, Network, Slants
from companion.vision.train.pool import Taken, taken

Floats = NDArray[np.float32]

_STORED, _STORED_MARGIN = 96, 0.3
"""Side of a stored crop in pixels, and the part of it left around the face on each side: room to turn."""
_LEAST_EDGE, _LEAST_SEEN = 16.0, 0.75
"""Smaller faces in pixels, and dice of which less is seen, are not learnt from."""
_WHOLE = 0.97
"""From this visible part on the box of a die is the box of all of it."""
_LEANS, _LEANING = 8.0, 3.0
"""Degrees from which a die leans, and how many times as often as a flat one it is drawn."""


@dataclass(frozen=True, slots=True)
class Start:
    """From where a network looks at a face: its crop's side and margin, and how far the face is from where it
    should be: turn in radians (any, if not a number), size as a logarithm, place in half edges."""

    size: int
    margin: float
    turn: float
    grow: float
    shift: float


CRUDE = Start(SIZE, AIM_MARGIN, np.nan, 0.16, 0.2)
FINE = Start(FINE_SIZE, FINE_MARGIN, 0.09, 0.07, 0.09)
_EIGHTH = 33.0
"""Degrees from which a face is turned by about an eighth."""
_FAR_OFF, _FARTHER = 0.15, 3.5
"""What part of the exact looks starts how many times as far off."""


@dataclass(frozen=True, slots=True, eq=False)
class UpperFaces:
    """Stored crops, and the points in each: four corners and the way from the box's middle to the face's, in
    half edges from the middle of the crop (not a number where that is not known); how often each is drawn."""

    crops: Bytes
    points: Floats
    weights: Floats


def add(parts: Any) -> None:
    """Register the parts `corners` and `slants`."""
    _add(parts, "corners", "the network that finds a face's corners exactly", 7500, _corners)
    _add(parts, "slants", "the network that measures them once more from there", 12000, _slants)


def _add(parts: Any, name: str, what: str, steps: int, run: Callable[[argparse.Namespace], int]) -> None:
    parser = parts.add_parser(name, help=what)
    parser.add_argument("--pool", type=Path, default=Path("build/pool"), help="folder of the pictures")
    parser.add_argument("--out", type=Path, default=Path(f"models/{name}.onnx"))
    parser.add_argument("--steps", type=int, default=steps, help="batches of 128 crops")
    parser.add_argument(
        "--begin", type=Path, help="checkpoint of the other network, to begin with its weights"
    )
    parser.add_argument("--rate", type=float, default=2.5e-3, help="peak learning rate")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(run=run)


def _corners(arguments: argparse.Namespace) -> int:
    return _trained(Corners, CRUDE, arguments)


def _slants(arguments: argparse.Namespace) -> int:
    return _trained(Slants, FINE, arguments)


def _trained(network: type[Corners], start: Start, arguments: argparse.Namespace) -> int:
    """Train, or go on training, and export."""
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    pictures = list(taken(arguments.pool))
    held = upper_faces([each for number, each in enumerate(pictures) if number % HELD == 0])
    learnt = upper_faces([each for number, each in enumerate(pictures) if number % HELD])
    print(f"{len(learnt.crops)} faces to learn from, {len(held.crops)} to measure on", flush=True)  # noqa: T201
    unseen = _examples(held, np.arange(len(held.crops)), start, np.random.default_rng(5))
    untaught = network()
    if arguments.begin and not arguments.out.with_suffix(".pt").exists():
        begin(untaught, torch.load(arguments.begin, weights_only=True)["steady"])
    learn(
        untaught.to(memory_format=torch.channels_last),
        lambda seed: _batches(learnt, start, seed),
        loss,
        Course(arguments.steps, rate=arguments.rate, seed=arguments.seed),
        arguments.out,
        lambda told: checked(told, *unseen),
    )
    return 0


def begin(network: Corners, known: dict[str, Tensor]) -> None:
    """Take over the weights of another network where they fit."""
    own = network.state_dict()
    fitting = {name: value for name, value in known.items() if own[name].shape == value.shape}
    network.load_state_dict(own | fitting)


def upper_faces(pictures: list[Taken]) -> UpperFaces:
    """Every upper face in the pictures that can be seen well enough."""
    crops, points, weights = [], [], []
    for each in pictures:
        image = np.asarray(cv2.imread(str(each.file)), np.uint8)
        for die in each.dice:
            corners = np.array(die["top_face"], np.float32)
            if edge(corners) < _LEAST_EDGE or die["visible"] < _LEAST_SEEN or die["state"] == "cut_off":
                continue
            square = squared(corners)
            crops.append(rectified(image, square[None], _STORED, _STORED_MARGIN)[0])
            points.append(seen_from(square, corners, die["box"] if die["visible"] >= _WHOLE else None))
            weights.append(_LEANING if die["tilt_deg"] >= _LEANS else 1.0)
    return UpperFaces(np.stack(crops), np.stack(points), np.array(weights, np.float32))


def seen_from(square: Floats, corners: Floats, box: tuple[float, ...] | None) -> Floats:
    """The corners of a face, and the way to its middle from the middle of the die's box, as a square sees
    them: in half its edges along its own sides."""
    right, down = (square[1] - square[0]) / 2, (square[3] - square[0]) / 2
    inward = np.linalg.inv(np.stack([right, down]))
    way = np.full(2, np.nan)
    if box is not None:
        way = (corners.mean(axis=0) - (box[0] + box[2] / 2, box[1] + box[3] / 2)) @ inward
    return np.asarray(np.vstack([(corners - square.mean(axis=0)) @ inward, way]), np.float32)


def _batches(learnt: UpperFaces, start: Start, seed: int) -> Iterator[tuple[Bytes, Floats]]:
    chance = np.random.default_rng(seed)
    chances = np.cumsum(learnt.weights / learnt.weights.sum())
    while True:
        picks = np.minimum(np.searchsorted(chances, chance.random(128)), len(chances) - 1)
        yield _examples(learnt, picks, start, chance)


def _examples(
    source: UpperFaces, picks: NDArray[Any], start: Start, chance: np.random.Generator
) -> tuple[Bytes, Floats]:
    pairs = [missed(source.crops[i], source.points[i], start, chance) for i in picks]
    return np.stack([crop for crop, _ in pairs]), np.stack([points for _, points in pairs])


def missed(crop: Bytes, points: Floats, start: Start, chance: np.random.Generator) -> tuple[Bytes, Floats]:
    """A stored crop as the look before would have cut it, and where the points are in that."""
    angle, far = chance.uniform(-np.pi, np.pi), 1.0
    if not np.isnan(start.turn):
        far = _FARTHER if chance.random() < _FAR_OFF else 1.0
        angle = chance.integers(4) * np.pi / 2 + chance.normal(0, start.turn * far)
    grow = np.exp(chance.normal(0, start.grow * far))
    cos, sin = np.cos(angle) * grow, np.sin(angle) * grow
    turn, shift = np.array([[cos, sin], [-sin, cos]]), chance.normal(0, start.shift * far, 2)
    if chance.random() < 0.5:  # a mirrored die is a die, as far as corners go
        turn = np.array([[-1, 0], [0, 1]]) @ turn
    unit, stored = start.size * (0.5 - start.margin), _STORED * (0.5 - _STORED_MARGIN)
    # Points p of the stored crop, from its middle in half edges, lie at p @ turn + shift in the new one.
    linear = (turn * unit / stored).T
    middle = start.size / 2 - 0.5 + shift * unit - linear @ np.full(2, _STORED / 2 - 0.5)
    warp = np.hstack([linear, middle[:, None]])
    side = (start.size, start.size)
    out = cv2.warpAffine(crop, warp, side, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    places = points @ turn
    if np.linalg.det(turn) < 0:
        places[:4] = places[3::-1]  # clockwise again
    places[:4] = np.roll(places[:4], round(float(turned(places[:4])) / 90), axis=0) + shift
    if chance.random() < VEILED:
        face = (places[:4] * unit + start.size / 2 - 0.5).astype(np.float32)
        light = np.asarray(out, np.float32) / np.float32(255)
        out = np.clip(light + veil(light, chance, face)[..., None], 0, 1) * 255
    return worsened(np.asarray(out, np.uint8), chance), places.astype(np.float32)


def turned(corners: NDArray[Any]) -> NDArray[np.float64]:
    """Degrees by which squares [..., corner, (x, y)] are turned, the first corner being up and left at 0."""
    spots = corners @ np.array([1, 1j])
    return np.asarray(np.degrees(np.angle((spots * 1j ** -np.arange(4)).sum(axis=-1) / (-1 - 1j))))


def loss(scores: Tensor, wanted: Tensor) -> Tensor:
    """How far off the corners are, and the way from the box's middle.

    The first corner is the one up and left. Only of a face turned by about an eighth may any be the first, so
    that a network is most at home with faces that are hardly turned.
    """
    known = ~wanted[:, 4, 0].isnan()
    total = _distances(scores[:, :8], wanted[:, :4]).mean()
    if bool(known.any()):
        total = total + 6 * smooth_l1_loss(scores[known, 8:], wanted[known, 4], beta=0.05)
    return total


def _distances(scores: Tensor, wanted: Tensor) -> Tensor:
    told = scores.reshape(-1, 4, 2)
    turns = torch.stack(
        [
            smooth_l1_loss(told, wanted.roll(k, dims=1), beta=0.1, reduction="none").sum(dim=(1, 2))
            for k in range(4)
        ]
    )
    eighth = torch.from_numpy(np.abs(turned(wanted.numpy())) > _EIGHTH)
    return torch.where(eighth, turns.amin(dim=0), turns[0])


def checked(network: Network, crops: Bytes, places: Floats) -> str:
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
