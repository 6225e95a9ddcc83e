"""The rules pages: which template tells a game's rules, and the figures of its engine that stand in it.

A page is `rules/<game>.<language>.html`. Every number that the engine knows comes from the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from companion.games.clever import rules as clever_rules
from companion.games.clever import sheet as clever
from companion.games.core import Game, IllegalOption, State, Value
from companion.games.dicy_cards import cards as dicy
from companion.games.dicy_cards import rules as dicy_rules
from companion.games.geizen import placing
from companion.games.geizen import rules as geizen_rules
from companion.games.geizen.board import PRINTED, Board
from companion.games.keer_op_keer_2 import crossing
from companion.games.keer_op_keer_2 import rules as keer_rules
from companion.games.keer_op_keer_2 import sheet as keer
from companion.games.regenwormen import DICE as WORM_DICE
from companion.games.regenwormen import SYMBOLS, TILES, WORMS, WORTH

FOLDER = Path(__file__).parent / "templates"
FALLBACK = "en"

Settings = Mapping[str, Value]


def rules_template(key: str, language: str) -> str | None:
    """The page of a game in this language, else in English, else none."""
    for code in (language.partition("_")[0], FALLBACK):
        name = f"rules/{key}.{code}.html"
        if (FOLDER / name).is_file():
            return name
    return None


def rules_context(game: Game, options: Settings, seats: int, state: State | None = None) -> dict[str, Any]:
    """All that a rules page needs; a game without figures here gets none."""
    settings = {option.name: options.get(option.name, option.default) for option in game.options}
    found = _FIGURES.get(game.key)
    figures = found(settings, seats) if found else {}
    return {"game": game, "options": settings, "seats": seats, "state": state, "figures": figures}


def bands(steps: tuple[tuple[int, str], ...], lowest: str | None = None) -> list[tuple[int, int | None, str]]:
    """Verdicts as least points, most points and words, the best first; `lowest` is for all below."""
    if lowest is not None:
        steps = (*steps, (0, lowest))
    most: list[int | None] = [None, *(least - 1 for least, _ in steps[:-1])]
    return [(least, top, words) for (least, words), top in zip(steps, most, strict=True)]


def _regenwormen(options: Settings, seats: int) -> dict[str, Any]:
    tiles_with = {worms: tuple(tiles) for worms, tiles in groupby(TILES, key=WORMS.__getitem__)}
    return {
        "dice": WORM_DICE,
        "symbols": len(SYMBOLS),
        "worm_worth": WORTH["worm"],
        "tiles": TILES,
        "tiles_with": tiles_with,
    }


def _clever(options: Settings, seats: int) -> dict[str, Any]:
    rounds = clever.ROUNDS_FOR.get(seats, max(clever.ROUNDS_FOR.values()))
    return {
        "sheet": clever,
        "rounds": rounds,
        "rounds_for": clever.ROUNDS_FOR,
        "round_bonuses": clever.ROUNDS[:rounds],
        "diagonal": tuple(clever.YELLOW[place][place] for place in range(len(clever.YELLOW))),
        "throws": clever_rules.THROWS,
        "served_alone": clever_rules.SERVED_ALONE,
        "ratings": bands(clever.STARS),
    }


def _dicy_cards(options: Settings, seats: int) -> dict[str, Any]:
    try:
        numbers: tuple[int, ...] = dicy.read(str(options["cards"]))
    except IllegalOption:
        numbers = ()
    cards = tuple(dicy.CARDS[number] for number in numbers)
    return {
        "dice": dicy_rules.DICE,
        "goal": dicy_rules.GOAL,
        "hand": dicy.HAND,
        "cards": cards,
        "glacial": numbers == dicy.GLACIAL,
        "shapes": {card.shape for card in cards},
        "reaches": {card.effect.who for card in cards if card.effect},
    }


def _geizen(options: Settings, seats: int) -> dict[str, Any]:
    try:
        board: Board | None = Board.read(str(options["board"]))
    except IllegalOption:
        board = None
    return {
        "dice": geizen_rules.DICE,
        "loan": placing.LOAN,
        "board": board,
        "shipped": board == PRINTED,
        "reconstructed": board is not None and board.columns == PRINTED.columns,
        "longest": max((len(column.spaces) for column in board.columns), default=0) if board else 0,
        "dear_first": [
            value for value, column in enumerate(board.columns if board else (), start=1) if column.first > 1
        ],
    }


def _keer_op_keer_2(options: Settings, seats: int) -> dict[str, Any]:
    together: dict[tuple[int, int, bool], list[str]] = {}
    for column, first, later in zip(keer.COLUMNS, *keer.COLUMN_POINTS.values(), strict=True):
        together.setdefault((first, later, column == keer.SPECIAL_DIE_COLUMN), []).append(column)
    rows_with: dict[str, list[str]] = {}
    for row, item in keer.ROW_ITEMS.items():
        rows_with.setdefault(item, []).append(row)
    return {
        "sheet": keer,
        "crossing": crossing,
        "dice": keer_rules.SOLO_DICE if seats == 1 else keer_rules.DICE,
        "solo_dice": keer_rules.SOLO_DICE,
        "columns": [(letters, *points) for points, letters in together.items()],
        "rows_with": rows_with,
        "ratings": bands(keer.RATINGS, keer.LOWEST_RATING),
    }


_FIGURES: Mapping[str, Callable[[Settings, int], dict[str, Any]]] = {
    "regenwormen": _regenwormen,
    "clever": _clever,
    "dicy_cards": _dicy_cards,
    "geizen": _geizen,
    "keer_op_keer_2": _keer_op_keer_2,
}
