"""Event streams: more pages than the server has threads must not freeze it."""

from __future__ import annotations

from companion.web import events
from tests.web.rig import room_of


def test_above_the_most_the_oldest_stream_gives_way(tmp_path, monkeypatch):
    monkeypatch.setattr(events, "MOST_STREAMS", 2)
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.0)
    log, _, _, app = room_of(tmp_path)
    room = app.extensions["companion"]
    streams = [events.look_again(room) for _ in range(3)]
    for stream in streams:
        assert "data: " in next(stream)
    assert list(streams[0]) == []
    assert "beat" in next(streams[1])
    assert "beat" in next(streams[2])
    for stream in streams:
        stream.close()
    assert not room.streams
    log.close()
