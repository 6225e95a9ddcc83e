"""The table at one moment, and what it refuses: values that any thread may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.dice import Roll, Seat, Throw
from companion.games import GAMES
from companion.games.core import Chose, Event, Game, Rolled, State
from companion.table.players import Lobby
from companion.vision.reading import Sentence, Sight

Phase = Literal["lobby", "playing", "over"]
Lamp = Literal["ready", "rolling", "sure", "doubt", "error"]


class Refused(ValueError):
    """What the table will not do now, as a sentence for the player (English; pages translate it)."""

    def __init__(self, text: str, **blanks: object) -> None:
        self.sentence = Sentence(text, tuple((name, str(value)) for name, value in blanks.items()))
        super().__init__(str(self.sentence))


@dataclass(frozen=True, slots=True)
class View:
    """The table at one moment, all of a piece: any thread may hold it and draw from it."""

    version: int
    game_id: int
    lobby: Lobby
    phase: Phase
    state: State | None
    events: tuple[Event, ...]
    choices_made: tuple[int, ...]
    due: tuple[int, Throw] | None
    sight: Sight | None
    trouble: Sentence | None
    auto_confirm: bool
    undo_asked: Seat | None
    threw: Seat | None
    """Who threw last, among the rolls that stand."""
    lately: tuple[tuple[State, Chose], ...]
    """The last choices that stand, the newest first, each with the state it was made in."""
    unread: Sentence | None
    """Said in a lobby that lies here because the last game cannot be read any more."""

    @property
    def game(self) -> Game:
        """The game on the table."""
        return GAMES[self.lobby.key]

    @property
    def rolls_made(self) -> int:
        """How many rolls stand: the name of the throw that is due, the same after a restart."""
        return sum(isinstance(event, Rolled) for event in self.events)

    @property
    def last_roll(self) -> Roll:
        """The last roll that stands; empty before the first."""
        return next((event.dice for event in reversed(self.events) if isinstance(event, Rolled)), ())

    @property
    def offered(self) -> Roll | None:
        """The roll that the eye trusts and the button would take."""
        return self.sight.roll if self.sight else None
