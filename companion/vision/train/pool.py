"""A pool of rendered pictures to learn from: `python -m companion.vision.train pool`, resumable."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.world import Surface, Wish, random_scene, random_surface, render
from companion.vision.world.surfaces import littered, printed_surface

SHARD = 100
"""Pictures a shard; each shard depends on its own seed alone."""
_BANK = 24
_FRESH = 0.15
_BARE = 8
"""Every so many shards, one shows no dice at all, on print: what is not to be found."""
_LEANING = 3
"""Every so many shards, one shows many dice that lean or lie on others, which are rare elsewhere."""
_BOXED = ("regenwormen", "keer_op_keer_2", "clever", "keer_op_keer_2")
"""One shard after each of those, with the set of one game, mostly on print, as in the lid of its box."""
_PRINTED = 0.6
"""How many of the surfaces below such a set are printed."""
_ROUND, _FROM_ANYWHERE = 10, 7
"""Of every ten shards the first seven are seen from anywhere, the others from the side alone, as many
photographs are, near and far. Where they fall on one of the above, that one is left out."""
_LITTERED = 0.2
"""How many of the surfaces are littered."""
WISH = Wish(
    400,
    400,
    pixels=(11.0, 105.0),
    most_tilt=65.0,
    crowd=0.6,
    clutter=0.65,
    empty=0.08,
    mixed=0.25,
    oblique=0.6,
)
_ASIDE = replace(WISH, pixels=(18.0, 150.0), least_tilt=32.0, most_tilt=68.0, oblique=1.0, cocked=0.04)


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture of the pool, still compressed, and what is known of its dice."""

    file: Path
    dice: tuple[dict[str, Any], ...]


def add(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the part."""
    parser = parts.add_parser("pool", help="render the pictures that the detector learns from")
    parser.add_argument("--pool", type=Path, default=Path("build/pool"), help="folder of the pictures")
    parser.add_argument("--shards", type=int, default=130, help=f"how many shards of {SHARD} pictures")
    parser.add_argument("--part", default="0/1", help="K/N: make only every Nth shard, starting with the Kth")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make the shards that are not there yet."""
    cv2.setNumThreads(1)
    first, step = (int(n) for n in arguments.part.split("/"))
    arguments.pool.mkdir(parents=True, exist_ok=True)
    for shard in range(first, arguments.shards, step):
        if not (arguments.pool / f"{shard:04d}.json").exists():
            start = time.perf_counter()
            make_shard(arguments.pool, shard)
            print(f"shard {shard}: {time.perf_counter() - start:.0f} s", flush=True)  # noqa: T201
    return 0


def make_shard(pool: Path, shard: int, count: int = SHARD) -> None:
    """Render one shard: `NNNN_KK.jpg` pictures and `NNNN.json` with their labels, written last."""
    rng = np.random.default_rng([4, shard])
    aside = shard % _ROUND >= _FROM_ANYWHERE
    bare = not aside and shard % _BARE == _BARE - 1
    boxed = not aside and shard % _LEANING == 1
    wish = _ASIDE if aside else replace(WISH, empty=1.0) if bare else WISH
    if not aside and shard % _LEANING == 0:
        wish = replace(wish, cocked=0.25, stacked=0.07)
    elif boxed:
        wish = replace(wish, game=_BOXED[shard // _LEANING % len(_BOXED)])
    printed = 1.0 if bare else _PRINTED if boxed else 0.0

    def maker(rng: np.random.Generator) -> Surface:
        surface = printed_surface(rng) if rng.random() < printed else random_surface(rng)
        return littered(surface, rng) if rng.random() < _LITTERED else surface

    bank = [maker(rng) for _ in range(_BANK)]
    records = []
    for index in range(count):
        if rng.random() < _FRESH:
            bank[int(rng.integers(0, _BANK))] = maker(rng)
        picture, labels = render(random_scene(wish, rng, bank), rng)
        name = f"{shard:04d}_{index:02d}.jpg"
        cv2.imwrite(str(pool / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        records.append({"file": name, "dice": [asdict(label) for label in labels]})
    (pool / f"{shard:04d}.json").write_text(json.dumps(records))


def taken(pool: Path) -> Iterator[Taken]:
    """Every picture of the finished shards."""
    for path in sorted(pool.glob("[0-9]*.json")):
        for record in json.loads(path.read_text()):
            yield Taken(pool / record["file"], tuple(record["dice"]))
