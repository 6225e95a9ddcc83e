"""Server-sent events: "look again" and the version, nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator

from companion.web.room import Room

HEARTBEAT_S = 10.0
SLICE_S = 0.5  # how soon a stream notices that the server stops
RETRY_MS = 1000


def look_again(room: Room) -> Iterator[str]:
    """The stream of one page; it ends when the server stops."""
    seen = room.table.view().version
    spoke = time.monotonic()
    yield f"retry: {RETRY_MS}\n{_look(room, seen)}"
    while not room.stop.is_set():
        version = room.table.wait(seen, SLICE_S)
        if version != seen:
            seen, spoke = version, time.monotonic()
            yield _look(room, seen)
        elif time.monotonic() - spoke >= HEARTBEAT_S:
            spoke = time.monotonic()
            yield "event: beat\ndata: \n\n"


def _look(room: Room, version: int) -> str:
    return f"data: {room.boot}-{version}\n\n"
