"""The command `python -m companion.vision.train`: a module a part, each with `add(parts)` and `run`."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

PARTS = ("pool", "detector", "finding", "harvest", "corners", "faces", "colours", "calibrate", "card")


def main() -> int:
    """Train one part."""
    parser = argparse.ArgumentParser(prog="python -m companion.vision.train", description=__doc__)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    for name in PARTS:
        import_module(f"companion.vision.train.{name}").add(parts)
    arguments = parser.parse_args()
    return int(arguments.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
