"""The turns of Dicy Cards: throw six dice, re-roll by freezing a card, then score with one or skip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import ClassVar, assert_never

from companion.dice import Die, Seat, Throw
from companion.games.core import Choice, Game, Option, Outcome, Rolled, State, Value, start_player
from companion.games.dicy_cards.cards import CARDS, HAND, Card, Dice, read, ways

DICE = 6
GOAL = 100
"""Points that make this round the last."""


@dataclass(frozen=True, slots=True)
class Score(Choice):
    """Score so many points with an active card."""

    card: int
    points: int

    def __str__(self) -> str:
        return f"score {self.card} for {self.points}"


@dataclass(frozen=True, slots=True)
class Freeze(Choice):
    """Freeze a card: to pay for a re-roll, or because another player's card says so."""

    card: int

    def __str__(self) -> str:
        return f"freeze {self.card}"


@dataclass(frozen=True, slots=True)
class Reroll(Choice):
    """Throw these dice again, now that a card is frozen for it."""

    dice: Dice

    def __str__(self) -> str:
        return "reroll " + " ".join(map(str, self.dice))


@dataclass(frozen=True, slots=True)
class Thaw(Choice):
    """Turn a frozen card back to its active side."""

    card: int

    def __str__(self) -> str:
        return f"thaw {self.card}"


@dataclass(frozen=True, slots=True)
class Skip(Choice):
    """Score nothing and thaw all own cards."""

    def __str__(self) -> str:
        return "skip"


AnyChoice = Score | Freeze | Reroll | Thaw | Skip


@cache
def _rerolls(dice: Dice) -> tuple[Reroll, ...]:
    parts = {part for count in range(1, len(dice) + 1) for part in combinations(dice, count)}
    return tuple(Reroll(part) for part in sorted(parts, key=lambda part: (len(part), part)))


@dataclass(frozen=True)
class DicyCards(State):
    """A moment in the game.

    `due` dice must fall, beside those in `dice`. `paid` says that a card was frozen and the dice to throw
    again are not chosen yet. `owing` are the seats that must still `freeze` or `thaw` a card (`effect`);
    `scored` is the card that freezes after them.
    """

    cards: tuple[int, ...]
    first: Seat
    turn: Seat
    frozen: tuple[frozenset[int], ...]
    points: tuple[tuple[int, ...], ...]
    round: int = 1
    due: int = DICE
    dice: Dice = ()
    paid: bool = False
    effect: str = ""
    owing: frozenset[Seat] = frozenset()
    scored: int | None = None
    over: bool = False
    printed: ClassVar[Mapping[int, Card]] = CARDS
    """What stands on each card, for whoever draws it."""
    goal: ClassVar[int] = GOAL

    def ways(self, card: int) -> Mapping[int, Dice]:
        """The points that the dice now lying can score with a card, the most first."""
        return ways(card, self.dice) if len(self.dice) == DICE else {}

    def active(self, seat: Seat) -> tuple[int, ...]:
        """The cards of a seat that can be used."""
        return tuple(card for card in self.cards if card not in self.frozen[seat])

    def throw(self) -> Throw | None:
        """All six at the start of a turn unless every card is frozen, then those chosen for a re-roll."""
        if not self.due:
            return None
        return Throw(self.turn, ("pip",) * self.due, tuple(Die("pip", str(value)) for value in self.dice))

    def asked(self) -> Mapping[Seat, str]:
        """The turn's seat once the dice lie; then all at once whom the turn makes freeze or thaw."""
        if self.owing:
            return dict.fromkeys(sorted(self.owing), self.effect)
        if self.due or self.over:
            return {}
        if self.paid:
            return {self.turn: "reroll"}
        return {self.turn: "turn" if self.active(self.turn) else "skip"}

    def _choices(self, seat: Seat) -> tuple[Choice, ...]:
        if self.owing:
            if self.effect == "freeze":
                return tuple(map(Freeze, self.active(seat)))
            return tuple(map(Thaw, sorted(self.frozen[seat])))
        if self.paid:
            return _rerolls(self.dice)
        active = self.active(seat)
        scores = (Score(card, points) for card in active for points in ways(card, self.dice))
        return (*scores, *map(Freeze, active), Skip())

    def _rolled(self, roll: Rolled) -> DicyCards:
        fallen = (int(die.face) for die in roll.dice)
        return replace(self, due=0, dice=tuple(sorted((*self.dice, *fallen))))

    def _chose(self, seat: Seat, choice: AnyChoice) -> DicyCards:
        match choice:
            case Score(card, points):
                return self._score(card, points)
            case Freeze(card):
                frozen = self._with(seat, self.frozen[seat] | {card})
                return self._answered(seat, frozen) if self.owing else replace(self, frozen=frozen, paid=True)
            case Reroll(dice):
                return replace(self, dice=_without(self.dice, dice), due=len(dice), paid=False)
            case Thaw(card):
                return self._answered(seat, self._with(seat, self.frozen[seat] - {card}))
            case Skip():
                others = (other for other in range(len(self.frozen)) if other != seat)
                return replace(self, frozen=self._with(seat, frozenset()))._ask("thaw", others)
        assert_never(choice)

    def _score(self, card: int, points: int) -> DicyCards:
        row = list(self.points[self.turn])
        row[self.cards.index(card)] += points
        noted = tuple(tuple(row) if seat == self.turn else old for seat, old in enumerate(self.points))
        after = replace(self, points=noted, scored=card)
        effect = CARDS[card].effect
        if effect is None:
            return after._end_turn()
        seats = len(self.frozen)
        reach = (1, seats - 1) if effect.who == "neighbours" else range(1, seats)
        return after._ask(effect.verb, ((self.turn + step) % seats for step in reach))

    def _ask(self, effect: str, seats: Iterable[Seat]) -> DicyCards:
        """Ask those of these seats who have a card to freeze or thaw; without any, the turn ends.

        For two players the neighbours on the left and the right are one seat, asked once.
        """
        able = frozenset(
            seat for seat in seats if (self.active(seat) if effect == "freeze" else self.frozen[seat])
        )
        if not able:
            return self._end_turn()
        return replace(self, effect=effect, owing=able)

    def _answered(self, seat: Seat, frozen: tuple[frozenset[int], ...]) -> DicyCards:
        after = replace(self, frozen=frozen, owing=self.owing - {seat})
        return after if after.owing else after._end_turn()

    def _end_turn(self) -> DicyCards:
        frozen = self.frozen
        if self.scored is not None:
            frozen = self._with(self.turn, frozen[self.turn] | {self.scored})
        following = (self.turn + 1) % len(frozen)
        round_over = following == self.first
        over = round_over and max(self.scores()) >= GOAL
        return replace(
            self,
            turn=following,
            frozen=frozen,
            round=self.round + (round_over and not over),
            due=0 if over or len(frozen[following]) == HAND else DICE,
            dice=(),
            effect="",
            scored=None,
            over=over,
        )

    def _with(self, seat: Seat, cards: frozenset[int]) -> tuple[frozenset[int], ...]:
        return tuple(cards if other == seat else old for other, old in enumerate(self.frozen))

    def scores(self) -> tuple[int, ...]:
        """The points noted for each seat."""
        return tuple(map(sum, self.points))

    def parts(self, seat: Seat) -> Mapping[str, int]:
        """Points by card."""
        return {CARDS[card].name: points for card, points in zip(self.cards, self.points[seat], strict=True)}

    def outcome(self) -> Outcome | None:
        """Over at the end of the round in which somebody has a hundred; active cards break a tie."""
        if not self.over:
            return None
        scores = self.scores()
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        most = max(len(self.active(seat)) for seat in best)
        winners = tuple(seat for seat in best if len(self.active(seat)) == most)
        return Outcome(scores, winners, decided_by="active cards" if len(winners) < len(best) else "")

    def __str__(self) -> str:
        lines = [f"round {self.round}" + ("  over" if self.over else "")]
        for seat, score in enumerate(self.scores()):
            mark = "▸" if not self.over and seat == self.turn else " "
            cards = "  ".join(
                f"{'❄' if card in self.frozen[seat] else ' '}{card} {CARDS[card].name} {points:<3}"
                for card, points in zip(self.cards, self.points[seat], strict=True)
            )
            lines.append(f"{mark} {seat}  {score:3}  {cards}")
        if self.dice:
            lines.append("lying " + " ".join(map(str, self.dice)))
        if self.paid:
            lines.append("a card is frozen: which dice again?")
        if self.owing:
            seats = ", ".join(map(str, sorted(self.owing)))
            lines.append(f"to {self.effect} one card: seat {seats}")
        return "\n".join(lines)


def _without(dice: Dice, taken: Dice) -> Dice:
    left = list(dice)
    for value in taken:
        left.remove(value)
    return tuple(left)


def _start(seats: int, options: Mapping[str, Value]) -> DicyCards:
    first = int(options["start_player"])
    return DicyCards(
        cards=read(str(options["cards"])),
        first=first,
        turn=first,
        frozen=(frozenset(),) * seats,
        points=((0,) * HAND,) * seats,
    )


DICY_CARDS = Game(
    key="dicy_cards",
    title="Dicy Cards",
    seats=range(2, 5),
    dice=("pip",) * DICE,
    options=(Option("cards", "glacial"), start_player(4)),
    _start=_start,
    minutes=20,
)
