"""Where dice come to lie, and on which way they get there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, cos, degrees, dist, hypot, radians, sin

import numpy as np

from companion.dice import Die
from companion.vision.tray.flight import ROCKING, Fall, Motion, Slide, lowest, rolled_way
from companion.vision.tray.stage import look_of
from companion.vision.world import Placed, View, resting, turned

SIZE = 16.0
"""Millimetres along the edge of a die."""
ZONE = (126.0, 88.0)
"""Half the roll zone, in millimetres from the middle of the picture."""
APART = 1.5
"""Edges between the middles of two dice, so that they never overlap whichever way they are turned."""
LEANING = (18.0, 34.0)
"""Degrees by which a cocked die leans."""
_TRIES = 400


class NoRoom(ValueError):
    """More dice than find a place on the tray."""


class Places:
    """Finds free places, and the motions that end there."""

    def __init__(self, view: View, rng: np.random.Generator) -> None:
        self._rng = rng
        corner = view.ground(np.array([[view.width, 0.0]], np.float32))[0]
        self._reach = hypot(*(float(n) for n in corner)) + 3 * SIZE
        w, h = ZONE
        corners = np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0]], np.float32)
        self.zone = tuple((float(x), float(y)) for x, y in view.project(corners))

    def lay(self, die: Die, others: Sequence[Placed]) -> Placed:
        """A die that lies flat in a free place."""
        x, y = self._free([placed.position[:2] for placed in others])
        return self._flat(die, x, y, float(self._rng.uniform(0, 360)))

    def fall(
        self, dice: Sequence[Die], stay: Sequence[Placed], fault: str | None = None
    ) -> tuple[Motion, ...]:
        """A throw of these dice, all out of one hand."""
        final: list[Placed] = []
        for die in dice:
            final.append(self.lay(die, (*stay, *final)))
        if final and fault == "outside":
            final[-1] = self._flat(
                dice[-1], (ZONE[0] + 3 * SIZE) * float(self._rng.choice([-1, 1])), 20.0, 15.0
            )
        elif len(final) > 1 and fault in ("touching", "cocked"):
            final[-1] = self._beside(dice[-1], final[:-1], stay, leaning=fault == "cocked")
        comes = float(self._rng.uniform(0, 360))
        return tuple(self._fall(placed, comes) for placed in final)

    def pushed(self, placed: Placed, others: Sequence[Placed]) -> Motion:
        """A push of a die's width or so, with a turn."""
        x, y = placed.position[:2]
        taken = [other.position[:2] for other in others]
        for _ in range(_TRIES):
            way, far = float(self._rng.uniform(0, 360)), float(self._rng.uniform(0.9, 1.6)) * SIZE
            there = (x + far * cos(radians(way)), y + far * sin(radians(way)))
            if self._inside(there) and all(dist(there, place) > APART * SIZE for place in taken):
                break
        turn = float(self._rng.choice([-1, 1]) * self._rng.uniform(20, 50))
        rotation = turned((0, 0, 1), turn) @ placed.rotation
        return Slide(
            placed, replace(placed, position=(*there, SIZE / 2), rotation=rotation.astype(np.float32)), turn
        )

    def tipped(self, placed: Placed, face: str, others: Sequence[Placed]) -> Motion:
        """A die tipped over its edge, once or twice, until it shows this face."""
        across = degrees(atan2(float(placed.rotation[1, 0]), float(placed.rotation[0, 0])))
        if abs(placed.rotation[2, 0]) > 0.5:
            across = degrees(atan2(float(placed.rotation[1, 1]), float(placed.rotation[0, 1])))
        found: list[tuple[bool, float, Fall]] = []
        for spin in (90.0, 180.0):
            for quarter in range(4):
                heading = across + 90 * quarter
                a = radians(heading)
                rotation = turned((-sin(a), cos(a), 0.0), spin) @ placed.rotation
                way = rolled_way(spin, SIZE)
                x, y = placed.position[0] + way * cos(a), placed.position[1] + way * sin(a)
                final = replace(placed, position=(x, y, SIZE / 2), rotation=rotation.astype(np.float32))
                if final.face == face:
                    room = min((dist((x, y), other.position[:2]) for other in others), default=999.0)
                    fall = Fall(final, 0.35 + ROCKING, heading, way, spin, (0.0,))
                    found.append((self._inside((x, y)), room, fall))
        if not found:
            raise NoRoom(f"the {placed.die} shows {face} already")
        return max(found, key=lambda one: one[:2])[2]

    def _flat(self, die: Die, x: float, y: float, turn: float) -> Placed:
        look = look_of(die.kind)
        return Placed(die.kind, (x, y, SIZE / 2), resting(die.kind, die.face, turn, look), look, SIZE)

    def _free(self, taken: Sequence[tuple[float, ...]]) -> tuple[float, float]:
        w, h = ZONE[0] - SIZE, ZONE[1] - SIZE
        for _ in range(_TRIES):
            place = (float(self._rng.uniform(-w, w)), float(self._rng.uniform(-h, h)))
            if all(dist(place, other) > APART * SIZE for other in taken):
                return place
        raise NoRoom(f"no room for another die beside {len(taken)}")

    def _inside(self, place: tuple[float, float]) -> bool:
        return abs(place[0]) < ZONE[0] - SIZE and abs(place[1]) < ZONE[1] - SIZE

    def _beside(self, die: Die, final: Sequence[Placed], stay: Sequence[Placed], leaning: bool) -> Placed:
        """A die against another one: flat, or leaning on it."""
        for _ in range(_TRIES):
            at = int(self._rng.integers(len(final)))
            neighbour = final[at]
            x_axis = (
                neighbour.rotation[:2, 0]
                if abs(neighbour.rotation[2, 0]) < 0.5
                else neighbour.rotation[:2, 1]
            )
            way = degrees(atan2(float(x_axis[1]), float(x_axis[0]))) + 90 * int(self._rng.integers(4))
            a = radians(way)
            tilt = float(self._rng.uniform(*LEANING)) if leaning else 0.0
            t = radians(tilt)
            apart = SIZE + 0.3
            if leaning:
                apart = SIZE / 2 + SIZE * sin(t) + SIZE / 2 * (cos(t) - sin(t))
            x, y = neighbour.position[0] + apart * cos(a), neighbour.position[1] + apart * sin(a)
            others = [one.position[:2] for one in (*stay, *final) if one is not neighbour]
            if self._inside((x, y)) and all(dist((x, y), other) > APART * SIZE for other in others):
                placed = self._flat(die, x, y, way)
                # The upper side leans towards the neighbour.
                rotation = turned((sin(a), -cos(a), 0.0), tilt) @ placed.rotation
                placed = replace(placed, rotation=rotation.astype(np.float32))
                return replace(placed, position=(x, y, lowest(placed)))
        raise NoRoom("no die has room for another beside it")

    def _fall(self, final: Placed, comes: float) -> Fall:
        """The way of one die: it comes from `comes` degrees, and rolls over its edges in the end."""
        turn = degrees(atan2(float(final.rotation[1, 0]), float(final.rotation[0, 0])))
        if abs(final.rotation[2, 0]) > 0.5:
            turn = degrees(atan2(float(final.rotation[1, 1]), float(final.rotation[0, 1])))
        heading = turn + 90 * round((comes + 180 - turn) / 90)
        a = radians(heading)
        x, y = final.position[:2]
        along = x * cos(a) + y * sin(a)
        way = self._reach + along
        length = float(self._rng.uniform(0.85, 1.3))
        hops = tuple(length * share for share in (0.14, 0.2, 0.13, 0.07))
        spin = 90.0 * round(0.7 * way / SIZE) + float(self._rng.uniform(0, 60))
        swerve = float(self._rng.uniform(-160, 160))
        return Fall(
            final,
            length + ROCKING,
            heading,
            way,
            max(spin, 270.0),
            hops,
            swerve,
            float(self._rng.uniform(0, 0.12)),
        )
