"""The command `python -m companion.vision.train`: a module a part, each with `add(parts)` and `run`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

PARTS = (
    "pool",
    "detector",
    "finding",
    "harvest",
    "corners",
    "faces",
    "colours",
    "leaning",
    "clips",
    "empty",
    "close",
    "views",
    "turned",
    "calibrate",
    "card",
    "everything",
)


def main(words: Sequence[str] | None = None) -> int:
    """Train one part, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m companion.vision.train", description=__doc__)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    for name in PARTS:
        import_module(f"companion.vision.train.{name}").add(parts)
    arguments = parser.parse_args(words)
    return int(arguments.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
