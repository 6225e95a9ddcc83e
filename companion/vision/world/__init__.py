"""The dice world: one renderer for the simulated tray and for training."""

from companion.vision.world.chance import Wish, random_scene
from companion.vision.world.looks import (
    SETS,
    Look,
    faces_of,
    published_looks,
    random_looks,
    random_pip_look,
)
from companion.vision.world.render import Bare, expose, render
from companion.vision.world.scene import (
    Faults,
    Label,
    Light,
    Placed,
    Scene,
    Surface,
    Thing,
    Tray,
    resting,
    turned,
)
from companion.vision.world.surfaces import felt, random_surface
from companion.vision.world.view import View

__all__ = [
    "SETS",
    "Bare",
    "Faults",
    "Label",
    "Light",
    "Look",
    "Placed",
    "Scene",
    "Surface",
    "Thing",
    "Tray",
    "View",
    "Wish",
    "expose",
    "faces_of",
    "felt",
    "published_looks",
    "random_looks",
    "random_pip_look",
    "random_scene",
    "random_surface",
    "render",
    "resting",
    "turned",
]
