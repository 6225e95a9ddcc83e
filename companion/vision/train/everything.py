"""All shipped networks from nothing: `python -m companion.vision.train all`, a whole evening on two cores.

Every part goes on where it was stopped, so the command may be stopped and given again at any time.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

_OWN_PICTURES = (
    "pool --pool {work}/pool --shards 92",
    "detector --pool {work}/pool --work {work}/detector --out {out}/detector.onnx --steps 9000",
    "crops --out {work}/crops --shards 5",
    "crops --out {work}/crops --seed 41 --shards 3 --game keer_op_keer_2",
    "crops --out {work}/crops --seed 51 --shards 3 --game regenwormen",
    "crops --out {work}/crops --seed 32 --pool {work}/pool",
    "corners --pool {work}/pool --out {out}/corners.onnx --steps 6000",
    "slants --pool {work}/pool --out {out}/slants.onnx --steps 6000",
    "colours --crops {work}/crops --out {out}/colours.onnx --steps 6000",
    "faces --crops {work}/crops --out {out}/faces.onnx --steps 9500",
)
_PHOTOGRAPHS = (
    "detector --pool {work}/pool --work {work}/detector --out {out}/detector.onnx --steps 12500"
    " --photographs {photographs}",
    "crops --out {work}/crops --seed 61 --photographs {photographs} --models {out}",
    "faces --crops {work}/crops --out {out}/faces.onnx --steps 12000",
)
_TRUST = "calibrate --scenes {work}/scenes --models {out}"


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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the parts one after another; the first that fails ends it."""
    from companion.vision.train.__main__ import main

    parts = [*_OWN_PICTURES, _TRUST]
    if arguments.photographs:
        parts = [*_OWN_PICTURES, *_PHOTOGRAPHS, _TRUST + " --photos {photographs}"]
    for number, part in enumerate(parts, start=1):
        words = part.format(**vars(arguments)).split()
        print(f"[{number}/{len(parts)}] {' '.join(words)}", flush=True)  # noqa: T201
        if failed := main(words):
            return failed
    return 0
