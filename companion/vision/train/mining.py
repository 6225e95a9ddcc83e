"""Crops by the networks' own finds: upper faces in photographs, and what is taken for a die wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.aim import Aim
from companion.vision.colours import balanced
from companion.vision.detector import Detector, Find
from companion.vision.faces import FACES, FaceNetwork, rectified
from companion.vision.models import model_file
from companion.vision.reading import Image
from companion.vision.sides import edge
from companion.vision.train.crops import row, stored
from companion.vision.train.harvest import as_shard
from companion.vision.train.joining import joining
from companion.vision.train.pool import WISH
from companion.vision.world import Surface, random_scene, random_surface, render
from companion.vision.world.surfaces import printed_surface

_BARE = replace(WISH, empty=1.0, clutter=1.0)
_TIMES = 4
"""A real crop counts as much as so many rendered ones."""
_MOST = 24
"""So many finds of a picture are looked at."""
_LEAST = 14.0
"""Faces with a shorter edge than this teach nothing."""
_BELIEVED = 0.03
"""A face that the network gives less than this chance of showing what its label says is likely a side."""


def from_photographs(labels: Path, models: Path) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Crops of the photographs that may join the training, and their labels."""
    found = finder(models)
    network = FaceNetwork(model_file("faces.onnx", models), model_file("colours.onnx", models))
    crops: list[Image] = []
    rows: list[list[int]] = []
    for record in joining(labels):
        image = np.asarray(cv2.imread(str(labels.parent / record["file"])), np.uint8)
        finds = found(image)
        if not finds:
            continue
        seen = network.marks(balanced(rectified(image, np.stack([find.corners for find in finds])), None))
        for find, chances in zip(finds, seen, strict=True):
            around = [die for die in record["dice"] if _in(find, die["box"])]
            if len(around) > 1 or any("means" in die for die in around):
                continue
            face = str(around[0]["value"]) if around else "none"
            if around and np.exp(chances[FACES.index(face)]) < _BELIEVED:
                continue
            crops.append(stored(image, find.corners))
            rows.append(row(face, None, None, float(edge(find.corners))))
    return np.stack(crops * _TIMES), np.array(rows * _TIMES, np.int16)


def from_bare_tables(
    count: int, models: Path, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Crops of what the networks take for dice in rendered pictures that show none."""
    found = finder(models)
    crops: list[Image] = []
    rows: list[list[int]] = []
    bank: list[Surface] = []
    for number in range(count):
        if number % 4 == 0:
            maker = printed_surface if number % 8 else random_surface
            bank = [*bank[-11:], maker(rng)]
        image, _ = render(random_scene(_BARE, rng, bank), rng)
        if number % 100 == 99:
            print(f"{number + 1} of {count} bare tables, {len(crops)} crops", flush=True)  # noqa: T201
        for find in found(image):
            crops.append(stored(image, find.corners))
            rows.append(row("none", None, None, float(edge(find.corners))))
    return as_shard(crops, rows)


def finder(models: Path) -> Callable[[Image], list[Find]]:
    """How the networks find faces: the likeliest of a picture, well aimed at."""
    detector = Detector(model_file("detector.onnx", models))
    aim = Aim(model_file("corners.onnx", models), model_file("slants.onnx", models))

    def found(image: Image) -> list[Find]:
        finds = aim.corrected(image, detector.find(image, 40)[:_MOST])
        return [find for find in finds if float(edge(find.corners)) >= _LEAST]

    return found


def _in(find: Find, box: list[float]) -> bool:
    x, y = find.centre
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]
