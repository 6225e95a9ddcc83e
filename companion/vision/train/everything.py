"""Every network from nothing: `python -m companion.vision.train all`, four hours on two cores.

Every part goes on where it was stopped, so the command may be stopped and given again at any time. With
photographs, the networks as they were before those joined are kept in a folder `unseen` beside the models.
With `--share 0.02` it takes ten minutes: poor networks, but the whole way has been gone.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

Lane = tuple[str, ...]
"""Parts that follow one another; the lanes of a stage run side by side, each on a core of its own."""
Stage = tuple[Lane, ...]

_POOL = "pool --pool {work}/pool --shards "
_DETECTOR = "detector --pool {work}/pool --work {work}/detector --out {out}/detector.onnx --steps "
_CORNERS = "corners --pool {work}/pool --out {out}/corners.onnx --steps "
_SLANTS = "slants --pool {work}/pool --begin {out}/corners.pt --out {out}/slants.onnx --steps "
_CROPS = "crops --out {work}/crops "
_COLOURS = "colours --crops {work}/crops --out {out}/colours.onnx --steps "
_FACES = "faces --crops {work}/crops --out {out}/faces.onnx --steps "
_TRUST = "calibrate --scenes {work}/scenes --count 2400 --models "

_OWN: tuple[Stage, ...] = (
    ((_POOL + "130 --part 0/2",), (_POOL + "130 --part 1/2",)),
    (
        (_DETECTOR + "12000",),
        (
            _CORNERS + "7500",
            _SLANTS + "4500",
            _CROPS + "--shards 5",
            _CROPS + "--seed 41 --shards 4 --game keer_op_keer_2",
            _CROPS + "--seed 51 --shards 3 --game regenwormen",
            _CROPS + "--seed 32 --pool {work}/pool",
            _COLOURS + "4000",
            _FACES + "2000",
        ),
    ),
    (
        (_CROPS + "--seed 71 --bare 700 --models {out}", _FACES + "5000"),
        ("calibrate --scenes {work}/scenes --count 2400 --draw-only", _SLANTS + "6000"),
    ),
)
"""From our own pictures alone."""
_PHOTOGRAPHS: Stage = (
    (_DETECTOR + "30000 --photographs {photographs}",),
    (
        _TRUST + "{out}/unseen",
        _CROPS + "--seed 61 --photographs {photographs} --models {out}/unseen",
        _FACES + "20000",
        _SLANTS + "12000",
        _COLOURS + "10000",
    ),
)
"""Networks go on, with photographs where they learn from such, and a rate that falls anew."""
_SHARED = ("--shards", "--steps", "--bare", "--count")
"""What there is less of when only a share of all is made."""


def add(parts: Any) -> None:
    """Register the part `all`."""
    parser = parts.add_parser("all", help="make every network and the confidence from nothing, in order")
    parser.add_argument("--work", type=Path, default=Path("build"), help="pictures, crops and scenes")
    parser.add_argument(
        "--out", type=Path, default=Path("build/models"), help="where the models and their checkpoints go"
    )
    parser.add_argument(
        "--photographs", type=Path, help="labels.json of photographs that may join at the end"
    )
    parser.add_argument(
        "--share",
        type=float,
        default=1.0,
        help="of the pictures and steps (0.02: a try in ten minutes)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the stages one after another, and end with the first in which a part fails."""
    if not 0 < arguments.share <= 1:
        print("--share must be more than 0, and 1 at most")  # noqa: T201
        return 2
    stages = [*_OWN, ((_TRUST + "{out}",),)]
    if arguments.photographs:
        stages = [*_OWN, _PHOTOGRAPHS, ((_TRUST + "{out} --photos {photographs}",),)]
    elif (arguments.out / "unseen").exists():
        print(f"{arguments.out} has learnt from photographs; name another folder with --out and --work")  # noqa: T201
        return 2
    if not _begun(arguments):
        print(f"{arguments.work} was begun with another recipe, share or --out; give another --work")  # noqa: T201
        return 2
    for number, stage in enumerate(stages, start=1):
        if stage is _PHOTOGRAPHS:
            _keep(arguments.out)
        walk = partial(_walked, arguments, f"{number}/{len(stages)}")
        with ThreadPoolExecutor(len(stage)) as lanes:
            if failed := next(filter(None, lanes.map(walk, stage)), 0):
                return failed
    print(f"all networks, and their confidence, are in {arguments.out}")  # noqa: T201
    return 0


def _begun(arguments: argparse.Namespace) -> bool:
    """Whether what lies in the folder, if anything, was begun as it is to go on."""
    recipe = json.dumps([arguments.share, str(arguments.out.resolve()), _OWN, _PHOTOGRAPHS, _TRUST], indent=1)
    kept = Path(arguments.work) / "recipe.json"
    if not kept.exists():
        if any((kept.parent / made).exists() for made in ("pool", "detector", "crops")):
            return False
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(recipe, encoding="utf-8")
    return kept.read_text(encoding="utf-8") == recipe


def _walked(arguments: argparse.Namespace, stage: str, lane: Lane) -> int:
    """Run the parts of a lane; the first that fails ends it. A network is not taken through a course again
    that it has come to the end of; pictures and crops that are there are not made again."""
    done = arguments.work / "done.txt"
    for part in lane:
        words = shortened([word.format(**vars(arguments)) for word in part.split()], arguments.share)
        learns = "--steps" in words
        if learns and Path(words[words.index("--out") + 1]).exists() and part in _lines(done):
            continue
        print(f"[{stage}] {' '.join(words)}", flush=True)  # noqa: T201
        if failed := apart(words):
            return failed
        if learns:
            with done.open("a", encoding="utf-8") as file:
                file.write(f"{part}\n")
    return 0


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def apart(words: list[str]) -> int:
    """Run a part in a process of its own, which says how it went."""
    command = [sys.executable, "-m", "companion.vision.train", *words]
    return subprocess.run(command, check=False).returncode  # noqa: S603 – our own command


def shortened(words: list[str], share: float) -> list[str]:
    """The words of a part that makes this share of what they ask for, rounded up."""
    return [
        str(math.ceil(int(word) * share)) if before in _SHARED else word
        for before, word in zip(["", *words], words, strict=False)
    ]


def _keep(out: Path) -> None:
    """Put the networks that have learnt from no photograph aside, to be measured on all of them."""
    kept = out / "unseen"
    if not kept.exists():
        part = out / "unseen.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        for path in out.glob("*.onnx"):
            shutil.copy(path, part)
        part.rename(kept)
