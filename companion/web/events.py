"""Server-sent events: "look again" and the version, nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from companion.web.room import Room

HEARTBEAT_S = 10.0
RETRY_MS = 1000


def look_again(room: Room) -> Iterator[str]:
    """The stream of one page; it ends when the table closes."""
    seen = room.table.view().version
    yield f"retry: {RETRY_MS}\n{_look(room, seen)}"
    while not room.table.closed:
        version = room.table.wait(seen, HEARTBEAT_S)
        if room.table.closed:
            return
        if version != seen:
            seen = version
            yield _look(room, seen)
        else:
            yield "event: beat\ndata: \n\n"


def _look(room: Room, version: int) -> str:
    return f"data: {room.boot}-{version}\n\n"
