"""The path-traced pictures: their dice have the shape that the labels are reckoned from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.train import traced
from companion.vision.train.studio import cube
from companion.vision.world import Faults, Look, Placed, Wish, random_scene, render, resting
from companion.vision.world.scene import SIDES

PLAIN = Look((0.9, 0.9, 0.9), (0.1, 0.1, 0.1))


@pytest.mark.parametrize("look", [PLAIN, replace(PLAIN, roundness=0.05), replace(PLAIN, ball=1.3)])
def test_the_mesh_has_the_shape_of_the_die(look: Look) -> None:
    points, normals, sides, _ = cube(look)
    inner = np.clip(points, look.roundness - 1, 1 - look.roundness)
    off = np.linalg.norm(points - inner, axis=1) - look.roundness
    far = np.linalg.norm(points, axis=1)
    assert off.max() < 1e-6
    if look.ball:
        assert far.max() < look.ball + 1e-6
        assert (np.abs(off[far < look.ball - 1e-6]) < 1e-6).all()
    else:
        assert np.abs(off).max() < 1e-6
    assert np.allclose(np.linalg.norm(normals, axis=1), 1)
    assert ((normals * points).sum(axis=1) > 0).all()
    assert np.bincount(sides).tolist() == [len(sides) // 6] * 6


def test_the_squares_of_the_mesh_look_outwards() -> None:
    points, _, sides, _ = cube(PLAIN)
    one, two, _, four = points.reshape(-1, 4, 3).transpose(1, 0, 2)
    assert ((np.cross(two - one, four - one) * SIDES[sides, 0]).sum(axis=1) > 0).all()


@pytest.mark.parametrize("face", ["1", "2", "6"])
def test_a_face_s_picture_lies_upright_between_its_corners(face: str) -> None:
    die = Placed("pip", (0.0, 0.0, 0.0), resting("pip", face, 0, PLAIN), PLAIN, size=2.0)
    points, _, sides, texture = cube(replace(PLAIN, roundness=1e-3))
    here = np.repeat(sides, 4) == die.up
    placed, upright = points[here] @ die.rotation.T, texture[here]
    for corner, (u, v) in zip(die.face_corners(), [(0, 1), (1, 1), (1, 0), (0, 0)], strict=True):
        nearest = np.linalg.norm(placed - corner, axis=1).argmin()
        assert np.allclose(upright[nearest], (u, v), atol=0.01), "pictures are upside down in Blender"


def test_a_lamp_to_be_mirrored_is_mirrored_by_a_die() -> None:
    rng = np.random.default_rng(3)
    wish = Wish(64, 64, game="clever", empty=0, most_tilt=30)
    lamps = 0
    for _ in range(40):
        scene = traced.suited(random_scene(wish, rng), rng)
        assert scene.view.k1 == 0
        for lamp in (np.array(lamp.towards) for lamp in scene.lights if lamp.glint > 1):
            lamps += 1
            away = []
            for die in scene.dice:
                seen = (np.array(die.position) - scene.view.eye()) * (1, 1, -1)
                away.append(np.degrees(np.arccos(seen @ lamp / np.linalg.norm(seen) / np.linalg.norm(lamp))))
            assert min(away) < 10
    assert lamps


def test_without_blender_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(traced, "find_spec", lambda _: None)
    assert traced.main([]) == 2
    assert "Blender is missing" in capsys.readouterr().out


def test_a_traced_picture_shows_its_dice_where_the_labels_say() -> None:
    pytest.importorskip(
        "bpy", reason="Blender as a package (bpy) is needed only to make pictures to measure on"
    )
    rng = np.random.default_rng(1)
    scene = random_scene(Wish(160, 160, game="clever", pixels=(40.0, 50.0), empty=0), rng)
    scene = replace(scene, faults=Faults(), view=replace(scene.view, k1=0.0), shades=())
    plain, _ = render(scene, rng)
    picture, labels = traced.traced(scene, rng)
    assert labels
    for label in labels:
        corners = np.array(label.top_face)
        (left, top), (right, low) = np.clip(corners.min(0), 0, 150), np.clip(corners.max(0), 10, 160)
        part = slice(int(top), int(low)), slice(int(left), int(right))
        both = np.corrcoef(picture[part].ravel(), plain[part].ravel())
        assert both[0, 1] > 0.5
