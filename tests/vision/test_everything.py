"""`train all`: networks that learnt from photographs never pass for those that did not."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.vision.train import __main__ as train
from companion.vision.train import everything
from companion.vision.train.everything import run, shortened

MADE = {"detector": "detector.onnx", "calibrate": "trust.json"}


@pytest.fixture
def arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Namespace:
    """What `all` is given, with parts that only write what they learnt from."""
    out = tmp_path / "models"
    out.mkdir()

    def apart(words: Sequence[str]) -> int:
        name, *rest = words
        models = Path(rest[rest.index("--models") + 1]) if "--models" in rest else out
        if models != out:
            assert (models / "detector.onnx").read_text() == "own"
        if name in MADE and "--draw-only" not in rest:
            (models / MADE[name]).write_text(
                "photographs" if {"--photographs", "--photos"} & set(rest) else "own"
            )
        return 0

    monkeypatch.setattr(everything, "apart", apart)
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
    assert run(arguments) == 0
    arguments.photographs = None
    assert run(arguments) == 2
    assert "name another folder" in capsys.readouterr().out
    assert (arguments.out / "trust.json").read_text() == "photographs"


def test_what_another_recipe_or_share_began_does_not_go_on(
    arguments: Namespace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 0
    arguments.share = 0.5
    assert run(arguments) == 2
    assert "begun with another recipe, share or --out" in capsys.readouterr().out


@pytest.mark.parametrize("made", ["pool", "detector", "crops"])
def test_what_was_made_by_hand_does_not_go_on(made: str, arguments: Namespace) -> None:
    (arguments.work / made).mkdir(parents=True)
    assert run(arguments) == 2


def test_networks_in_another_folder_do_not_go_on_from_the_same_work(arguments: Namespace) -> None:
    assert run(arguments) == 0
    arguments.out = arguments.out.with_name("others")
    assert run(arguments) == 2


def test_every_part_of_the_recipe_understands_its_words(arguments: Namespace) -> None:
    """A word misspelt would show hours after the beginning."""
    pytest.importorskip("torch", reason="the parts of the training are known with the extra `train` alone")
    parser = train.parser()
    stages = [
        *everything._OWN,
        everything._PHOTOGRAPHS,
        ((everything._TRUST + "{out} --photos {photographs}",),),
    ]
    for part in (part for stage in stages for lane in stage for part in lane):
        parser.parse_args(shortened(part.format(**vars(arguments)).split(), 1.0))


def test_slants_begin_with_the_weights_of_corners_where_they_fit() -> None:
    torch = pytest.importorskip("torch", reason="networks learn with the extra `train` alone")
    from companion.vision.train.corners import begin
    from companion.vision.train.networks import Corners, Slants

    known, slants = Corners().state_dict(), Slants()
    before = {name: value.clone() for name, value in slants.state_dict().items()}
    begin(slants, known)
    taken = {name for name, value in slants.state_dict().items() if value.shape == known[name].shape}
    assert taken and taken != set(known)
    for name, value in slants.state_dict().items():
        assert torch.equal(value, known[name] if name in taken else before[name])


def test_a_share_of_it_makes_fewer_pictures_and_steps_but_some() -> None:
    words = ["crops", "--out", "9", "--seed", "41", "--shards", "7", "--bare", "1200"]
    assert shortened(words, 1.0) == words
    few = ["crops", "--out", "9", "--seed", "41", "--shards", "1", "--bare", "24"]
    assert shortened(words, 0.02) == few


@pytest.mark.parametrize("code", [3, -9], ids=["failed", "killed"])
def test_a_part_that_fails_ends_it_before_the_next_stage(
    code: int, arguments: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def apart(words: Sequence[str]) -> int:
        begun.append(words[0])
        if words[0] == "slants":
            return code
        if "--steps" in words:
            Path(words[words.index("--out") + 1]).touch()
        return 0

    monkeypatch.setattr(everything, "apart", apart)
    assert run(arguments) == code
    assert sorted(begun) == ["corners", "detector", "pool", "pool", "slants"]
    begun.clear()
    assert run(arguments) == code
    assert sorted(begun) == ["pool", "pool", "slants"], "given again, it goes on with what is left to do"
    begun.clear()
    (arguments.out / "corners.onnx").unlink()
    assert run(arguments) == code
    assert sorted(begun) == ["corners", "pool", "pool", "slants"], "what is gone is made again"


def test_a_part_runs_in_a_process_of_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    assert everything.apart(["no-such-part"]) == 2  # as it must be with PyTorch, and without
    assert "no-such-part" in (told := capfd.readouterr().err) or "'.[train]'" in told


def test_what_training_needs_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(_: str) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(train, "import_module", missing)
    assert train.main(["all"]) == 2
    assert capsys.readouterr().err == f"torch is missing: {train.INSTALL}\n"


@pytest.mark.parametrize("share", [0.0, -1.0, 2.0, float("nan")])
def test_only_a_share_can_be_made(share: float, arguments: Namespace) -> None:
    arguments.share = share
    assert run(arguments) == 2
    assert not list(arguments.out.iterdir())
