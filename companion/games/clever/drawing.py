"""Clever drawn as text: the dice, then six lines for every sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.clever.sheet import BLUE, DICE, GREEN, LENGTH, ORANGE, TRACK, YELLOW, Sheet

if TYPE_CHECKING:
    from companion.games.clever.rules import Clever

CROSS = "×"


def drawn(state: Clever) -> str:
    """The whole table."""
    lines = [f"round {state.round} of {state.rounds} · {state.stage} · seat {state.active} is active"]
    in_play = [die for die in DICE if die not in (*state.placed, *state.tray)]
    heaps = {
        "to throw": state.due,
        "rolled": state.lying(() if state.due or not any(state.faces) else in_play),
        "placed": state.lying(state.placed),
        "tray": state.lying(state.tray),
    }
    lines += [f"{name} {' '.join(map(str, dice))}" for name, dice in heaps.items() if dice]
    asked = state.asked()
    for seat, (player, points) in enumerate(zip(state.players, state.scores(), strict=True)):
        question = asked.get(seat, "")
        if player.owed:
            question += f" ({', '.join(map(str, player.owed))})"
        lines.append(f"seat {seat}  {points} points" + (f"  ▸ {question}" if question else ""))
        lines += _sheet(player.sheet)
    return "\n".join(lines)


def _sheet(sheet: Sheet) -> list[str]:
    yellow = [
        " ".join(
            CROSS if number == 0 or 4 * row + column in sheet.yellow else str(number)
            for column, number in enumerate(numbers)
        )
        for row, numbers in enumerate(YELLOW)
    ]
    blue = [
        " ".join(
            f"{'' if number == 0 else CROSS if number in sheet.blue else number:>2}" for number in numbers
        )
        for numbers in BLUE
    ]
    green = [CROSS if place < sheet.green else f"≥{least}" for place, least in enumerate(GREEN)]
    empty = ["·" if factor == 1 else f"×{factor}" for factor in ORANGE]
    orange = [*map(str, sheet.orange), *empty[len(sheet.orange) :]]
    purple = [*map(str, sheet.purple), *"·" * (LENGTH - len(sheet.purple))]
    tracks = (
        f"rerolls {_track(sheet.rerolls, sheet.rerolls_used)}  "
        f"extras {_track(sheet.extras, sheet.extras_used)}  foxes {sheet.foxes}"
    )
    rows = [
        ("green ", green),
        ("orange", orange),
        ("purple", purple),
    ]
    lines = [
        f"  {yellow[i]}   {blue[i]}   {name} {' '.join(f'{mark:>2}' for mark in marks)}"
        for i, (name, marks) in enumerate(rows)
    ]
    lines.append(f"  {yellow[3]}   {'':11}   {tracks}")
    lines.append("  " + " ".join(f"{name} {points}" for name, points in sheet.points().items()))
    return lines


def _track(freed: int, used: int) -> str:
    """Spaces used, freed and not yet freed."""
    return CROSS * used + "o" * (freed - used) + "·" * (TRACK - freed)
