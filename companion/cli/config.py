"""`companion config`: an example of the configuration, and a check of one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from companion import settings
from companion.cli import Mistake


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "config",
        help="print an example of the configuration, or check one",
        description="The configuration is one TOML file in which every key may be left out.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--example", action="store_true", help="print a documented example with every key")
    what.add_argument(
        "--check",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="FILE",
        help="check this file (default: the one that “companion serve” would use); says line and reason",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the example, or what is wrong with a file."""
    if arguments.example:
        print(settings.example(), end="")
        return 0
    file = arguments.check
    if file == Path():
        file = settings.where(settings.state_dir(settings.Settings()))
        if file is None:
            print("There is no configuration file: the defaults are used.")
            return 0
    if not file.is_file():
        raise Mistake(f"there is no file {file}: make one with  companion config --example > {file}")
    try:
        settings.read(file)
    except settings.BadConfig as bad:
        for line, reason in bad.complaints:
            print(f"{file}:{line}: {reason}", file=sys.stderr)
        return 2
    print(f"{file} is fine.")
    return 0
