"""`companion play`: whole games without camera or phones, one bot a seat."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from random import Random
from typing import Any

from companion.cli import Mistake
from companion.games.core import Game, IllegalOption, Value


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "play",
        help="play whole games with bots, without camera or phones",
        description="Whole games without camera or phones, one bot a seat (one bot: solo).",
    )
    parser.add_argument("--game", required=True, metavar="KEY", help="clever, regenwormen, …")
    parser.add_argument("--bots", required=True, metavar="BOT,BOT,…", help="one a seat: random or greedy")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="play with this option; VALUE is on, off, a number or a word (may be given several times)",
    )
    parser.add_argument("--games", type=int, default=1, metavar="N", help="how many games (default 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="game i uses seed S+i (default 0)")
    parser.add_argument("--json", action="store_true", help="one JSON object a game")
    parser.add_argument("--show", action="store_true", help="draw the state after every event")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print a line for each."""
    from companion.advice import BOTS, play

    game = named_game(arguments.game)
    names = arguments.bots.split(",")
    for name in names:
        if name not in BOTS:
            raise Mistake(f"there is no bot “{name}”: choose from {', '.join(BOTS)}")
    if arguments.games < 1:
        raise Mistake("--games must be 1 or more")
    options = given_options(game, arguments.option)
    bots = [BOTS[name] for name in names]
    try:
        game.start(len(bots), options)
    except IllegalOption as problem:
        raise Mistake(str(problem)) from problem
    for seed in range(arguments.seed, arguments.seed + arguments.games):
        count, state = 0, game.start(len(bots), options)
        for count, step in enumerate(play(game, options, bots, Random(seed)), start=1):  # noqa: B007, S311
            state = step.state
            if arguments.show:
                print(f"{step.event}\n{state}\n")
        outcome = state.outcome()
        assert outcome is not None  # noqa: S101 - play() ends only there
        if arguments.json:
            line = {
                "game": game.key,
                "seed": seed,
                "scores": list(outcome.scores),
                "winners": list(outcome.winners),
                "events": count,
            }
            print(json.dumps(line))
        else:
            scores = " ".join(map(str, outcome.scores))
            print(f"{game.title}, seed {seed}: {scores}; won by seat {', '.join(map(str, outcome.winners))}")
    return 0


def named_game(key: str) -> Game:
    """The game with this key, or a sentence that lists them."""
    from companion.games import GAMES

    if key not in GAMES:
        raise Mistake(f"there is no game “{key}”: choose from {', '.join(GAMES)}")
    return GAMES[key]


def given_options(game: Game, texts: Sequence[str]) -> dict[str, Value]:
    """The options written NAME=VALUE, each in the type its default has."""
    defaults = {option.name: option.default for option in game.options}
    options: dict[str, Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Mistake(f"write an option as NAME=VALUE, not “{text}”")
        default = defaults.get(name, "")
        if isinstance(default, bool):
            if value not in ("on", "off"):
                raise Mistake(f"option “{name}” is on or off, not “{value}”")
            options[name] = value == "on"
        elif isinstance(default, int):
            try:
                options[name] = int(value)
            except ValueError as problem:
                raise Mistake(f"option “{name}” is a number, not “{value}”") from problem
        else:
            options[name] = value
    return options
