"""Keer op Keer 2 (Noch mal so gut): the printed sheet, what may be crossed on it, and the game around it."""

from companion.games.keer_op_keer_2.marks import Sheet
from companion.games.keer_op_keer_2.rules import KEER_OP_KEER_2, Cross, KeerOpKeer2, Pass, Special

__all__ = ["KEER_OP_KEER_2", "Cross", "KeerOpKeer2", "Pass", "Sheet", "Special"]
