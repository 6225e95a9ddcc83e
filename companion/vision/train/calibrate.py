"""Fitting how far a reading can be trusted, on scenes never learnt from and, if given, on photographs."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.evaluate import fair, read_pictures, right
from companion.vision.faces import rectified
from companion.vision.labelled import Labelled, centre_in, labelled, matched
from companion.vision.reader import Reader
from companion.vision.reading import Image
from companion.vision.train.joining import joining
from companion.vision.trust import Trust
from companion.vision.world import SETS, Label, Scene, Wish, random_scene, render
from companion.vision.world.looks import Look

_SIZE = 0.4
"""Log-odds a doubling of a die's size is worth: held, as small dice in photographs are oblique, too."""
_MISLABELLED = 1 / 1000
"""Share of the photographs' dice whose label is wrong."""
_STRIDE = 0.1
"""The most a weight changes at once: with few wrong readings, whole steps go far beyond the mark."""
MOST_WRONG = 1 / 2000
"""Of the sure dice, at most this share may be wrong."""
LEAST_SURE = 0.9
"""The threshold is never lower: a few thousand dice say little about where the next wrong one will be."""
_CONTRAST = 25.0
"""Grey levels by which what is drawn on a face must differ from it, to be read by eye."""
_MOST_WORN = 0.6
"""How much of the paint of pips may be gone: beyond that single ones are missing, and a five is a four."""
_SEED = 90001
"""Scenes of this seed are learnt from by no network."""
Draw = Callable[[Scene, np.random.Generator], tuple[Image, tuple[Label, ...]]]
DIE = 16.0
"""Millimetres of a die's edge, by which the size it is seen at is told."""
WISH = Wish(800, 600, pixels=(32, 80), most_tilt=35, empty=0.05, cocked=0.04, stacked=0.01)


def add(parts: Any) -> None:
    """Register the part `calibrate`."""
    parser = parts.add_parser(
        "calibrate", help="fit the confidence on scenes never learnt from, and on photographs"
    )
    parser.add_argument(
        "--scenes", type=Path, required=True, help="folder of rendered scenes, made if missing"
    )
    parser.add_argument("--count", type=int, default=2400, help="how many scenes")
    parser.add_argument(
        "--photos", type=Path, help="labels of photographs to fit on as well, those never learnt from"
    )
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--draw-only", action="store_true", help="make the scenes and fit nothing")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make the scenes, read them, fit, and write `trust.json` with what the threshold lets through."""
    cv2.setNumThreads(1)
    labels = make_scenes(arguments.scenes, arguments.count)
    if arguments.draw_only:
        return 0
    reader = Reader(arguments.models, trust=Trust())
    rows = _read(reader, labels, labelled(labels, {**SETS, "pips": ()}))
    scenes = len(rows)
    if arguments.photos:
        rows += _read(reader, arguments.photos, not_learnt_from(arguments.photos))
    if not rows:
        print("no die was found in any picture, so there is nothing to fit: let the networks learn longer")  # noqa: T201
        return 1
    known = np.array(rows, float)
    signs, (real, plain, good) = known[:, :-3], (known[:, -3:] > 0.5).T
    own = np.arange(len(known)) < scenes
    weights = fitted(signs[real], good[real], np.where(own[real], 0.0, _MISLABELLED))
    chances = 1 / (1 + np.exp(-(Trust.spread(signs) @ weights)))
    asked = own & real & plain
    sure = max(LEAST_SURE, threshold(chances[asked], good[asked]))
    trust: dict[str, Any] = {"weights": [round(float(w), 5) for w in weights], "sure": sure}
    passed = plain & (chances >= sure)
    for name, part in (("scenes", own), ("photographs", ~own)):
        trust[name] = {
            "dice": int((part & real).sum()),
            "wrong": int((part & real & ~good).sum()),
            "sure": int((part & real & passed).sum()),
            "sure_wrong": int((part & real & passed & ~good).sum()),
            "invented": int((part & ~real).sum()),
            "sure_invented": int((part & ~real & passed).sum()),
        }
    (arguments.models / "trust.json").write_text(json.dumps(trust, indent=1) + "\n")
    print(trust)  # noqa: T201
    return 0


def threshold(chances: NDArray[np.float64], good: NDArray[np.bool_]) -> float:
    """The lowest confidence above which at most one die in 2,000 was read wrong."""
    order = np.argsort(-chances)
    wrong = np.cumsum(~good[order])
    within = np.nonzero(wrong / np.arange(1, len(order) + 1) <= MOST_WRONG)[0]
    if not len(within):
        return 1.0
    if within[-1] == len(order) - 1:
        return math.floor(float(chances[order[-1]]) * 1e4) / 1e4
    # Just above the first that would be one too many.
    return min(1.0, math.floor(float(chances[order[within[-1] + 1]]) * 1e4 + 1) / 1e4)


def not_learnt_from(labels: Path) -> list[Labelled]:
    """The photographs that no network learns from: held out, or without a licence to."""
    learnt = {record["file"] for record in joining(labels)}
    return [picture for picture in labelled(labels, SETS) if picture.file not in learnt]


def _read(reader: Reader, labels: Path, pictures: Sequence[Labelled]) -> list[list[float]]:
    load = read_pictures(labels.parent)
    rows: list[list[float]] = []
    for picture in pictures:
        due = picture.due or None
        rows += signs_of(reader, load(picture.file), replace(picture, due=due))
    return rows


def make_scenes(
    folder: Path,
    count: int,
    wish: Wish = WISH,
    seed: int = _SEED,
    draw: Draw = render,
    games: Sequence[str] = tuple(SETS),
) -> Path:
    """Render whole sets by chance, those that are not there yet; the path of their labels."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "labels.json"
    records: list[dict[str, Any]] = json.loads(path.read_text())["images"] if path.exists() else []
    for number in range(len(records), count):
        rng = np.random.default_rng([seed, number])
        game = games[number % len(games)]
        scene = _plain(random_scene(replace(wish, game=game), rng))
        image, labels = draw(scene, rng)
        name = f"{number:04d}.jpg"
        cv2.imwrite(str(folder / name), image, [cv2.IMWRITE_JPEG_QUALITY, 93])
        dice = [asdict(label) | {"readable": readable(image, label)} for label in labels]
        view = scene.view
        about = {
            "look": "varied",
            "surface": "any",
            "lighting": "any",
            "camera_tilt": round(view.tilt, 1),
            "die_px": round(view.focal * DIE / view.distance, 1),
        }
        records.append({"game": game, "file": name, "dice": dice, **about})
        if number % 10 == 9 or number == count - 1:
            note = "scenes by chance, learnt from by no network"
            path.write_text(json.dumps({"note": note, "images": records}))
            print(f"{number + 1} scenes", flush=True)  # noqa: T201
    return path


def _plain(scene: Scene) -> Scene:
    """The scene as it can be read by eye: without makers' marks, which stand for a number that nobody sees,
    and without pips of which nothing is left."""

    def read(look: Look) -> Look:
        return replace(look, emblem="", worn=min(look.worn, _MOST_WORN))

    return replace(scene, dice=tuple(replace(die, look=read(die.look)) for die in scene.dice))


def readable(image: NDArray[np.uint8], label: Label) -> bool:
    """Whether a die shows, and something can be seen on its upper face."""
    (face,) = rectified(image, np.array([label.top_face], np.float32), margin=0.0)
    inner = cv2.GaussianBlur(face[4:-4, 4:-4], (0, 0), 1.0).reshape(-1, 3).astype(np.float32)
    low, high = np.percentile(inner, (1, 99), axis=0)
    return label.visible > 0.9 and float((high - low).max()) > _CONTRAST


def signs_of(reader: Reader, image: NDArray[np.uint8], picture: Labelled) -> list[list[float]]:
    """The signs of everything read as a flat die, and for each whether it is a die at all, whether it is
    plain enough to be sure, and whether it is right; dice that are no fair question are left out."""
    seen = reader.noted(image, picture.due)
    dice = [noted for noted in seen if noted.spot.state == "flat"]
    pairs = dict(matched([noted.spot.box for noted in dice], [truth.box for truth in picture.dice]))
    rows = []
    for i, noted in enumerate(dice):
        truth = picture.dice[pairs[i]] if i in pairs else None
        if not fair(truth) if truth else any(centre_in(noted.spot.box, box) for box in picture.ignore):
            continue
        good = truth is not None and right(noted.spot, truth)
        rows.append([*noted.signs.values(), float(truth is not None), float(noted.plain), float(good)])
    return rows


def fitted(
    signs: NDArray[np.float64], good: NDArray[np.bool_], mislabelled: NDArray[np.float64] | float = 0.0
) -> NDArray[np.float64]:
    """Weights of a logistic regression, kept near trusting the raw chance alone.

    `mislabelled` is how many labels are wrong: the surer a reading that is called wrong, the likelier it is
    the label that is.
    """
    spread = Trust.spread(signs)
    start = np.array([*Trust().weights[:-1], _SIZE])
    hold = np.array([1.0] * (len(start) - 1) + [500.0])
    weights = start.copy()
    for _ in range(300):
        chances = 1 / (1 + np.exp(-np.clip(spread @ weights, -30, 30)))
        wrong = np.maximum(1 - chances, 1e-12)
        believed = np.where(good, 1.0, wrong / (wrong + mislabelled))
        slope = spread.T @ (believed * (good - chances)) - hold * (weights - start)
        bend = (spread * (believed * chances * (1 - chances))[:, None]).T @ spread + np.diag(hold)
        free = (weights > 0) | (slope > 0)  # every sign speaks for trust or not at all
        free[0] = True
        step = np.zeros_like(weights)
        step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        weights = weights + step * min(1.0, _STRIDE / max(float(np.abs(step).max()), 1e-9))
        weights[1:] = np.maximum(weights[1:], 0)
        if np.abs(step).max() < 1e-6:
            break
    return weights
