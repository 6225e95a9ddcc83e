"""Tells systemd that the table is open and still alive; without systemd it does nothing."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable


def notify(state: str) -> bool:
    """Send one message such as `READY=1`; False when nobody listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            line.sendto(state.encode(), address)
    except OSError:
        return False
    return True


def watchdog_seconds() -> float | None:
    """How often systemd wants to hear from this process; None if it does not watch."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    if not microseconds.isdigit() or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(microseconds) / 1e6


def keep_alive(stopped: threading.Event, alive: Callable[[], bool]) -> None:
    """Wait until `stopped`, telling systemd twice an interval that all is well, but only while it is."""
    seconds = watchdog_seconds()
    notify("READY=1")
    while not stopped.wait(None if seconds is None else seconds / 2):
        if alive():
            notify("WATCHDOG=1")
    notify("STOPPING=1")
