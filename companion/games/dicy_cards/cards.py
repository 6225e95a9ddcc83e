"""The twelve cards of Dicy Cards, what dice score with them, and the sets of five that are played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from companion.games.owner import CannotBe, Where, entry, from_toml, only

Dice = tuple[int, ...]
"""Pips in ascending order."""

HAND = 5
"""Cards before each player."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What scoring a card makes others do with one card of theirs."""

    verb: str
    who: str


@dataclass(frozen=True, slots=True)
class Card:
    """A card as printed: how many dice, which values, in what shape, and what they are worth."""

    number: int
    name: str
    fewest: int
    most: int
    values: Dice = (1, 2, 3, 4, 5, 6)
    shape: str = "any"
    worth: str = "sum"
    effect: Effect | None = None


CARDS: Mapping[int, Card] = {
    card.number: card
    for card in (
        Card(1, "any two", 2, 2, effect=Effect("freeze", "neighbours")),
        Card(2, "all six, no 6", 6, 6, values=(1, 2, 3, 4, 5)),
        Card(3, "odd", 1, 6, values=(1, 3, 5)),
        Card(4, "straight", 2, 6, shape="consecutive"),
        Card(5, "two pairs", 4, 4, shape="two pairs"),
        Card(6, "sixes", 1, 6, values=(6,), effect=Effect("thaw", "neighbours")),
        Card(7, "pair doubled", 2, 2, shape="alike", worth="double"),
        Card(8, "three lowest", 3, 3, shape="lowest", effect=Effect("freeze", "everybody")),
        Card(9, "four each", 1, 6, shape="different", worth="four each"),
        Card(10, "different", 1, 5, shape="different"),
        Card(11, "forty minus", 6, 6, worth="forty minus"),
        Card(12, "of a kind", 1, 6, shape="alike", worth="five each"),
    )
}

GLACIAL = (1, 2, 3, 4, 5)
"""The cards with the letter A."""
PRESETS = {"B": "for beginners", "C": "for experts", "D": "with more interaction"}
"""The booklet's other sets. Which cards they hold is only in its pictures, so the owner fills them in."""

_SHAPES: Mapping[str, Callable[[Dice, Dice], bool]] = {
    "any": lambda chosen, dice: True,
    "alike": lambda chosen, dice: len(set(chosen)) == 1,
    "different": lambda chosen, dice: len(set(chosen)) == len(chosen),
    "consecutive": lambda chosen, dice: chosen == tuple(range(chosen[0], chosen[0] + len(chosen))),
    "two pairs": lambda chosen, dice: chosen[0] == chosen[1] < chosen[2] == chosen[3],
    "lowest": lambda chosen, dice: chosen == dice[: len(chosen)],
}

_WORTHS: Mapping[str, Callable[[Dice], int]] = {
    "sum": sum,
    "double": lambda chosen: 2 * sum(chosen),
    "four each": lambda chosen: 4 * len(chosen),
    "five each": lambda chosen: 5 * len(chosen),
    "forty minus": lambda chosen: 40 - sum(chosen),
}


@cache
def ways(number: int, dice: Dice) -> Mapping[int, Dice]:
    """The points that these dice can score with a card, the most first, each with dice that do.

    A player may use fewer dice than possible where the card allows it; dice that score the same lead to
    the same game, so one way for each number of points is enough.
    """
    card = CARDS[number]
    fits, worth = _SHAPES[card.shape], _WORTHS[card.worth]
    usable = tuple(value for value in dice if value in card.values)
    found: dict[int, Dice] = {}
    for count in range(card.fewest, card.most + 1):
        for chosen in combinations(usable, count):
            if fits(chosen, dice):
                found.setdefault(worth(chosen), chosen)
    return dict(sorted(found.items(), reverse=True))


def written(cards: Iterable[int]) -> str:
    """The option value for a set of five cards, drawn or chosen."""
    return ",".join(map(str, sorted(cards)))


def read(text: str) -> tuple[int, ...]:
    """The five cards of an option value: `glacial`, or five numbers with commas."""
    if text == "glacial":
        return GLACIAL
    words = re.split(r"[,\s]+", text.strip())
    if not all(re.fullmatch(r"[0-9]{1,3}", word) for word in words):
        raise CannotBe(f"“{text}” is no set of cards: write glacial, or five numbers such as 1,4,5,9,12")
    return _five([int(word) for word in words], ())


def presets(text: str) -> dict[str, str]:
    """The sets B, C and D that an owner wrote down, each as an option value; see `example`."""
    return from_toml(text, _presets)


def _presets(entries: dict[str, Any]) -> dict[str, str]:
    only(entries, tuple(PRESETS))
    filled: dict[str, str] = {}
    for letter in PRESETS:
        numbers = entry({letter: []} | entries, (letter,), list, "a list of five card numbers")
        if any(type(number) is not int for number in numbers):
            raise CannotBe(f"“{letter}” must be a list of five card numbers, not {numbers!r}", (letter,))
        if numbers:
            filled[letter] = written(_five(numbers, (letter,)))
    return filled


def _five(numbers: list[int], where: Where) -> tuple[int, ...]:
    for number in numbers:
        if number not in CARDS:
            raise CannotBe(f"there is no card {number}: the cards are 1 to {len(CARDS)}", where)
        if numbers.count(number) > 1:
            raise CannotBe(f"card {number} is there twice: nobody has two of a card", where)
    if len(numbers) != HAND:
        raise CannotBe(f"a set is {HAND} cards, not {len(numbers)}", where)
    return tuple(sorted(numbers))


def example() -> str:
    """A TOML file to begin with: no set filled in, and every card named."""
    lines = ["# The card sets of the booklet: write the five card numbers of each that you want to play."]
    lines += [f"# {card.number:2}  {card.name}" for card in CARDS.values()]
    lines += ["", *(f"{letter} = []  # {words}" for letter, words in PRESETS.items())]
    return "\n".join(lines) + "\n"
