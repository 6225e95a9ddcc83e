"""Event streams: more pages than the server has threads must not freeze it, and a new address is told."""

from __future__ import annotations

from companion.web import create_app, events
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


def test_an_open_page_hears_of_a_new_address(tmp_path, monkeypatch):
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.0)
    log, table, _, _ = room_of(tmp_path)
    found: list[str] = []
    room = create_app(table, secret="s", pin="1", addresses=lambda: found).extensions["companion"]
    stream = events.look_again(room)
    first = next(stream)
    assert "beat" in next(stream)
    found.append("http://192.168.1.7:8017")
    told = next(stream)
    assert told.startswith("data: ") and told not in first
    assert "beat" in next(stream)
    log.close()
