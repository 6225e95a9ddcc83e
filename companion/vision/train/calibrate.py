"""Fitting how far a reading can be trusted, on pictures that no network has learnt from."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.evaluate import fair, read_pictures, right
from companion.vision.labelled import Labelled, Truth, labelled, matched
from companion.vision.reader import Reader
from companion.vision.trust import Trust
from companion.vision.world import SETS, Surface, Wish, random_scene, random_surface, render

_ALLOWED = 1 / 2000
"""Share of sure dice that may be wrong."""
_SEED = 90001
"""Scenes of this seed are learnt from by no network."""


def add(parts: Any) -> None:
    """Register the part `calibrate`."""
    parser = parts.add_parser(
        "calibrate", help="fit the confidence on scenes and photographs never learnt from"
    )
    parser.add_argument("--scenes", type=int, default=200, help="rendered pictures to fit on")
    parser.add_argument(
        "--photos", type=Path, help="labels of photographs to fit on as well (every second one)"
    )
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--readings", type=Path, help="keep the readings here, and go on from there")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, fit, choose the threshold, and write `trust.json`."""
    cv2.setNumThreads(1)
    reader = Reader(arguments.models, trust=Trust())
    rows: list[list[float]] = []
    if arguments.photos:
        rows += _from_photos(reader, arguments.photos)
    kept = arguments.readings
    if kept and kept.exists():
        rows += json.loads(kept.read_text())
    else:
        scenes = _from_scenes(reader, arguments.scenes)
        if kept:
            kept.write_text(json.dumps(scenes))
        rows += scenes
    known = np.array(rows, float)
    signs, good = known[:, :-1], known[:, -1] > 0.5
    weights = fitted(signs, good)
    chances = 1 / (1 + np.exp(-(Trust.spread(signs) @ weights)))
    sure = threshold(chances, good)
    trust = {
        "weights": [round(float(w), 5) for w in weights],
        "sure": round(sure, 5),
        "dice": len(good),
        "wrong": int((~good).sum()),
        "sure_dice": int((chances >= sure).sum()),
        "sure_wrong": int((~good & (chances >= sure)).sum()),
    }
    (arguments.models / "trust.json").write_text(json.dumps(trust, indent=1) + "\n")
    print(trust)  # noqa: T201
    return 0


def _from_photos(reader: Reader, labels: Path) -> list[list[float]]:
    load = read_pictures(labels.parent)
    rows: list[list[float]] = []
    for picture in labelled(labels, SETS)[::2]:
        rows += _rows(reader, load(picture.file), picture)
    return rows


def _from_scenes(reader: Reader, count: int) -> list[list[float]]:
    rng = np.random.default_rng(_SEED)
    rows: list[list[float]] = []
    for number, (image, picture) in enumerate(scenes(count, rng)):
        rows += _rows(reader, image, picture)
        if number % 20 == 19:
            print(f"{number + 1} scenes, {len(rows)} dice", flush=True)  # noqa: T201
    return rows


def scenes(count: int, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.uint8], Labelled]]:
    """Pictures of whole sets, and of any ordinary dice, with their labels."""
    bank: list[Surface] = [random_surface(rng) for _ in range(8)]
    games = (*(game for game in SETS if game != "pips"), "pips")
    for number in range(count):
        bank[number % 8] = random_surface(rng)
        game = games[number % len(games)]
        wish = Wish(800, 600, game=game, pixels=(30, 90), most_tilt=35, empty=0.02, cocked=0.04, stacked=0.01)
        image, labels = render(random_scene(wish, rng, bank), rng)
        dice = tuple(
            Truth(label.kind, (label.face,), label.box, label.state, label.visible > 0.9, label.tilt_deg)
            for label in labels
        )
        due = None if game == "pips" else tuple(truth.kind for truth in dice)
        if due != ():
            yield image, Labelled(str(number), due, dice, (), ())


def _rows(reader: Reader, image: NDArray[np.uint8], picture: Labelled) -> list[list[float]]:
    """The signs of every die read as flat, and whether it was read right."""
    dice = [noted for noted in reader.noted(image, picture.due) if noted.spot.state == "flat"]
    pairs = dict(matched([noted.spot.box for noted in dice], [truth.box for truth in picture.dice]))
    rows = []
    for i, noted in enumerate(dice):
        truth = picture.dice[pairs[i]] if i in pairs else None
        if truth is not None and truth.state == "flat" and not fair(truth):
            continue
        good = truth is not None and right(noted.spot, truth) and truth.tilt < 15
        rows.append([*noted.signs.values(), float(good)])
    return rows


def fitted(signs: NDArray[np.float64], good: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights of a logistic regression, kept near trusting the raw chance alone."""
    spread = Trust.spread(signs)
    start = np.array(Trust().weights)
    weights = start.copy()
    for _ in range(50):
        chances = 1 / (1 + np.exp(-np.clip(spread @ weights, -30, 30)))
        slope = spread.T @ (good - chances) - 1.0 * (weights - start)
        bend = (spread * (chances * (1 - chances))[:, None]).T @ spread + 1.0 * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def threshold(chances: NDArray[np.float64], good: NDArray[np.bool_]) -> float:
    """The confidence above which no more than the allowed share is wrong, at least 0.98.

    The fitted chances themselves also count: above the threshold they must promise as much.
    """
    order = np.argsort(-chances)
    wrong = np.cumsum(~good[order])
    share = (wrong + 0.5) / np.arange(1, len(order) + 1)
    fine = np.nonzero(share <= max(_ALLOWED, 1.0 / len(order)))[0]
    least = float(chances[order[fine[-1]]]) if len(fine) else 0.999
    return float(np.clip(least, 0.98, 0.9995))
