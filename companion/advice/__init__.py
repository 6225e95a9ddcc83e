"""Bots and whole games without a table: anything that decides for a seat."""

from companion.advice.bots import BOTS, Bot
from companion.advice.playout import Played, play, throw_dice

__all__ = ["BOTS", "Bot", "Played", "play", "throw_dice"]
