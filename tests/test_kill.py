"""Pulling the plug: `kill -9` at any moment loses no event that a phone has been told about."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.dice import KINDS
from companion.log import Log
from tests.serving import Server


def play_on(server: Server, tokens: list[str], chance: Random) -> tuple[str, str] | None:
    """One more event over the JSON interface; what the log must hold once it is answered."""
    state = server.get("/api/state", tokens[0])
    if state["phase"] == "over":
        return None
    asked = sorted(state["asked"])
    if asked and (state["throw"] is None or chance.random() < 0.3):
        seat = int(asked[0])
        mine = server.get("/api/state", tokens[seat])
        text = chance.choice(mine["legal"])
        server.post("/api/choose", {"choice": text, "choices_made": mine["choices_made"]}, tokens[seat])
        return "chose", text
    due = state["throw"]
    dice = [f"{kind}:{chance.choice(KINDS[kind].sides)}" for kind in due["kinds"]]
    server.post("/api/roll", {"dice": dice}, tokens[due["seat"]])
    return "rolled", " ".join(dice)


def lines(state: Path) -> list[tuple[str, str]]:
    log = Log(state)
    try:
        return [(line.kind, line.text) for line in log.lines(next(log.games()).id)]
    finally:
        log.close()


def kill_again_and_again(tmp_path: Path, kills: int) -> None:
    chance = Random(kills)
    with Server(tmp_path / "state") as server:
        tokens = server.begin("regenwormen", "Anna", "Bram")
        told: list[tuple[str, str]] = []
        events = 0
        for _ in range(kills):
            killer = threading.Timer(chance.uniform(0.005, 0.25), server.kill)
            killer.start()
            with contextlib.suppress(OSError, http.client.HTTPException):
                while True:
                    if event := play_on(server, tokens, chance):
                        told.append(event)
                        events += 1
            killer.join()
            kept = lines(tmp_path / "state")
            assert kept[: len(told)] == told, "an event that was told is gone"
            assert len(kept) <= len(told) + 1, "an event nobody made is there"
            told = kept
            server.start()
            after: dict[str, Any] = server.get("/api/state", tokens[1])
            assert after["you"] == 1
            if after["phase"] == "over":
                tokens = server.begin("regenwormen", "Anna", "Bram")
                told = []
        assert events > kills


def test_25_kills_lose_nothing(tmp_path):
    kill_again_and_again(tmp_path, 25)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_200_kills_lose_nothing(tmp_path):
    kill_again_and_again(tmp_path, 200)


def test_a_clean_stop_takes_less_than_two_seconds_with_streams_open(tmp_path):
    server = Server(tmp_path / "state")
    server.start()
    tokens = server.begin("regenwormen", "Anna", "Bram")
    streams = [_stream(server, token) for token in tokens for _ in range(4)]
    assert server.get("/api/state")["phase"] == "playing"
    assert server.stop() < 2
    for stream in streams:
        stream.close()


def _stream(server: Server, token: str) -> Any:
    import urllib.request

    request = urllib.request.Request(server.address + "/api/events", headers={"X-Seat-Token": token})
    answer = urllib.request.urlopen(request, timeout=20)
    answer.readline()
    return answer


def test_many_open_streams_never_block_a_page(tmp_path):
    with Server(tmp_path / "state") as server:
        tokens = server.begin("regenwormen", *(f"P{n}" for n in range(7)))
        streams = [_stream(server, token) for token in tokens for _ in range(4)]
        begun = time.monotonic()
        assert server.get("/api/state")["phase"] == "playing"
        assert time.monotonic() - begun < 5
        for stream in streams:
            stream.close()
