"""`companion watch`: play a clip, or a folder of frames, through the eye and print every roll it trusts."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from companion.dice import Throw
from companion.games import GAMES

_MOST_PIPS = 40
"""Ordinary dice that may be due: more in one throw are a slip of the keyboard."""
_MOST_FPS = 1000.0
"""Frames a second: beyond, all is over before anything can have come to rest."""
NO_ROLL = "no roll was trusted: the dice due must move, come to rest and be read surely"


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "watch",
        help="play a clip through the eye",
        description="Plays every frame in order through stillness, reader and watch, as if each throw were "
        "due again after the last, and prints a line for every roll it trusts.",
    )
    parser.add_argument(
        "--game", required=True, metavar="KEY", help=f"the game played: {', '.join((*GAMES, 'pips'))}"
    )
    parser.add_argument(
        "--dice",
        metavar="KIND,KIND,…",
        help="the dice due, a kind as often as it is due; default: the whole set",
    )
    parser.add_argument("--fps", type=float, default=15.0, help="frames a second of the clip (default: 15)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "clip", type=Path, metavar="CLIP_OR_FOLDER", help="a video file or a folder of frames"
    )
    parser.set_defaults(run=run)


def due_throw(game: str, dice: str | None) -> Throw | None:
    """The throw that a game and a list of dice stand for; None reads any ordinary dice."""
    from companion.cli import Mistake

    if game != "pips" and game not in GAMES:
        raise Mistake(f"there is no game “{game}”: choose one of {', '.join((*GAMES, 'pips'))}")
    if dice is None:
        return None if game == "pips" else Throw(0, GAMES[game].dice)
    kinds = tuple(kind.strip() for kind in dice.split(",") if kind.strip())
    if not kinds:
        raise Mistake("--dice names no die: write for example --dice worm,worm,worm")
    return Throw(0, dice_of(game, kinds))


def dice_of(game: str, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """These kinds, if they are dice of the game."""
    from companion.cli import Mistake

    have = Counter(GAMES[game].dice) if game in GAMES else Counter({"pip": _MOST_PIPS})
    for kind, count in Counter(kinds).items():
        if kind not in have:
            raise Mistake(f"{game} has no die “{kind}”: choose from {', '.join(have)}")
        if count > have[kind]:
            raise Mistake(f"{count} dice “{kind}” are more than the {have[kind]} of {game}: name fewer")
    return kinds


def run(arguments: argparse.Namespace) -> int:
    """Watch the clip."""
    from companion.cli import Mistake
    from companion.vision.cameras.clip import ClipCamera
    from companion.vision.gaze import Gaze
    from companion.vision.reader import Reader
    from companion.vision.reading import CameraLost
    from companion.vision.watch import Trusted

    due = due_throw(arguments.game, arguments.dice)
    if not 0 < arguments.fps <= _MOST_FPS:
        raise Mistake(f"--fps must be more than 0, and {_MOST_FPS:.0f} at most")
    try:
        clip = ClipCamera(arguments.clip, arguments.fps)
        gaze = Gaze(Reader())
        gaze.expect(due)
        index, rolls = -1, 0
        while (frame := clip.next()) is not None:
            index += 1
            seen = gaze.see(frame)
            if isinstance(seen, Trusted):
                rolls += 1
                print(told(index, seen, as_json=arguments.json), flush=True)
        if not rolls:
            print(f"companion: {NO_ROLL}", file=sys.stderr)
    except CameraLost as lost:
        raise Mistake(str(lost)) from lost
    return 0


def told(index: int, seen: Any, as_json: bool) -> str:
    """The line for a trusted roll."""
    roll = [str(die) for die in seen.roll]
    if as_json:
        return json.dumps({"frame": index, "roll": roll, "confidence": round(seen.confidence, 4)})
    return f"frame {index}: {' '.join(roll)} (confidence {seen.confidence:.3f})"
