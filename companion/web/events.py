"""Server-sent events: "look again" and the version, nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from companion.web.room import Room

HEARTBEAT_S = 10.0
RETRY_MS = 1000
MOST_STREAMS = 32
"""Every stream holds a thread of the server; above this the oldest, often a phone that left, gives way."""


def look_again(room: Room) -> Iterator[str]:
    """The stream of one page; it ends when the table closes or too many newer ones have come."""
    own, streams = object(), room.streams
    streams.append(own)
    while len(streams) > MOST_STREAMS:
        streams.popleft()
    try:
        version = room.table.view().version
        seen = room.version(version, room.addresses())
        yield f"retry: {RETRY_MS}\n{_look(seen)}"
        while own in streams and not room.table.closed:
            version = room.table.wait(version, HEARTBEAT_S)
            if room.table.closed:
                return
            before, seen = seen, room.version(version, room.addresses())
            yield _look(seen) if seen != before else "event: beat\ndata: \n\n"
    finally:
        if own in streams:
            streams.remove(own)


def _look(version: str) -> str:
    return f"data: {version}\n\n"
