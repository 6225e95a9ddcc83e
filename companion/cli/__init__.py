"""The command `companion`: one module a command, each with `add(commands)` and `run(arguments)`.

This is the only layer that picks real or simulated devices.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from companion import __version__
from companion.vision.models import ModelMissing

COMMANDS = ("serve", "read", "watch", "evaluate", "play", "bench", "mat", "config", "doctor")


class Mistake(ValueError):
    """Something the user can put right; its text is one sentence that says what to do."""


class Parser(argparse.ArgumentParser):
    """Arguments of a command; a mistake in them is one sentence, too."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where to read what would be right."""
        self.exit(2, f"companion: {message}: see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; a mistake of the user is one sentence on stderr and exit code 2."""
    parser = Parser(
        prog="companion",
        description="A companion for a real game table: it reads the dice and puts every sheet on a phone.",
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        import_module(f"companion.cli.{name}").add(commands)
    arguments = parser.parse_args(argv)
    if isinstance(sys.stdout, TextIOWrapper):  # a file's name may hold what cannot be printed
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return int(arguments.run(arguments))
    except Mistake as mistake:
        print(f"companion: {mistake}", file=sys.stderr)
        return 2
    except ModelMissing as missing:
        print(f"companion: {missing}: install the companion again, or train the model", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return 130
