"""`companion read`: the dice in pictures, one line a picture."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.dice import Die, NotADie, Roll

if TYPE_CHECKING:
    from companion.vision.reading import Reading


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "read",
        help="read the dice in pictures",
        description="Reads the dice in each picture, the game known, and says what is in doubt.",
    )
    parser.add_argument("--game", required=True, metavar="KEY", help="clever, regenwormen, …, or pips")
    parser.add_argument("--dice", metavar="KIND,KIND,…", help="the dice due (default: the game's full set)")
    parser.add_argument("--lying", metavar="KIND:FACE,…", default="", help="dice that may stay in view")
    parser.add_argument("--json", action="store_true", help="one JSON object a line and picture")
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a picture file")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read every picture; one that cannot be opened does not stop the others."""
    from companion.cli import Mistake
    from companion.cli.watch import dice_of, due_throw
    from companion.vision.reader import Reader

    throw = due_throw(arguments.game, arguments.dice)
    due, lying = None if throw is None else throw.kinds, lying_dice(arguments.lying)
    dice_of(arguments.game, tuple(die.kind for die in lying))
    if due is None and lying:
        raise Mistake("--lying needs the dice due: name them with --dice, or name a game other than pips")
    reader = Reader()
    code = 0
    for name in arguments.images:
        image = picture(name)
        if image is None:
            error = f"{name} is not there, or is no picture that can be read"
            print(json.dumps({"file": name, "error": error}) if arguments.json else error)
            print(f"companion: {error}: give a JPEG or PNG file", file=sys.stderr)
            code = 2
            continue
        begun = time.perf_counter()
        reading = reader.read(image, due, lying)
        spent = (time.perf_counter() - begun) * 1000
        told = as_json(name, reading, spent) if arguments.json else as_words(name, reading, spent)
        print(told, flush=True)
    return code


def lying_dice(text: str) -> Roll:
    """The dice written `kind:face,kind:face`."""
    from companion.cli import Mistake

    try:
        return tuple(Die.named(part) for part in text.split(",") if part.strip())
    except NotADie as problem:
        raise Mistake(str(problem)) from problem


def picture(name: str) -> Any:
    """The picture in a file, or None if there is none."""
    from companion.vision import pictures

    return pictures.picture(Path(name))


def as_json(name: str, reading: Reading, spent: float) -> str:
    """The reading as one JSON line."""
    dice = [
        {
            "kind": spot.die.kind,
            "face": spot.die.face,
            "box": list(spot.box),
            "confidence": spot.confidence,
            "sure": spot.sure,
            "state": spot.state,
            "alternatives": [list(pair) for pair in spot.alternatives],
        }
        for spot in reading.dice
    ]
    roll = None if reading.roll is None else [str(die) for die in reading.roll]
    doubts = [str(doubt) for doubt in reading.doubts]
    line = {"file": name, "dice": dice, "roll": roll, "doubts": doubts, "ms": round(spent, 2)}
    return json.dumps(line)


def as_words(name: str, reading: Reading, spent: float) -> str:
    """The reading for people."""
    lines = [f"{name} ({spent:.0f} ms)"]
    for spot in reading.dice:
        x, y, wide, high = (round(value) for value in spot.box)
        sure = "sure" if spot.sure else "in doubt"
        lying = "" if spot.state == "flat" else f", {spot.state.replace('_', ' ')}"
        lines.append(f"  {spot.die!s:14} {spot.confidence:6.1%} {sure}{lying}  at {x},{y} {wide}×{high}")
    if reading.roll is not None:
        lines.append("  roll: " + " ".join(str(die) for die in reading.roll))
    lines += [f"  {doubt}" for doubt in reading.doubts]
    return "\n".join(lines)
