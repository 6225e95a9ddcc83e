"""The table: seats, the current state, the log behind it; the only mutable thing, under one lock."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from companion.advice import BOTS
from companion.dice import Die, NotADie, Roll, Seat, Throw
from companion.games import GAMES
from companion.games.core import (
    Chose,
    Corrected,
    Entry,
    Event,
    Game,
    IllegalEvent,
    IllegalOption,
    Rolled,
    State,
    Undone,
    Value,
)
from companion.log import Kept, Line, Log
from companion.table.players import Lobby, Player
from companion.table.story import CannotUndo, Story, entry_of, text_of
from companion.vision.reading import Sentence, Sight

Phase = Literal["lobby", "playing", "over"]
Lamp = Literal["ready", "rolling", "sure", "doubt", "error"]
LONGEST_NAME = 24
ON_TABLE = "on_table"
"""The name under which the log keeps which game lies on the table; the newest, if it keeps none."""


class Refused(ValueError):
    """What the table will not do now, as a sentence for the player (English; pages translate it)."""

    def __init__(self, text: str, **blanks: object) -> None:
        self.sentence = Sentence(text, tuple((name, str(value)) for name, value in blanks.items()))
        super().__init__(str(self.sentence))


@dataclass(frozen=True, slots=True)
class View:
    """The table at one moment, all of a piece: any thread may hold it and draw from it."""

    version: int
    game_id: int
    lobby: Lobby
    phase: Phase
    state: State | None
    events: tuple[Event, ...]
    choices_made: tuple[int, ...]
    due: tuple[int, Throw] | None
    sight: Sight | None
    trouble: Sentence | None
    auto_confirm: bool
    undo_asked: Seat | None
    threw: Seat | None
    """Who threw last, among the rolls that stand."""

    @property
    def game(self) -> Game:
        """The game on the table."""
        return GAMES[self.lobby.key]

    @property
    def rolls_made(self) -> int:
        """How many rolls stand: the name of the throw that is due, the same after a restart."""
        return sum(isinstance(event, Rolled) for event in self.events)

    @property
    def last_roll(self) -> Roll:
        """The last roll that stands; empty before the first."""
        return next((event.dice for event in reversed(self.events) if isinstance(event, Rolled)), ())

    @property
    def offered(self) -> Roll | None:
        """The roll that the eye trusts and the button would take."""
        return self.sight.roll if self.sight else None


class Table:
    """One real table. Every method that changes something either does all of it or raises `Refused`."""

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
        games = list(log.games())
        on_table = (game for game in games if str(game.id) == log.kept(ON_TABLE))
        kept = next(on_table, next(iter(games), None))
        if kept is None:
            lobby = Lobby("regenwormen", GAMES["regenwormen"].seats[-1])
            self._game_id = log.begin(lobby.key, lobby.as_json())
            self._lobby, self._phase = lobby, "lobby"
        else:
            with self._lock:
                self._take_up(kept)
                self._let_bots_decide()

    _phase: Phase

    # ---- looking -------------------------------------------------------------------------------

    def view(self) -> View:
        """The table now."""
        with self._lock:
            story = self._story
            return View(
                version=self._version,
                game_id=self._game_id,
                lobby=self._lobby,
                phase=self._phase,
                state=story.state if story else None,
                events=story.events if story else (),
                choices_made=tuple(
                    story.choices_made(s) if story else 0 for s in range(len(self._lobby.players))
                ),
                due=self._due,
                sight=self._sight,
                trouble=self._trouble,
                auto_confirm=self.auto_confirm,
                undo_asked=self._undo_asked,
                threw=story.threw() if story else None,
            )

    def due(self) -> tuple[int, Throw] | None:
        """The throw that is due and its number, for the eye: a new number wants a new watch."""
        with self._lock:
            return self._due

    def wait(self, seen: int, timeout: float) -> int:
        """Wait until the table has changed since the version `seen`; the version now."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._version != seen, timeout)
            return self._version

    def close(self) -> None:
        """The evening is over: nobody waits for this table any more. What was played is in the log."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def history(self, game_id: int | None = None) -> list[Line]:
        """Every entry of a game, of the one on the table if none is named, as the log has it."""
        return self._log.lines(self._game_id if game_id is None else game_id)

    def games(self) -> list[Kept]:
        """All games of this table, the newest first."""
        return list(self._log.games())

    # ---- the lobby -----------------------------------------------------------------------------

    def open(self, key: str, options: Mapping[str, Value], seats: int | None = None) -> None:
        """A fresh lobby for a game; the one on the table is put away as it is."""
        game = self._shelf(key)
        capacity = seats or game.seats[-1]
        self._check_options(game, capacity, options)
        with self._lock:
            if self._phase == "lobby" and not self._lobby.players:
                self._arrange(Lobby(key, capacity, dict(options)))
                return
            self._begin(Lobby(key, capacity, dict(options)))

    def change(self, key: str, options: Mapping[str, Value]) -> None:
        """Another game, or other options, in the lobby; who sits there stays."""
        game = self._shelf(key)
        with self._lock:
            self._need("lobby")
            players = self._lobby.players
            if len(players) > game.seats[-1]:
                raise Refused(
                    "%(game)s is for %(most)s players at most; %(count)s are seated",
                    game=game.title,
                    most=game.seats[-1],
                    count=len(players),
                )
            self._check_options(game, max(len(players), game.seats[0]), options)
            capacity = self._lobby.capacity if key == self._lobby.key else game.seats[-1]
            self._arrange(Lobby(key, capacity, dict(options), players))

    def join(self, name: str, plays: str = "phone", keeper: str = "") -> tuple[Seat, Player]:
        """A seat for somebody with this name."""
        name = " ".join(name.split())
        with self._lock:
            if not name or len(name) > LONGEST_NAME:
                raise Refused("a name has 1 to %(most)s letters", most=LONGEST_NAME)
            if plays not in ("phone", "guest", *BOTS):
                raise Refused("there is no bot called “%(name)s”", name=plays)
            if self._phase != "lobby":
                raise Refused("the game has begun; you can watch, or ask the host for a seat")
            if any(player.name.casefold() == name.casefold() for player in self._lobby.players):
                raise Refused("“%(name)s” sits here already; choose another name", name=name)
            if len(self._lobby.players) >= self._lobby.capacity:
                raise Refused("the table is full: %(count)s seats", count=self._lobby.capacity)
            player = Player(name, plays=plays, keeper=keeper)
            self._arrange(replace(self._lobby, players=(*self._lobby.players, player)))
            return len(self._lobby.players) - 1, player

    def leave(self, seat: Seat, name: str = "") -> None:
        """Free a seat in the lobby; guests on that phone leave too.

        `name` says whose seat it was when the tap was made: a second tap must not hit the next player.
        """
        with self._lock:
            self._need("lobby")
            if name and all(player.name != name for player in self._lobby.players):
                return
            if name and self._player(seat).name != name:
                raise Refused("that tap came too late: something was decided for this seat before it")
            gone = self._player(seat).id
            players = tuple(p for p in self._lobby.players if gone not in (p.id, p.keeper))
            self._arrange(self._lobby.seated(players))

    def reorder(self, order: tuple[Seat, ...]) -> None:
        """Seat the players in another order."""
        with self._lock:
            self._need("lobby")
            if sorted(order) != list(range(len(self._lobby.players))):
                raise Refused("that is not an order of the players seated")
            players = tuple(self._lobby.players[seat] for seat in order)
            self._arrange(self._lobby.seated(players))

    def rename(self, seat: Seat, name: str) -> None:
        """Give a player another name, at any time."""
        name = " ".join(name.split())
        with self._lock:
            player = self._player(seat)
            others = (p for p in self._lobby.players if p is not player)
            if not name or len(name) > LONGEST_NAME:
                raise Refused("a name has 1 to %(most)s letters", most=LONGEST_NAME)
            if any(other.name.casefold() == name.casefold() for other in others):
                raise Refused("“%(name)s” sits here already; choose another name", name=name)
            self._arrange(self._lobby.with_player(seat, replace(player, name=name)))

    def hand_over(self, seat: Seat, plays: str = "phone", keeper: str = "", free: bool = False) -> Player:
        """Let another phone, a guest's keeper or a bot go on for a seat; the old phone's token lapses.

        `free` lets the bot go on only until a newcomer takes the seat.

        Guests on the old phone go with the seat: to the new phone, the new keeper or the bot.
        """
        with self._lock:
            if plays not in ("phone", "guest", *BOTS):
                raise Refused("there is no bot called “%(name)s”", name=plays)
            before = self._player(seat)
            player = Player(before.name, plays=plays, keeper=keeper, free=free)
            lobby = self._lobby.with_player(seat, player)
            for other, guest in enumerate(lobby.players):
                if guest.keeper == before.id and plays == "phone":
                    lobby = lobby.with_player(other, replace(guest, keeper=player.id))
                elif guest.keeper == before.id:
                    lobby = lobby.with_player(other, replace(guest, plays=plays, keeper=keeper))
            self._arrange(lobby)
            self._let_bots_decide()
            return player

    def claim(self, seat: Seat, name: str = "") -> Player:
        """A newcomer takes a free seat in the middle of the game, under the own name if one is given."""
        with self._lock:
            if not self._player(seat).free:
                raise Refused("that seat is not free any more")
            if name.strip():
                self.rename(seat, name)
            return self.hand_over(seat)

    def start(self) -> None:
        """Begin the game with those who are seated."""
        with self._lock:
            self._need("lobby")
            game, count = self._lobby_game(), len(self._lobby.players)
            if count not in game.seats:
                raise Refused(
                    "%(game)s is for %(least)s to %(most)s players; %(count)s are seated",
                    game=game.title,
                    least=game.seats[0],
                    most=game.seats[-1],
                    count=count,
                )
            try:
                state = game.start(count, self._lobby.options)
            except IllegalOption as problem:
                raise Refused("%(problem)s", problem=problem) from problem
            self._story = Story(state)
            self._arrange(self._lobby, "playing")

    def put_away(self) -> None:
        """End this game as it is and open a lobby with the same players."""
        with self._lock:
            self._begin(replace(self._lobby))

    def rematch(self) -> None:
        """The same game once more with the same players, at once."""
        with self._lock:
            self._need("over")
            self._begin(replace(self._lobby))
            self.start()

    def take_up(self, game_id: int) -> None:
        """Go on with a game that was put away."""
        with self._lock:
            kept = next((game for game in self._log.games() if game.id == game_id), None)
            if kept is None:
                raise Refused("there is no such game")
            here = self._lobby.players
            try:
                self._take_up(kept)
            except IllegalEvent as problem:
                raise Refused("%(problem)s", problem=problem) from problem
            self._log.keep(ON_TABLE, str(kept.id))
            self._arrange(self._lobby.with_phones_of(here))
            self._let_bots_decide()

    # ---- playing -------------------------------------------------------------------------------

    def roll(
        self, dice: tuple[str, ...] | Roll, nearest_first: bool = False, rolls_made: int | None = None
    ) -> None:
        """The dice due have fallen; `rolls_made` says for which throw, so that a double tap is harmless."""
        with self._lock:
            if not self._taken_already(rolls_made):
                self._add(Rolled(self._dice(dice), nearest_first))

    def confirm(self, rolls_made: int | None = None) -> None:
        """Take the roll that the eye is sure of; in doubt it does not guess."""
        with self._lock:
            if self._taken_already(rolls_made):
                return
            if self._due is None:
                raise Refused("no throw is due now")
            sight = self._sight
            if sight is None or sight.roll is None:
                if sight is not None and sight.reading is not None and sight.reading.doubts:
                    raise Refused("the dice are not sure yet: look at the doubtful one on the phone")
                raise Refused("no roll has been read yet")
            self._add(Rolled(sight.roll, sight.nearest_first))

    def choose(self, seat: Seat, text: str, choices_made: int | None = None) -> None:
        """A seat decides; a tap that was already taken is answered as if it had been the first."""
        with self._lock:
            story = self._playing()
            made = story.choices_made(seat)
            if choices_made is not None and choices_made != made:
                own = [e for e in story.events if isinstance(e, Chose) and e.seat == seat]
                if own and choices_made == made - 1 and str(own[-1].choice) == text:
                    return
                raise Refused("that tap came too late: something was decided for this seat before it")
            try:
                choice = story.state.find(seat, text)
            except IllegalEvent as problem:
                raise Refused("that cannot be chosen now") from problem
            self._add(Chose(seat, choice))

    def undo(self, seat: Seat, choices_made: int | None = None) -> None:
        """Take back that seat's own last choice; a second tap of a double tap does nothing."""
        with self._lock:
            made = self._playing().choices_made(seat)
            if choices_made is not None and choices_made != made:
                if choices_made == made - 1:
                    return
                raise Refused("that tap came too late: something was decided for this seat before it")
            self._add(Undone(seat))

    def undo_all(self, seat: Seat, choices_made: int | None = None) -> None:
        """Take back that seat's last choice and everything that came after it (the host may)."""
        with self._lock:
            story = self._playing()
            if choices_made is not None and choices_made < story.choices_made(seat):
                return
            later: list[Seat] = []
            for event in reversed(story.events):
                if isinstance(event, Rolled):
                    break
                later.append(event.seat)
                if event.seat == seat:
                    for other in later:
                        self._add(Undone(other), bots=False)
                    self._let_bots_decide()
                    return
            raise Refused("there is nothing to take back since the last roll")

    def ask_undo(self) -> None:
        """The button was held: ask the active player on the phone whether to take back."""
        with self._lock:
            story = self._playing()
            own = [e.seat for e in story.events[self._after_roll(story) :] if isinstance(e, Chose)]
            if not own:
                raise Refused("there is nothing to take back since the last roll")
            self._undo_asked = own[-1]
            self._tell()

    def correct(self, dice: tuple[str, ...] | Roll, rolls_made: int | None = None) -> tuple[Event, ...]:
        """Replace the last roll; what no longer fits is undone, and returned.

        `rolls_made` says which roll was the last, so that a late tap never changes a newer one.
        """
        with self._lock:
            if rolls_made is not None and rolls_made != self._playing().rolls_made:
                raise Refused("that tap came too late: it was about another throw")
            gone = self.undone_by(dice)
            self._add(self._correction(dice))
            return gone

    def undone_by(self, dice: tuple[str, ...] | Roll) -> tuple[Event, ...]:
        """What a correction of the last roll to these dice would undo."""
        with self._lock:
            story = self._playing()
            try:
                return story.undone_by(self._correction(dice))
            except (IllegalEvent, CannotUndo) as problem:
                raise Refused("%(problem)s", problem=problem) from problem

    def throw_again(self) -> None:
        """What was read for this throw does not count: wait for dice that move anew."""
        with self._lock:
            if self._due is None:
                raise Refused("no throw is due now")
            self._renew_due(always=True)
            self._tell()

    # ---- what the owner wrote down -------------------------------------------------------------

    def keep(self, name: str, text: str) -> None:
        """Remember a text of the owner's, such as the board of Geizen, for the games to come."""
        self._log.keep(f"owner.{name}", text)
        with self._lock:
            self._tell()

    def try_log(self) -> None:
        """Write a word into the log, to prove that it can be written; raises `OSError` if it cannot."""
        try:
            self._log.keep("alive", "yes")
        except sqlite3.Error as problem:
            raise OSError(f"the log cannot be written: {problem}") from problem

    def kept(self, name: str) -> str:
        """A text of the owner's; empty if there is none."""
        return self._log.kept(f"owner.{name}")

    # ---- the eye -------------------------------------------------------------------------------

    def show(self, sight: Sight) -> None:
        """What the eye sees; only the throw that is due now matters."""
        with self._lock:
            if self._due is None or sight.throw_number != self._due[0]:
                return
            before = self._sight
            self._sight = sight
            if sight.roll is not None and self.auto_confirm:
                self._add(Rolled(sight.roll, sight.nearest_first))
            elif before is None or _told(before) != _told(sight):
                self._tell()

    def trouble(self, sentence: Sentence | None) -> None:
        """Say on the pages that the camera is in trouble, or no longer."""
        with self._lock:
            if sentence != self._trouble:
                self._trouble = sentence
                self._tell()

    def lamp(self) -> Lamp:
        """What the lamp beside the button should say."""
        with self._lock:
            if self._trouble is not None:
                return "error"
            if self._due is None:
                return "ready"
            sight = self._sight
            if sight is not None and sight.roll is not None:
                return "sure"
            return "doubt" if sight and not sight.moving and sight.reading else "rolling"

    @property
    def auto_confirm(self) -> bool:
        """Whether a sure roll is taken without anybody's word."""
        return self._log.kept("auto_confirm") == "on"

    @auto_confirm.setter
    def auto_confirm(self, on: bool) -> None:
        self._log.keep("auto_confirm", "on" if on else "off")
        with self._lock:
            self._tell()

    # ---- inside --------------------------------------------------------------------------------

    def _add(self, entry: Entry, bots: bool = True) -> None:
        story = self._playing()
        try:
            outcome = story.after(entry)
        except CannotUndo as problem:
            raise Refused("%(problem)s", problem=problem) from problem
        except IllegalEvent as problem:
            raise Refused("that roll does not fit: %(problem)s", problem=problem) from problem
        self._log.append(self._game_id, *text_of(entry))
        story.take(entry, outcome)
        self._undo_asked = None
        self._renew_due(always=not isinstance(entry, Chose))
        if story.state.outcome() is not None:
            self._arrange(self._lobby, "over")
        elif self._phase == "over":
            self._arrange(self._lobby, "playing")
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
        self._game_id = self._log.begin(lobby.key, lobby.as_json())
        self._log.keep(ON_TABLE, str(self._game_id))
        self._story, self._undo_asked = None, None
        self._arrange(lobby, "lobby")

    def _take_up(self, kept: Kept) -> None:
        lobby, story = Lobby.from_json(kept.lobby), None
        phase: Phase = "lobby"
        if kept.phase != "lobby":
            story = Story(self._shelf(lobby.key).start(len(lobby.players), lobby.options))
            for line in self._log.lines(kept.id):
                story.add(entry_of(line, story.state))
            phase = "over" if story.state.outcome() else "playing"
        self._game_id, self._lobby, self._phase, self._story = kept.id, lobby, phase, story
        self._undo_asked = None
        self._renew_due(always=True)

    def _arrange(self, lobby: Lobby, phase: Phase | None = None) -> None:
        phase = phase or self._phase
        self._log.arrange(self._game_id, lobby.key, lobby.as_json(), phase)
        begun = phase != self._phase
        self._lobby, self._phase = lobby, phase
        if begun:
            self._renew_due(always=True)
        self._tell()
        if begun and phase == "playing":
            self._let_bots_decide()

    def _tell(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _lobby_game(self) -> Game:
        return self._shelf(self._lobby.key)

    def _shelf(self, key: str) -> Game:
        if key not in GAMES:
            raise Refused("there is no game “%(key)s”; there are: %(keys)s", key=key, keys=", ".join(GAMES))
        return GAMES[key]

    def _check_options(self, game: Game, seats: int, options: Mapping[str, Value]) -> None:
        try:
            game.start(seats, options)
        except IllegalOption as problem:
            raise Refused("%(problem)s", problem=problem) from problem

    def _playing(self) -> Story:
        if self._story is None:
            raise Refused("no game is being played now")
        return self._story

    def _taken_already(self, rolls_made: int | None) -> bool:
        made = self._playing().rolls_made
        if rolls_made is None or rolls_made == made:
            return False
        if rolls_made == made - 1:
            return True
        raise Refused("that tap came too late: it was about another throw")

    def _need(self, phase: Phase) -> None:
        if self._phase == phase:
            return
        match phase:
            case "lobby":
                raise Refused("the game has already begun")
            case "playing":
                raise Refused("no game is being played now")
            case "over":
                raise Refused("the game is not over yet")

    def _player(self, seat: Seat) -> Player:
        if not 0 <= seat < len(self._lobby.players):
            raise Refused("there is no seat %(seat)s", seat=seat)
        return self._lobby.players[seat]

    def _after_roll(self, story: Story) -> int:
        last = story.last_roll()
        return last[0] + 1 if last else 0

    def _correction(self, dice: tuple[str, ...] | Roll) -> Corrected:
        """These dice for the last roll; those that lay nearest first still do, if they keep their order."""
        lay, last = self._dice(dice), self._playing().last_roll()
        in_order = last is not None and [die.kind for die in lay] == [die.kind for die in last[1].dice]
        return Corrected(lay, in_order and last is not None and last[1].nearest_first)

    def _dice(self, dice: tuple[str, ...] | Roll) -> Roll:
        try:
            return tuple(die if isinstance(die, Die) else Die.named(die) for die in dice)
        except NotADie as problem:
            raise Refused("%(problem)s", problem=problem) from problem


def _told(sight: Sight) -> tuple[object, ...]:
    """What the pages show of a sight; a change of anything else needs no new look."""
    return sight.moving, sight.reading, sight.roll
