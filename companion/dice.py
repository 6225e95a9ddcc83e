"""The words that all layers share: seats, dice, and the throw that is due."""

from __future__ import annotations

from dataclasses import dataclass

Seat = int


@dataclass(frozen=True, slots=True, order=True)
class DieKind:
    """A kind of die and its six sides, each as often as it is printed."""

    name: str
    sides: tuple[str, ...]

    @property
    def faces(self) -> tuple[str, ...]:
        """Every different face once, in the printed order."""
        return tuple(dict.fromkeys(self.sides))


_PIPS = ("1", "2", "3", "4", "5", "6")

KINDS: dict[str, DieKind] = {
    kind.name: kind
    for kind in (
        DieKind("white", _PIPS),
        DieKind("yellow", _PIPS),
        DieKind("blue", _PIPS),
        DieKind("green", _PIPS),
        DieKind("orange", _PIPS),
        DieKind("purple", _PIPS),
        DieKind("pip", _PIPS),
        DieKind("worm", ("1", "2", "3", "4", "5", "worm")),
        DieKind("colour", ("red", "orange", "yellow", "green", "blue", "joker")),
        DieKind("number", ("1", "2", "3", "4", "5", "joker")),
        DieKind("special", ("heart", "heart", "bomb", "stars", "row", "block")),
    )
}


class NotADie(ValueError):
    """A text that names no die we know."""


@dataclass(frozen=True, slots=True, order=True)
class Die:
    """A die as it lies; like dice are alike, they have no ids."""

    kind: str
    face: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.face}"

    @classmethod
    def named(cls, text: str) -> Die:
        """The die written `kind:face`, such as `blue:5` or `worm:worm`."""
        kind, _, face = text.strip().partition(":")
        if kind not in KINDS:
            raise NotADie(f"“{text}” is no die: its kind must be one of {', '.join(KINDS)}")
        if face not in KINDS[kind].sides:
            faces = ", ".join(KINDS[kind].faces)
            raise NotADie(f"“{text}” is no die: a {kind} die shows {faces}")
        return cls(kind, face)


Roll = tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw that is due now: who throws, which dice, and what may stay lying in view."""

    seat: Seat
    kinds: tuple[str, ...]
    lying: Roll = ()


def same_kinds(dice: Roll, kinds: tuple[str, ...]) -> bool:
    """Whether these dice are exactly the kinds named, in any order."""
    return sorted(die.kind for die in dice) == sorted(kinds)
