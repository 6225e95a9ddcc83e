"""`train all`: networks that learnt from photographs never pass for those that did not."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.vision.train import __main__ as train
from companion.vision.train.everything import run, shortened

MADE = {"detector": "detector.onnx", "calibrate": "trust.json"}


@pytest.fixture
def arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Namespace:
    """What `all` is given, with parts that only write what they learnt from."""
    out = tmp_path / "models"
    out.mkdir()

    def part(words: Sequence[str] | None = None) -> int:
        name, *rest = words or ()
        if name in MADE:
            (out / MADE[name]).write_text(
                "photographs" if {"--photographs", "--photos"} & set(rest) else "own"
            )
        return 0

    monkeypatch.setattr(train, "main", part)
    return Namespace(work=tmp_path / "work", out=out, photographs=tmp_path / "labels.json", share=1.0)


def test_networks_are_put_aside_before_photographs_join(arguments: Namespace) -> None:
    assert run(arguments) == 0
    for name in MADE.values():
        assert (arguments.out / name).read_text() == "photographs"
        assert (arguments.out / "unseen" / name).read_text() == "own"
    assert run(arguments) == 0, "given again, it goes on"
    assert (arguments.out / "unseen" / "detector.onnx").read_text() == "own"


def test_a_folder_that_saw_photographs_is_refused_without_them(
    arguments: Namespace, capsys: pytest.CaptureFixture[str]
) -> None:
    (arguments.work / "crops").mkdir(parents=True)
    (arguments.work / "crops" / "crops_61_photos.npz").touch()
    arguments.photographs = None
    assert run(arguments) == 2
    assert "name another folder" in capsys.readouterr().out
    assert not list(arguments.out.iterdir())


def test_a_share_of_it_makes_fewer_pictures_and_steps_but_some() -> None:
    words = ["crops", "--out", "9", "--seed", "41", "--shards", "7", "--bare", "1200"]
    assert shortened(words, 1.0) == words
    assert shortened(words, 0.02) == ["crops", "--out", "9", "--seed", "41", "--shards", "1", "--bare", "24"]
