"""The shelf: every game the companion knows."""

from companion.games.core import Game

_ALL: tuple[Game, ...] = ()

GAMES: dict[str, Game] = {game.key: game for game in _ALL}
