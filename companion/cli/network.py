"""The addresses under which phones on the same network reach this machine, and a port to be reached at."""

from __future__ import annotations

import fcntl
import socket
import struct
from ipaddress import IPv6Address
from pathlib import Path

_SIOCGIFADDR = 0x8915
"""The ioctl that asks an interface for its IPv4 address; nothing is sent anywhere."""


def addresses() -> list[str]:
    """The numeric IPv4 addresses of this machine, those of the loopback interface left out."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # an interface without an address
            address = socket.inet_ntoa(answer[20:24])
            if not address.startswith("127."):
                found.append(address)
    return found


def addresses_6(known: Path = Path("/proc/net/if_inet6")) -> list[str]:
    """The numeric IPv6 addresses of this machine that hold beyond itself and a single cable."""
    try:
        rows = [line.split() for line in known.read_text().splitlines()]
    except OSError:
        return []  # a system without IPv6
    return [str(IPv6Address(bytes.fromhex(row[0]))) for row in rows if row[3] == "00"]


def free_port(host: str) -> int:
    """A port that is free on this address now; 0 where the address cannot be had at all."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(place)
            return int(probe.getsockname()[1])
    except (OSError, ValueError):
        return 0
