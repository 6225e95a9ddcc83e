"""`.ci/venv.sh`, with which ./serve and ./check set themselves up, also after a time that was broken off."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = """#!/bin/sh
echo "$*" >>asked
case "$*" in
    "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python && touch .venv/pip ;;
    "-m pip "*) [ -f .venv/pip ] ;;
esac
"""
"""Stands in for Python: an environment has pip when it was made to its end."""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".ci").mkdir()
    for name in ("pyproject.toml", ".ci/venv.sh"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def set_up(folder: Path) -> tuple[int, list[str]]:
    """Set up in this folder: the exit code, and which modules Python was asked for."""
    (folder / "asked").write_text("")
    command = ["bash", "-euc", ". .ci/venv.sh; ensure_venv ."]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PYTHON": "./python"}, check=False)
    asked = (line.split() for line in (folder / "asked").read_text().splitlines())
    return done.returncode, [" ".join(words[1:3]) for words in asked if words[0] == "-m"]


def test_the_first_time_makes_it_and_the_second_only_looks(folder):
    assert set_up(folder) == (0, ["venv .venv", "pip install"])
    assert set_up(folder) == (0, [])


def test_an_update_keeps_what_is_there(folder):
    set_up(folder)
    (folder / "pyproject.toml").write_text("# another version\n")
    assert set_up(folder) == (0, ["pip --version", "pip install"])


def test_an_environment_that_was_broken_off_is_made_anew(folder):
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/python").write_bytes((folder / "python").read_bytes())
    (folder / ".venv/bin/python").chmod(0o755)
    assert set_up(folder) == (0, ["pip --version", "venv .venv", "pip install"])
