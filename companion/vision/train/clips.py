"""Measuring the watch: throws, hands, shadows, lamps and nudges of all games on the simulated tray."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from companion.dice import KINDS, Throw
from companion.vision.gaze import Gaze
from companion.vision.reader import Reader
from companion.vision.tray import Tray
from companion.vision.tray.stage import TABLES
from companion.vision.tray.tray import FPS
from companion.vision.watch import Trusted
from companion.vision.world import SETS

IN_TIME = 6
"""Frames after the last die has come to rest within which a roll must be trusted: 0.4 s."""


@dataclass(slots=True)
class Clock:
    """A clock that goes on only while somebody sleeps, so that every run is the same."""

    now: float = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Go on."""
        self.now += max(seconds, 1e-6)


@dataclass(slots=True)
class Tally:
    """What became of the throws and nudges of some clips."""

    due: int = 0
    trusted: int = 0
    right: int = 0
    late: int = 0
    moving: int = 0
    """Rolls trusted while a die still moved."""
    false: int = 0
    """Rolls trusted where nothing had been thrown or nudged."""
    frames: list[int] = field(default_factory=list)


def add(parts: Any) -> None:
    """Register the part."""
    parser = parts.add_parser("clips", help="measure the watch on clips of the simulated tray")
    parser.add_argument("--clips", type=int, default=4, help="clips a game")
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the clips and print what the watch made of them."""
    cv2.setNumThreads(1)
    reader = Reader(arguments.models)
    for game in (name for name in SETS if name != "pips"):
        tally = Tally()
        for number in range(arguments.clips):
            play(reader, game, arguments.seed + number, tally)
        frames = sorted(tally.frames)
        middle, last = (frames[len(frames) // 2], frames[-1]) if frames else ("–", "–")
        print(  # noqa: T201
            f"{game}: {tally.due} throws and nudges, {tally.trusted} trusted, {tally.right} right, "
            f"{tally.late} late (median {middle} frames after rest, at most {last}), "
            f"{tally.moving} trusted in movement, {tally.false} false",
            flush=True,
        )
    return 0


def play(reader: Reader, game: str, seed: int, tally: Tally) -> None:
    """One clip: a throw, a hand, a shadow, a flickering lamp, a step of the exposure, a nudge."""
    clock = Clock()
    tray = Tray(list(TABLES)[seed % len(TABLES)], seed, clock, clock.sleep)
    gaze = Gaze(reader)
    gaze.expect(Throw(0, SETS[game]))
    _watch(tray, gaze, 0.6, tally, expected=False)
    tray.throw(SETS[game])
    _watch(tray, gaze, 3.0, tally, expected=True)
    harmless: tuple[Callable[[], None], ...] = (
        lambda: tray.hand_over(0.9),
        lambda: tray.shadow_over(0.9),
        lambda: tray.flicker(0.1),
        lambda: tray.brighten(0.85),
    )
    for happens in harmless:
        happens()
        _watch(tray, gaze, 1.6, tally, expected=False)
    die = tray.lies[0]
    other = next(face for face in KINDS[die.kind].faces if face != die.face)
    tray.nudge(str(die), f"{die.kind}:{other}")
    _watch(tray, gaze, 2.0, tally, expected=True)


def _watch(tray: Tray, gaze: Gaze, seconds: float, tally: Tally, expected: bool) -> None:
    tally.due += expected
    rest: int | None = None
    met = False
    for frame in range(round(seconds * FPS)):
        shot = tray.next()
        if rest is None and tray.settled:
            rest = frame
        seen = gaze.see(shot) if shot is not None else None
        if not isinstance(seen, Trusted):
            continue
        if rest is None:
            tally.moving += 1
        elif not expected or met:
            tally.false += 1
        else:
            met = True
            tally.trusted += 1
            tally.right += Counter(seen.roll) == Counter(tray.lies)
            tally.late += frame - rest > IN_TIME
            tally.frames.append(frame - rest)
