from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.detector import Find
from companion.vision.faces import BODIES, FACES, INKS, SIZE
from companion.vision.train import mining
from companion.vision.train.crops import (
    COLUMNS,
    HELD,
    STORED,
    batches,
    growing,
    held_back,
    lit,
    load,
    plain,
    veil,
)
from companion.vision.train.harvest import from_pool, harvest, meaning


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("crops")
    crops, labels = harvest(np.random.default_rng(4), 3)
    np.savez(place / "crops_01_000.npz", crops=crops, labels=labels)
    return place


def test_a_harvest_holds_upper_faces_and_things_that_are_none(folder: Path) -> None:
    shard = load(folder)
    assert shard.crops.shape == (len(shard.labels), STORED, STORED, 3)
    faces = {FACES[i] for i in shard.labels[:, 0]}
    assert "none" in faces and len(faces) > 3
    assert (shard.labels[shard.labels[:, 0] == FACES.index("none")][:, 1:3] == -1).all()
    assert shard.labels[:, 1].max() < len(BODIES) and shard.labels[:, 2].max() < len(INKS)


def test_a_face_that_does_not_tell_its_value_is_not_learnt(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), np.full((90, 90, 3), 128, np.uint8))
    face = [[30, 30], [60, 30], [60, 60], [30, 60]]
    die = {"kind": "pip", "face": "6", "top_face": face, "visible": 1.0, "state": "flat"}
    dice = [die | {"told": True}, die | {"told": False, "face": "1"}]
    (tmp_path / "0000.json").write_text(json.dumps([{"file": "a.jpg", "dice": dice}]))
    _, labels = from_pool(tmp_path, np.random.default_rng(1))
    learnt = {FACES[face] for face in labels[:, COLUMNS.index("face")]}
    assert "6" in learnt
    assert "1" not in learnt


def test_what_is_held_back_stays_so_when_crops_join(tmp_path: Path) -> None:
    crops = np.zeros((90, STORED, STORED, 3), np.uint8)
    labels = np.zeros((90, len(COLUMNS)), np.int16)
    labels[:, COLUMNS.index("size")] = np.arange(90)
    np.savez(tmp_path / "crops_02_000.npz", crops=crops, labels=labels)
    before = held_back(tmp_path).labels
    np.savez(tmp_path / "crops_01_000.npz", crops=crops[:7], labels=labels[:7] - 100)
    after = held_back(tmp_path).labels
    assert after[-len(before) :].tolist() == before.tolist() and len(after) == len(before) + 1


def test_the_same_seed_gives_the_same_harvest(folder: Path) -> None:
    crops, labels = harvest(np.random.default_rng(4), 1)
    first = load(folder)
    assert np.array_equal(crops[0], first.crops[0]) and np.array_equal(labels[0], first.labels[0])


def test_batches_vary_crops_and_never_use_what_is_held_back(folder: Path) -> None:
    shard = load(folder)
    crops, labels = next(batches(shard, 8, seed=1))
    assert crops.shape == (8, SIZE, SIZE, 3) and labels.shape == (8, 4)
    again, _ = next(batches(shard, 8, seed=1))
    assert np.array_equal(crops, again)
    assert plain(held_back(folder).crops).shape == (-(-len(shard.labels) // HELD), SIZE, SIZE, 3)
    crops, _ = next(growing(folder, 4, 1, lambda labels: np.ones(len(labels))))
    light = lit(crops.astype(np.float32) / np.float32(255), np.random.default_rng(1), any_colour=True)
    assert light.shape == crops.shape and light.min() >= 0 and light.max() <= 1


def test_what_there_is_to_learn_from_a_die() -> None:
    assert meaning("colour", "joker") == ("cross", "white", "black")
    assert meaning("colour", "red") == ("cross", "white", "red")
    assert meaning("number", "joker") == ("question", "black", None)
    assert meaning("special", "bomb") == ("bomb", "gold", None)
    assert meaning("blue", "4") == ("4", "blue", None)
    assert meaning("worm", "worm") == ("worm", None, None)


def test_a_folder_without_crops_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no crops"):
        load(tmp_path)


def test_a_mirrored_lamp_may_leave_pale_pips_the_darkest_part_of_a_black_face() -> None:
    face = np.full((SIZE, SIZE, 3), 0.1, np.float32)
    face[21:27, 21:27] = 0.9
    pips, bodies = [], []
    for seed in range(40):
        light = face + veil(face, np.random.default_rng(seed))[..., None]
        pips.append(float(light[22:26, 22:26].mean()))
        bodies.append(float(light[14:19, 14:19].mean()))
        assert float(light[0, 0, 0]) == pytest.approx(0.1), "beside the face nothing is mirrored"
    darker = [pip < body for pip, body in zip(pips, bodies, strict=True)]
    assert 2 < sum(darker) < 30, "sometimes the pips are darker, sometimes lighter than the face"


def test_what_is_cut_from_bare_tables_is_no_face(monkeypatch: pytest.MonkeyPatch) -> None:
    square = np.array([[100, 100], [130, 100], [130, 130], [100, 130]], np.float32)
    find = Find(0.5, np.array([90, 90, 140, 140], np.float32), square, np.zeros(4, np.float32))
    monkeypatch.setattr(mining, "finder", lambda models: lambda image: [find])
    crops, labels = mining.from_bare_tables(3, Path("models"), np.random.default_rng(8))
    assert crops.shape == (3, STORED, STORED, 3) and labels[:, COLUMNS.index("size")].tolist() == [30] * 3
    assert {FACES[i] for i in labels[:, 0]} == {"none"}
