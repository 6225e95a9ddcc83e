"""Light pages: what the first view and each update of a sheet cost over the wire."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.games import GAMES
from tests.web.rig import room_of
from tests.web.test_around import play_out

FIRST_VIEW = 120_000
UPDATE = 25_000
MIDDLE = {"regenwormen": 40, "clever": 60, "dicy_cards": 40, "geizen": 30, "keer_op_keer_2": 40}
"""Events after which a game is well under way."""


def wire(phone: FlaskClient, path: str, **headers: str) -> tuple[int, str]:
    """What an answer costs, headers and all, and its text."""
    with phone.get(path, headers={"Accept-Encoding": "gzip", **headers}) as answer:
        assert answer.status_code == 200, path
        head = sum(len(name) + len(value) + 4 for name, value in answer.headers)
        plain = gzip.decompress(answer.data) if answer.content_encoding == "gzip" else answer.data
        return head + len(answer.data), plain.decode()


def first_view(phone: FlaskClient, path: str) -> int:
    """The page with everything it links to."""
    size, html = wire(phone, path)
    waiting = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html))
    assert len(waiting) > 3
    seen: set[str] = set()
    while waiting:
        part = waiting.pop()
        seen.add(part)
        cost, text = wire(phone, part)
        size += cost
        imports = {f"/static/{name}" for name in re.findall(r'from "\./([^"]+)"', text)}
        waiting |= imports - seen
    return size


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_light(tmp_path: Path, key: str) -> None:
    log, table, _, app = room_of(tmp_path)
    phone = app.test_client()
    assert first_view(phone, "/") <= FIRST_VIEW
    phone.post("/join", data={"name": "Anna"})
    table.join("Bram")
    table.change(key, {})
    assert first_view(phone, "/seat") <= FIRST_VIEW, "the lobby"
    table.start()
    largest = 0
    for step in range(MIDDLE[key]):
        play_out(table, 1, seed=step)
        if step % 4 == 0 or step > MIDDLE[key] - 6:
            largest = max(largest, wire(phone, "/seat?as=0", **{"X-Fragment": "yes"})[0])
    print(f"{key}: first view {first_view(phone, '/seat')} bytes, largest update {largest} bytes")
    assert first_view(phone, "/seat") <= FIRST_VIEW
    assert largest <= UPDATE
    assert wire(phone, "/history", **{"X-Fragment": "yes"})[0] <= UPDATE
    log.close()
