"""How fast the eye is here: picture to roll, the movement gate, the share of a core it idles at, and what the
simulated tray takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from companion.dice import Throw
from companion.vision.comparison import SIDE, network, operations, parameters
from companion.vision.gaze import Gaze
from companion.vision.models import session
from companion.vision.reader import Reader
from companion.vision.reading import Frame, Image
from companion.vision.stillness import Stillness, small_of
from companion.vision.tray import Tray
from companion.vision.world import SETS, Placed, Scene, View, felt, published_looks, render, resting

FPS = 15
_ROUNDS = 15


def measure() -> dict[str, float]:
    """Milliseconds and shares, on one thread after warm-up; medians, alternating with the comparison."""
    picture, kinds = _picture(), SETS["clever"]
    reader = Reader(threads=1)
    yardstick = session(network(), 1, "image")
    blank = np.full((1, 3, SIDE, SIDE), 0.5, np.float32)
    mine, other = [], []
    for turn in range(_ROUNDS + 3):
        spent = (
            _timed(lambda: reader.read(picture, kinds)),
            _timed(lambda: yardstick.run(None, {"image": blank})),
        )
        if turn >= 3:
            mine.append(spent[0])
            other.append(spent[1])
    read, compared = statistics.median(mine), statistics.median(other)
    gate, idle = _gate(picture), _idle(picture, reader)
    return {
        "picture_to_roll_ms": round(read, 1),
        "comparison_ms": round(compared, 1),
        "ratio": round(read / compared, 3),
        "comparison_parameters": parameters(),
        "comparison_gflops": round(operations() / 1e9, 2),
        "movement_gate_ms": round(gate, 3),
        "idle_share_of_a_core": round(idle * FPS / 1000, 4),
        "simulated_frame_ms": round(_simulated(), 2),
    }


def _timed(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return (time.perf_counter() - begun) * 1000


def _picture() -> Image:
    """Six Clever dice on green felt, 1280 × 960."""
    looks = published_looks("clever")
    dice = [
        Placed(
            kind,
            (28.0 * (i % 3) - 30, 30.0 * (i // 3) - 12, 8.0),
            resting(kind, str(i + 1), 37.0 * i, looks[kind]),
            looks[kind],
        )
        for i, kind in enumerate(SETS["clever"])
    ]
    scene = Scene(tuple(dice), View(1280, 960, distance=450, tilt=10, focal=1500), felt((60, 110, 30)))
    return render(scene, np.random.default_rng(1))[0]


def _frames(picture: Image, count: int) -> list[Frame]:
    """The same table again and again, as a grainy camera sees it."""
    small = small_of(picture).astype(np.float32)
    rng = np.random.default_rng(2)
    grainy = [np.clip(small + rng.normal(0, 1.5, small.shape), 0, 255).astype(np.uint8) for _ in range(8)]
    return [Frame(picture, grainy[i % 8], i / FPS) for i in range(count)]


def _gate(picture: Image) -> float:
    stillness = Stillness()
    return statistics.median(
        _timed(lambda frame=frame: stillness.see(frame.small, frame.taken_at))  # type: ignore[misc]
        for frame in _frames(picture, 60)
    )


def _idle(picture: Image, reader: Reader) -> float:
    """Mean milliseconds a frame while nothing moves and the old dice still lie there."""
    gaze = Gaze(reader)
    gaze.expect(Throw(0, SETS["clever"]))
    spent = [_timed(lambda frame=frame: gaze.see(frame)) for frame in _frames(picture, 90)]  # type: ignore[misc]
    return statistics.mean(spent[30:])


def _simulated() -> float:
    """Milliseconds that a frame of the simulated tray takes to make while its dice lie still."""
    now = [0.0]
    tray = Tray(seed=1, clock=lambda: now[0], sleep=lambda seconds: None)
    tray.drop("yellow:4", "blue:2")
    tray.next()
    now[0] += 10  # they have come to rest
    tray.next()
    return statistics.median(_timed(tray.next) for _ in range(30))
