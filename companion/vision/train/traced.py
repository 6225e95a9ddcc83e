"""Pictures by a path tracer: the same scenes by chance, lit as light really goes, lamps and rooms mirrored.

`python -m companion.vision.train traced`, resumable; it needs `bpy`, which is Blender as a package. The
shards are like those of `pool`, and lie in one folder with them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision.reading import Image
from companion.vision.train.pool import FIRST_TRACED, WISH, keep_shard, missing_shards
from companion.vision.train.studio import Studio
from companion.vision.world import Label, Scene, expose, random_scene, random_surface, render
from companion.vision.world.surfaces import printed_surface

SHARD = 25
"""Pictures a shard: one takes about three seconds on two cores."""
_GAMES = ("keer_op_keer_2", None, "regenwormen", None, "keer_op_keer_2", None, "clever", None)
_WISH = replace(
    WISH,
    width=320,
    height=320,
    pixels=(20.0, 105.0),
    crowd=1.0,
    empty=0.0,
    cocked=0.1,
    published=0.4,
    clutter=0.5,
)
_GLARE, _UNEVEN = 0.5, 0.7
"""How often a lamp stands where level faces mirror it, and how often such dice are uneven."""


def add(parts: Any) -> None:
    """Register the part."""
    parser = parts.add_parser("traced", help="path-trace pictures to learn from (needs bpy)")
    parser.add_argument("--pool", type=Path, default=Path("build/pool"), help="folder of the pictures")
    parser.add_argument("--shards", type=int, default=48, help=f"how many shards of {SHARD} pictures")
    parser.add_argument("--part", default="0/1", help="K/N: make only every Nth shard, starting with the Kth")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make the shards that are not there yet."""
    if find_spec("bpy") is None:
        print("Blender is missing: install the package bpy, or leave this part out")  # noqa: T201
        return 2
    for shard in missing_shards(arguments, FIRST_TRACED):
        make_shard(arguments.pool, shard)
    return 0


def make_shard(pool: Path, shard: int, count: int = SHARD) -> None:
    """Render one shard."""
    rng = np.random.default_rng([5, shard])
    game = _GAMES[shard % len(_GAMES)]
    bank = [(printed_surface if rng.random() < 0.3 else random_surface)(rng) for _ in range(12)]

    def pictures() -> Iterator[tuple[Image, tuple[Label, ...]]]:
        for _ in range(count):
            scene = random_scene(replace(_WISH, game=game), rng, bank, _GLARE)
            yield traced(suited(scene, rng), rng)

    keep_shard(pool, shard, pictures())


def suited(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene without what a path tracer cannot show. A lamp that is to be mirrored by level faces stands
    so that one of the dice does; mostly they are so uneven that it breaks into specks, and what is drawn on
    them mirrors less than they do."""
    scene = replace(scene, view=replace(scene.view, k1=0.0), shades=())
    if not scene.dice or all(lamp.glint <= 1 for lamp in scene.lights):
        return scene
    die = scene.dice[int(rng.integers(len(scene.dice)))]
    mirrored = (np.array(die.position) - scene.view.eye()) * (1, 1, -1)
    mirrored = mirrored / np.linalg.norm(mirrored) + rng.normal(0, 0.04, 3)
    lights = tuple(
        replace(
            lamp,
            towards=(float(mirrored[0]), float(mirrored[1]), float(mirrored[2])),
            spread=float(np.exp(rng.uniform(np.log(0.05), np.log(0.4)))),
        )
        if lamp.glint > 1
        else lamp
        for lamp in scene.lights
    )
    if rng.random() < _UNEVEN:
        bump, matte = float(rng.uniform(0.03, 0.3)), float(rng.choice([0.5, 0.9, 1.0]))
        rough = float(np.exp(rng.uniform(np.log(0.01), np.log(0.1))))
        dice = tuple(
            replace(die, look=replace(die.look, bump=bump, matte=matte, roughness=rough, gloss=0.8))
            for die in scene.dice
        )
        scene = replace(scene, dice=dice)
    return replace(scene, lights=lights)


def traced(scene: Scene, rng: np.random.Generator) -> tuple[Image, tuple[Label, ...]]:
    """The picture of a scene (BGR) by Cycles, and a label for each die that shows."""
    _, labels = render(scene, rng)
    return expose(Studio(scene, rng).light(), scene.faults, rng), labels
