"""Which face, body and cross colour each die of each kind shows: the bridge from what is seen to dice."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.dice import KINDS
from companion.vision.faces import BODIES, FACES, INKS, Glance

_BODY: dict[str, tuple[str, ...]] = {
    kind: (kind,) for kind in ("white", "yellow", "blue", "green", "orange", "purple")
}
_BODY |= {"colour": ("white",), "number": ("black",), "special": ("gold", "yellow", "orange")}
_TRUST = dict.fromkeys(("white", "yellow", "blue", "green", "orange", "purple"), 0.98)
_TRUST_OTHER = 0.85
"""How much a body colour counts: the colour names a Clever die, but only hints at the others, whose faces
already tell what they are."""
_SIGNS = {("number", "joker"): "question"}
_PIPS = [FACES.index(face) for face in ("1", "2", "3", "4", "5", "6")]
_OTHER_SYMBOL, _NO_PIPS, _OTHER_COLOUR = 0.1, 0.5, 0.01
"""Below these chances of what is due, a symbol is likely another one, a number a symbol, and a body of
another colour. Drawings and colours are taken for one another too easily to tell that any sooner."""


def sign(kind: str, face: str) -> tuple[int, int | None]:
    """What this side shows, as indices of a face and, for a cross, of its ink."""
    if kind == "colour":
        return FACES.index("cross"), INKS.index("black" if face == "joker" else face)
    return FACES.index(_SIGNS.get((kind, face), face)), None


def coloured(kinds: tuple[str, ...]) -> bool:
    """Whether dice of these kinds are named by the colour of their bodies."""
    return any(kind in _TRUST for kind in kinds)


@cache
def _marks(kind: str) -> tuple[list[int], list[int] | None]:
    """The indices of a kind's faces and, for crosses, of their inks."""
    pairs = [sign(kind, face) for face in KINDS[kind].faces]
    inks = [ink for _, ink in pairs if ink is not None]
    return [mark for mark, _ in pairs], inks or None


def shown(kinds: tuple[str, ...]) -> frozenset[int]:
    """The indices of all faces that these kinds show."""
    return frozenset(mark for kind in kinds for mark in _marks(kind)[0])


def familiar(glance: Glance, kinds: tuple[str, ...]) -> NDArray[np.float64]:
    """The chance, for each of many glances in one and each of these kinds, that it shows what such dice do:
    no pips that none of them has, hardly another symbol, least of all for a number and, of a kind with a
    colour of its own, hardly another one under all lamps tried."""
    faces, theirs = np.exp(glance.face.astype(np.float64)), np.array(sorted(shown(kinds)))
    known = faces[:, theirs].sum(axis=1)
    number = np.isin(theirs[faces[:, theirs].argmax(axis=1)], _PIPS)
    pips = faces[:, [face for face in _PIPS if face not in theirs]].sum(axis=1)
    any_face = np.maximum(1 - faces[:, FACES.index("none")], 1e-9)
    told = (1 - pips) * np.minimum(1.0, known / any_face / np.where(number, _NO_PIPS, _OTHER_SYMBOL))
    return np.stack([told * _own_colour(glance.body, kind) for kind in kinds], axis=1)


def _own_colour(body: NDArray[np.float32], kind: str) -> NDArray[np.float64]:
    if kind not in _BODY:
        return np.ones(body.shape[1])
    return np.asarray(np.minimum(1.0, _colour_chance(body, kind).max(axis=0) / _OTHER_COLOUR))


def fits(glance: Glance, kind: str) -> NDArray[np.float64]:
    """How well a crop fits each face of a kind, in the order of its faces, under each lamp: [lamp, face], or
    [lamp, crop, face] of many glances in one."""
    marks, inks = _marks(kind)
    values = np.exp(glance.face[..., marks].astype(np.float64))
    if inks is not None:
        values = values * np.exp(glance.ink[..., inks].astype(np.float64))
    return np.asarray(values * _body_fit(glance.body, kind)[..., None])


def _body_fit(body: NDArray[np.float32], kind: str) -> NDArray[np.float64]:
    if kind not in _BODY:
        return np.ones(body.shape[:-1])
    trust = _TRUST.get(kind, _TRUST_OTHER)
    return np.asarray(trust * _colour_chance(body, kind) + (1 - trust) / len(BODIES))


def _colour_chance(body: NDArray[np.float32], kind: str) -> NDArray[np.float64]:
    """The chance that a body has a colour of this kind."""
    names = [BODIES.index(name) for name in _BODY[kind]]
    return np.asarray(np.exp(body[..., names].astype(np.float64)).sum(axis=-1))
