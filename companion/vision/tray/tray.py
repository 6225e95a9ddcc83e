"""The tray itself: dice are dropped, nudged and taken away, and a camera looks on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from companion.dice import KINDS, Die, Roll
from companion.vision.reading import Frame, Image
from companion.vision.stillness import small_of
from companion.vision.tray.flight import Motion, smeared
from companion.vision.tray.hand import Pass, over
from companion.vision.tray.lamp import Lamp
from companion.vision.tray.places import Places
from companion.vision.tray.stage import TABLES, Grain, Stage
from companion.vision.world import Placed, View

FPS = 15.0
NOISE = 2.2
"""Grey levels of sensor noise: a camera of a Pi in a lit room."""
VIEW = View(1280, 960, distance=410.0, tilt=9.0, heading=4.0, focal=1400.0, k1=-0.02)

Fault = Literal["cocked", "outside", "touching", "missing", "glare"]


class NoSuchDie(LookupError):
    """A die that does not lie on the tray."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What happens next: some dice stay, others move."""

    stay: tuple[Placed, ...]
    motions: tuple[Motion, ...] = ()
    glare: bool = False

    def at(self, seconds: float) -> tuple[Placed, ...]:
        """All dice at a time after the plan began, those that move smeared by the open shutter."""
        return (*self.stay, *(smeared(motion, seconds) for motion in self.motions))

    @property
    def ends(self) -> float:
        """When everything lies."""
        return max((motion.ends for motion in self.motions), default=0.0)


class Tray:
    """A camera that looks at simulated dice. Chance lives here; a seed makes it repeat itself.

    The verbs may be called from any thread; what they do is seen from the next frame on.
    """

    def __init__(
        self,
        table: str = "green felt",
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        haste: float = 1.0,
    ) -> None:
        """`table`: one of `TABLES`. `haste`: so many times faster than in life do dice fall."""
        self.name = "sim"
        self._haste = haste
        self._rng = np.random.default_rng(seed)
        self._places = Places(VIEW, np.random.default_rng(self._rng.integers(2**32)))
        self._table = table
        self._grain_seed = int(self._rng.integers(2**32))
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._dice: tuple[Placed, ...] = ()
        self._passes: tuple[Pass, ...] = ()
        self._lamp = Lamp()
        self._wanted = Plan(())
        self._show: Show | None = None
        self._due = clock()

    @cached_property
    def _stage(self) -> Stage:
        return Stage(TABLES[self._table](), VIEW)

    @cached_property
    def _grain(self) -> Grain:
        return Grain(NOISE, (VIEW.width, VIEW.height), np.random.default_rng(self._grain_seed))

    @property
    def zone(self) -> tuple[tuple[float, float], ...]:
        """The corners of the roll zone in the picture."""
        return self._places.zone

    @property
    def lies(self) -> Roll:
        """The dice on the tray once all is still: for tests, never for the eye."""
        return tuple(placed.die for placed in self._dice)

    @property
    def settled(self) -> bool:
        """Whether everything lies still in the frame last taken: for measuring, never for the eye."""
        show = self._show
        if show is None or show.plan is not self._wanted:
            return False
        return (self._clock() - show.began) * self._haste >= show.plan.ends

    def drop(self, *dice: str, fault: Fault | None = None) -> None:
        """Let dice fall, each to show the face it is named with, such as `worm:3`."""
        with self._lock:
            self._fall([Die.named(text) for text in dice], self._dice, fault)

    def throw(self, kinds: Sequence[str], lying: Roll = (), fault: Fault | None = None) -> None:
        """Take up what was thrown before, leave `lying` where it is, and throw these kinds by chance."""
        with self._lock:
            kept = list(self._dice)
            stay = []
            for die in lying:
                found = next((placed for placed in kept if placed.die == die), None)
                if found is not None:
                    kept.remove(found)
                    stay.append(found)
                else:
                    stay.append(self._places.lay(die, stay))
            dice = [Die(kind, str(self._rng.choice(KINDS[kind].sides))) for kind in kinds]
            self._fall(dice, tuple(stay), fault)

    def nudge(self, die: str, to: str | None = None) -> None:
        """Push a die aside; `to` tips it over until it shows another face."""
        with self._lock:
            placed = self._find(die)
            others = tuple(other for other in self._dice if other is not placed)
            if to is None:
                motion = self._places.pushed(placed, others)
            else:
                motion = self._places.tipped(placed, Die.named(to).face, others)
            self._begin(Plan(others, (motion,)))

    def take_away(self, *dice: str) -> None:
        """Take these dice off the table, or all."""
        with self._lock:
            gone: list[Placed] = []
            for text in dice:
                gone.append(self._find(text, gone))
            left = tuple(placed for placed in self._dice if dice and not any(placed is one for one in gone))
            self._begin(Plan(left))

    def hand_over(self, seconds: float = 1.2) -> None:
        """A hand passes over the dice without touching them."""
        self._passes = (*self._passes, Pass(self._clock(), seconds))

    def shadow_over(self, seconds: float = 1.2) -> None:
        """Only the shadow of a hand passes."""
        self._passes = (*self._passes, Pass(self._clock(), seconds, solid=False))

    def flicker(self, depth: float) -> None:
        """The lamp flickers with the mains from now on: by this share, in bands across the picture."""
        self._lamp = Lamp(self._lamp.brightness, depth)

    def brighten(self, factor: float) -> None:
        """The camera's exposure takes a step."""
        self._lamp = Lamp(factor, self._lamp.flicker)

    def next(self) -> Frame | None:
        """The frame at the next tick of the camera; a tick that was missed is left out."""
        self._sleep(max(0.0, self._due - self._clock()))
        now = self._clock()
        self._due = self._due + 1 / FPS if now < self._due + 1 / FPS else now + 1 / FPS
        picture = self._picture(now)
        taken_at = self._clock()
        for passing in self._passes:
            picture = over(picture, passing, now)
        self._passes = tuple(passing for passing in self._passes if now < passing.start + passing.seconds)
        image = self._grain.on(self._lamp.on(picture, now))
        return Frame(image, small_of(image), taken_at)

    def close(self) -> None:
        """There is nothing to let go."""

    def _find(self, text: str, without: Sequence[Placed] = ()) -> Placed:
        die = Die.named(text)
        for placed in self._dice:
            if placed.die == die and not any(placed is one for one in without):
                return placed
        raise NoSuchDie(f"no {die} lies on the tray, only {', '.join(map(str, self.lies)) or 'nothing'}")

    def _fall(self, dice: Sequence[Die], stay: tuple[Placed, ...], fault: Fault | None) -> None:
        if fault == "missing":
            dice = dice[:-1]
        self._begin(Plan(stay, self._places.fall(dice, stay, fault), glare=fault == "glare"))

    def _begin(self, plan: Plan) -> None:
        self._wanted = plan
        self._dice = plan.at(plan.ends)

    def _picture(self, now: float) -> Image:
        plan = self._wanted
        show = self._show
        if show is None or show.plan is not plan:
            show = self._show = Show(self._stage, plan)
            # Drawing the last picture first takes a moment; the dice set off when it is done.
            show.began = self._clock()
        return show.picture(max(now - show.began, 0.0) * self._haste)


class Show:
    """The pictures of one plan: the first and the last are drawn with care, those between quickly."""

    def __init__(self, stage: Stage, plan: Plan) -> None:
        self.plan = plan
        self.began = 0.0
        self._stage = stage
        stage.glare = plan.glare
        final = plan.at(plan.ends)
        self._last = stage.fine(final)
        self._known: tuple[tuple[Image, Image], ...] = ()
        if plan.motions:
            first = stage.fine(plan.stay)
            self._known = ((stage.coarse(plan.stay), first), (stage.coarse(final), self._last))

    def picture(self, seconds: float) -> Image:
        """The picture so long after the plan began."""
        if seconds >= self.plan.ends:
            self._known = ()
            return self._last
        return self._stage.between(self._stage.coarse(self.plan.at(seconds)), *self._known)
