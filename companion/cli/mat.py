"""`companion mat`: the printable mat as PDF and SVG."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.cli import Mistake

TRAY_GAMES = ("clever",)


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "mat",
        help="make the printable mat as PDF and SVG",
        description="Make the mat that lies under the dice, as PDF and SVG. Print it at 100 %, on plain matt "
        "paper, and check the ruler.",
    )
    parser.add_argument("--size", choices=("a4", "a3"), default="a4", help="the paper (default a4)")
    parser.add_argument("--game", metavar="KEY", help="a mat for this game: clever, regenwormen, …")
    parser.add_argument(
        "--plain", action="store_true", help="no silver tray, a wider roll zone (Clever alone needs the tray)"
    )
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to (default: here)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the two files."""
    from companion.games import GAMES
    from companion.vision.mat import draw

    key = arguments.game
    if key is not None and key not in GAMES:
        raise Mistake(f"there is no game “{key}”: choose from {', '.join(GAMES)}")
    tray = not arguments.plain and (key is None or key in TRAY_GAMES)
    title, dice = "", ""
    if key is not None:
        game = GAMES[key]
        title, dice = game.title, f"{len(game.dice)} dobbelstenen · {len(game.dice)} dice"
    page = draw(arguments.size, tray, title, dice)
    name = "-".join(["mat", arguments.size, *([key] if key else []), *(["plain"] if arguments.plain else [])])
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
        for suffix, content in ((".pdf", page.pdf()), (".svg", page.svg().encode())):
            file = arguments.out / (name + suffix)
            file.write_bytes(content)
            print(file)
    except OSError as error:
        raise Mistake(f"the mat cannot be written to {arguments.out}: {error.strerror}") from error
    return 0
