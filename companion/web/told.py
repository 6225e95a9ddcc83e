"""The table as the JSON interface tells it."""

from __future__ import annotations

from typing import Any

from companion.table import View
from companion.vision.reading import Sight
from companion.web.roles import Who


def told(view: View, who: Who) -> dict[str, Any]:
    """The state for one who asks; `legal` and `choices_made` are those of the asking seat."""
    state, seat = view.state, who.seat
    scores = state.scores() if state else (0,) * len(view.lobby.players)
    outcome = state.outcome() if state else None
    return {
        "game": view.lobby.key,
        # told, not checked: those who are to fit the options may still have to come
        "options": {option.name: option.default for option in view.game.options} | view.lobby.options,
        "phase": view.phase,
        "seats": [
            {"seat": s, "name": player.name, "score": scores[s], "plays": player.plays}
            for s, player in enumerate(view.lobby.players)
        ],
        "you": seat,
        "game_id": view.game_id,
        "choices_made": view.choices_made[seat] if seat is not None else 0,
        "rolls_made": view.rolls_made,
        "throw": None
        if view.due is None
        else {
            "seat": view.due[1].seat,
            "kinds": list(view.due[1].kinds),
            "lying": [str(die) for die in view.due[1].lying],
        },
        "asked": {str(s): word for s, word in state.asked().items()} if state else {},
        "legal": [str(choice) for choice in state.legal(seat)] if state and seat is not None else [],
        "rolled": [str(die) for die in view.last_roll],
        "reading": _reading(view.sight),
        "outcome": None
        if outcome is None
        else {
            "winners": list(outcome.winners),
            "scores": list(outcome.scores),
            "decided_by": outcome.decided_by,
            "rating": outcome.rating,
        },
    }


def _reading(sight: Sight | None) -> dict[str, Any] | None:
    if sight is None or sight.reading is None:
        return None
    return {
        "sure": sight.roll is not None,
        "dice": [
            {
                "kind": spotted.die.kind,
                "face": spotted.die.face,
                "box": list(spotted.box),
                "confidence": spotted.confidence,
                "sure": spotted.sure,
                "state": spotted.state,
                "alternatives": [list(pair) for pair in spotted.alternatives],
            }
            for spotted in sight.reading.dice
        ],
        "doubts": [str(doubt) for doubt in sight.reading.doubts],
    }
