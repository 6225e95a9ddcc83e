"""Scenes by a path tracer, to measure on: the same dice, tables and lamps by chance as in the world that the
networks learn from, but lit as light really goes, in rooms that dice mirror.

`python -m companion.vision.train.traced`, resumable. It needs `bpy` 5.0, which is Blender as a package and
wants an older numpy than the table: it runs in an environment of its own, with nothing but `bpy` and
`opencv-python-headless`, from this folder. What it makes is read by `companion evaluate`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from companion.vision.reading import Image
from companion.vision.train.calibrate import WISH, make_scenes
from companion.vision.train.studio import Studio
from companion.vision.world import Label, Scene, expose, render

_SCENES, _SEED = replace(WISH, width=480, height=360, pixels=(32, 64)), 90002
_UNEVEN = 0.7
"""How often dice that are to mirror a lamp are uneven."""


def main(words: Sequence[str] | None = None) -> int:
    """Make the scenes that are not there yet."""
    parser = argparse.ArgumentParser(prog="python -m companion.vision.train.traced", description=__doc__)
    parser.add_argument("--scenes", type=Path, default=Path("build/traced"), help="folder of the pictures")
    parser.add_argument("--count", type=int, default=200, help="how many; one takes about five seconds")
    arguments = parser.parse_args(words)
    if find_spec("bpy") is None:
        print("Blender is missing: run this in an environment of its own with the package bpy")  # noqa: T201
        return 2
    make_scenes(arguments.scenes, arguments.count, _SCENES, _SEED, traced)
    return 0


def traced(scene: Scene, rng: np.random.Generator) -> tuple[Image, tuple[Label, ...]]:
    """The picture (BGR) by Cycles of a scene that suits it, and a label for each die that shows."""
    scene = suited(scene, rng)
    _, labels = render(scene, rng)
    return expose(Studio(scene, rng).light(), scene.faults, rng), labels


def suited(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene without what the studio does not show. A lamp that is to be mirrored by level faces stands
    so that one of the dice does; mostly they are so uneven that it breaks into specks, and what is drawn on
    them mirrors less than they do."""
    still = tuple(replace(die, smear=(0.0, 0.0, 0.0)) for die in scene.dice)
    scene = replace(scene, dice=still, view=replace(scene.view, k1=0.0), shades=())
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


if __name__ == "__main__":
    sys.exit(main())
