"""Words for the tests of Keer op Keer 2: sitting down, throwing, choosing, and sheets with marks on them."""

from __future__ import annotations

from dataclasses import replace

from companion.dice import Die
from companion.games.core import Chose, Rolled
from companion.games.keer_op_keer_2 import KEER_OP_KEER_2
from companion.games.keer_op_keer_2.sheet import CELLS, COLOUR_OF, COLOURS, mask

DULL = "red orange yellow 3 4 5 heart"
"""A roll for tests in which the dice do not matter."""


def start(seats=2, **options):
    return KEER_OP_KEER_2.start(seats, options)


def dice(faces):
    """Dice written as `red X 3 ? heart`: X is the black cross, ? the question mark."""
    jokers = {"X": ("colour", "joker"), "?": ("number", "joker")}

    def die(face):
        kind = "number" if face.isdigit() else "colour" if face in COLOURS else "special"
        return Die(*jokers.get(face, (kind, face)))

    return tuple(die(face) for face in faces.split())


def rolled(state, faces):
    return state.apply(Rolled(dice(faces)))


def choose(state, seat, text):
    return state.apply(Chose(seat, state.find(seat, text)))


def legal(state, seat=0):
    return {str(choice) for choice in state.legal(seat)}


def crosses(state, seat=0, with_dice=""):
    return {text for text in legal(state, seat) if text.startswith("cross") and text.endswith(with_dice)}


def marked(state, seat=0, cells="", **marks):
    """The state with these cells crossed on a seat's sheet, and other marks as given."""
    crossed = mask(cells.split()) if isinstance(cells, str) else cells
    sheet = replace(state.sheets[seat], crossed=crossed, **marks)
    return replace(state, sheets=(*state.sheets[:seat], sheet, *state.sheets[seat + 1 :]))


def later(state, thrown=7):
    """The same table after the open throws."""
    return replace(state, thrown=thrown)


def column(letter, but=""):
    return mask(cell for cell in CELLS if cell[0] == letter and cell not in but.split())


def row(letter, but=""):
    return mask(cell for cell in CELLS if cell[1] == letter and cell not in but.split())


def colour(name, but=""):
    return mask(cell for cell in CELLS if COLOUR_OF[cell] == name and cell not in but.split())


def all_pass(state):
    while state.asked():
        state = choose(state, min(state.asked()), "pass")
    return state
