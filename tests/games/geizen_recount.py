"""Geizen counted again from the booklet: where every chip is, and a turn laid chip by chip.

Nothing here looks at how the engine lays chips: a column is a list of heaps, a turn is tried in every
order of its dice, and the orders that need the smallest loan are the ones allowed.
"""

from __future__ import annotations

from itertools import permutations

OWN_BOARD = "gyr:2 2gr:1 2yggr:3 gr:1 gggggyr:2 start:12,11,10,9 chips:60"
DRY_BOARD = "yyr:1 yyyr:1 yyr:1 2yyyr:1 3yr:1 start:5,4,3,3 chips:16"
OPTION_VALUES = {
    "board": (
        "2gggr:1 2ggggr:1 gggygr:2 gggyggr:2 gggygggr:3 start:25,22,20,18 chips:130",
        OWN_BOARD,
        DRY_BOARD,
    )
}


def recount(state, seat):
    """What is left of all chips when everybody else's, the pot's and the board's are taken away."""
    others = sum(has for other, has in enumerate(state.chips.hands) if other != seat)
    return state.board.chips - others - state.chips.pot - sum(state.chips.lying)


def conserved(state):
    """All chips are somewhere, nobody has fewer than none, and a free space bears nothing."""
    chips = state.chips
    assert sum(chips.hands) + chips.pot + sum(chips.lying) == state.board.chips
    assert min(*chips.hands, chips.pot, *chips.lying) >= 0
    for column, filled, lying in zip(state.board.columns, chips.filled, chips.lying, strict=True):
        assert 0 <= filled < len(column.spaces)
        if not state.over:
            assert lying <= filled + (column.first - 1 if filled else 0)
            if "y" not in column.spaces:
                assert lying == (filled + column.first - 1 if filled else 0)


class Table:
    """The chips on a real table: `columns` are lists of heaps, one heap a taken space."""

    def __init__(self, board, hands, pot, columns):
        self.board, self.hands, self.pot, self.columns = board, list(hands), pot, [list(c) for c in columns]
        self.debt = 0

    def copy(self):
        return Table(self.board, self.hands, self.pot, self.columns)

    def as_seen(self):
        return tuple(self.hands), self.pot, tuple(map(sum, self.columns))

    def lay(self, seat, value, most):
        """One die; False when the player cannot pay."""
        if value == 6:
            return True
        column, heaps = self.board.columns[value - 1], self.columns[value - 1]
        colour = column.spaces[len(heaps)]
        heap = 0
        for _ in range(column.first if not heaps else 1):
            if colour == "y":
                if self.pot > 0:
                    self.pot -= 1
                    heap += 1
                continue
            if self.hands[seat] == 0 and self.debt < most and self.pot > 0:
                self.pot -= 1
                self.hands[seat] += 1
                self.debt += 1
            if self.hands[seat] == 0:
                heaps.append(heap)
                return False
            self.hands[seat] -= 1
            heap += 1
        heaps.append(heap)
        if colour == "r":
            self.hands[seat] += sum(heaps)
            heaps.clear()
            for other in range(len(self.hands)):
                for _ in range(column.arrow):
                    if other != seat and self.hands[other]:
                        self.hands[other] -= 1
                        self.pot += 1
        return True

    def play(self, seat, order, most=5):
        """All dice in this order; returns whether every one could be paid, and the largest debt."""
        paid_all = all(self.lay(seat, value, most) for value in order)
        largest = self.debt
        while self.debt and self.hands[seat]:
            self.hands[seat] -= 1
            self.pot += 1
            self.debt -= 1
        return paid_all, largest


def turns(table, seat, dice):
    """Every way the table may look after these dice: all orders with the smallest loan."""
    tried = []
    for order in set(permutations(dice)):
        after = table.copy()
        paid_all, largest = after.play(seat, order)
        if not paid_all:
            rich = table.copy()
            rich.pot += 500
            _, largest = rich.play(seat, order, most=500)
        tried.append(((not paid_all, largest), after))
    best = min(key for key, _ in tried)
    return [after for key, after in tried if key == best]
