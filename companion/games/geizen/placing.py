"""The chips of a turn: where five dice put them, what comes back, and what must be lent on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise, permutations

from companion.dice import Seat
from companion.games.geizen.board import VALUES, Board

LOAN = 5
"""The most that the pot lends in a turn."""
_NO_BOUND = 1000
"""More than any five dice can cost."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one die did: chips on a space of its column, and what followed when that space was red.

    `due` is what the space costs, `own` and `pot` what was laid there; they fall short of it only when
    the pot was empty or the loan used up.
    """

    value: int
    space: int
    due: int
    own: int
    pot: int
    lent: int = 0
    collected: int = 0
    paid: tuple[int, ...] = ()

    @property
    def unpaid(self) -> int:
        """Chips that nobody could lay."""
        return self.due - self.own - self.pot


@dataclass(frozen=True, slots=True)
class Chips:
    """Where all chips are: in the hands, in the pot, and in the columns.

    `filled` counts the spaces of a column that are taken, `lying` the chips on them.
    """

    hands: tuple[int, ...]
    pot: int
    filled: tuple[int, ...] = (0,) * len(VALUES)
    lying: tuple[int, ...] = (0,) * len(VALUES)

    @property
    def total(self) -> int:
        """Every chip there is."""
        return sum(self.hands) + self.pot + sum(self.lying)


@dataclass(frozen=True, slots=True)
class Placed:
    """A whole turn's chips: the steps in their order, the largest loan, and what stayed unpaid of it."""

    chips: Chips
    steps: tuple[Step, ...]
    peak: int
    owed: int
    broke: bool


def place(board: Board, chips: Chips, seat: Seat, dice: tuple[int, ...]) -> Placed:
    """The chips after this seat's dice, laid in the order that needs the smallest loan.

    Columns do not influence one another, so with chips enough any order comes to the same.
    """
    faces = tuple(sorted(value for value in dice if value in VALUES))
    placed = _in_order(board, chips, seat, faces)
    if placed.peak == 0 and not placed.broke:
        return placed
    orders = sorted(set(permutations(faces)), key=lambda order: (_changes(order), order))
    tried = [_in_order(board, chips, seat, order) for order in orders]
    sound = [one for one in tried if not one.broke]
    if sound:
        return min(sound, key=lambda one: one.peak)
    unbounded = replace(chips, pot=chips.pot + _NO_BOUND)
    needs = [_in_order(board, unbounded, seat, order, _NO_BOUND).peak for order in orders]
    return tried[needs.index(min(needs))]


def _changes(order: tuple[int, ...]) -> int:
    """How often the hand goes to another column: the fewer, the easier to follow at the table."""
    return sum(one != other for one, other in pairwise(order))


def _in_order(board: Board, chips: Chips, seat: Seat, order: tuple[int, ...], most: int = LOAN) -> Placed:
    hands, pot = list(chips.hands), chips.pot
    filled, lying = list(chips.filled), list(chips.lying)
    steps: list[Step] = []
    loan = peak = 0
    broke = False
    no_one: tuple[int, ...] = ()
    for value in order:
        column, row = board.columns[value - 1], value - 1
        space = filled[row]
        due, colour = column.due(space), column.spaces[space]
        lent = own = from_pot = 0
        if colour == "y":
            from_pot = min(due, pot)
            pot -= from_pot
        else:
            lent = max(0, min(due - hands[seat], most - loan, pot))
            loan, pot = loan + lent, pot - lent
            own = min(due, hands[seat] + lent)
            hands[seat] += lent - own
            broke = own < due
        peak = max(peak, loan)
        lying[row] += own + from_pot
        if broke:
            steps.append(Step(value, space, due, own, from_pot, lent))
            break
        filled[row] += 1
        collected, paid = 0, no_one
        if colour == "r":
            collected, filled[row], lying[row] = lying[row], 0, 0
            hands[seat] += collected
            paid = tuple(0 if other == seat else min(column.arrow, had) for other, had in enumerate(hands))
            hands = [had - pays for had, pays in zip(hands, paid, strict=True)]
            pot += sum(paid)
        steps.append(Step(value, space, due, own, from_pot, lent, collected, paid))
    back = min(loan, hands[seat])
    hands[seat] -= back
    after = Chips(tuple(hands), pot + back, tuple(filled), tuple(lying))
    return Placed(after, tuple(steps), peak, loan - back, broke)
