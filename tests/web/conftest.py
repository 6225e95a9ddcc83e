"""A browser for all tests of a file, and tables that serve in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.phones import Server, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A table whose dice are drawn and read for certain: the pages are tested, not the eye."""
    server = Server(tmp_path, seed=5)
    server.start()
    yield server
    server.close()


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[Server]:
    """`companion serve --camera sim`: the simulated tray, the eye and all."""
    server = Server(tmp_path, tray=True)
    server.start()
    yield server
    server.close()
