"""Making crops: small scenes are rendered, and every upper face, some sides and much else is cut out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image
from companion.vision.train.crops import COLUMNS, STORED, row, stored
from companion.vision.train.pool import taken
from companion.vision.world import (
    SETS,
    Label,
    Look,
    Placed,
    Scene,
    Surface,
    Thing,
    View,
    faces_of,
    published_looks,
    random_looks,
    random_pip_look,
    random_surface,
    render,
    resting,
    turned,
)
from companion.vision.world.chance import random_faults, random_lights
from companion.vision.world.scene import SIDES
from companion.vision.world.things import random_thing

Floats = NDArray[np.float32]
_GAMES = ("clever", "regenwormen", "keer_op_keer_2", "pips")
_CHANCES = (0.24, 0.2, 0.28, 0.28)
_EDGE = 288
_SCENES_A_SHARD = 500
_GLARE = 0.35
"""Share of the scenes with a lamp that the upper faces mirror."""
_WORMS = 0.3
"""Share of the worm dice that show the worm whatever is drawn: pips are learnt from all other dice, too."""


def add(parts: Any) -> None:
    """Register the part `crops`."""
    parser = parts.add_parser(
        "crops", help="render scenes and cut the crops that faces and colours learn from"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=7, help=f"of {_SCENES_A_SHARD} scenes each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=_GAMES, help="render the dice of this game only")
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--pool", type=Path, help="cut from the detector's pictures instead, into one more shard"
    )
    source.add_argument(
        "--photographs", type=Path, help="cut from photographs with these labels instead, into one more shard"
    )
    source.add_argument(
        "--bare",
        type=int,
        help="cut what is taken for a die in so many pictures without dice instead, into one more shard",
    )
    parser.add_argument("--models", type=Path, default=Path("models"), help="networks that find their faces")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make the shards that are not there yet."""
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.pool or arguments.photographs or arguments.bare:
        source = "pool" if arguments.pool else "photos" if arguments.photographs else "bare"
        path = arguments.out / f"crops_{arguments.seed:02d}_{source}.npz"
        if not path.exists():
            _keep(path, *_from_elsewhere(arguments))
        return 0
    for shard in range(arguments.shards):
        path = arguments.out / f"crops_{arguments.seed:02d}_{shard:03d}.npz"
        if path.exists():
            continue
        chance = np.random.default_rng((arguments.seed, shard))
        crops, labels = harvest(chance, _SCENES_A_SHARD, arguments.game)
        _keep(path, crops, labels)
    return 0


def _from_elsewhere(arguments: argparse.Namespace) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    if arguments.pool:
        return from_pool(arguments.pool, np.random.default_rng(arguments.seed))
    from companion.vision.train.mining import from_bare_tables, from_photographs

    if arguments.bare:
        return from_bare_tables(arguments.bare, arguments.models, np.random.default_rng(arguments.seed))
    return from_photographs(arguments.photographs, arguments.models)


def _keep(path: Path, crops: NDArray[np.uint8], labels: NDArray[np.int16]) -> None:
    """Write a shard whole or not at all."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, crops=crops, labels=labels)
    part.rename(path)
    print(f"{path.name}: {len(labels)} crops", flush=True)  # noqa: T201


def harvest(
    rng: np.random.Generator, scenes: int, game: str | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """The crops and labels of so many scenes, of any game or of one."""
    crops: list[Image] = []
    labels: list[list[int]] = []
    surfaces: list[Surface] = []
    sets: list[tuple[str, dict[str, Look]]] = []
    for number in range(scenes):
        # Surfaces and drawings cost more than the pictures: each is used several times.
        if number % 8 == 0:
            surfaces = [*surfaces[-15:], random_surface(rng)]
        if number % 4 == 0:
            sets = [*sets[-7:], random_set(rng, game)]
        shown, looks = sets[int(rng.integers(len(sets)))]
        scene = small_scene(shown, looks, surfaces[int(rng.integers(len(surfaces)))], rng)
        image, truths = render(scene, rng)
        for corners, label in cuts(scene, truths, rng):
            crops.append(stored(image, corners))
            labels.append(label)
    return np.stack(crops), np.array(labels, np.int16)


def random_set(rng: np.random.Generator, only: str | None = None) -> tuple[str, dict[str, Look]]:
    """A game and how its dice look this time; ordinary dice come in several looks, numbered."""
    game = only or str(rng.choice(_GAMES, p=_CHANCES))
    looks = published_looks(game) if rng.random() < 0.25 else random_looks(game, rng)
    if rng.random() < 0.15 and game != "pips":
        other = random_looks(game, rng)
        looks = {kind: other[kind] if rng.random() < 0.5 else look for kind, look in looks.items()}
    if game == "pips" and rng.random() < 0.5:
        looks = looks | {str(i): random_pip_look(rng) for i in range(4)}
    return game, looks


def small_scene(game: str, looks: dict[str, Look], surface: Surface, rng: np.random.Generator) -> Scene:
    """A few dice close together under random light."""
    pixels = float(np.exp(rng.uniform(np.log(21), np.log(95))))
    distance = float(rng.uniform(250, 900))
    view = View(
        _EDGE,
        _EDGE,
        distance,
        tilt=float(abs(rng.normal(0, 14)) if rng.random() < 0.7 else rng.uniform(0, 40)),
        heading=float(rng.uniform(0, 360)),
        roll=float(rng.uniform(0, 360)),
        focal=pixels / 16 * distance,
    )
    lights, ambient, tint = random_lights(rng, view, _GLARE)
    span = _EDGE / pixels * 16
    dice = cluster(game, looks, span, rng)
    brightness = float((np.mean(surface.picture[::16, ::16]) / 255) ** 2.2)
    return Scene(
        dice=dice,
        view=view,
        surface=surface,
        lights=lights,
        ambient=ambient,
        things=clutter(span, dice, rng),
        faults=random_faults(rng, tint, brightness, pixels),
    )


def clutter(span: float, dice: tuple[Placed, ...], rng: np.random.Generator) -> tuple[Thing, ...]:
    """Now and then something that is no die, beside the dice."""
    things = []
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        x, y = rng.uniform(-span / 2, span / 2, 2)
        thing = random_thing(rng, (float(x), float(y)), float(rng.uniform(0.7, 1.2)))
        if all(np.hypot(x - d.position[0], y - d.position[1]) > max(thing.size) / 2 + 12 for d in dice):
            things.append(thing)
    return tuple(things)


def cluster(game: str, looks: dict[str, Look], span: float, rng: np.random.Generator) -> tuple[Placed, ...]:
    """Dice of a game strewn over `span` mm, sometimes touching, sometimes leaning."""
    kinds = list(dict.fromkeys(SETS[game]))
    close = float(rng.uniform(1.02, 1.5))
    count = int(np.clip((span / 16 / 1.6) ** 2, 2, 8))
    dice: list[Placed] = []
    for _ in range(count * 4):
        if len(dice) == count:
            break
        x, y = rng.uniform(-span / 2 + 11, span / 2 - 11, 2)
        near = min((np.hypot(x - d.position[0], y - d.position[1]) for d in dice), default=99.0)
        if near < 16 * close:
            continue
        kind = (
            kinds[len(dice) % len(kinds)]
            if game != "keer_op_keer_2"
            else str(rng.choice(kinds, p=(0.5, 0.25, 0.25)))
        )
        look = looks[kind] if game != "pips" else looks[str(rng.choice(list(looks)))]
        dice.append(placed(kind, look, float(x), float(y), rng))
    return tuple(dice)


def placed(kind: str, look: Look, x: float, y: float, rng: np.random.Generator) -> Placed:
    """One die at a place: flat, or now and then leaning."""
    face = "worm" if kind == "worm" and rng.random() < _WORMS else str(rng.choice(faces_of(kind)))
    rotation = resting(kind, face, float(rng.uniform(0, 360)), look)
    lean = 0.0
    if rng.random() < 0.13:
        lean = float(rng.uniform(8, 38))
        angle = rng.uniform(0, 2 * np.pi)
        rotation = turned((float(np.cos(angle)), float(np.sin(angle)), 0.0), lean) @ rotation
    up = float(8 * np.abs(rotation[2]).sum()) if lean else 8.0
    return Placed(kind, (x, y, up), rotation, look)


def cuts(scene: Scene, truths: tuple[Label, ...], rng: np.random.Generator) -> list[tuple[Floats, list[int]]]:
    """Where to cut, and what is there: every good upper face, one side a die, misses and bare table."""
    found: list[tuple[Floats, list[int]]] = []
    shown = [die for die in scene.dice if _inside(scene.view.project(die.face_corners()))]
    by_corner = {tuple(np.round(label.top_face[0], 2)): label for label in truths}
    for die in shown:
        corners = scene.view.project(die.face_corners())
        label = by_corner.get(tuple(np.round([float(v) for v in corners[0]], 2)))
        if label is None or label.visible < 0.75:
            continue
        edge = float(np.sqrt(abs(_area(corners))))
        if not die.told:
            continue
        mark, body, ink = meaning(die.kind, die.face)
        found.append((corners, row(mark, body, ink, edge)))
        draw = rng.random()
        if draw < 0.3 and die.tilt < 20:
            side = _side(die, scene.view, rng)
            if side is not None:
                found.append((side, row("none", None, None, edge)))
        elif draw < 0.42:
            found.append((missed(corners, edge, rng), row("none", None, None, edge)))
        elif draw < 0.47:
            factor = float(rng.choice([0.45, 1.9, 2.3]))
            middle = corners.mean(axis=0)
            found.append(((corners - middle) * np.float32(factor) + middle, row("none", None, None, edge)))
    spots = [rng.uniform(30, _EDGE - 30, 2) for _ in range(2)]
    for thing in scene.things:
        middle = scene.view.project(np.array([[*thing.centre, thing.thick]], np.float32))[0]
        spots += [middle, middle + rng.normal(0, 12, 2)]
    faces = [scene.view.project(die.face_corners()).mean(axis=0) for die in scene.dice]
    found += [bare(middle, faces, rng) for middle in spots if _alone(middle, faces, 40.0)]
    return found


def bare(middle: NDArray[Any], faces: list[Floats], rng: np.random.Generator) -> tuple[Floats, list[int]]:
    """A square of the table, no larger than the room between the dice."""
    room = min((float(np.hypot(*(middle - face))) for face in faces), default=75.0)
    edge, angle = rng.uniform(15, min(75.0, room)), rng.uniform(0, np.pi)
    turns = angle + np.arange(4) * np.pi / 2
    square = middle + edge / np.sqrt(2) * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return square.astype(np.float32), row("none", None, None, float(edge))


def _alone(middle: NDArray[Any], faces: list[Floats], reach: float) -> bool:
    return all(float(np.hypot(*(middle - face))) > reach for face in faces)


def from_pool(pool: Path, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Crops from the pictures that the detector learns from: upper faces, misses and bare table."""
    crops: list[Image] = []
    labels: list[list[int]] = []
    for each in taken(pool):
        image = cv2.imread(str(each.file), cv2.IMREAD_COLOR)
        if image is None:
            continue
        picture = np.asarray(image, np.uint8)
        faces = [np.array(die["top_face"], np.float32).mean(axis=0) for die in each.dice]
        for die in each.dice:
            corners = np.array(die["top_face"], np.float32)
            edge = float(np.sqrt(abs(_area(corners))))
            if edge < 17 or die["visible"] < 0.8 or die["state"] == "cut_off" or not die.get("told", True):
                continue
            mark, body, ink = meaning(die["kind"], die["face"])
            crops.append(stored(picture, corners))
            labels.append(row(mark, body, ink, edge))
            if rng.random() < 0.2:
                crops.append(stored(picture, missed(corners, edge, rng)))
                labels.append(row("none", None, None, edge))
        high, wide = picture.shape[:2]
        spots = [rng.uniform((30, 30), (wide - 30, high - 30)) for _ in range(2)]
        for middle in spots:
            if _alone(middle, faces, 60.0):
                square, label = bare(middle, faces, rng)
                crops.append(stored(picture, square))
                labels.append(label)
    return as_shard(crops, labels)


def as_shard(crops: list[Image], labels: list[list[int]]) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Crops and labels as they are kept, even if there are none."""
    pictures = np.array(crops, np.uint8).reshape(-1, STORED, STORED, 3)
    return pictures, np.array(labels, np.int16).reshape(-1, len(COLUMNS))


def meaning(kind: str, face: str) -> tuple[str, str | None, str | None]:
    """The mark, body colour and cross colour to learn from a die."""
    if kind == "colour":
        return "cross", "white", "black" if face == "joker" else face
    if kind == "number":
        return "question" if face == "joker" else face, "black", None
    return face, {"special": "gold", "worm": None, "pip": None}.get(kind, kind), None


def missed(corners: Floats, edge: float, rng: np.random.Generator) -> Floats:
    """Corners so far off that no upper face lies between them."""
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.1) * edge
    return corners + np.array([np.cos(angle), np.sin(angle)], np.float32) * np.float32(reach)


def _side(die: Placed, view: View, rng: np.random.Generator) -> Floats | None:
    """The corners of a side that the camera sees, not the upper one."""
    toward = view.eye() - np.array(die.position, np.float32)
    toward /= np.linalg.norm(toward)
    facing = (SIDES[:, 0] @ die.rotation.T) @ toward
    sides = [s for s in range(6) if s != die.up and facing[s] > 0.15]
    if not sides:
        return None
    normal, right, down = SIDES[int(rng.choice(sides))]
    square = np.stack(
        [normal - right - down, normal + right - down, normal + right + down, normal - right + down]
    )
    points = np.array(die.position) + die.size / 2 * square @ die.rotation.T
    corners = view.project(points.astype(np.float32))
    return corners if _inside(corners) else None


def _inside(corners: Floats) -> bool:
    return bool((corners > 0).all() and (corners < _EDGE).all())


def _area(corners: Floats) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)))
