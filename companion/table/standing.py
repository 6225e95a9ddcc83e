"""What the parts of the table share: the lock, the state with the log behind it, and the bots."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from random import Random

from companion.advice import BOTS
from companion.dice import Seat, Throw
from companion.games import GAMES
from companion.games.core import Chose, Entry, Game, IllegalEvent, State
from companion.log import Kept, Log
from companion.table.players import Lobby
from companion.table.story import CannotUndo, Story, entry_of, text_of
from companion.table.view import Phase, Refused
from companion.vision.reading import Sentence, Sight

_log = logging.getLogger(__name__)

ON_TABLE = "on_table"
"""The name under which the log keeps which game lies on the table; the newest, if it keeps none."""
FIRST = Lobby("regenwormen", GAMES["regenwormen"].seats[-1])
"""What lies on a new table."""
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)
"""What reading a game may raise that was damaged, or written by another version."""


class Standing:
    """The one mutable thing, under one lock; seating, playing and seeing are built on it."""

    def __init__(self, log: Log, chance: Random | None = None) -> None:
        self._log = log
        self._chance = chance or Random()  # noqa: S311 - bots and card draws, not secrets
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._version = 0
        self.closed = False
        self._sight: Sight | None = None
        self._trouble: Sentence | None = None
        self._undo_asked: Seat | None = None
        self._throw_number = 0
        self._due: tuple[int, Throw] | None = None
        self._story: Story | None = None
        self._unread: Sentence | None = None
        games = list(log.games())
        on_table = (game for game in games if str(game.id) == log.kept(ON_TABLE))
        kept = next(on_table, next(iter(games), None))
        if kept is None:
            self._game_id = log.begin(FIRST.key, FIRST.as_json())
            self._lobby, self._phase = FIRST, "lobby"
        else:
            with self._lock:
                self._resume(kept)

    _phase: Phase

    def _resume(self, kept: Kept) -> None:
        """Go on with a game; one that cannot be read stays in the log, and its players find a lobby."""
        try:
            lobby, phase, story = self._read(kept)
        except UNREADABLE as problem:
            _log.warning("game %s cannot be read any more and is left as it is: %s", kept.id, problem)
            self._begin(self._instead_of(kept))
            self._unread = Sentence(
                "The last game cannot be read any more: it is kept as it is, and a new one can begin."
            )
        else:
            self._lay(kept.id, lobby, phase, story)
            self._let_bots_decide()

    def _instead_of(self, kept: Kept) -> Lobby:
        """The same lobby if a game can begin from it, else one with the same players if they can be read."""
        try:
            lobby = Lobby.from_json(kept.lobby)
        except ValueError:
            return FIRST
        try:
            self._shelf(lobby.key).start(len(lobby.players), lobby.options)
        except UNREADABLE:
            return replace(FIRST, players=lobby.players)
        return lobby

    def _add(self, entry: Entry, bots: bool = True) -> None:
        story = self._playing()
        try:
            outcome = story.after(entry)
        except CannotUndo as problem:
            raise Refused("%(problem)s", problem=problem) from problem
        except IllegalEvent as problem:
            raise Refused("that roll does not fit: %(problem)s", problem=problem) from problem
        phase: Phase = "playing" if outcome[1][-1].outcome() is None else "over"
        with self._log.together():
            self._log.append(self._game_id, *text_of(entry))
            if phase != self._phase:
                self._log.arrange(self._game_id, self._lobby.key, self._lobby.as_json(), phase)
        story.take(entry, outcome)
        self._phase, self._undo_asked = phase, None
        self._renew_due(always=not isinstance(entry, Chose))
        self._tell()
        if bots:
            self._let_bots_decide()

    def _let_bots_decide(self) -> None:
        """Bots answer at once; one that wants to throw waits for the dice to fall."""
        while self._story is not None and self._phase == "playing":
            state = self._story.state
            for seat in sorted(state.asked()):
                player = self._lobby.players[seat]
                waited = (state, seat)
                if player.is_bot and self._bot_waits != waited:
                    choice = BOTS[player.plays](state, seat, self._chance)
                    if choice is None:
                        self._bot_waits = waited
                        continue
                    self._add(Chose(seat, choice), bots=False)
                    break
            else:
                return

    _bot_waits: tuple[State, Seat] | None = None
    """The bot that wants to throw, and where: anything that happens makes it think again."""

    def _renew_due(self, always: bool) -> None:
        throw = self._story.state.throw() if self._story else None
        if throw is None:
            self._due = None
        elif always or self._due is None or self._due[1] != throw:
            self._throw_number += 1
            self._due = (self._throw_number, throw)
        else:
            return
        self._sight = None

    def _begin(self, lobby: Lobby) -> None:
        with self._log.together():
            game_id = self._log.begin(lobby.key, lobby.as_json())
            self._log.keep(ON_TABLE, str(game_id))
        self._lay(game_id, lobby, "lobby", None)

    def _read(self, kept: Kept) -> tuple[Lobby, Phase, Story | None]:
        lobby, story = Lobby.from_json(kept.lobby), None
        game = self._shelf(lobby.key)
        phase: Phase = "lobby"
        if kept.phase != "lobby":
            story = Story(game.start(len(lobby.players), lobby.options))
            for line in self._log.lines(kept.id):
                story.add(entry_of(line, story.state))
            phase = "over" if story.state.outcome() else "playing"
        return lobby, phase, story

    def _lay(self, game_id: int, lobby: Lobby, phase: Phase, story: Story | None) -> None:
        """Lay a game on the table, once the log has it: what cannot be written down must not be played."""
        self._game_id, self._lobby, self._phase, self._story = game_id, lobby, phase, story
        self._undo_asked = self._unread = None
        self._renew_due(always=True)
        self._tell()

    def _arrange(self, lobby: Lobby) -> None:
        self._log.arrange(self._game_id, lobby.key, lobby.as_json(), self._phase)
        self._lobby = lobby
        self._tell()

    def _tell(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _shelf(self, key: str) -> Game:
        if key not in GAMES:
            raise Refused("there is no game “%(key)s”; there are: %(keys)s", key=key, keys=", ".join(GAMES))
        return GAMES[key]

    def _playing(self) -> Story:
        if self._story is None:
            raise Refused("no game is being played now")
        return self._story
