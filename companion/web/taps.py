"""Tap to narrow: which choices remain after some words have been tapped; `taps.js` does the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from companion.dice import Seat
from companion.games.core import Choice, State
from companion.web.sheets import WORDED, Sheet

TAP = re.compile(r'data-tap="([^"]+)"')


def remaining(choices: Sequence[Choice], sheet: Sheet, tapped: Sequence[str]) -> list[Choice]:
    """The choices whose taps include all those tapped, each as often."""
    wanted = Counter(tapped)
    return [choice for choice in choices if not wanted - Counter(sheet.taps(choice))]


def next_taps(choices: Sequence[Choice], sheet: Sheet, tapped: Sequence[str]) -> list[str]:
    """The words that can still be tapped and would leave fewer choices, in the order they come up."""
    wanted, words = Counter(tapped), dict[str, int]()
    for choice in choices:
        for word in Counter(sheet.taps(choice)) - wanted:
            words[word] = words.get(word, 0) + 1
    return [word for word, count in words.items() if count < len(choices) or len(choices) == 1]


def for_phone(state: State, seat: Seat, sheet: Sheet) -> list[list[str]]:
    """All legal choices as the phone narrows them: text, taps (if not its words), display words."""
    legal = state.legal(seat)
    rows = []
    for choice in legal:
        text, taps = str(choice), " ".join(sheet.taps(choice))
        row = [text, "" if taps == text else taps]
        if len(legal) <= WORDED:
            row.append(str(sheet.choice_words(choice, state, seat)))
        rows.append(row)
    return rows


def without_place(legal: Sequence[Choice], rows: Sequence[Sequence[str]], drawn: str) -> list[Choice]:
    """The choices of which nothing lies on the sheet as it is drawn: each needs a button that always shows.

    `rows` are those choices as the phone narrows them.
    """
    there = set(TAP.findall(drawn))
    taps = ((row[1] or row[0]).split() for row in rows)
    return [choice for choice, words in zip(legal, taps, strict=True) if there.isdisjoint(words)]
