"""Regenwormen (Pickomino): set dice aside, stop in time, take the tile or steal it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.dice import Roll, Seat, Throw
from companion.games.core import (
    Choice,
    Game,
    Option,
    Outcome,
    Rolled,
    State,
    Value,
    face_counts,
    start_player,
)

TILES = tuple(range(21, 37))
WORMS = {tile: 1 + (tile - 21) // 4 for tile in TILES}
"""Worms on a tile: 21–24 one, 25–28 two, 29–32 three, 33–36 four."""
SYMBOLS = ("1", "2", "3", "4", "5", "worm")
WORTH = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "worm": 5}
DICE = 8


@dataclass(frozen=True, slots=True)
class Aside(Choice):
    """Set all dice with this symbol aside."""

    symbol: str

    def __str__(self) -> str:
        return f"aside {self.symbol}"


@dataclass(frozen=True, slots=True)
class Take(Choice):
    """Take a tile from the row."""

    tile: int

    def __str__(self) -> str:
        return f"take {self.tile}"


@dataclass(frozen=True, slots=True)
class Steal(Choice):
    """Take the tile on top of another player's stack."""

    tile: int

    def __str__(self) -> str:
        return f"steal {self.tile}"


@dataclass(frozen=True, slots=True)
class Stop(Choice):
    """End the turn without a tile: a failed turn."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True)
class Regenwormen(State):
    """A moment in the game. `aside` lists the symbols set aside this turn with their numbers of dice,
    `lying` the dice just rolled that still wait for a choice."""

    lower_tile: str
    short_game: bool
    fail_without_tile: str
    turn: Seat
    stacks: tuple[tuple[int, ...], ...]
    row: tuple[int, ...] = TILES
    turned: tuple[int, ...] = ()
    aside: tuple[tuple[str, int], ...] = ()
    lying: Roll = ()

    @property
    def total(self) -> int:
        """The value of the dice set aside this turn."""
        return sum(WORTH[symbol] * count for symbol, count in self.aside)

    @property
    def dice_left(self) -> int:
        """How many dice may still be thrown this turn."""
        return DICE - sum(count for _, count in self.aside)

    def throw(self) -> Throw | None:
        """All eight, then what is left, until dice or symbols run out."""
        if self.lying or not self.row or not self.dice_left or len(self.aside) == len(SYMBOLS):
            return None
        return Throw(self.turn, ("worm",) * self.dice_left)

    def asked(self) -> Mapping[Seat, str]:
        """The turn's seat, once dice lie before it."""
        if not self.row:
            return {}
        if self.lying:
            return {self.turn: "aside" if self._new_symbols() else "stop"}
        if self.aside:
            return {self.turn: "take" if self._takeable() else "stop"}
        return {}

    def _choices(self, seat: Seat) -> tuple[Choice, ...]:
        if self.lying:
            return tuple(Aside(symbol) for symbol in self._new_symbols()) or (Stop(),)
        return self._takeable() or (Stop(),)

    def _new_symbols(self) -> list[str]:
        used = {symbol for symbol, _ in self.aside}
        return [s for s in SYMBOLS if s not in used and any(die.face == s for die in self.lying)]

    def _takeable(self) -> tuple[Choice, ...]:
        total = self.total
        if not any(symbol == "worm" for symbol, _ in self.aside):
            return ()
        if total in self.row:
            return (Take(total),)
        stolen = tuple(
            Steal(total)
            for seat, stack in enumerate(self.stacks)
            if seat != self.turn and stack and stack[-1] == total
        )
        lower = [tile for tile in self.row if tile < total]
        if self.lower_tile == "highest":
            lower = lower[-1:]
        return (*stolen, *(Take(tile) for tile in reversed(lower)))

    def _rolled(self, roll: Rolled) -> Regenwormen:
        return replace(self, lying=roll.dice)

    def _chose(self, seat: Seat, choice: Choice) -> Regenwormen:
        match choice:
            case Aside(symbol):
                count = face_counts(self.lying)[symbol]
                return replace(self, aside=(*self.aside, (symbol, count)), lying=())
            case Take(tile):
                row = tuple(other for other in self.row if other != tile)
                return self._next(row=row, stacks=self._on_top(self.stacks, tile))
            case Steal(tile):
                robbed = tuple(s[:-1] if s and s[-1] == tile else s for s in self.stacks)
                return self._next(row=self.row, stacks=self._on_top(robbed, tile))
            case Stop():
                return self._failed()
        raise AssertionError(choice)

    def _on_top(self, stacks: tuple[tuple[int, ...], ...], tile: int) -> tuple[tuple[int, ...], ...]:
        return tuple((*s, tile) if seat == self.turn else s for seat, s in enumerate(stacks))

    def _failed(self) -> Regenwormen:
        stack = self.stacks[self.turn]
        row, stacks, turn_over = self.row, self.stacks, self.fail_without_tile == "turn"
        if stack:
            row = tuple(sorted((*row, stack[-1])))
            stacks = tuple(s[:-1] if seat == self.turn else s for seat, s in enumerate(stacks))
            turn_over = self.short_game or row[-1] != stack[-1]
        if turn_over:
            return self._next(row=row[:-1], stacks=stacks, turned=(*self.turned, row[-1]))
        return self._next(row=row, stacks=stacks)

    def _next(
        self,
        row: tuple[int, ...],
        stacks: tuple[tuple[int, ...], ...],
        turned: tuple[int, ...] | None = None,
    ) -> Regenwormen:
        return replace(
            self,
            row=row,
            stacks=stacks,
            turned=self.turned if turned is None else turned,
            turn=(self.turn + 1) % len(self.stacks),
            aside=(),
            lying=(),
        )

    def scores(self) -> tuple[int, ...]:
        """The worms on each seat's tiles."""
        return tuple(sum(WORMS[tile] for tile in stack) for stack in self.stacks)

    def parts(self, seat: Seat) -> Mapping[str, int]:
        """Worms by tile."""
        return {str(tile): WORMS[tile] for tile in self.stacks[seat]}

    def outcome(self) -> Outcome | None:
        """Over when no open tile is left; the single highest tile breaks a tie."""
        if self.row:
            return None
        scores = self.scores()
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        if len(best) == 1 or max(scores) == 0:
            return Outcome(scores, tuple(best))
        winner = max(best, key=lambda seat: max(self.stacks[seat]))
        return Outcome(scores, (winner,), decided_by="highest tile")

    def __str__(self) -> str:
        lines = ["row  " + " ".join(str(t) if t in self.row else "··" for t in TILES)]
        if self.turned:
            lines.append("turned  " + " ".join(map(str, self.turned)))
        for seat, (stack, worms) in enumerate(zip(self.stacks, self.scores(), strict=True)):
            mark = "▸" if self.row and seat == self.turn else " "
            lines.append(f"{mark} {seat}  {worms:2} worms  " + (" ".join(map(str, stack)) or "–"))
        if self.aside:
            kept = ", ".join(f"{count}×{symbol}" for symbol, count in self.aside)
            lines.append(f"aside {kept} = {self.total}")
        if self.lying:
            lines.append("lying " + " ".join(die.face for die in self.lying))
        return "\n".join(lines)


def _start(seats: int, options: Mapping[str, Value]) -> Regenwormen:
    return Regenwormen(
        lower_tile=str(options["lower_tile"]),
        short_game=bool(options["short_game"]),
        fail_without_tile=str(options["fail_without_tile"]),
        turn=int(options["start_player"]),
        stacks=((),) * seats,
    )


REGENWORMEN = Game(
    key="regenwormen",
    title="Regenwormen",
    seats=range(2, 8),
    dice=("worm",) * DICE,
    options=(
        Option("lower_tile", "highest", ("highest", "any")),
        Option("short_game", False, (False, True)),
        Option("fail_without_tile", "nothing", ("nothing", "turn")),
        start_player(7),
    ),
    _start=_start,
    minutes=20,
)
