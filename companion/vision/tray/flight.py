"""How one die moves: it falls, bounces, rolls over its edges and comes to lie exactly where it should."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.vision.world import Placed, turned

GRAVITY = 9810.0
"""Millimetres per second squared."""
TIPPING = 0.09
"""Seconds in which a die falls from standing on its edge to lying flat."""
ROCKING = 0.13
"""Seconds for which it rattles on."""


SHUTTER = 0.012
"""Seconds for which the shutter is open."""


def rolled_way(degrees: float, size: float) -> float:
    """How far the middle of a cube moves when it rolls so far over its edges."""
    quarters, rest = divmod(degrees, 90.0)
    return float(size * (quarters + 0.5 + np.sin(np.radians(rest - 45.0)) / np.sqrt(2)))


def lowest(placed: Placed) -> float:
    """How high the middle of a die is when its lowest corner touches the table."""
    reach = float(np.abs(placed.rotation[2]).sum())
    return placed.size / 2 * (1 + (reach - 1) * (1 - placed.look.roundness / 2))


@dataclass(frozen=True, slots=True, eq=False)
class Fall:
    """A throw out of the hand. The die comes along `heading` (degrees, aligned with its edges at the end)
    over `way` mm, turning `spin` degrees in all, and hops as long as `hops` says, in seconds each."""

    final: Placed
    ends: float
    heading: float
    way: float
    spin: float
    hops: tuple[float, ...]
    swerve: float = 0.0
    """Degrees by which it still has to turn about the vertical."""
    delay: float = 0.0

    def at(self, seconds: float) -> Placed:
        """The die at a time after the throw."""
        time = max(seconds - self.delay, 0.0)
        length = self.ends - self.delay - ROCKING
        angle = self._angle(time, length)
        share = angle / self.spin
        a = np.radians(self.heading)
        ahead = np.array([np.cos(a), np.sin(a)])
        rolled = rolled_way(self.spin, self.final.size)
        back = rolled_way(angle, self.final.size) * (1 + (self.way / rolled - 1) * share**2)
        axis = (float(-ahead[1]), float(ahead[0]), 0.0)
        yaw = self.swerve * max(share - 45 / self.spin, 0.0)
        rotation = turned((0, 0, 1), yaw) @ turned(axis, -angle) @ self.final.rotation
        x, y = np.array(self.final.position[:2]) - back * ahead
        moved = replace(self.final, rotation=rotation.astype(np.float32))
        high = self._height(time, length - TIPPING) + lowest(moved)
        return replace(moved, position=(float(x), float(y), high))

    def _angle(self, time: float, length: float) -> float:
        """Degrees still to roll."""
        if time >= length + ROCKING:
            return 0.0
        if time >= length:
            since = (time - length) / ROCKING
            return float(3.0 * abs(np.sin(2 * np.pi * since)) * (1 - since))
        upright = length - TIPPING
        if time >= upright:
            return 45.0 * (1 - ((time - upright) / TIPPING) ** 2)
        return 45.0 + (self.spin - 45.0) * float((1 - time / upright) ** 1.6)

    def _height(self, time: float, until: float) -> float:
        """How far the lowest corner is above the table."""
        first, *others = self.hops
        if time < first:
            return GRAVITY / 2 * (first**2 - time**2)
        start = first
        for hop in others:
            if start + hop > until:
                break
            if time < start + hop:
                since = time - start
                return GRAVITY / 2 * since * (hop - since)
            start += hop
        return 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Slide:
    """A push: the die slides from one place to another and stays on its face."""

    first: Placed
    final: Placed
    turn: float
    ends: float = 0.3

    def at(self, seconds: float) -> Placed:
        """The die at a time after the push."""
        left = (1 - min(max(seconds / self.ends, 0.0), 1.0)) ** 2
        if left == 0:
            return self.final
        x, y, z = (
            (1 - left) * b + left * a for a, b in zip(self.first.position, self.final.position, strict=True)
        )
        rotation = turned((0, 0, 1), -self.turn * left) @ self.final.rotation
        return replace(self.final, position=(x, y, z), rotation=rotation.astype(np.float32))


Motion = Fall | Slide
"""A die on its way; `ends` is when it lies, in seconds after it set off."""


def smeared(motion: Motion, seconds: float) -> Placed:
    """The die at that time, blurred by what it moved while the shutter was open."""
    now = motion.at(seconds)
    if seconds >= motion.ends:
        return now
    before = motion.at(max(seconds - SHUTTER, 0.0))
    x, y, z = (b - a for a, b in zip(now.position, before.position, strict=True))
    return replace(now, smear=(x, y, z))
