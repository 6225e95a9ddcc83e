"""Everything that happened, append-only, in one SQLite file; whoever was told of it will find it there."""

from __future__ import annotations

import contextlib
import fcntl
import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.dice import Seat

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, lobby TEXT NOT NULL, phase TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    game INTEGER NOT NULL REFERENCES games, number INTEGER NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, text TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (game, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class StateUnusable(OSError):
    """A state folder that cannot be used, with what to do about it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry as it stands in the log: its kind, who, the text of the choice or the dice, and when."""

    kind: str
    seat: Seat | None
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in the log."""

    id: int
    key: str
    lobby: dict[str, Any]
    phase: str
    at: float


class Log:
    """The state folder of one table. Only one program may hold it at a time."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._held = (folder / "lock").open("w")
        except OSError as problem:
            raise StateUnusable(
                f"the state folder {folder} cannot be written ({problem.strerror}): "
                "choose another with --state or mend its permissions"
            ) from problem
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            self._held.close()
            raise StateUnusable(
                f"another companion is using the state folder {folder}: stop it, or choose one with --state"
            ) from problem
        path = folder / "companion.db"
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(SCHEMA)
        except sqlite3.Error as problem:
            self._held.close()
            raise StateUnusable(
                f"the games in {path} cannot be read ({problem}): move that file away to begin anew, "
                "or put back a copy of it"
            ) from problem

    def close(self) -> None:
        """Let the folder go."""
        with self._lock:
            self._db.close()
            self._held.close()

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """What is written within is on the disk all of it, or none of it."""
        with self._lock, self._db:
            self._db.execute("BEGIN")
            yield

    def begin(self, key: str, lobby: dict[str, Any]) -> int:
        """A new game; its number."""
        row = self._do(
            "INSERT INTO games (key, lobby, phase, at) VALUES (?, ?, 'lobby', ?) RETURNING id",
            (key, json.dumps(lobby), self._clock()),
        )
        return int(row[0][0])

    def arrange(self, game: int, key: str, lobby: dict[str, Any], phase: str) -> None:
        """Keep who sits where, the options and the phase of a game."""
        self._do(
            "UPDATE games SET key = ?, lobby = ?, phase = ? WHERE id = ?",
            (key, json.dumps(lobby), phase, game),
        )

    def append(self, game: int, kind: str, seat: Seat | None, text: str) -> Line:
        """Write an entry; when this returns it is on the disk."""
        line = Line(kind, seat, text, self._clock())
        self._do(
            "INSERT INTO entries SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?"
            " FROM entries WHERE game = ?",
            (game, line.kind, line.seat, line.text, line.at, game),
        )
        return line

    def lines(self, game: int) -> list[Line]:
        """All entries of a game, in order."""
        rows = self._do("SELECT kind, seat, text, at FROM entries WHERE game = ? ORDER BY number", (game,))
        return [Line(*row) for row in rows]

    def games(self) -> Iterator[Kept]:
        """All games, the newest first."""
        rows = self._do("SELECT id, key, lobby, phase, at FROM games ORDER BY id DESC", ())
        for number, key, lobby, phase, at in rows:
            yield Kept(number, key, json.loads(lobby), phase, at)

    def keep(self, name: str, value: str) -> None:
        """Remember a value for this table, such as the host's PIN or the board of Geizen."""
        self._do("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, value))

    def kept(self, name: str, default: str = "") -> str:
        """A remembered value."""
        rows = self._do("SELECT value FROM kept WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else default

    def secret(self) -> str:
        """The key that signs the seats' cookies: made on first start and kept."""
        if not self.kept("secret"):
            self.keep("secret", secrets.token_hex(32))
        return self.kept("secret")

    def _do(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()
