"""How fast a deed reaches every phone, and how heavy the pages are, on a real server: for the bench."""

from __future__ import annotations

import json
import re
import socket
import statistics
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

from companion.dice import Seat
from companion.games.core import State
from companion.log import Log
from companion.table import Table
from companion.web.app import create_app
from companion.web.serving import Serving

PIN = "0000"
GIVE_UP_S = 30.0


def push_latency(phones: int = 8, rounds: int = 10) -> dict[str, float]:
    """Milliseconds from a POST until all phones have heard and hold their new page; compressed sizes."""
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder))
        table = Table(log)
        app = create_app(table, secret=log.secret(), pin=PIN)
        pages = Serving(app, "127.0.0.1", 0, threads=4 * phones + 4)
        pages.start()
        try:
            return _measure(table, pages.port, phones, rounds)
        finally:
            table.close()
            pages.stop()
            log.close()


def _measure(table: Table, port: int, phones: int, rounds: int) -> dict[str, float]:
    table.open("regenwormen", {})
    seats = min(phones, 7)
    tokens = [_join(port, f"Player {n + 1}") for n in range(seats)]
    everyone = [Phone(port, tokens[n % seats]) for n in range(phones)]
    table.start()
    for phone in everyone:
        phone.reach(table.view().version)
    times = []
    for _ in range(rounds):
        state = table.view().state
        assert state is not None  # noqa: S101 - it was started above
        path, seat, body = _next_deed(state)
        began = time.perf_counter()
        _post(port, path, body, tokens[seat])
        version = table.view().version
        times.append(1000 * (max(phone.reach(version) for phone in everyone) - began))
    sizes = everyone[0].sizes()
    for phone in everyone:
        phone.hang_up()
    return {"median_ms": statistics.median(times), "worst_ms": max(times), **sizes}


def _next_deed(state: State) -> tuple[str, Seat, dict[str, object]]:
    for seat in state.asked():
        return "/api/choose", seat, {"choice": str(state.legal(seat)[0])}
    due = state.throw()
    assert due is not None  # noqa: S101 - a game that goes on waits for somebody
    dice = [f"worm:{1 + n % 2}" for n in range(len(due.kinds))]
    return "/api/roll", due.seat, {"dice": dice}


class Phone:
    """A page that listens to the events and fetches its part, as the browser's module does."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._headers = port, {"X-Seat-Token": token, "Accept-Encoding": "gzip"}
        self._pages = HTTPConnection("127.0.0.1", port, timeout=GIVE_UP_S)
        self._stream = socket.create_connection(("127.0.0.1", port), timeout=GIVE_UP_S)
        self._stream.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self._told = threading.Condition()
        self._has: tuple[int, float] = (-1, 0.0)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def reach(self, version: int) -> float:
        """When this phone held a page of that version."""
        with self._told:
            if not self._told.wait_for(lambda: self._has[0] >= version, GIVE_UP_S):
                raise TimeoutError(f"a phone has not heard of version {version}")
            return self._has[1]

    def sizes(self) -> dict[str, float]:
        """The bytes over the wire of the first view with all its files, and of the living part."""
        page = self._get("/seat", {"Accept-Encoding": ""})
        files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())
        first = len(self._get("/seat")) + sum(len(self._get(file)) for file in files)
        return {"first_view_bytes": first, "fragment_bytes": len(self._get("/seat", {"X-Fragment": "yes"}))}

    def hang_up(self) -> None:
        """Leave."""
        self._stream.shutdown(socket.SHUT_RDWR)
        self._stream.close()
        self._thread.join(3)
        self._pages.close()

    def _listen(self) -> None:
        rest = b""
        while piece := self._receive():
            *lines, rest = (rest + piece).split(b"\n")
            # A version is named by the run of the server, the table's version and its addresses.
            versions = [line.split(b"-")[1] for line in lines if line.startswith(b"data: ") and b"-" in line]
            if versions:
                self._get("/seat", {"X-Fragment": "yes"})
                with self._told:
                    self._has = (int(versions[-1]), time.perf_counter())
                    self._told.notify_all()

    def _receive(self) -> bytes:
        try:
            return self._stream.recv(4096)
        except OSError:
            return b""

    def _get(self, path: str, more: dict[str, str] | None = None) -> bytes:
        self._pages.request("GET", path, headers={**self._headers, **(more or {})})
        answer = self._pages.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path} said {answer.status}")
        return body


def _post(port: int, path: str, body: object, token: str = "") -> dict[str, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=GIVE_UP_S)
    connection.request("POST", path, json.dumps(body), {"X-Seat-Token": token} if token else {})
    answer = connection.getresponse()
    told: dict[str, str] = json.loads(answer.read())
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} said {answer.status}: {told}")
    return told


def _join(port: int, name: str) -> str:
    return _post(port, "/api/join", {"name": name})["token"]
