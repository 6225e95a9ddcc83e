"""Which photographs may join the training, and which are kept to measure on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LICENCES = ("MIT", "CC-BY-4.0", "Apache-2.0")
HELD_OUT = 4
"""Every so many pictures of a source, one is kept for measuring."""


def joining(labels: Path) -> list[dict[str, Any]]:
    """The records whose licence allows training, without those held out."""
    seen: dict[str, int] = {}
    out = []
    for record in json.loads(labels.read_text()):
        if not record["licence"].startswith(LICENCES):
            continue
        seen[record["source"]] = seen.get(record["source"], -1) + 1
        if seen[record["source"]] % HELD_OUT:
            out.append(record)
    return out
