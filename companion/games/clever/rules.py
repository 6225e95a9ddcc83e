"""The rules of Clever: turns, the silver tray, bonuses, actions and the end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType

from companion.dice import Die, Roll, Seat, Throw
from companion.games.clever import sheet as print_of_sheet
from companion.games.clever.choices import Done, Extra, Fill, Pass, Pick, Reroll, Serve, Skip, Waste
from companion.games.clever.drawing import drawn
from companion.games.clever.player import Player
from companion.games.clever.sheet import AREAS, DICE, ROUNDS, ROUNDS_FOR, STARS, Field, Sheet
from companion.games.core import Choice, Outcome, Rolled, State, Value

THROWS = 3
SERVED_ALONE = 3
"""Dice on the tray in a solo player's passive turn."""


@dataclass(frozen=True)
class Clever(State):
    """A moment in the game.

    A turn goes through the stages `active`, `closing` (the active player's extra dice) and `passive`
    (everybody else); `round` comes before a round's first turn, `last` (everybody's extra dice) after the
    very last turn, then `over`. `faces` are the six dice as they lie, in the order of `DICE`, 0 before
    the turn's first roll; each of them is in the `pool`, `placed` by the active player or on the `tray`.
    """

    wasted_pick: bool
    passive_skip: bool
    start_player: Seat
    players: tuple[Player, ...]
    round: int
    active: Seat
    stage: str = "round"
    rolls: int = 0
    due: tuple[str, ...] = ()
    faces: tuple[int, ...] = (0,) * len(DICE)
    pool: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    tray: tuple[str, ...] = ()

    @classmethod
    def start(cls, seats: int, options: Mapping[str, Value]) -> Clever:
        """The first round, with its bonus given."""
        first = int(options["start_player"])
        state = cls(
            wasted_pick=bool(options["wasted_pick"]),
            passive_skip=bool(options["passive_skip"]),
            start_player=first,
            players=(Player(),) * seats,
            round=0,
            active=first,
        )
        return state._next_round()._go_on()

    @property
    def rounds(self) -> int:
        """How many rounds are played."""
        return ROUNDS_FOR[len(self.players)]

    @property
    def printed(self) -> ModuleType:
        """What is printed on every sheet: the tables of `sheet.py`."""
        return print_of_sheet

    @property
    def alone(self) -> bool:
        """Whether this is the solo game."""
        return len(self.players) == 1

    def face(self, die: str) -> int:
        """What a die shows; 0 before the turn's first roll."""
        return self.faces[DICE.index(die)]

    def lying(self, dice: Iterable[str]) -> Roll:
        """These dice as they lie."""
        return tuple(Die(die, str(self.face(die))) for die in dice)

    def throw(self) -> Throw | None:
        """All six, then the pool; dice placed or on the tray may stay in view."""
        if not self.due:
            return None
        return Throw(self.active, self.due, self.lying((*self.placed, *self.tray)))

    def asked(self) -> Mapping[Seat, str]:
        """`bonus`, `pick`, `tray`, `extra` or `last` (the last chance for extra dice)."""
        return {
            seat: "bonus" if player.owed else "last" if self.stage == "last" else player.step
            for seat, player in enumerate(self.players)
            if player.owed or player.step
        }

    def _choices(self, seat: Seat) -> tuple[Choice, ...]:
        player = self.players[seat]
        if player.owed:
            return tuple(Fill(field) for field in player.openings())
        match player.step:
            case "pick" if self.stage == "active":
                return self._active_choices(player.sheet)
            case "pick":
                return self._passive_choices(player.sheet)
            case "extra":
                return (*(Extra(die, field) for die, field in self._extras(player)), Done())
            case "tray":
                return tuple(Serve(die) for die in self._lowest_off_the_tray())
        raise AssertionError(player.step)

    def _active_choices(self, sheet: Sheet) -> tuple[Choice, ...]:
        entries = self._entries(sheet, self.pool)
        choices: list[Choice] = [Pick(die, field) for die, field in entries] or [Pass()]
        if self.wasted_pick:
            usable = {die for die, _ in entries}
            choices += [Waste(die) for die in self.pool if die not in usable]
        if sheet.rerolls > sheet.rerolls_used:
            choices.append(Reroll())
        return tuple(choices)

    def _passive_choices(self, sheet: Sheet) -> tuple[Choice, ...]:
        served = [Pick(die, field) for die, field in self._entries(sheet, self.tray)]
        if served:
            return (*served, Skip()) if self.passive_skip else tuple(served)
        return (*(Pick(die, field) for die, field in self._entries(sheet, self.placed)), Skip())

    def _entries(self, sheet: Sheet, dice: Iterable[str]) -> list[tuple[str, Field]]:
        """Each of these dice with each field that takes it; blue always takes blue and white together."""
        faces = dict(zip(DICE, self.faces, strict=True))
        both = faces["blue"] + faces["white"]
        return [
            (die, field)
            for die in dice
            for area in (AREAS if die == "white" else (die,))
            for field in sheet.fields(area, both if area == "blue" else faces[die])
        ]

    def _extras(self, player: Player) -> list[tuple[str, Field]]:
        if player.sheet.extras == player.sheet.extras_used:
            return []
        return self._entries(player.sheet, [die for die in DICE if die not in player.lent])

    def _lowest_off_the_tray(self) -> list[str]:
        off = [die for die in DICE if die not in self.tray]
        lowest = min(map(self.face, off))
        return [die for die in off if self.face(die) == lowest]

    def _rolled(self, roll: Rolled) -> Clever:
        shown = {die.kind: int(die.face) for die in roll.dice}
        faces = tuple(shown.get(die, face) for die, face in zip(DICE, self.faces, strict=True))
        state = replace(self, faces=faces, due=())
        if self.stage == "active":
            return state._seated(self.active, replace(self.players[self.active], step="pick"))
        return state._served(roll)

    def _served(self, roll: Rolled) -> Clever:
        """Solo: the lowest dice go on the tray; of equal ones the nearest, as seen or as the player says."""
        state = self
        while len(state.tray) < SERVED_ALONE:
            lowest = state._lowest_off_the_tray()
            if len(state.tray) + len(lowest) > SERVED_ALONE and not roll.nearest_first:
                return state._seated(self.active, replace(self.players[self.active], step="tray"))
            nearest = [die.kind for die in roll.dice if die.kind in lowest]
            state = state._on_tray(nearest[: SERVED_ALONE - len(state.tray)])
        return state._seated(self.active, state._at_the_tray(self.players[self.active]))

    def _chose(self, seat: Seat, choice: Choice) -> Clever:
        player = self.players[seat]
        if not isinstance(choice, Fill):
            player = player.begun()
        match choice:
            case Pick(die, field) if self.stage == "active":
                return self._place(die, player.marked(field))
            case Waste(die):
                return self._place(die, player)
            case Pass():
                return self._seated(seat, replace(player, step=""))
            case Reroll():
                sheet = replace(player.sheet, rerolls_used=player.sheet.rerolls_used + 1)
                return replace(self, due=self.pool)._seated(seat, replace(player, sheet=sheet, step=""))
            case Pick(_, field):
                return self._seated(seat, replace(player.marked(field), step="extra"))
            case Skip():
                return self._seated(seat, replace(player, step="extra"))
            case Fill(field):
                return self._seated(seat, player.filled(field))
            case Extra(die, field):
                sheet = replace(player.sheet, extras_used=player.sheet.extras_used + 1)
                player = replace(player, sheet=sheet, lent=player.lent | {die})
                return self._seated(seat, player.marked(field))
            case Done():
                return self._seated(seat, replace(player, step=""))
            case Serve(die):
                state = self._on_tray([die])
                if len(state.tray) < SERVED_ALONE:
                    return state
                return state._seated(seat, state._at_the_tray(player))
        raise AssertionError(choice)

    def _place(self, die: str, player: Player) -> Clever:
        """The active player's die on a die field, strictly lower ones of the pool on the tray."""
        value = self.face(die)
        pool = tuple(other for other in self.pool if other != die and self.face(other) >= value)
        lower = [other for other in self.pool if self.face(other) < value]
        state = replace(self._on_tray(lower), pool=pool, placed=(*self.placed, die))
        return state._seated(self.active, replace(player, step=""))

    def _on_tray(self, dice: Iterable[str]) -> Clever:
        tray = {*self.tray, *dice}
        return replace(self, tray=tuple(die for die in DICE if die in tray))

    def _at_the_tray(self, player: Player) -> Player:
        """A passive player: a die of the tray, or else of the active player's, or else only extra dice."""
        usable = self._entries(player.sheet, self.tray) or self._entries(player.sheet, self.placed)
        return replace(player, step="pick" if usable else "extra")

    def _settled(self, player: Player) -> Player:
        player = player.settled()
        if player.step == "extra" and not player.owed and not self._extras(player):
            return replace(player, step="")
        return player

    def _seated(self, seat: Seat, player: Player) -> Clever:
        """With one player changed; once nobody owes a decision, the game goes on."""
        changed = (*self.players[:seat], self._settled(player), *self.players[seat + 1 :])
        return replace(self, players=changed)._go_on()

    def _all_seated(self, players: Iterable[Player]) -> Clever:
        return replace(self, players=tuple(map(self._settled, players)))

    def _go_on(self) -> Clever:
        state = self
        while not (state.due or state.stage == "over" or state.asked()):
            state = state._next()
        return state

    def _next(self) -> Clever:
        """What follows when nobody owes anything any more."""
        match self.stage:
            case "round":
                return self._turn_of(self.active)
            case "active" if self.pool and self.rolls < THROWS:
                return replace(self, due=self.pool, rolls=self.rolls + 1)
            case "active":
                closing = replace(self._on_tray(self.pool), stage="closing", pool=())
                return closing._all_seated(
                    replace(player, step="extra") if seat == self.active else player
                    for seat, player in enumerate(self.players)
                )
            case "closing" if self.alone:
                return replace(self._cleared(), stage="passive", due=DICE)
            case "closing":
                passive = replace(self, stage="passive")
                return passive._all_seated(
                    player if seat == self.active else passive._at_the_tray(player)
                    for seat, player in enumerate(self.players)
                )
            case "passive":
                following = (self.active + 1) % len(self.players)
                if following != self.start_player:
                    return self._turn_of(following)
                if self.round < self.rounds:
                    return replace(self._cleared(), active=following)._next_round()
                # The dice lie as in the last turn, so one lent then is not lent again.
                last = replace(self, stage="last")
                return last._all_seated(replace(player, step="extra") for player in self.players)
            case "last":
                return replace(self, stage="over")
        raise AssertionError(self.stage)

    def _next_round(self) -> Clever:
        bonus = ROUNDS[self.round]
        opened = replace(self, stage="round", round=self.round + 1)
        return opened._all_seated(player.given((bonus,) if bonus else ()) for player in self.players)

    def _turn_of(self, seat: Seat) -> Clever:
        return replace(self._cleared(), stage="active", active=seat, pool=DICE)

    def _cleared(self) -> Clever:
        """The dice taken up for a new turn."""
        players = tuple(replace(player, lent=frozenset()) for player in self.players)
        return replace(self, players=players, rolls=0, faces=(0,) * len(DICE), pool=(), placed=(), tray=())

    def scores(self) -> tuple[int, ...]:
        """All areas and foxes of each seat."""
        return tuple(sum(player.sheet.points().values()) for player in self.players)

    def parts(self, seat: Seat) -> Mapping[str, int]:
        """The five areas and the foxes."""
        return self.players[seat].sheet.points()

    def outcome(self) -> Outcome | None:
        """After the last chance for extra dice; a tie goes to the highest single area, then it is shared."""
        if self.stage != "over":
            return None
        scores = self.scores()
        if self.alone:
            return Outcome(scores, (0,), rating=rating(scores[0]))
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        if len(best) == 1:
            return Outcome(scores, tuple(best))
        highest = {seat: max(self.parts(seat)[area] for area in AREAS) for seat in best}
        winners = tuple(seat for seat in best if highest[seat] == max(highest.values()))
        return Outcome(scores, winners, decided_by="shared" if len(winners) > 1 else "highest area")

    def __str__(self) -> str:
        return drawn(self)


def rating(points: int) -> str:
    """The solo verdict."""
    return next(stars for least, stars in STARS if points >= least)
