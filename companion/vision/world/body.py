"""One die as light sees it: rays meet a rounded, maybe ball-cut cube; its faces are looked up and lit."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.world.looks import Look
from companion.vision.world.faces import drawn
from companion.vision.world.scene import SIDES, Light, Placed, Vector
from companion.vision.world.view import View

Floats = NDArray[np.float32]
_STEPS = 7  # sphere-tracing steps after the exact start at the cube's hull
_NEAR = 2e-3


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A die's own small picture: linear BGR, how much of each pixel it covers, and where its corner lies."""

    colour: Floats
    cover: Floats
    left: int
    top: int


def _slab(origin: Floats, rays: Floats, half: float) -> tuple[Floats, Floats]:
    """Where rays enter and leave the cube of a half edge."""
    safe = np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    one, two = (-half - origin) / safe, (half - origin) / safe
    return np.minimum(one, two).max(-1), np.maximum(one, two).min(-1)


def _distance(points: Floats, look: Look) -> Floats:
    reach = np.abs(points) - (1 - look.roundness)
    out = np.sqrt((np.maximum(reach, 0) ** 2).sum(-1)) + np.minimum(reach.max(-1), 0) - look.roundness
    if look.ball:
        out = np.maximum(out, np.sqrt((points**2).sum(-1)) - look.ball)
    return np.asarray(out, np.float32)


def _meet(origin: Floats, rays: Floats, look: Look) -> tuple[NDArray[np.bool_], Floats]:
    """Which rays meet the die (flat list of unit rays), and where, in units of its half edge."""
    enter, leave = _slab(origin, rays, 1.0)
    if look.ball:
        along = rays @ origin
        root = along**2 - (origin @ origin - look.ball**2)
        enter = np.where(root > 0, np.maximum(enter, -along - np.sqrt(np.maximum(root, 0))), np.inf)
        leave = np.where(root > 0, np.minimum(leave, -along + np.sqrt(np.maximum(root, 0))), -np.inf)
    met = (enter < leave) & (leave > 0)
    where = np.flatnonzero(met)
    reach = enter[where].astype(np.float32)
    toward = rays[where]
    points = origin + reach[:, None] * toward
    left = _distance(points, look)
    open_ones = np.flatnonzero(left > _NEAR)
    for _ in range(_STEPS):
        if not len(open_ones):
            break
        points[open_ones] += left[open_ones, None] * toward[open_ones]
        left[open_ones] = _distance(points[open_ones], look)
        open_ones = open_ones[left[open_ones] > _NEAR]
    missed = left > 0.03
    met[where[missed]] = False
    return met, points[~missed]


def _normals(points: Floats, look: Look) -> Floats:
    reach = np.maximum(np.abs(points) - (1 - look.roundness), 0)
    size = np.sqrt((reach**2).sum(-1, keepdims=True))
    normal = np.sign(points) * reach / np.maximum(size, 1e-6)
    if look.ball:
        far = np.sqrt((points**2).sum(-1, keepdims=True))
        blend = np.clip(0.5 + 0.5 * (far - look.ball - (size - look.roundness)) / 0.02, 0, 1)
        normal = normal * (1 - blend) + points / far * blend
        normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6)
    return np.asarray(normal, np.float32)


def _painted(points: Floats, normals: Floats, die: Placed, pixels: float) -> tuple[Floats, Floats]:
    """Colour of each point, and its normal dented by the drilled pips."""
    count = len(points)
    colour = np.empty((count, 3), np.float32)
    dented = normals.copy()
    axis = np.abs(points).argmax(-1)
    positive = points[np.arange(count), axis] > 0
    side_of = np.array([[4, 1], [3, 2], [5, 0]])[axis, positive.astype(int)]
    for side in np.unique(side_of):
        here = np.flatnonzero(side_of == side)
        levels = drawn(die.look, die.side_face(int(side)), int(side)).levels
        level = levels[int(np.clip(np.log2(levels[0].shape[0] / max(pixels, 8)), 0, len(levels) - 1))]
        edge = level.shape[0]
        _, right, down = SIDES[side]
        u = ((points[here] @ right + 1) / 2 * edge - 0.5).astype(np.float32)
        v = ((points[here] @ down + 1) / 2 * edge - 0.5).astype(np.float32)
        rows = -(-len(here) // 1024)
        wide = np.zeros((2, rows * 1024), np.float32)
        wide[0, : len(here)], wide[1, : len(here)] = u, v
        wide = wide.reshape(2, rows, 1024)
        got = cv2.remap(level, wide[0], wide[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        got = got.reshape(-1, 5)[: len(here)]
        colour[here] = got[:, :3]
        if die.look.depth:
            dented[here] += got[:, 3:4] * right + got[:, 4:] * down
    if die.look.depth:
        dented /= np.linalg.norm(dented, axis=-1, keepdims=True)
    return colour, dented


def _through(points: Floats, rays: Floats, normals: Floats, die: Placed, pixels: float) -> Floats:
    """What one sees through a glassy die: the colours of its far sides, bent a little."""
    inward = rays - 0.45 * normals
    inward /= np.linalg.norm(inward, axis=-1, keepdims=True)
    safe = np.where(np.abs(inward) < 1e-6, np.float32(1e-6), inward)
    leave = np.maximum((-1 - points) / safe, (1 - points) / safe).min(-1)
    far = points + np.maximum(leave, 0)[:, None] * inward
    colour, _ = _painted(far.astype(np.float32), np.zeros_like(far), die, pixels)
    return colour


def _shaded(points: Floats, toward: Floats, others: tuple[Placed, ...]) -> Floats:
    """1 where light from a direction arrives, 0 where another die stands in its way."""
    lit = np.ones(len(points), np.float32)
    for other in others:
        origin = (points - np.array(other.position, np.float32)) @ other.rotation / (other.size / 2)
        ray = (toward @ other.rotation).astype(np.float32)
        enter, leave = _slab(origin.astype(np.float32), ray, 0.93)
        lit[(leave > np.maximum(enter, 0.02))] = 0
    return lit


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """The light round a die: lamps, the sky, and what the table throws back (linear BGR)."""

    lights: tuple[Light, ...]
    ambient: Vector
    bounce: Floats


def _lit(die: Placed, world: Floats, paint: Floats, normals: Floats, rays: Floats, lighting: Lighting, others: tuple[Placed, ...]) -> Floats:
    look = die.look
    ambient = np.array(lighting.ambient, np.float32)
    upward = normals[:, 2:]
    height = np.clip(world[:, 2:] / die.size, 0, 1)
    closed = 0.55 + 0.45 * height  # corners near the table get less sky
    sky = ambient * (0.62 + 0.38 * upward) * closed
    sky = sky + lighting.bounce * np.clip(0.5 - 0.5 * upward, 0, 1) * (1 - 0.5 * height)
    facing = np.clip(-(normals * rays).sum(-1, keepdims=True), 0, 1)
    mirror = rays + 2 * facing * normals
    fresnel = 0.04 + 0.7 * (1 - facing) ** 5
    shine = (ambient * np.clip(0.4 + 0.9 * mirror[:, 2:], 0, 1.3) + lighting.bounce * np.clip(-mirror[:, 2:], 0, 1)) * fresnel
    total = sky
    for lamp in lighting.lights:
        toward = np.array(lamp.towards, np.float32)
        toward /= np.linalg.norm(toward)
        cosine = (normals @ toward)[:, None]
        soft = np.clip((cosine + lamp.spread * 0.5) / (1 + lamp.spread * 0.5), 0, 1)
        free = _shaded(world, toward, others)[:, None] if others else np.float32(1)
        light = np.array(lamp.light, np.float32)
        total = total + light * soft * free
        width = look.roughness**2 + lamp.spread**2
        lobe = np.exp(((mirror @ toward)[:, None] - 1) / width) / (4 * width)
        shine = shine + light * np.minimum(lobe, 60) * fresnel * free
    return np.asarray(paint * total + look.gloss * shine, np.float32)


def trace(die: Placed, view: View, lighting: Lighting, others: tuple[Placed, ...] = ()) -> Patch | None:
    """A die's patch of the picture; None where it is not in view at all."""
    hull = view.project(die.corners())
    low, high = np.floor(hull.min(0)).astype(int) - 1, np.ceil(hull.max(0)).astype(int) + 2
    if (high < 0).any() or (low > (view.width, view.height)).any() or (high - low).max() > 4000:
        return None
    wide, tall = (int(n) for n in high - low)
    pixels = float(np.sqrt(wide * tall) * 0.75)
    fine = 3 if pixels < 26 else 2 if pixels < 150 else 1
    xs = low[0] + (np.arange(wide * fine, dtype=np.float32) + 0.5) / fine
    ys = low[1] + (np.arange(tall * fine, dtype=np.float32) + 0.5) / fine
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    rays = view.rays(grid)
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    half = die.size / 2
    origin = ((view.eye() - np.array(die.position, np.float32)) @ die.rotation / half).astype(np.float32)
    met, points = _meet(origin, (rays @ die.rotation).astype(np.float32), die.look)
    if not len(points):
        return None
    local_rays = (rays[met] @ die.rotation).astype(np.float32)
    normals = _normals(points, die.look)
    paint, dented = _painted(points, normals, die, pixels * fine)
    if die.look.glass:
        seen = _through(points, local_rays, normals, die, pixels * fine)
        body = np.array(die.look.body[::-1], np.float32) ** 2.2
        near_ink = np.abs(paint - body).sum(-1, keepdims=True) > 0.12
        deep = 0.45 + 0.75 * seen
        paint = np.where(near_ink, paint, paint * (1 - die.look.glass) + paint * deep * die.look.glass * 1.4)
    world = points @ die.rotation.T * half + np.array(die.position, np.float32)
    lit = _lit(die, world.astype(np.float32), paint, (dented @ die.rotation.T).astype(np.float32), rays[met], lighting, others)
    cover = np.zeros(wide * fine * tall * fine, np.float32)
    cover[met] = 1
    colour = np.zeros((len(cover), 3), np.float32)
    colour[met] = lit
    cover, colour = cover.reshape(tall * fine, -1), colour.reshape(tall * fine, -1, 3)
    if fine > 1:
        cover = cover.reshape(tall, fine, wide, fine).mean((1, 3))
        colour = colour.reshape(tall, fine, wide, fine, 3).mean((1, 3))
    return Patch(colour, cover, int(low[0]), int(low[1]))
