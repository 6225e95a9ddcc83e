"""The README: its example is run, and every file it points to is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from companion.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_the_example_prints_what_the_readme_says(capsys):
    command, printed = re.findall(r"^    \.venv/bin/companion (.+)$|^    (\{.+\})$", README, re.MULTILINE)
    assert main(shlex.split(command[0])) == 0
    assert capsys.readouterr().out.strip() == printed[1]


def test_every_link_and_picture_is_there():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_command_is_named():
    assert [name for name in COMMANDS if f"companion {name}" not in README] == []


def test_every_dependency_has_its_reason():
    needed = (ROOT / "pyproject.toml").read_text().split("dependencies = [")[1].split("]")[0]
    names = re.findall(r'"([a-z-]+)', needed)
    assert names
    assert [name for name in names if f"| {name} |" not in README] == []
