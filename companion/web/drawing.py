"""Small things the templates draw with: the frame around the dice, rankings, capitals."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import Flask

from companion.dice import Roll, Seat
from companion.games.core import Outcome, Value
from companion.vision.reading import Reading

AROUND = 0.25
"""How much of the picture around the dice is shown, as a share of their extent."""
LEAST = 0.45
"""The least share of the picture's width that is shown, so that one die is not blown up."""


def framed(reading: Reading, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The part of the picture to show, as x, y, width, height: all the dice and a little around them."""
    width, height = size
    boxes = [spotted.box for spotted in reading.dice]
    if not boxes:
        return 0, 0, width, height
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
    wide = max((right - left) * (1 + AROUND), (bottom - top) * (1 + AROUND) * 4 / 3, width * LEAST)
    wide = min(wide, width)
    high = min(wide * 3 / 4, height)
    x = min(max((left + right - wide) / 2, 0), width - wide)
    y = min(max((top + bottom - high) / 2, 0), height - high)
    return round(x), round(y), round(wide), round(high)


def lying_still(reading: Reading, roll: Roll | None) -> list[int]:
    """The places of the dice in a reading that lay there already; of dice alike those are the first."""
    left = Counter(spotted.die for spotted in reading.dice) - Counter(roll or ())
    still = []
    for n, spotted in enumerate(reading.dice):
        if roll is not None and left[spotted.die]:
            left[spotted.die] -= 1
            still.append(n)
    return still


def ranking(outcome: Outcome) -> list[tuple[int, Seat]]:
    """Scores with their seats, the winners first."""
    seats = sorted(range(len(outcome.scores)), key=lambda s: (s not in outcome.winners, -outcome.scores[s]))
    return [(outcome.scores[s], s) for s in seats]


def number(value: int) -> str:
    """A number as it is shown: with a real minus, as wide as a plus."""
    return str(value).replace("-", "−")


def setting(value: Value) -> str:
    """An option's value as a form holds it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def add_filters(app: Flask) -> None:
    """Give the templates their filters."""
    app.jinja_env.filters.update(
        framed=framed,
        lying_still=lying_still,
        ranking=ranking,
        setting=setting,
        number=number,
        merged=lambda one, other: {**one, **other},
        capital=lambda words: words[:1].upper() + words[1:],
        kind=_kind,
    )


def _kind(choice: Any) -> str:
    return type(choice).__name__
