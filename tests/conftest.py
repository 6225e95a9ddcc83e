"""What all tests share: the two hypothesis profiles and the switch for what takes long."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_CALM = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True}
settings.register_profile("check", max_examples=12, **_CALM)
settings.register_profile("long", max_examples=400, **_CALM)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run what takes long")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("long" if config.getoption("--long") else "check")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    on_a_pi = Path("/proc/device-tree/model").exists()
    for item in items:
        if item.get_closest_marker("long") and not config.getoption("--long"):
            item.add_marker(pytest.mark.skip(reason="takes long: ./check --long runs it"))
        if item.get_closest_marker("pi") and not on_a_pi:
            item.add_marker(pytest.mark.skip(reason="needs a real Raspberry Pi"))
