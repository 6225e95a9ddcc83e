"""`companion bench`: how fast this machine plays, sees and tells the phones."""

from __future__ import annotations

import argparse
import json
import time
from random import Random
from typing import Any

EVENTS = 6000
"""Events a game is timed over: a second or less for the slowest."""
PHONES = 8
ROUNDS = 15


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "bench",
        help="measure the speeds on this machine",
        description="Measures how fast this machine plays the games, reads pictures and tells the phones.",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--only", choices=("games", "eye", "phones"), help="measure only this part (default: all three)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    figures: dict[str, Any] = {}
    if arguments.only in (None, "games"):
        figures["events_per_second"] = games()
        figures["keer_op_keer_2_legal_ms"] = keer_op_keer_2()
    if arguments.only in (None, "eye"):
        from companion.vision.speed import measure

        figures["eye"] = measure()
    if arguments.only in (None, "phones"):
        figures["phones"] = phones()
    if arguments.json:
        print(json.dumps(figures))
    else:
        _print(figures)
    return 0


def games() -> dict[str, int]:
    """Events a second in random play, for every game with its largest table."""
    from companion.games import GAMES

    return {key: round(_events_per_second(key)) for key in GAMES}


def _events_per_second(key: str) -> float:
    from companion.advice import BOTS, play
    from companion.games import GAMES

    game, chance, done = GAMES[key], Random(1), 0  # noqa: S311
    begun = time.perf_counter()
    while done < EVENTS:
        done += sum(1 for _ in play(game, {}, [BOTS["random"]] * game.seats[-1], chance))
    return done / (time.perf_counter() - begun)


def keer_op_keer_2() -> dict[str, float]:
    """The slowest list of legal choices met in random games: from seven dice, and for a bomb."""
    from companion.advice import BOTS, play
    from companion.games import GAMES

    slowest = {"seven_dice": 0.0, "bomb": 0.0, "most_choices": 0.0}
    for seed in range(4):
        for step in play(GAMES["keer_op_keer_2"], {}, [BOTS["random"]] * 2, Random(seed)):  # noqa: S311
            for seat in step.state.asked():
                begun = time.perf_counter()
                choices = step.state.legal(seat)
                took = (time.perf_counter() - begun) * 1000
                bombs = sum(1 for choice in choices if "bomb" in str(choice))
                case = "bomb" if bombs else "seven_dice"
                slowest[case] = max(slowest[case], round(took, 2))
                slowest["most_choices"] = max(slowest["most_choices"], len(choices))
    return slowest


def phones() -> dict[str, float]:
    """Milliseconds from a POST until eight phones hold the new page, over real HTTP on this machine."""
    from companion.web.speed import push_latency

    return push_latency(PHONES, ROUNDS)


def _print(figures: dict[str, Any], indent: str = "") -> None:
    for name, value in figures.items():
        words = name.replace("_", " ")
        if isinstance(value, dict):
            print(f"{indent}{words}")
            _print(value, indent + "  ")
        else:
            print(f"{indent}{words:34} {round(value, 4) if isinstance(value, float) else value:,}")
