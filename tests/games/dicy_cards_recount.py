"""Dicy Cards counted again from the booklet: points from the dice themselves, and every card's two sides.

`may_score` is written card by card in the booklet's words and tries every part of the six dice.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

OPTION_VALUES = {
    "cards": (
        "glacial",
        "1,4,5,9,12",
        "6,7,8,9,10",
        "1,6,8,11,12",
        "2,3,7,10,11",
        "3,6,8,9,12",
        "12 10 8 6 1",
    )
}


def may_score(card, dice):
    """All points that six dice can give with a card."""
    found = set()
    for count in range(1, 7):
        for chosen in combinations(dice, count):
            points = _points(card, list(chosen), sorted(dice))
            if points is not None:
                found.add(points)
    return found


def _points(card, chosen, dice):
    count, total, faces = len(chosen), sum(chosen), Counter(chosen)
    alike, different = len(faces) == 1, max(faces.values()) == 1
    match card:
        case 1 if count == 2:
            return total
        case 2 if count == 6 and 6 not in faces:
            return total
        case 3 if all(pips % 2 for pips in chosen):
            return total
        case 4 if count >= 2 and different and max(chosen) - min(chosen) == count - 1:
            return total
        case 5 if sorted(faces.values()) == [2, 2]:
            return total
        case 6 if set(chosen) == {6}:
            return total
        case 7 if count == 2 and alike:
            return total * 2
        case 8 if count == 3 and sorted(chosen) == dice[:3]:
            return total
        case 9 if different:
            return 4 * count
        case 10 if different and count <= 5:
            return total
        case 11 if count == 6:
            return 40 - total
        case 12 if alike:
            return 5 * count
    return None


def recount(state, seat):
    """The score pad, added up column by column."""
    pad = dict(zip(state.cards, state.points[seat], strict=True))
    return sum(pad[card] for card in state.cards)


def conserved(state):
    """Everybody has the same five cards, each on one of its two sides; six dice are in play."""
    assert len(set(state.cards)) == 5
    for seat, frozen in enumerate(state.frozen):
        assert frozen <= set(state.cards)
        assert sorted([*state.active(seat), *frozen]) == sorted(state.cards)
    assert len(state.dice) + state.due in (0, 6)


class Pad:
    """A table that follows a game by its texts alone: dice, the sides of the cards, and the score pad."""

    def __init__(self, cards, seats, first):
        self.cards, self.seats, self.turn = cards, seats, first
        self.ice = [set() for _ in range(seats)]
        self.pad = [[] for _ in range(seats)]
        self.dice, self.again, self.todo, self.card = [], [], {}, None

    def roll(self, faces):
        for face in self.again:
            self.dice.remove(face)
        self.dice, self.again = [*self.dice, *faces], []
        assert len(self.dice) == 6

    def choose(self, seat, text):
        verb, *words = text.split()
        if self.todo:
            assert self.todo.pop(seat) == verb
            self.ice[seat] ^= {int(words[0])}
        else:
            assert seat == self.turn
            if verb == "freeze":
                self.ice[seat].add(int(words[0]))
                return
            if verb == "reroll":
                self.again = list(map(int, words))
                return
            if verb == "skip":
                self.ice[seat] = set()
                self._everybody_may("thaw", set(range(self.seats)) - {seat})
            else:
                self._score(seat, int(words[0]), int(words[2]))
        if not self.todo:
            if self.card:
                self.ice[self.turn].add(self.card)
            self.turn, self.dice, self.card = (self.turn + 1) % self.seats, [], None

    def _score(self, seat, card, points):
        assert card not in self.ice[seat]
        assert points in may_score(card, self.dice)
        self.pad[seat].append(points)
        self.card = card
        beside = {(seat - 1) % self.seats, (seat + 1) % self.seats}
        if card in (1, 6):
            self._everybody_may("freeze" if card == 1 else "thaw", beside)
        if card == 8:
            self._everybody_may("freeze", set(range(self.seats)) - {seat})

    def _everybody_may(self, verb, seats):
        for seat in seats:
            frozen = len(self.ice[seat])
            if (frozen > 0) if verb == "thaw" else (frozen < 5):
                self.todo[seat] = verb
