"""Whole games as readable text: written once, re-played and compared line by line.

    python -m tests.playthroughs NAME GAME SEATS SEED [OPTION=VALUE …]   writes a new one
    python -m tests.playthroughs renew                                   draws all of them anew

A line `> …` is an event; everything else is drawn from the state, so a changed rule shows in the diff.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from companion.advice import BOTS, play
from companion.cli.play import given_options
from companion.dice import Die
from companion.games import GAMES
from companion.games.core import Chose, Event, Rolled, State

FOLDER = Path(__file__).parent / "playthroughs"
DRAWN_EVERY = 12


def event_line(event: Event) -> str:
    match event:
        case Rolled(dice, nearest_first):
            return f"> roll{' nearest-first' if nearest_first else ''} {' '.join(map(str, dice))}"
        case Chose(seat, choice):
            return f"> {seat}: {choice}"


def event_from(line: str, state: State) -> Event:
    words = line.removeprefix("> ")
    if words.startswith("roll"):
        dice = words.split()[1:]
        nearest = dice[:1] == ["nearest-first"]
        return Rolled(tuple(map(Die.named, dice[nearest:])), nearest)
    seat, _, text = words.partition(": ")
    return Chose(int(seat), state.find(int(seat), text))


def draw(header: list[str], events: list[str]) -> str:
    """The whole file for a header and its event lines."""
    key, seats, *options = (line.split(" ", 1)[1] for line in header)
    game = GAMES[key]
    state = game.start(int(seats), given_options(game, options))
    lines = [*header, "", str(state), ""]
    for number, line in enumerate(events, start=1):
        state = state.apply(event_from(line, state))
        lines.append(line)
        if number % DRAWN_EVERY == 0 and number < len(events):
            lines += ["", str(state), ""]
    lines += ["", str(state), ""]
    outcome = state.outcome()
    assert outcome is not None, "a playthrough goes to the end of the game"
    lines.append(f"scores {' '.join(map(str, outcome.scores))}")
    lines.append(f"won by {' '.join(map(str, outcome.winners))}")
    if outcome.decided_by:
        lines.append(f"decided by {outcome.decided_by}")
    if outcome.rating:
        lines.append(f"rating {outcome.rating}")
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def redraw(text: str) -> str:
    """What the file should hold, from its own header and events."""
    lines = text.splitlines()
    header = lines[: lines.index("")]
    return draw(header, [line for line in lines if line.startswith("> ")])


def new(key: str, seats: int, seed: int, options: list[str], bot: str = "greedy") -> str:
    game = GAMES[key]
    header = [f"game {key}", f"seats {seats}", *(f"option {option}" for option in options)]
    chosen = given_options(game, options)
    steps = play(game, chosen, [BOTS[bot]] * seats, Random(seed))
    return draw(header, [event_line(step.event) for step in steps])


def main(arguments: list[str]) -> None:
    if arguments == ["renew"]:
        for path in sorted(FOLDER.glob("*.txt")):
            path.write_text(redraw(path.read_text()))
        return
    name, key, seats, seed, *options = arguments
    (FOLDER / f"{name}.txt").write_text(new(key, int(seats), int(seed), options))


if __name__ == "__main__":
    main(sys.argv[1:])
