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


INSTALL = "run  .venv/bin/pip install -e '.[train]'  first"


def main(words: Sequence[str] | None = None) -> int:
    """Train one part, or all of them."""
    try:
        arguments = parser().parse_args(words)
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is missing: {INSTALL}", file=sys.stderr)  # noqa: T201
        return 2
    return int(arguments.run(arguments))


def parser() -> argparse.ArgumentParser:
    """What every part is asked with."""
    asked = argparse.ArgumentParser(prog="python -m companion.vision.train", description=__doc__)
    parts = asked.add_subparsers(title="parts", metavar="PART", required=True)
    for name in PARTS:
        import_module(f"companion.vision.train.{name}").add(parts)
    return asked


if __name__ == "__main__":
    sys.exit(main())
