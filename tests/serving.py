"""A real `companion serve` in a process of its own, for the tests that start, kill and restart it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

PIN = "2468"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`companion serve` on a loopback port; `with` starts it and stops it with SIGTERM."""

    def __init__(self, state: Path, *arguments: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._state, self._arguments = state, arguments or ("--camera", "none")
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start and wait until the first answer."""
        command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--state", str(self._state), "--pin", PIN, *self._arguments]
        self._output = (self._state.parent / f"{self._state.name}.output").open("ab")
        self.process = subprocess.Popen(command, stdout=self._output, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while True:
            try:
                self.get("/api/state")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.kill()
                    raise AssertionError(f"the server did not start:\n{self.output()}") from None
                time.sleep(0.02)

    def stop(self) -> float:
        """Stop with SIGTERM; the seconds that took."""
        begun = time.monotonic()
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
        self._output.close()
        return time.monotonic() - begun

    def kill(self) -> None:
        """As if the plug were pulled on the program."""
        assert self.process
        self.process.kill()
        self.process.wait(20)
        self._output.close()

    def output(self) -> str:
        """What it printed."""
        return Path(self._output.name).read_text()

    def get(self, path: str, token: str = "") -> Any:
        return self._ask(urllib.request.Request(self.address + path), token)

    def post(self, path: str, body: dict[str, Any], token: str = "") -> Any:
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), method="POST")
        request.add_header("Content-Type", "application/json")
        return self._ask(request, token)

    def _ask(self, request: urllib.request.Request, token: str) -> Any:
        if token:
            request.add_header("X-Seat-Token", token)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or b"null")

    def host(self) -> str:
        """The host's token."""
        return str(self.post("/api/host", {"pin": PIN})["token"])

    def begin(self, game: str, *names: str, options: dict[str, Any] | None = None) -> list[str]:
        """A game with these players; their tokens."""
        host = self.host()
        self.post("/api/games", {"game": game, "options": options or {}, "seats": len(names)}, host)
        tokens = [str(self.post("/api/join", {"name": name})["token"]) for name in names]
        self.post("/api/start", {}, host)
        return tokens
