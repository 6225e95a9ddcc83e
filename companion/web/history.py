"""The history of the game on the table: every entry, whose it was, and whether it still stands."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime

from companion.dice import Roll, Seat
from companion.games.core import Choice, Chose, Corrected, Entry, Rolled, State, Undone
from companion.log import Line
from companion.table import Story, Table, View
from companion.table.story import entry_of


@dataclass(slots=True)
class Told:
    """One entry: when, who, what, the state it came in, and whether it was taken back or corrected since."""

    at: float
    kind: str
    seat: Seat | None
    state: State
    dice: Roll = ()
    choice: Choice | None = None
    gone: bool = False

    @property
    def clock(self) -> str:
        """The time of day."""
        return datetime.fromtimestamp(self.at).strftime("%H:%M")


class Chronicle:
    """Reads the log as it grows, so that a long game is not replayed for every look at it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._game = -1
        self._told: list[Told] = []
        self._standing: list[Told] = []
        self._story: Story | None = None

    def told(self, table: Table, view: View) -> list[Told]:
        """Every entry of the game on the table, the oldest first."""
        if view.state is None:
            return []
        lines = table.history(view.game_id)
        with self._lock:
            if self._story is None or view.game_id != self._game or len(lines) < len(self._told):
                self._game, self._told, self._standing = view.game_id, [], []
                self._story = Story(view.game.start(len(view.lobby.players), view.lobby.options))
            for line in lines[len(self._told) :]:
                self._add(self._story, line)
            return list(self._told)

    def _add(self, story: Story, line: Line) -> None:
        entry = entry_of(line, story.state)
        told = _told(line, entry, story)
        last_roll = story.last_roll()
        story.add(entry)
        match entry:
            case Rolled() | Chose():
                self._standing.append(told)
            case Undone(seat):
                place = max(n for n, each in enumerate(self._standing) if each.seat == seat and each.choice)
                self._standing.pop(place).gone = True
            case Corrected() if last_roll:
                stays = len(story.events)
                for each in (self._standing[last_roll[0]], *self._standing[stays:]):
                    each.gone = True
                self._standing[last_roll[0] :] = [told, *self._standing[last_roll[0] + 1 : stays]]
        self._told.append(told)


def _told(line: Line, entry: Entry, story: Story) -> Told:
    match entry:
        case Rolled(dice):
            due = story.state.throw()
            return Told(line.at, line.kind, due.seat if due else None, story.state, dice)
        case Corrected(dice):
            return Told(line.at, line.kind, story.threw(), story.state, dice)
        case Chose(seat, choice):
            return Told(line.at, line.kind, seat, story.state, choice=choice)
        case Undone(seat):
            return Told(line.at, line.kind, seat, story.state)
