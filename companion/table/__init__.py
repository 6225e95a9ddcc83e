"""The table: who sits there, what is played, what stands, and what the eye offers."""

from companion.table.players import Lobby, Player
from companion.table.story import CannotUndo, Story
from companion.table.table import Refused, Table, View

__all__ = ["CannotUndo", "Lobby", "Player", "Refused", "Story", "Table", "View"]
