"""The production server around the app: waitress in a thread of its own, taken down without noise."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.web.app import MOST_BYTES

GRACE_S = 1.0
"""What answers may still take once the table is closed; streams end at once."""
ROOM_BYTES = 4 * MOST_BYTES
"""What is kept of a request for the app, which refuses too much with a sentence; more is not even read."""


class Serving:
    """Pages served until `stop`. Raises `OSError` when the address cannot be had."""

    def __init__(self, app: Flask, host: str, port: int, threads: int) -> None:
        self._server: Any = create_server(
            app,
            host=host,
            port=port,
            threads=threads,
            clear_untrusted_proxy_headers=True,
            max_request_body_size=ROOM_BYTES,
        )
        self._thread = threading.Thread(target=self._server.run, name="pages", daemon=True)
        # a name such as localhost may stand for two addresses, and then waitress listens with two sockets
        self._sockets: dict[int, Any] = getattr(self._server, "map", None) or self._server._map
        self._listeners = [each for each in self._sockets.values() if hasattr(each, "effective_port")]

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._listeners[0].effective_port)

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def alive(self) -> bool:
        """Whether pages are still answered."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop answering. The sockets are closed by the thread that waits on them, or it would stumble."""
        self._server.task_dispatcher.shutdown(timeout=GRACE_S)
        if self._thread.is_alive():
            # an answer that ends right now wakes the thread first: then it has closed what is to wake it
            with contextlib.suppress(OSError):
                self._listeners[0].trigger.pull_trigger(
                    lambda: wasyncore.close_all(self._sockets, ignore_all=True)
                )
            self._thread.join(GRACE_S)
        else:
            self._server.close()
