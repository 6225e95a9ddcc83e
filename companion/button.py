"""The button on the table, its lamp and its buzzer: a finger, a colour and a beep on the Pi's pins."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Protocol

_log = logging.getLogger(__name__)

LampState = Literal["ready", "rolling", "sure", "doubt", "error"]
Colour = tuple[float, float, float]
Strokes = tuple[tuple[bool, float], ...]
"""On or off, and for how many seconds, one after the other."""

BOUNCE_S = 0.025  # contacts of cheap buttons chatter for 5–15 ms; a quick tap lasts 50 ms and more
DOUBLE_S = 0.4  # a nervous second tap belongs to the first one, not to the next roll
UNDO_S = 2.0
SHUTDOWN_S = 8.0
TICK_S = 0.04

COLOURS: dict[LampState, Colour] = {
    "ready": (0, 0, 1),
    "rolling": (0, 0, 1),
    "sure": (0, 1, 0),
    "doubt": (1, 0.4, 0),
    "error": (1, 0, 0),
}
# Every state also has its own rhythm, so that nobody needs to tell red from green.
RHYTHMS: dict[LampState, Strokes] = {
    "ready": ((True, 1),),
    "rolling": ((True, 0.6), (False, 0.6)),
    "sure": ((True, 1),),
    "doubt": ((True, 0.2), (False, 0.2)),
    "error": ((True, 0.1), (False, 0.1), (True, 0.1), (False, 0.9)),
}
WHITE: Colour = (1, 1, 1)
REFUSED: Strokes = ((True, 0.1), (False, 0.1)) * 3
ASKED: Strokes = ((True, 0.3), (False, 0.15), (True, 0.3))
TAKEN: Strokes = ((True, 0.08),)
GOODBYE: Strokes = ((True, 1.0),)
BEEPS: dict[LampState, Strokes] = {"sure": TAKEN, "doubt": ((True, 0.08), (False, 0.08), (True, 0.08))}


class NoButton(OSError):
    """Pins that cannot be used here, with what to do about it."""


class Deck(Protocol):
    """What the button needs of the table."""

    def confirm(self) -> object:
        """Take the sure and complete reading; raises `ValueError` when there is none."""

    def ask_undo(self) -> object:
        """Ask on the phone whether the last choice is taken back; raises `ValueError` when there is none."""

    def lamp(self) -> LampState:
        """What the lamp should say now."""


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins by their GPIO (BCM) numbers; None where nothing is connected."""

    button: int = 17
    red: int | None = None
    green: int | None = None
    blue: int | None = None
    buzzer: int | None = None
    common_anode: bool = False


class Push(Enum):
    """What a finger meant."""

    TAP = "tap"
    UNDO = "undo"
    SHUTDOWN = "shutdown"


@dataclass(slots=True)
class Finger:
    """Makes pushes out of the raw edges of a chattering contact; its only clock is the times it is given."""

    _level: bool = False
    _edge_at: float = 0.0
    _down: bool = False
    _down_at: float = 0.0
    _tapped_at: float = float("-inf")
    _meant: Push | None = None
    _pushes: list[Push] = field(default_factory=list)

    def edge(self, down: bool, at: float) -> None:
        """The contact closed or opened."""
        self._settle(at)
        if down != self._level:
            self._level, self._edge_at = down, at

    def pushes(self, at: float) -> list[Push]:
        """What has been meant since the last call."""
        self._settle(at)
        pushes, self._pushes = self._pushes, []
        return pushes

    def _settle(self, at: float) -> None:
        if self._level != self._down and at - self._edge_at >= BOUNCE_S:
            if self._level:
                self._down, self._down_at, self._meant = True, self._edge_at, None
            else:
                self._held(self._edge_at)
                self._down = False
                if self._meant is None and self._edge_at - self._tapped_at >= DOUBLE_S:
                    self._tapped_at = self._edge_at
                    self._pushes.append(Push.TAP)
        if self._down and self._level:
            self._held(at)

    def _held(self, at: float) -> None:
        for push, seconds in ((Push.UNDO, UNDO_S), (Push.SHUTDOWN, SHUTDOWN_S)):
            if at - self._down_at >= seconds and self._meant not in (push, Push.SHUTDOWN):
                self._meant = push
                self._pushes.append(push)


class Button:
    """A real button with its lamp and buzzer.

    Edges are only noted in gpiozero's thread; everything else happens in `tick`, which `start` calls in a
    thread of its own and a test calls by hand.
    """

    def __init__(
        self,
        deck: Deck,
        pins: Pins,
        *,
        shutdown: Callable[[], object],
        state_dir: Path,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # lgpio keeps its notification pipes in the working directory unless it is told otherwise.
        os.environ.setdefault("LG_WD", str(state_dir))
        import gpiozero

        self._deck, self._shutdown, self._clock = deck, shutdown, clock
        self._finger, self._edges = Finger(), threading.Lock()
        self._flash: tuple[Strokes, float] = ((), 0.0)
        self._beep: tuple[Strokes, float] = ((), 0.0)
        self._state: LampState | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        devices: list[Any] = []
        try:
            self._contact = gpiozero.Button(pins.button, pull_up=True, bounce_time=None)
            devices.append(self._contact)
            self._lamp: Any = None
            if pins.red is not None and pins.green is not None and pins.blue is not None:
                self._lamp = gpiozero.RGBLED(
                    pins.red, pins.green, pins.blue, active_high=not pins.common_anode
                )
                devices.append(self._lamp)
            self._buzzer: Any = None
            if pins.buzzer is not None:
                self._buzzer = gpiozero.Buzzer(pins.buzzer)
                devices.append(self._buzzer)
        except (gpiozero.GPIOZeroError, OSError) as error:
            for device in devices:
                device.close()
            raise NoButton(
                f"The button's pins cannot be used ({error}): on a Raspberry Pi install python3-lgpio, "
                "let the user be in the group gpio, and look at the pins in the configuration."
            ) from error
        self._devices = devices
        self._contact.when_pressed = lambda: self._edge(True)
        self._contact.when_released = lambda: self._edge(False)

    def tick(self) -> None:
        """Do what the finger meant and let the lamp and the buzzer follow."""
        now = self._clock()
        with self._edges:
            pushes = self._finger.pushes(now)
        for push in dict.fromkeys(pushes):
            self._answer(push, now)
        state = self._deck.lamp()
        if state != self._state:
            self._state = state
            if state in BEEPS:
                self._beep = (BEEPS[state], now)
        self._shine(state, now)

    def start(self) -> None:
        """Tick in a thread of its own until `close`."""
        self._thread = threading.Thread(target=self._run, name="button", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop ticking and let the pins go."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=2)
        for device in self._devices:
            device.close()

    def _run(self) -> None:
        while not self._stop.wait(TICK_S):
            try:
                self.tick()
            except Exception:
                _log.exception("The button stumbled; it goes on")

    def _edge(self, down: bool) -> None:
        with self._edges:
            self._finger.edge(down, self._clock())

    def _answer(self, push: Push, now: float) -> None:
        strokes = {Push.TAP: TAKEN, Push.UNDO: ASKED, Push.SHUTDOWN: GOODBYE}[push]
        try:
            match push:
                case Push.TAP:
                    self._deck.confirm()
                case Push.UNDO:
                    self._deck.ask_undo()
                case Push.SHUTDOWN:
                    self._shutdown()
        except ValueError as refusal:
            _log.info("The button was refused: %s", refusal)
            strokes = REFUSED
        except Exception:  # a finger wants an answer also when the disk is full or the Pi will not stop
            _log.exception("The button could not do what was meant (%s)", push.value)
            strokes = REFUSED
        self._flash = self._beep = (strokes, now)

    def _shine(self, state: LampState, now: float) -> None:
        if self._buzzer is not None:
            self._buzzer.value = _stroke(*self._beep, now) or False
        if self._lamp is not None:
            flash = _stroke(*self._flash, now)
            rhythm = RHYTHMS[state]
            lit = (
                _stroke(rhythm, 0.0, now % sum(seconds for _, seconds in rhythm)) if flash is None else flash
            )
            colour = COLOURS[state] if flash is None else WHITE
            self._lamp.color = colour if lit else (0, 0, 0)


def power_off() -> None:
    """Shut the Pi down in good order (the installer lets the companion's user do this)."""
    import subprocess

    subprocess.run(["/usr/bin/systemctl", "poweroff"], check=True, timeout=20)


def _stroke(strokes: Strokes, since: float, now: float) -> bool | None:
    """Whether it is on now; None before and after all strokes."""
    elapsed = now - since
    for on, seconds in strokes:
        if 0 <= elapsed < seconds:
            return on
        elapsed -= seconds
    return None
