"""Scenes by chance: any dice on any table in any light before any camera, for training and for measuring."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.vision.world.looks import (
    SETS,
    Colour,
    Look,
    faces_of,
    published_looks,
    random_looks,
    random_pip_look,
)
from companion.vision.world.scene import (
    Faults,
    Light,
    Placed,
    Scene,
    Surface,
    Thing,
    Tray,
    Vector,
    resting,
    turned,
)
from companion.vision.world.surfaces import random_surface
from companion.vision.world.things import hand, random_thing
from companion.vision.world.view import View

Chance = np.random.Generator
_WORMS = 0.25
"""Share of the worm dice that show the worm whatever is drawn: a thin drawing is harder to find than pips."""
_SUNNY = 0.12
"""Share of the scenes in hard sunlight, with shadows as dark as a dark die."""
_GAMES = ("clever", "regenwormen", "keer_op_keer_2", "dicy_cards", "geizen")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a random scene should be like. `pixels` is how wide a die should be, (least, most)."""

    width: int = 640
    height: int = 480
    game: str | None = None
    pixels: tuple[float, float] = (14.0, 110.0)
    least_tilt: float = 0.0
    most_tilt: float = 60.0
    empty: float = 0.06
    clutter: float = 0.4
    cocked: float = 0.08
    stacked: float = 0.03
    published: float = 0.25
    crowd: float = 0.0
    """Chance of dice of several sets at once, as many as there is room for: more to learn from a picture."""
    mixed: float = 0.0
    """Chance of dice of several sizes in one picture."""
    oblique: float = 0.45
    """Chance of a view from any height, not mostly from above; where the least tilt is not 0, all are."""


UPRIGHT = 35.0
"""Degrees of tilt from which a camera is nearly always held upright: nobody photographs dice from the side
with the table above them, and which of two faces is the upper one is then told by where up is."""
_ROLLED = (0.3, 0.05)
"""How often a camera that looks down is turned anyhow, and how often one that looks from the side."""


def _choice(rng: Chance, chance: float) -> bool:
    return bool(rng.random() < chance)


def kelvin(temperature: float) -> Vector:
    """The colour of a lamp (linear BGR, green 1) of 1,500 to 12,000 K."""
    t = temperature / 100
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * np.log(t) - 161.12 if t <= 66 else 288.12 * (t - 60) ** -0.0755
    blue = 0.0 if t <= 19 else 255.0 if t >= 66 else 138.52 * np.log(t - 10) - 305.04
    light = (np.clip([blue, green, red], 8, 255) / 255) ** 2.2
    b, g, r = (light / light[1]).tolist()
    return (b, g, r)


def _scaled(colour: Vector, by: float) -> Vector:
    return (colour[0] * by, colour[1] * by, colour[2] * by)


def random_lights(rng: Chance, view: View, glare: float = 0.15) -> tuple[tuple[Light, ...], Vector, Vector]:
    """Lamps, the sky's light, and the mean colour of both: about one unit of light in all. So often a lamp
    stands where level faces mirror it to the camera."""
    tint = kelvin(float(np.exp(rng.uniform(np.log(2300), np.log(7000)))))
    second = tint if _choice(rng, 0.6) else kelvin(float(rng.uniform(2500, 8000)))
    sunny = _choice(rng, _SUNNY)
    sky = float(rng.uniform(0.06, 0.25) if sunny else rng.uniform(0.12, 0.9))
    lamps = []
    count = 1 if sunny else int(rng.choice([1, 1, 1, 2, 2, 3]))
    for k in range(count):
        angle, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(18, 88))
        towards = (
            float(np.cos(angle) * np.cos(height)),
            float(np.sin(angle) * np.cos(height)),
            float(np.sin(height)),
        )
        glint = 1.0
        if k == 0 and _choice(rng, glare):
            glint = float(np.exp(rng.uniform(0, np.log(10))))
            forward = view.axes()[2]
            towards = (
                float(forward[0] + rng.normal(0, 0.08)),
                float(forward[1] + rng.normal(0, 0.08)),
                float(-forward[2]),
            )
        spread = float(np.exp(rng.uniform(np.log(0.008), np.log(0.03 if sunny else 0.5))))
        strength = (1 - sky) / count / max(towards[2], 0.3) * float(rng.uniform(0.6, 1.4))
        lamps.append(Light(towards, _scaled(tint if k == 0 else second, strength), spread, glint))
    return tuple(lamps), _scaled(second, sky), tint


def random_faults(rng: Chance, tint: Vector, brightness: float, pixels: float) -> Faults:
    """A camera between good and bad; it mends the lamp's tint more or less, and the darkness of the table."""
    mend = float(np.clip(rng.normal(0.85, 0.25), 0, 1.15))
    balance = [float(t**-mend * np.exp(rng.normal(0, 0.06))) for t in tint]
    auto = (0.3 / max(brightness, 0.02)) ** float(rng.uniform(0.1, 0.6))
    dim = _choice(rng, 0.2)
    exposure = auto * float(np.exp(rng.normal(-0.05, 0.25))) * (float(rng.uniform(0.25, 0.7)) if dim else 1.0)
    angle, length = (
        rng.uniform(0, np.pi),
        float(rng.uniform(0.5, 0.16 * pixels)) if _choice(rng, 0.07) else 0.0,
    )
    spares_highlights = _choice(rng, 0.5)
    return Faults(
        exposure=float(np.clip(exposure, 0.12, 1.2 if spares_highlights else 4.0)),
        balance=(balance[0], balance[1], balance[2]),
        noise=float(rng.uniform(0.01, 0.09 if dim else 0.04)) if _choice(rng, 0.7) else 0.0,
        blur=float(rng.uniform(0.3, max(0.5, min(2.5, pixels * 0.045)))) if _choice(rng, 0.5) else 0.0,
        smear=(float(np.cos(angle) * length), float(np.sin(angle) * length)),
        jpeg=int(rng.integers(25, 95)) if _choice(rng, 0.5) else 0,
        vignette=float(rng.uniform(0, 0.5)) if _choice(rng, 0.3) else 0.0,
    )


def _lowered(die: Placed, onto: float = 0.0) -> Placed:
    """The die moved straight down or up until it touches the level `onto`."""
    low = float(die.hull()[:, 2].min())
    x, y, z = die.position
    return replace(die, position=(x, y, z + onto - low))


def _lying(
    kind: str, look: Look, at: tuple[float, float], size: float, rng: Chance, degrees: float | None = None
) -> Placed:
    face = "worm" if kind == "worm" and _choice(rng, _WORMS) else str(rng.choice(faces_of(kind)))
    turn = float(rng.uniform(0, 360)) if degrees is None else degrees + 90.0 * int(rng.integers(0, 4))
    return Placed(kind, (at[0], at[1], size / 2), resting(kind, face, turn, look), look, size)


def _cocked(die: Placed, rng: Chance) -> Placed:
    angle = float(rng.uniform(0, 2 * np.pi))
    lean = float(rng.uniform(8, 44))
    leaning = turned((float(np.cos(angle)), float(np.sin(angle)), 0), lean) @ die.rotation
    return _lowered(replace(die, rotation=leaning.astype(np.float32)))


def _kinds_and_looks(wish: Wish, rng: Chance) -> tuple[list[str], list[Look]]:
    """Which dice lie there: a whole set or part of it, or any number of ordinary dice, alike or not."""
    game = wish.game or ("pips" if _choice(rng, 0.55) else str(rng.choice(_GAMES)))
    looks = (
        published_looks(game) if _choice(rng, wish.published) and game != "pips" else random_looks(game, rng)
    )
    kinds = list(SETS[game])
    if game == "pips":
        count = int(rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 12]))
        mixed = _choice(rng, 0.4)
        return ["pip"] * count, [random_pip_look(rng) if mixed else looks["pip"] for _ in range(count)]
    if wish.game is None and _choice(rng, 0.5):
        rng.shuffle(kinds)
        kinds = kinds[: int(rng.integers(1, len(kinds) + 1))]
    return kinds, [looks[k] for k in kinds]


def _spots(
    count: int, size: float, half: tuple[float, float], rng: Chance
) -> list[tuple[float, float, float | None]]:
    """Places (x, y, turn) apart from each other, some in touching rows."""
    spots: list[tuple[float, float, float | None]] = []
    cluster = _choice(rng, 0.4)
    for _ in range(count):
        for _ in range(30):
            turn: float | None = None
            if spots and cluster and _choice(rng, 0.75):
                x0, y0, turn0 = spots[int(rng.integers(0, len(spots)))]
                turn = float(rng.uniform(0, 90)) if turn0 is None else turn0
                way = np.radians(turn + 90 * int(rng.integers(0, 4)))
                side = float(rng.uniform(-0.5, 0.5)) * size
                gap = size * (1.0 + abs(float(rng.normal(0, 0.04)))) if turn0 is not None else size * 1.3
                x = x0 + gap * float(np.cos(way)) - side * float(np.sin(way))
                y = y0 + gap * float(np.sin(way)) + side * float(np.cos(way))
            else:
                x, y = float(rng.uniform(-half[0], half[0])), float(rng.uniform(-half[1], half[1]))
                turn = float(rng.uniform(0, 90)) if cluster else None
            if all(_apart((x, y, turn), other, size) for other in spots):
                spots.append((x, y, turn))
                break
    return spots


def _apart(
    one: tuple[float, float, float | None], other: tuple[float, float, float | None], size: float
) -> bool:
    away = np.array([one[0] - other[0], one[1] - other[1]])
    far = float(np.linalg.norm(away))
    if far > 1.42 * size:
        return True
    if one[2] is None or one[2] != other[2]:
        return False
    a = np.radians(one[2])
    local = np.abs([away[0] * np.cos(a) + away[1] * np.sin(a), -away[0] * np.sin(a) + away[1] * np.cos(a)])
    return bool(local.max() >= size * 0.999)


def random_view(wish: Wish, rng: Chance, size: float) -> View:
    """A camera anywhere above, near enough that a die is as wide as wished."""
    pixels = float(np.exp(rng.uniform(*np.log(wish.pixels))))
    tilt = (
        0.0
        if wish.least_tilt == 0 and _choice(rng, 0.1)
        else abs(float(rng.normal(0, 14)))
        if wish.least_tilt == 0 and not _choice(rng, wish.oblique)
        else float(rng.uniform(wish.least_tilt, wish.most_tilt))
    )
    tilt = min(tilt, wish.most_tilt)
    focal = float(rng.uniform(0.7, 2.0)) * max(wish.width, wish.height)
    rolled = _ROLLED[tilt >= UPRIGHT]
    return View(
        width=wish.width,
        height=wish.height,
        distance=focal * size / pixels,
        tilt=tilt,
        heading=float(rng.uniform(0, 360)),
        roll=float(rng.uniform(0, 360)) if _choice(rng, rolled) else float(rng.normal(0, 4)),
        focal=focal,
        k1=float(rng.normal(0, 0.08)),
    )


def _field(view: View, size: float) -> tuple[float, float]:
    """Half the table's visible width and depth, a little beyond so that some dice are cut off."""
    per = view.distance / view.focal
    reach = 0.5 * per * min(view.width, view.height)
    return reach + 0.2 * size, reach + 0.2 * size


def random_scene(wish: Wish, rng: Chance, bank: list[Surface] | None = None) -> Scene:
    """Any scene that fits the wish; a `bank` of surfaces to choose from saves the time of making new ones."""
    size = 16.0
    view = random_view(wish, rng, size)
    half = _field(view, size)
    pixels = view.focal * size / view.distance
    kinds: list[str] = []
    looks: list[Look] = []
    room = 1 if not _choice(rng, wish.crowd) else min(18, 0.12 * (half[0] / size) ** 2 * 4)
    while not _choice(rng, wish.empty) and len(kinds) < max(room, 1):
        more_kinds, more_looks = _kinds_and_looks(wish, rng)
        kinds, looks = kinds + more_kinds, looks + more_looks
    dice: list[Placed] = []
    spots = _spots(len(kinds), size, half, rng)
    order = rng.permutation(len(kinds))[: len(spots)]
    mixed = _choice(rng, wish.mixed)
    for (x, y, turn), index in zip(spots, order, strict=True):
        kind, look = kinds[index], looks[index]
        edge = size * float(rng.uniform(0.6, 1)) if mixed else size
        die = _lying(kind, look, (x, y), edge, rng, turn)
        if _choice(rng, wish.cocked):
            die = _cocked(die, rng)
        dice.append(die)
        if _choice(rng, wish.stacked):
            on_top = _lying(kind, look, (x + float(rng.normal(0, 4)), y + float(rng.normal(0, 4))), edge, rng)
            dice.append(_lowered(on_top, float(die.hull()[:, 2].max())))
    tray = _random_tray(rng, half, size, bank) if _choice(rng, 0.2) else None
    lights, sky, tint = random_lights(rng, view)
    surface = _some_surface(rng, bank)
    brightness = float((np.mean(surface.picture[::16, ::16]) / 255) ** 2.2)
    return Scene(
        dice=tuple(dice),
        view=view,
        surface=surface,
        lights=lights,
        ambient=sky,
        things=_random_things(wish, rng, dice, half, size),
        tray=tray,
        faults=random_faults(rng, tint, brightness, pixels),
        shades=_random_shades(rng, half, size),
    )


def _random_things(
    wish: Wish, rng: Chance, dice: list[Placed], half: tuple[float, float], size: float
) -> tuple[Thing, ...]:
    if not _choice(rng, wish.clutter if dice else max(wish.clutter, 0.8)):
        return ()
    things = []
    for _ in range(int(rng.integers(1, 8))):
        centre = (float(rng.uniform(-1.2, 1.2) * half[0]), float(rng.uniform(-1.2, 1.2) * half[1]))
        thing = random_thing(rng, centre, float(rng.uniform(0.8, 1.25)))
        if thing.thick > 1.0 and not all(_clear(thing, die) for die in dice):
            continue
        things.append(thing)
    return tuple(things)


def _clear(thing: Thing, die: Placed) -> bool:
    a = np.radians(-thing.degrees)
    x, y = die.position[0] - thing.centre[0], die.position[1] - thing.centre[1]
    u, v = x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)
    return bool(abs(u) > thing.size[0] / 2 + die.size * 0.6 or abs(v) > thing.size[1] / 2 + die.size * 0.6)


def _random_shades(rng: Chance, half: tuple[float, float], size: float) -> tuple[Thing, ...]:
    if not _choice(rng, 0.08):
        return ()
    sprite, wide, _ = hand(rng)
    centre = (float(rng.uniform(-1, 1) * half[0]), float(rng.uniform(-1, 1) * half[1]))
    long = wide * float(rng.uniform(0.8, 2))
    return (
        Thing(
            sprite, centre, (long, long * sprite.shape[0] / sprite.shape[1]), float(rng.uniform(0, 360)), 0.0
        ),
    )


def _some_surface(rng: Chance, bank: list[Surface] | None) -> Surface:
    if not bank:
        return random_surface(rng)
    chosen = bank[int(rng.integers(0, len(bank)))]
    return replace(chosen, span=chosen.span * float(rng.uniform(0.7, 1.4)))


def _random_tray(rng: Chance, half: tuple[float, float], size: float, bank: list[Surface] | None) -> Tray:
    grow = float(rng.uniform(0.95, 1.35))
    wall: Colour = tuple(float(c) for c in rng.uniform(0.05, 0.8) * rng.uniform(0.5, 1, 3))  # type: ignore[assignment]
    return Tray(
        half=(half[0] * grow + size, half[1] * float(rng.uniform(0.8, 1.2)) * grow + size),
        high=float(rng.uniform(6, 45)),
        rim=float(rng.uniform(2, 14)),
        wall=wall,
        around=_some_surface(rng, bank),
        degrees=float(rng.normal(0, 12)),
    )
