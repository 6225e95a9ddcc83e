"""Dice by name in the reader's language: kinds, faces and the letters that stand for colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from flask_babel import lazy_gettext, lazy_pgettext

N_ = lazy_gettext

FACES = {
    "worm": N_("worm"),
    "joker": N_("joker"),
    "red": N_("red"),
    "orange": N_("orange"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
    "heart": N_("heart"),
    "bomb": N_("bomb"),
    "stars": N_("stars"),
    "row": N_("row"),
    "block": N_("block"),
}
KINDS = {
    "white": N_("white"),
    "yellow": N_("yellow"),
    "blue": N_("blue"),
    "green": N_("green"),
    "orange": N_("orange"),
    "purple": N_("purple"),
    "pip": N_("die"),
    "worm": N_("worm die"),
    "colour": N_("colour die"),
    "number": N_("number die"),
    "special": N_("special die"),
}
P_ = lazy_pgettext
WHICH = {
    "white": P_("kind of die", "white"),
    "yellow": P_("kind of die", "yellow"),
    "blue": P_("kind of die", "blue"),
    "green": P_("kind of die", "green"),
    "orange": P_("kind of die", "orange"),
    "purple": P_("kind of die", "purple"),
    "pip": P_("kind of die", "white"),
    "worm": P_("kind of die", "worm"),
    "colour": P_("kind of die", "colour"),
    "number": P_("kind of die", "number"),
    "special": P_("kind of die", "special"),
}
"""What stands before “die” in a sentence; in other languages the whole of it, such as “kleurdobbelsteen”."""
LETTERS = {
    "white": P_("colour letter", "W"),
    "red": P_("colour letter", "R"),
    "orange": P_("colour letter", "O"),
    "yellow": P_("colour letter", "Y"),
    "green": P_("colour letter", "G"),
    "blue": P_("colour letter", "B"),
    "purple": P_("colour letter", "P"),
}
"""Beside every colour stands its letter: colours never carry meaning alone."""


def face_words(face: str) -> str:
    """A face by name."""
    return str(FACES.get(face, face))


def letter(colour: str) -> str:
    """The letter that stands for a colour."""
    return str(LETTERS.get(colour, ""))


def kind_words(kind: str) -> str:
    """A kind of die by name."""
    return str(KINDS.get(kind, kind))


def which_words(kind: str) -> str:
    """A kind as a sentence about one die names it."""
    return str(WHICH.get(kind, kind))


def die_words(kind: str, face: str) -> str:
    """A die by name: “blue 5”, “worm”."""
    if kind in ("worm", "pip"):
        return face_words(face)
    return f"{kind_words(kind)} {face_words(face)}"


def dice_words(dice: Sequence[object]) -> str:
    """Some dice by name."""
    return ", ".join(die_words(*str(die).split(":")) for die in dice)


def counted_words(kinds: Sequence[str]) -> str:
    """Some kinds of dice by name, each with how many there are."""
    counted = Counter(kinds)
    return ", ".join(
        f"{count}× {kind_words(kind)}" if count > 1 else kind_words(kind) for kind, count in counted.items()
    )
