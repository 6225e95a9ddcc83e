"""What a player of Clever can decide; the text of a choice is its identity."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.clever.sheet import Field
from companion.games.core import Choice


def _die_in(die: str, field: Field) -> str:
    """`blue 7` for a die in its own area, `white blue 7` for the joker."""
    return str(field) if die == field.area else f"{die} {field}"


@dataclass(frozen=True, slots=True)
class Pick(Choice):
    """Enter a die in a field: the active player places it, a passive one uses it where it lies."""

    die: str
    field: Field

    def __str__(self) -> str:
        return f"pick {_die_in(self.die, self.field)}"


@dataclass(frozen=True, slots=True)
class Waste(Choice):
    """Place a die that cannot be entered (option `wasted_pick`)."""

    die: str

    def __str__(self) -> str:
        return f"waste {self.die}"


@dataclass(frozen=True, slots=True)
class Reroll(Choice):
    """Spend a re-roll action: all dice just rolled are thrown again."""

    def __str__(self) -> str:
        return "reroll"


@dataclass(frozen=True, slots=True)
class Pass(Choice):
    """Let a roll go that has no usable die."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Skip(Choice):
    """Use no die as a passive player."""

    def __str__(self) -> str:
        return "skip"


@dataclass(frozen=True, slots=True)
class Fill(Choice):
    """Fill a field for a bonus."""

    field: Field

    def __str__(self) -> str:
        return f"bonus {self.field}"


@dataclass(frozen=True, slots=True)
class Extra(Choice):
    """Spend an extra-die action: enter any of the six dice once more."""

    die: str
    field: Field

    def __str__(self) -> str:
        return f"extra {_die_in(self.die, self.field)}"


@dataclass(frozen=True, slots=True)
class Done(Choice):
    """Keep the extra-die actions that are left for later."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Serve(Choice):
    """Solo: say which of equal dice lies nearest to the tray and so goes on it."""

    die: str

    def __str__(self) -> str:
        return f"tray {self.die}"
