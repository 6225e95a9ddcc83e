"""The table: seats, the current state, the log behind it; the only mutable thing, under one lock."""

from __future__ import annotations

import sqlite3

from companion.dice import Throw
from companion.log import Kept, Line
from companion.table.playing import Playing
from companion.table.seating import Seating
from companion.table.seeing import Seeing
from companion.table.view import View

_LATELY = 2
"""So many choices are told to those who did not make them."""


class Table(Seating, Playing, Seeing):
    """One real table. Every method that changes something either does all of it or raises `Refused`."""

    def view(self) -> View:
        """The table now."""
        with self._lock:
            story = self._story
            return View(
                version=self._version,
                game_id=self._game_id,
                lobby=self._lobby,
                phase=self._phase,
                state=story.state if story else None,
                events=story.events if story else (),
                choices_made=tuple(
                    story.choices_made(s) if story else 0 for s in range(len(self._lobby.players))
                ),
                due=self._due,
                sight=self._sight,
                trouble=self._trouble,
                auto_confirm=self.auto_confirm,
                undo_asked=self._undo_asked,
                threw=story.threw() if story else None,
                lately=story.lately(_LATELY) if story else (),
                unread=self._unread,
            )

    def due(self) -> tuple[int, Throw] | None:
        """The throw that is due and its number, for the eye: a new number wants a new watch."""
        with self._lock:
            return self._due

    def wait(self, seen: int, timeout: float) -> int:
        """Wait until the table has changed since the version `seen`; the version now."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._version != seen, timeout)
            return self._version

    def close(self) -> None:
        """The evening is over: nobody waits for this table any more. What was played is in the log."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def history(self, game_id: int | None = None) -> list[Line]:
        """Every entry of a game, of the one on the table if none is named, as the log has it."""
        return self._log.lines(self._game_id if game_id is None else game_id)

    def games(self) -> list[Kept]:
        """All games of this table, the newest first."""
        return list(self._log.games())

    def keep(self, name: str, text: str) -> None:
        """Remember a text of the owner's, such as the board of Geizen, for the games to come."""
        self._log.keep(f"owner.{name}", text)
        with self._lock:
            self._tell()

    def try_log(self) -> None:
        """Write a word into the log, to prove that it can be written; raises `OSError` if it cannot."""
        try:
            self._log.keep("alive", "yes")
        except sqlite3.Error as problem:
            raise OSError(f"the log cannot be written: {problem}") from problem

    def kept(self, name: str) -> str:
        """A text of the owner's; empty if there is none."""
        return self._log.kept(f"owner.{name}")
