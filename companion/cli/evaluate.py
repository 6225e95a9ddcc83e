"""`companion evaluate`: how well the eye reads labelled pictures."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, Literal, TextIO


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "evaluate",
        help="measure the eye on labelled pictures",
        description="Reads labelled pictures and counts: dice, rolls, sure but wrong, doubts, by condition.",
        epilog="LABELS.json is a list of {file, source, dice: [{box: [x, y, width, height], value}]} for any "
        "number of ordinary dice, or {images: [{file, game, look, surface, lighting, camera_tilt, die_px, "
        "dice: [{kind, face, box, state}]}]} for the dice of a game.",
    )
    parser.add_argument("labels", type=Path, metavar="LABELS.json", help="labels of renders or photographs")
    parser.add_argument(
        "--images", type=Path, required=True, metavar="DIR", help="what the file names refer to"
    )
    parser.add_argument(
        "--report", type=Path, metavar="OUT.html", help="write a page with the worst pictures"
    )
    parser.add_argument("--models", type=Path, metavar="DIR", help="other models than the shipped ones")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate and print the figures."""
    from companion.cli import Mistake
    from companion.games import GAMES
    from companion.vision.evaluate import evaluate, figures, mean_over, read_pictures
    from companion.vision.labelled import NotLabels, labelled
    from companion.vision.reader import Reader

    try:
        pictures = labelled(arguments.labels, {key: game.dice for key, game in GAMES.items()})
        reader = Reader(arguments.models)
        made = arguments.report is not None and _made(arguments.report)  # before the long work
        done: list[int] = []
        missing: list[FileNotFoundError] = []

        def progress(_: object) -> None:
            done.append(1)
            if sys.stderr.isatty():
                print(f"\r{len(done)}/{len(pictures)}", end="", file=sys.stderr)

        def lost(problem: FileNotFoundError) -> None:
            missing.append(problem)
            progress(problem)

        report = evaluate(
            reader, pictures, read_pictures(arguments.images), time.perf_counter, progress, lost
        )
        if sys.stderr.isatty():
            print(file=sys.stderr)
    except NotLabels as problem:
        raise Mistake(str(problem)) from problem
    if not report.verdicts:
        if made:
            arguments.report.unlink()
        raise Mistake(f"{missing[0]}, nor any other: name the folder of the pictures with --images")
    for each in missing:
        told = f"companion: {each} and was left out: mend it, or take it out of the labels"
        print(told, file=sys.stderr)
    groups = report.groups()
    tables = {name: {key: figures(tally) for key, tally in rows.items()} for name, rows in groups.items()}
    if "source" in groups:
        keys = ("dice_right", "reported_real", "sure_right", "dice_sure")
        tables["mean over sources"] = {
            "all": {key: mean_over(list(groups["source"].values()), key) for key in keys}
        }
    if arguments.json:
        print(json.dumps(tables))
    else:
        for name, rows in tables.items():
            _print(name, rows)
    if arguments.report:
        from companion.vision.report import page

        with _open(arguments.report, "w") as out:
            out.write(page(report, arguments.images))
    return 2 if missing else 0


def _made(file: Path) -> bool:
    """Whether a report there is new; what is there already stays for now."""
    try:
        _open(file, "x").close()
    except FileExistsError:
        _open(file, "a").close()
        return False
    return True


def _open(file: Path, mode: Literal["a", "w", "x"]) -> TextIO:
    from companion.cli import Mistake

    try:
        return file.open(mode, encoding="utf-8")
    except FileExistsError:
        raise
    except OSError as error:
        raise Mistake(f"the report cannot be written to {file}: {error.strerror}") from error


def _print(name: str, rows: dict[str, dict[str, float | int | None]]) -> None:
    print(f"\n{name}")
    for key, row in sorted(rows.items()):
        shown = "  ".join(
            f"{word.replace('_', ' ')} {value}" for word, value in row.items() if value is not None
        )
        print(f"  {key}: {shown}")
