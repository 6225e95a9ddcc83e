"""A table with its pages for tests: served for real on a free port, with dice that fall at a word."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random, SystemRandom

import cv2
import numpy as np
from flask import Flask

from companion.advice import throw_dice
from companion.dice import Die, Roll
from companion.log import Log
from companion.table import Table
from companion.vision.reading import Reading, Sentence, Sight, Spotted
from companion.web import create_app
from companion.web.serving import Serving

PIN = "2468"
SIZE = (640, 480)


def picture_of(dice: Roll) -> tuple[bytes, list[tuple[float, float, float, float]]]:
    """A drawn picture of some dice, and where they lie."""
    image = np.full((SIZE[1], SIZE[0], 3), (70, 110, 60), np.uint8)
    boxes = []
    for n, die in enumerate(dice):
        x, y = 60 + (n % 4) * 135, 90 + (n // 4) * 170
        cv2.rectangle(image, (x, y), (x + 90, y + 90), (225, 240, 250), -1)
        cv2.putText(image, die.face[:2], (x + 18, y + 62), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (40, 50, 90), 4)
        boxes.append((float(x), float(y), 90.0, 90.0))
    return cv2.imencode(".jpg", image)[1].tobytes(), boxes


def sight_of(number: int, dice: Roll, *, doubtful: tuple[int, ...] = ()) -> Sight:
    """What the eye would say about these dice; some of them doubtful."""
    picture, boxes = picture_of(dice)
    spotted = []
    for n, (die, box) in enumerate(zip(dice, boxes, strict=True)):
        other = "1" if die.face != "1" else "2"
        unsure = n in doubtful
        spotted.append(
            Spotted(
                die,
                box,
                0.6 if unsure else 0.999,
                alternatives=((die.face, 0.6), (other, 0.4)) if unsure else ((die.face, 0.999),),
                sure=not unsure,
            )
        )
    doubts = tuple(Sentence("one die is doubtful", about=n) for n in doubtful)
    roll = None if doubtful else dice
    return Sight(number, False, Reading(tuple(spotted), roll, doubts), roll, picture=picture, size=SIZE)


class Dice:
    """A thrower: `next` is thrown if set, else chance decides; `doubtful` dice are asked about."""

    def __init__(self, table: Table, chance: Random) -> None:
        self.table, self.chance = table, chance
        self.next: tuple[str, ...] = ()
        self.doubtful: tuple[int, ...] = ()
        self.misread: int | None = None

    def throw(self) -> None:
        """The dice due fall and are seen."""
        due = self.table.due()
        assert due is not None
        dice = tuple(map(Die.named, self.next)) or throw_dice(due[1], self.chance)
        self.table.show(sight_of(due[0], dice, doubtful=self.doubtful))
        self.next, self.doubtful = (), ()


def room_of(folder: Path, seed: int = 1) -> tuple[Log, Table, Dice, Flask]:
    """A table in this folder with its app."""
    log = Log(folder)
    table = Table(log, Random(seed))
    dice = Dice(table, Random(seed))
    app = create_app(table, secret=log.secret(), pin=PIN, throw=dice.throw)
    return log, table, dice, app


def free_port() -> int:
    """A port that nobody uses now; below those that the system gives to connections, which come and go."""
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def served(app: Flask, port: int) -> Iterator[str]:
    """The app on a real server; its streams end with it."""
    pages = Serving(app, "127.0.0.1", port, threads=24)
    pages.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        app.extensions["companion"].table.close()
        pages.stop()


def main(folder: str, port: str, seed: str) -> None:
    """Serve a table until it is told to stop, as `companion serve` does, with drawn dice."""
    log, _, _, app = room_of(Path(folder), int(seed))
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    with served(app, int(port)):
        stop.wait()
    log.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
