"""The shelf: every game the companion knows."""

from companion.games.core import Game
from companion.games.regenwormen import REGENWORMEN

GAMES: dict[str, Game] = {game.key: game for game in (REGENWORMEN,)}
