"""The shelf: every game the companion knows."""

from companion.games.clever import CLEVER
from companion.games.core import Game
from companion.games.dicy_cards import DICY_CARDS
from companion.games.geizen import GEIZEN
from companion.games.keer_op_keer_2 import KEER_OP_KEER_2
from companion.games.regenwormen import REGENWORMEN

GAMES: dict[str, Game] = {
    game.key: game for game in (REGENWORMEN, CLEVER, DICY_CARDS, GEIZEN, KEER_OP_KEER_2)
}
