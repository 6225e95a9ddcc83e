"""How a game ended, in words: the score by category, why a tie fell as it did, and the solo verdict."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext, ngettext

from companion.dice import Seat
from companion.games.core import Outcome, State
from companion.web.drawing import number


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Every seat's score by category; `alike` when all seats have the same categories, as in a score box."""

    names: tuple[str, ...]
    points: tuple[dict[str, int], ...]
    alike: bool


def breakdown(state: State) -> Breakdown:
    """The score of every seat, category by category."""
    points = tuple(dict(state.parts(seat)) for seat in range(len(state.scores())))
    names = dict.fromkeys(name for parts in points for name in parts)
    return Breakdown(tuple(names), points, all(set(parts) == set(names) for parts in points))


def part_words(name: str) -> str:
    """A category by name; a number is a tile."""
    if name.isdecimal():
        return str(gettext("tile %(tile)s", tile=name))
    said = str(gettext(name))
    return said[:1].upper() + said[1:]


def tie_words(outcome: Outcome, names: list[str]) -> str:
    """Why one of several with the same score won, or why they share; empty when the score said it all."""
    tied = [seat for seat, score in enumerate(outcome.scores) if score == max(outcome.scores)]
    if len(tied) < 2:
        return ""
    winner = names[outcome.winners[0]]
    points = number(max(outcome.scores))
    said = str(
        ngettext(
            "%(num)d player has %(points)s.",
            "%(num)d players have %(points)s each.",
            len(tied),
            points=points,
        )
    )
    return f"{said} {_reason(outcome, winner, tied)}"


def _reason(outcome: Outcome, winner: str, tied: list[Seat]) -> str:
    match outcome.decided_by:
        case "highest tile":
            return str(gettext("%(name)s has the highest tile and wins.", name=winner))
        case "highest area":
            return str(gettext("%(name)s has the best single area and wins.", name=winner))
        case "active cards" if len(outcome.winners) == 1:
            return str(gettext("%(name)s has the most active cards and wins.", name=winner))
        case "exclamation marks" if len(outcome.winners) == 1:
            return str(gettext("%(name)s has the most exclamation marks left and wins.", name=winner))
        case "active cards":
            return str(gettext("Those with the most active cards share the win."))
        case "exclamation marks":
            return str(gettext("Those with the most exclamation marks left share the win."))
    return str(gettext("Nothing decides between them: the win is shared."))


def rating_words(outcome: Outcome) -> str:
    """The verdict on somebody who played alone."""
    return str(gettext(outcome.rating)) if outcome.rating else ""
