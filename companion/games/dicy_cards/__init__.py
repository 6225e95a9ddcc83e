"""Dicy Cards: six dice, five cards each, and freezing one to throw again."""

from companion.games.dicy_cards.cards import (
    CARDS,
    GLACIAL,
    PRESETS,
    Card,
    Effect,
    example,
    presets,
    ways,
    written,
)
from companion.games.dicy_cards.rules import DICY_CARDS, DicyCards, Freeze, Reroll, Score, Skip, Thaw

__all__ = [
    "CARDS",
    "DICY_CARDS",
    "GLACIAL",
    "PRESETS",
    "Card",
    "DicyCards",
    "Effect",
    "Freeze",
    "Reroll",
    "Score",
    "Skip",
    "Thaw",
    "example",
    "presets",
    "ways",
    "written",
]
