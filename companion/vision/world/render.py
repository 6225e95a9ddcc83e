"""From a scene to the picture a camera would take of it, and the truth about every die in it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reading import Image
from companion.vision.world.body import Lighting, Patch, trace
from companion.vision.world.scene import Faults, Label, Placed, Scene, State, Surface, Thing
from companion.vision.world.view import View

Floats = NDArray[Any]
COCKED_DEGREES = 5.0
HIDDEN = 0.8  # a die less visible than this, inside the picture, counts as stacked
_TO_LIGHT = ((np.arange(256) / 255) ** 2.2).astype(np.float32)
_RANGE = 4096
_light = np.arange(_RANGE * 2) / _RANGE * 1.0
_FILM = np.clip(
    255 * np.where(_light < 0.8, _light, 0.8 + 0.2 * np.tanh((_light - 0.8) / 0.25)) ** (1 / 2.2), 0, 255
).astype(np.float32)


class Bare:
    """The paint of a table without dice and light, kept for many pictures of the same table."""

    def __init__(self, scene: Scene) -> None:
        self.ground = _ground(scene.view)
        self.paint = _spread_out(scene.surface, self.ground)
        self.walls = np.zeros(self.paint.shape[:2], np.uint8)
        if scene.tray:
            _tray(scene, self.ground, self.paint, self.walls)


def render(
    scene: Scene, rng: np.random.Generator, bare: Bare | None = None
) -> tuple[Image, tuple[Label, ...]]:
    """The picture (BGR) and a label for each die that shows, in the order of `scene.dice`.

    `bare`: made from a scene with the same view, surface and tray, to be quicker.
    """
    canvas, bounce = _table(scene, rng, bare or Bare(scene))
    lighting = Lighting(scene.lights, scene.ambient, bounce)
    eye = scene.view.eye()
    order = sorted(
        range(len(scene.dice)), key=lambda i: -np.linalg.norm(eye - np.array(scene.dice[i].position))
    )
    owner = np.full(canvas.shape[:2], -1, np.int32)
    patches: dict[int, Patch] = {}
    for index in order:
        die = scene.dice[index]
        patch = trace(die, scene.view, lighting, _neighbours(die, scene.dice))
        if patch is not None:
            patch = patches[index] = _smeared(patch, die, scene.view)
            _lay(canvas, owner, patch, index)
    labels = tuple(
        label
        for index, die in enumerate(scene.dice)
        if index in patches and (label := _label(die, patches[index], owner, index, scene.view)) is not None
    )
    return expose(canvas, scene.faults, rng), labels


def _neighbours(die: Placed, dice: tuple[Placed, ...]) -> tuple[Placed, ...]:
    here = np.array(die.position)
    return tuple(
        d for d in dice if d is not die and np.linalg.norm(here - np.array(d.position)) < 3 * die.size
    )


def _smeared(patch: Patch, die: Placed, view: View) -> Patch:
    """The patch of a die that moves while the shutter is open."""
    if not any(die.smear):
        return patch
    here = np.array(die.position, np.float32)
    start, end = view.project(np.stack([here, here + np.array(die.smear, np.float32)]))
    x, y = (round(float(n)) for n in np.clip(end - start, -80, 80))
    if max(abs(x), abs(y)) < 2:
        return patch
    wide, tall = (abs(x) + 1) // 2 + 1, (abs(y) + 1) // 2 + 1
    kernel = np.zeros((2 * tall + 1, 2 * wide + 1), np.float32)
    cv2.line(kernel, (wide - x // 2, tall - y // 2), (wide - x // 2 + x, tall - y // 2 + y), 1.0)
    layers = cv2.merge([*cv2.split(patch.colour), patch.cover])
    padded = cv2.copyMakeBorder(layers, tall, tall, wide, wide, cv2.BORDER_CONSTANT)
    spread = cv2.filter2D(padded, -1, kernel / kernel.sum(), borderType=cv2.BORDER_CONSTANT)
    return Patch(
        np.ascontiguousarray(spread[..., :3]),
        np.ascontiguousarray(spread[..., 3]),
        patch.left - wide,
        patch.top - tall,
    )


def _lay(canvas: Floats, owner: NDArray[np.int32], patch: Patch, index: int) -> None:
    height, width = canvas.shape[:2]
    tall, wide = patch.cover.shape
    x0, y0, x1, y1 = (
        max(patch.left, 0),
        max(patch.top, 0),
        min(patch.left + wide, width),
        min(patch.top + tall, height),
    )
    if x0 >= x1 or y0 >= y1:
        return
    rows, columns = slice(y0 - patch.top, y1 - patch.top), slice(x0 - patch.left, x1 - patch.left)
    cover = patch.cover[rows, columns]
    part = canvas[y0:y1, x0:x1]
    part *= 1 - cover[..., None]
    part += patch.colour[rows, columns]
    owner[y0:y1, x0:x1][cover > 0.5] = index


def _label(die: Placed, patch: Patch, owner: NDArray[np.int32], index: int, view: View) -> Label | None:
    tall, wide = patch.cover.shape
    x0, y0 = max(patch.left, 0), max(patch.top, 0)
    own = owner[y0 : max(patch.top + tall, 0), x0 : max(patch.left + wide, 0)] == index
    if not own.any():
        return None
    rows, columns = np.flatnonzero(own.any(1)), np.flatnonzero(own.any(0))
    box = (
        float(x0 + columns[0]),
        float(y0 + rows[0]),
        float(columns[-1] - columns[0] + 1),
        float(rows[-1] - rows[0] + 1),
    )
    whole = float((patch.cover > 0.5).sum())
    visible = float(own.sum()) / max(whole, 1)
    inside_rows = slice(max(-patch.top, 0), max(view.height - patch.top, 0))
    inside = float(
        (patch.cover[inside_rows, max(-patch.left, 0) : max(view.width - patch.left, 0)] > 0.5).sum()
    ) / max(whole, 1)
    state: State = "flat"
    if inside < 0.995:
        state = "cut_off"
    elif die.tilt > COCKED_DEGREES:
        state = "cocked"
    elif visible < HIDDEN:
        state = "stacked"
    corners = tuple((float(x), float(y)) for x, y in view.project(die.face_corners()))
    return Label(die.kind, die.face, box, corners, state, die.tilt, visible, die.told)


def _linear(picture: Floats) -> Floats:
    return np.asarray(_TO_LIGHT[picture])


def _spread_out(surface: Surface, ground: Floats) -> Floats:
    """The surface's picture laid over the table and seen at each pixel."""
    edge = surface.picture.shape[0]
    at = np.mod(ground * (edge / surface.span), edge).astype(np.float32)
    return _linear(
        cv2.remap(surface.picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    )


def _table(scene: Scene, rng: np.random.Generator, bare: Bare) -> tuple[Floats, Floats]:
    """The lit table without the dice, and the light it throws back at them."""
    view = scene.view
    ground, walls = bare.ground, bare.walls
    paint = bare.paint.copy() if scene.things else bare.paint
    shades = [_shadow(scene, index, rng) for index in range(len(scene.lights))]
    sky = np.array(scene.ambient, np.float32) * _contact(scene)[..., None]
    light = sky
    for thing in scene.things:
        _lay_thing(thing, view, scene, paint, shades)
    total = np.zeros(3, np.float32)
    for lamp, shade in zip(scene.lights, shades, strict=True):
        toward = np.array(lamp.towards) / np.linalg.norm(lamp.towards)
        for hand in scene.shades:
            shade = np.maximum(shade, _warped(hand, view)[..., 3].astype(np.float32) / 255)
        strength = np.array(lamp.light, np.float32) * np.float32(max(toward[2], 0.05))
        light = light + strength * (1 - shade[..., None])
        total += strength
    canvas: Floats = paint * light
    if scene.surface.gloss:
        canvas += _table_shine(scene, ground, shades)
    if scene.tray:
        edge = cv2.GaussianBlur(walls, (0, 0), 0.7).astype(np.float32)[..., None] / 255
        plain = paint * (np.array(scene.ambient, np.float32) * 0.8 + total * 0.35)
        canvas = canvas * (1 - edge) + plain * edge
    mean = paint[:: max(1, view.height // 40), :: max(1, view.width // 40)].mean((0, 1))
    bounce = mean * (total + np.array(scene.ambient, np.float32))
    return canvas.astype(np.float32), bounce.astype(np.float32)


def _ground(view: View) -> Floats:
    """Where on the table each pixel looks: exact at every eighth pixel, straight lines between."""
    step = 8
    wide, tall = -(-view.width // step) + 1, -(-view.height // step) + 1
    grid = np.stack(np.meshgrid(np.arange(wide), np.arange(tall)), -1).astype(np.float32) * step
    coarse = view.ground(grid)
    ys, xs = np.mgrid[0 : view.height, 0 : view.width].astype(np.float32)
    return cv2.remap(coarse, (xs + 0.5) / step, (ys + 0.5) / step, cv2.INTER_LINEAR)


def _table_shine(scene: Scene, ground: Floats, shades: list[Floats]) -> Floats:
    """Blurred mirror images of the lamps in the table."""
    small = ground[::4, ::4]
    eye = scene.view.eye()
    rays = np.concatenate([small, np.zeros_like(small[..., :1])], -1) - eye
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    rays[..., 2] *= -1
    shine = np.zeros((*small.shape[:2], 3), np.float32)
    for lamp in scene.lights:
        toward = np.array(lamp.towards, np.float32) / np.float32(np.linalg.norm(lamp.towards))
        width = 0.05 + lamp.spread**2
        lobe = np.exp((rays @ toward - 1) / width) / (4 * width) * 0.04
        shine += np.array(lamp.light, np.float32) * lobe[..., None]
    height, width_px = ground.shape[:2]
    full = cv2.resize(shine * scene.surface.gloss, (width_px, height), interpolation=cv2.INTER_LINEAR)
    shade = np.maximum.reduce(shades) if shades else np.zeros((height, width_px), np.float32)
    return np.asarray(full * (1 - 0.8 * shade[..., None]), np.float32)


def _shadow(scene: Scene, index: int, rng: np.random.Generator) -> Floats:
    """How much of one lamp's light the dice and the tray's walls keep from each pixel of the table."""
    view, lamp = scene.view, scene.lights[index]
    toward = np.array(lamp.towards, np.float32)
    toward /= np.linalg.norm(toward)
    count = 1 if lamp.spread < 0.02 else 4 if lamp.spread < 0.1 else 8
    total = np.zeros((view.height, view.width), np.float32)
    for k in range(count):
        angle, reach = 2.4 * k + rng.random(), lamp.spread * np.sqrt((k + 0.5) / count)
        way = toward + np.array([np.cos(angle) * reach, np.sin(angle) * reach, 0], np.float32)
        way /= max(float(way[2]), 0.08)
        layer = np.zeros((view.height, view.width), np.uint8)
        if scene.tray:
            layer[:] = 255
            opening = _rim(scene, scene.tray.high) - scene.tray.high * way
            cv2.fillConvexPoly(layer, _fixed(view.project(opening)), 0, cv2.LINE_AA, 4)
        for die in scene.dice:
            points = die.hull()
            fallen = points - points[:, 2:] * way
            outline = cv2.convexHull(view.project(fallen.astype(np.float32)))[:, 0]
            if np.abs(outline).max() < 8000:
                cv2.fillConvexPoly(layer, _fixed(outline), 255, cv2.LINE_AA, 4)
        total += layer.astype(np.float32)
    total /= 255 * count
    blur = 0.6 + 0.25 * lamp.spread * _die_pixels(scene)
    return cv2.GaussianBlur(total, (0, 0), blur)


def _die_pixels(scene: Scene) -> float:
    size = scene.dice[0].size if scene.dice else 16.0
    return scene.view.focal * size / scene.view.distance


def _contact(scene: Scene) -> Floats:
    """How much of the sky each pixel of the table sees past the dice that stand on it."""
    view = scene.view
    layer = np.zeros((view.height, view.width), np.uint8)
    for die in scene.dice:
        points = die.hull() * (1, 1, 0)
        lifted = max(die.position[2] - die.size / 2, 0) / die.size
        outline = cv2.convexHull(view.project(points.astype(np.float32)))[:, 0]
        if np.abs(outline).max() < 8000 and lifted < 0.8:
            cv2.fillConvexPoly(layer, _fixed(outline), int(255 * (1 - lifted)), cv2.LINE_AA, 4)
    pixels = _die_pixels(scene)
    shrunk = cv2.resize(layer, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(shrunk.astype(np.float32) / 255, (0, 0), max(0.5, pixels * 0.25 / 4))
    return 1 - 0.75 * cv2.resize(soft, (view.width, view.height), interpolation=cv2.INTER_LINEAR)


def _fixed(points: Floats) -> NDArray[np.int32]:
    return np.round(np.clip(points, -1500, 1500 + 4000) * 16).astype(np.int32)


def _rim(scene: Scene, high: float, out: float = 0.0) -> Floats:
    tray = scene.tray
    assert tray is not None  # noqa: S101 – only called for scenes with a tray
    a = np.radians(tray.degrees)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    w, d = tray.half[0] + out, tray.half[1] + out
    flat = np.array([[-w, -d], [w, -d], [w, d], [-w, d]]) @ turn.T
    return np.concatenate([flat, np.full((4, 1), high)], 1).astype(np.float32)


def _tray(scene: Scene, ground: Floats, paint: Floats, walls: NDArray[np.uint8]) -> None:
    """Paint the table round the tray, then its walls and rim."""
    tray, view = scene.tray, scene.view
    if tray is None:
        return
    outside = np.full(paint.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(outside, _fixed(view.project(_rim(scene, 0))), 0, cv2.LINE_AA, 4)
    around = _spread_out(tray.around, ground)
    paint += (around - paint) * (outside.astype(np.float32)[..., None] / 255)
    colour = np.array(tray.wall[::-1], np.float32) ** 2.2
    floor, inner, outer = _rim(scene, 0), _rim(scene, tray.high), _rim(scene, tray.high, tray.rim)
    foot = _rim(scene, 0, tray.rim)
    quads = [(foot, outer, 0.45), (floor, inner, 0.7), (inner, outer, 1.25)]
    eye = view.eye()
    order = sorted(range(4), key=lambda k: -float(np.linalg.norm(inner[k] + inner[(k + 1) % 4] - 2 * eye)))
    stripes = 1 + 0.12 * np.sin(ground[..., :1] * 0.9) * np.sin(ground[..., 1:] * 0.13)
    for low, high, tone in quads:
        for k in order:
            middle = (low[k] + low[(k + 1) % 4]) / 2
            if tone < 0.5 and (eye[:2] - middle[:2]) @ middle[:2] < 0:
                continue  # the outside of a wall on the far side
            quad = _fixed(view.project(np.stack([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]])))
            mask = np.zeros(paint.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, quad, 255, cv2.LINE_AA, 4)
            x, y, w, h = cv2.boundingRect(quad // 16)
            part = (slice(max(y, 0), max(y + h + 1, 0)), slice(max(x, 0), max(x + w + 1, 0)))
            share = mask[part].astype(np.float32)[..., None] / 255
            paint[part] += (colour * stripes[part] * tone * (0.85 + 0.1 * k) - paint[part]) * share
            walls[part] = np.maximum(walls[part], mask[part])


def _warped(thing: Thing, view: View) -> Floats:
    """A thing's sprite (BGRA) as the camera sees it lying there."""
    a = np.radians(thing.degrees)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    w, d = thing.size[0] / 2, thing.size[1] / 2
    flat = np.array([[-w, d], [w, d], [w, -d], [-w, -d]]) @ turn.T + thing.centre
    quad = view.project(np.concatenate([flat, np.full((4, 1), thing.thick)], 1).astype(np.float32))
    tall, wide = thing.sprite.shape[:2]
    source = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    seen: Floats = cv2.warpPerspective(
        thing.sprite,
        cv2.getPerspectiveTransform(source, quad),
        (view.width, view.height),
        flags=cv2.INTER_AREA if wide > 4 * abs(quad[1, 0] - quad[0, 0]) else cv2.INTER_LINEAR,
    )
    return seen


def _lay_thing(thing: Thing, view: View, scene: Scene, paint: Floats, shades: list[Floats]) -> None:
    """Lay a thing on the table with its shadow."""
    seen = _warped(thing, view)
    share = seen[..., 3:].astype(np.float32) / 255
    origin = view.project(np.array([[*thing.centre, 0.0]], np.float32))[0]
    for lamp, shade in zip(scene.lights, shades, strict=True):
        way = np.array(lamp.towards) / max(lamp.towards[2], 0.1)
        end = view.project(np.array([[*(thing.centre - thing.thick * way[:2]), 0.0]], np.float32))[0]
        shift = np.array([[1, 0, end[0] - origin[0]], [0, 1, end[1] - origin[1]]], np.float32)
        moved = cv2.warpAffine(share[..., 0], shift, (view.width, view.height))
        blur = 0.5 + thing.thick * (lamp.spread + 0.1) * view.focal / view.distance
        moved = cv2.GaussianBlur(moved, (0, 0), blur)
        np.maximum(shade, moved, out=shade)
        shade *= 1 - share[..., 0]
    paint += (_linear(np.ascontiguousarray(seen[..., :3])) - paint) * share


def expose(canvas: Floats, faults: Faults, rng: np.random.Generator) -> Image:
    """Linear light to an eight-bit picture, with everything a cheap camera does to it on the way."""
    height, width = canvas.shape[:2]
    light: Floats = canvas * (np.array(faults.balance, np.float32) * np.float32(faults.exposure))
    if faults.blur > 0.3:
        light = cv2.GaussianBlur(light, (0, 0), faults.blur)
    length = int(np.ceil(np.hypot(*faults.smear)))
    if length > 1:
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        dx, dy = faults.smear
        cv2.line(
            kernel,
            (round(length - dx / 2), round(length - dy / 2)),
            (round(length + dx / 2), round(length + dy / 2)),
            1.0,
        )
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
    if faults.vignette:
        x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
        light = light * (1 - faults.vignette * 0.5 * (x[None, :] ** 2 + y[:, None] ** 2))[..., None]
    picture = _FILM[np.clip(light * _RANGE, 0, 2 * _RANGE - 1).astype(np.int32)]
    if faults.noise:
        grain = rng.standard_normal((height, width), dtype=np.float32)[..., None]
        colour: Floats = rng.standard_normal((-(-height // 2), -(-width // 2), 3), dtype=np.float32)
        colour = cv2.resize(colour, (width, height), interpolation=cv2.INTER_LINEAR)
        picture = picture + faults.noise * 255 * (0.7 * grain + 0.7 * colour) * (1.2 - picture / 320)
    out: Image = np.clip(picture, 0, 255).astype(np.uint8)
    if faults.jpeg:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, faults.jpeg])
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return out
