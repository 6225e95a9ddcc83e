"""One die as light sees it: rays meet a rounded, maybe ball-cut cube; its faces are looked up and lit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.world.faces import drawn
from companion.vision.world.looks import Look
from companion.vision.world.scene import SIDES, Light, Placed, Vector
from companion.vision.world.view import View

Floats = NDArray[Any]
_STEPS = 7  # sphere-tracing steps after the exact start at the cube's hull
_NEAR = 2e-3
_SIDE_OF = np.array([[4, 1], [3, 2], [5, 0]])  # the side by axis and sign
_SPECKS = 16  # specks of an uneven surface along half an edge
_SLOPES = np.random.default_rng(9).standard_normal((64, 64, 3)).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A die's own small picture: linear BGR, how much of each pixel it covers, and where its corner lies."""

    colour: Floats
    cover: Floats
    left: int
    top: int


def _slab(origin: Floats, rays: Floats, half: float) -> tuple[Floats, Floats]:
    """Where rays (3, n) enter and leave the cube of a half edge; the origin is (3, 1) or (3, n)."""
    safe = np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    inverse = 1 / safe
    middle, reach = -origin * inverse, np.abs(inverse) * np.float32(half)
    return (middle - reach).max(0), (middle + reach).min(0)


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt(vectors[0] ** 2 + vectors[1] ** 2 + vectors[2] ** 2))


def _distance(points: Floats, look: Look) -> Floats:
    reach = np.abs(points) - np.float32(1 - look.roundness)
    out = _length(np.maximum(reach, 0)) + np.minimum(reach.max(0), 0) - np.float32(look.roundness)
    if look.ball:
        out = np.maximum(out, _length(points) - np.float32(look.ball))
    return np.asarray(out, np.float32)


def _meet(origin: Floats, rays: Floats, look: Look) -> tuple[NDArray[np.intp], Floats]:
    """Which unit rays (3, n) meet the die, and where (3, m), in units of its half edge."""
    enter, leave = _slab(origin[:, None], rays, 1.0)
    if look.ball:
        along = origin @ rays
        root = along**2 - np.float32(origin @ origin - look.ball**2)
        chord = np.sqrt(np.maximum(root, 0))
        enter = np.where(root > 0, np.maximum(enter, -along - chord), np.float32(np.inf))
        leave = np.where(root > 0, np.minimum(leave, -along + chord), np.float32(-np.inf))
    met = np.flatnonzero((enter < leave) & (leave > 0))
    toward = rays[:, met]
    points = origin[:, None] + enter[met] * toward
    left = _distance(points, look)
    open_ones = np.flatnonzero(left > _NEAR)
    for _ in range(_STEPS):
        if not len(open_ones):
            break
        moved = points[:, open_ones] + left[open_ones] * toward[:, open_ones]
        points[:, open_ones] = moved
        left[open_ones] = _distance(moved, look)
        open_ones = open_ones[left[open_ones] > _NEAR]
    hit = left <= 0.03
    return met[hit], points[:, hit]


def _normals(points: Floats, look: Look) -> Floats:
    reach = np.maximum(np.abs(points) - np.float32(1 - look.roundness), 0)
    size = _length(reach)
    normal = np.sign(points) * reach / np.maximum(size, 1e-6)
    if look.ball:
        far = _length(points)
        blend = np.clip(0.5 + 0.5 * (far - look.ball - (size - look.roundness)) / 0.02, 0, 1)
        normal = normal * (1 - blend) + points / far * blend
        normal /= np.maximum(_length(normal), 1e-6)
    return np.asarray(normal, np.float32)


def _painted(points: Floats, normals: Floats, die: Placed, pixels: float) -> tuple[Floats, Floats]:
    """Colour (3, n) of each point, and its normal dented by the drilled pips."""
    count = points.shape[1]
    colour = np.empty((3, count), np.float32)
    dented = normals.copy()
    axis = np.abs(points).argmax(0)
    positive = np.take_along_axis(points, axis[None], 0)[0] > 0
    side_of = _SIDE_OF[axis, positive.astype(np.intp)]
    for side in np.flatnonzero(np.bincount(side_of, minlength=6)):
        here = np.flatnonzero(side_of == side)
        levels = drawn(die.look, die.side_face(int(side)), int(side)).levels
        level = levels[int(np.clip(np.log2(levels[0].shape[0] / max(pixels, 8)), 0, len(levels) - 1))]
        edge = level.shape[0]
        _, right, down = SIDES[side]
        rows = -(-len(here) // 1024)
        at: Floats = np.zeros((2, rows * 1024), np.float32)
        at[0, : len(here)] = (right @ points[:, here] + 1) * (edge / 2) - 0.5
        at[1, : len(here)] = (down @ points[:, here] + 1) * (edge / 2) - 0.5
        at = at.reshape(2, rows, 1024)
        got = cv2.remap(level, at[0], at[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        got = got.reshape(-1, 5)[: len(here)].T
        colour[:, here] = got[:3]
        if die.look.depth:
            dented[:, here] += got[3] * right[:, None] + got[4] * down[:, None]
    if die.look.depth:
        dented /= np.maximum(_length(dented), 1e-6)
    return colour, dented


def _through(points: Floats, rays: Floats, normals: Floats, die: Placed, pixels: float) -> Floats:
    """What one sees through a glassy die: the colours of its far sides, bent a little."""
    inward = rays - np.float32(0.45) * normals
    inward /= _length(inward)
    safe = np.where(np.abs(inward) < 1e-6, np.float32(1e-6), inward)
    leave = np.maximum((-1 - points) / safe, (1 - points) / safe).min(0)
    far = points + np.maximum(leave, 0) * inward
    colour, _ = _painted(far.astype(np.float32), np.zeros_like(far), die, pixels)
    return colour


def _shaded(points: Floats, toward: Floats, others: tuple[Placed, ...]) -> Floats:
    """1 where light from a direction arrives, 0 where another die stands in its way."""
    lit = np.ones(points.shape[1], np.float32)
    for other in others:
        turn = other.rotation.T / np.float32(other.size / 2)
        origin = turn @ (points - np.array(other.position, np.float32)[:, None])
        enter, leave = _slab(origin, (turn @ toward)[:, None].astype(np.float32), 0.93)
        lit[leave > np.maximum(enter, 0.02)] = 0
    return lit


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """The light round a die: lamps, the sky, and what the table throws back (linear BGR)."""

    lights: tuple[Light, ...]
    ambient: Vector
    bounce: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Hits:
    """Where rays met a die, in world axes (3, n): points in mm, normals, rays, and the paint there."""

    points: Floats
    normals: Floats
    rays: Floats
    paint: Floats


def _lit(die: Placed, hits: _Hits, lighting: Lighting, others: tuple[Placed, ...]) -> Floats:
    look, normals, rays = die.look, hits.normals, hits.rays
    ambient = np.array(lighting.ambient, np.float32)[:, None]
    bounce = lighting.bounce[:, None]
    upward = normals[2]
    height = np.clip(hits.points[2] / np.float32(die.size), 0, 1)
    sky = (0.62 + 0.38 * upward) * (0.55 + 0.45 * height)  # corners near the table get less sky
    below = np.clip(0.5 - 0.5 * upward, 0, 1) * (1 - 0.5 * height)
    total = ambient * sky + bounce * below
    facing = np.clip(-(normals * rays).sum(0), 0, 1)
    mirror = rays + 2 * facing * normals
    away = 1 - facing
    fresnel = 0.04 + 0.7 * away * (away * away) ** 2
    shine = ambient * (np.clip(0.4 + 0.9 * mirror[2], 0, 1.3) * fresnel)
    shine += bounce * (np.clip(-mirror[2], 0, 1) * fresnel)
    for lamp in lighting.lights:
        toward = np.array(lamp.towards, np.float32)
        toward /= np.linalg.norm(toward)
        soft = np.clip((toward @ normals + lamp.spread * 0.5) / (1 + lamp.spread * 0.5), 0, 1)
        width = look.roughness**2 + lamp.spread**2
        lobe = np.minimum(np.exp((toward @ mirror - 1) / width) / (4 * width), 60) * fresnel * lamp.glint
        if others:
            free = _shaded(hits.points, toward, others)
            soft, lobe = soft * free, lobe * free
        light = np.array(lamp.light, np.float32)[:, None]
        total += light * soft
        shine += light * lobe
    gloss = np.float32(look.gloss) * (1 - np.float32(look.matte) * _inked(hits.paint, look))
    return np.asarray(hits.paint * total + gloss * shine, np.float32)


def trace(die: Placed, view: View, lighting: Lighting, others: tuple[Placed, ...] = ()) -> Patch | None:
    """A die's patch of the picture; None where it is not in view at all."""
    hull = view.project(die.corners())
    low, high = np.floor(hull.min(0)).astype(int) - 1, np.ceil(hull.max(0)).astype(int) + 2
    if (high < 0).any() or (low > (view.width, view.height)).any() or (high - low).max() > 4000:
        return None
    wide, tall = (int(n) for n in high - low)
    pixels = float(np.sqrt(wide * tall) * 0.75)
    fine = 3 if pixels < 20 else 2 if pixels < 64 else 1
    xs = low[0] + (np.arange(wide * fine, dtype=np.float32) + 0.5) / fine
    ys = low[1] + (np.arange(tall * fine, dtype=np.float32) + 0.5) / fine
    rays = view.rays(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)).T.copy()
    rays /= _length(rays)
    half = np.float32(die.size / 2)
    position = np.array(die.position, np.float32)
    origin = (die.rotation.T @ (view.eye() - position) / half).astype(np.float32)
    met, points = _meet(origin, die.rotation.T @ rays, die.look)
    if not len(met):
        return None
    rays = rays[:, met]
    normals = _normals(points, die.look)
    paint, dented = _painted(points, normals, die, pixels * fine)
    if die.look.bump:
        dented = _uneven(points, dented, die.look)
    if die.look.glass:
        paint = _glassy(paint, _through(points, die.rotation.T @ rays, normals, die, pixels * fine), die.look)
    world = die.rotation @ points * half + position[:, None]
    lit = _lit(die, _Hits(world, die.rotation @ dented, rays, paint), lighting, others)
    flat = np.zeros((wide * fine * tall * fine, 4), np.float32)
    flat[met, :3] = lit.T
    flat[met, 3] = 1
    small = cv2.resize(flat.reshape(tall * fine, wide * fine, 4), (wide, tall), interpolation=cv2.INTER_AREA)
    return Patch(small[..., :3], small[..., 3], int(low[0]), int(low[1]))


def _inked(paint: Floats, look: Look) -> NDArray[np.bool_]:
    """Where the paint is another than the body's."""
    body = np.array(look.body[::-1], np.float32)[:, None] ** 2.2
    return np.asarray(np.abs(paint - body).sum(0) > 0.12)


def _glassy(paint: Floats, seen: Floats, look: Look) -> Floats:
    deep = (1 - look.glass) + (0.45 + 0.75 * seen) * (look.glass * 1.4)
    return np.asarray(np.where(_inked(paint, look), paint, paint * deep), np.float32)


def _uneven(points: Floats, normals: Floats, look: Look) -> Floats:
    """Normals with the tiny slopes of a surface that is not polished."""
    x, y, z = ((points + 1) * _SPECKS).astype(np.intp) % len(_SLOPES)
    bent = normals + np.float32(look.bump) * _SLOPES[x, (y + 31 * z) % len(_SLOPES)].T
    return np.asarray(bent / np.maximum(_length(bent), 1e-6), np.float32)
