"""The table: who sits there, what is played, what stands, and what the eye offers."""

from companion.table.players import Lobby, Player
from companion.table.story import CannotUndo, Past, Story
from companion.table.table import Table
from companion.table.view import Refused, View

__all__ = ["CannotUndo", "Lobby", "Past", "Player", "Refused", "Story", "Table", "View"]
