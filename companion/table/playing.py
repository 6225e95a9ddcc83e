"""While a game is played: rolls, choices, and what is taken back or corrected."""

from __future__ import annotations

from collections import Counter

from companion.dice import Die, NotADie, Roll, Seat
from companion.games.core import Chose, Corrected, IllegalEvent, Rolled, Undone
from companion.table.standing import Standing
from companion.table.story import CannotUndo, Past, Story
from companion.table.view import Refused


class Playing(Standing):
    """Rolls and choices, each harmless when it comes twice."""

    def roll(
        self, dice: tuple[str, ...] | Roll, nearest_first: bool = False, rolls_made: int | None = None
    ) -> None:
        """The dice due have fallen; `rolls_made` says for which throw, so that a double tap is harmless."""
        with self._lock:
            fallen = self._dice(dice)
            if not self._taken_already(rolls_made, fallen):
                self._add(Rolled(fallen, nearest_first))

    def confirm(self, rolls_made: int | None = None, dice: tuple[str, ...] | Roll | None = None) -> None:
        """Take the roll that the eye is sure of; in doubt it does not guess.

        `dice` are those that somebody looked at and found right: others are not taken on that word.
        """
        with self._lock:
            shown = None if dice is None else self._dice(dice)
            if self._taken_already(rolls_made, shown):
                return
            if self._due is None:
                raise Refused("no throw is due now")
            sight = self._sight
            if sight is None or sight.roll is None:
                if sight is not None and sight.reading is not None and sight.reading.doubts:
                    raise Refused("the dice are not sure yet: look at the doubtful one on the phone")
                raise Refused("no roll has been read yet")
            if shown is not None and Counter(shown) != Counter(sight.roll):
                raise Refused("the dice were read anew meanwhile: look again")
            self._add(Rolled(sight.roll, sight.nearest_first))

    def choose(self, seat: Seat, text: str, choices_made: int | None = None) -> None:
        """A seat decides; a tap that was already taken is answered as if it had been the first."""
        with self._lock:
            story = self._playing()
            made = story.choices_made(seat)
            if choices_made is not None and choices_made != made:
                own = [e for e in story.events if isinstance(e, Chose) and e.seat == seat]
                same = own and own[-1] is story.last_of(seat) and str(own[-1].choice) == text
                if same and choices_made == made - 1:
                    return
                raise Refused("that tap came too late: something was decided for this seat before it")
            try:
                choice = story.state.find(seat, text)
            except IllegalEvent as problem:
                raise Refused("that cannot be chosen now") from problem
            self._add(Chose(seat, choice))

    def undo(self, seat: Seat, choices_made: int | None = None) -> None:
        """Take back that seat's own last choice, and what bots have built on it; a second tap of a double tap
        does nothing."""
        with self._lock:
            if self._undone_already(seat, choices_made):
                return
            try:
                self._add(Undone(seat))
            except Refused:
                later = self._back_to(seat)
                if not later or not all(self._lobby.players[other].is_bot for other in later[:-1]):
                    raise
                self._take_back(later)

    def undo_all(self, seat: Seat, choices_made: int | None = None) -> None:
        """Take back that seat's last choice and everything that came after it (the host may)."""
        with self._lock:
            if self._undone_already(seat, choices_made):
                return
            later = self._back_to(seat)
            if not later:
                raise Refused("there is nothing to take back since the last roll")
            self._take_back(later)

    def _back_to(self, seat: Seat) -> list[Seat]:
        """Who chose since that seat's last choice, the newest first and that seat last; nobody if it has not
        chosen since the last roll."""
        later: list[Seat] = []
        for event in reversed(self._playing().events):
            if isinstance(event, Rolled):
                break
            later.append(event.seat)
            if event.seat == seat:
                return later
        return []

    def _take_back(self, later: list[Seat]) -> None:
        """Take back a choice of each of these, in this order; then bots choose anew."""
        for other in later:
            self._add(Undone(other), bots=False)
        self._let_bots_decide()

    def ask_undo(self) -> None:
        """The button was held: ask whoever chose last on a phone whether to take back; what bots have built
        on it falls with it."""
        with self._lock:
            story = self._playing()
            chose = [e.seat for e in story.events[self._after_roll(story) :] if isinstance(e, Chose)]
            people = [seat for seat in chose if not self._lobby.players[seat].is_bot]
            if not people:
                raise Refused("there is nothing to take back since the last roll")
            self._undo_asked = people[-1]
            self._tell()

    def correct(self, dice: tuple[str, ...] | Roll, rolls_made: int | None = None) -> tuple[Past, ...]:
        """Replace the last roll; what no longer fits is undone, and returned.

        `rolls_made` says which roll was the last, so that a late tap never changes a newer one.
        """
        with self._lock:
            if rolls_made is not None and rolls_made != self._playing().rolls_made:
                raise Refused("that tap came too late: it was about another throw")
            gone = self.undone_by(dice)
            self._add(self._correction(dice))
            return gone

    def undone_by(self, dice: tuple[str, ...] | Roll) -> tuple[Past, ...]:
        """What a correction of the last roll to these dice would undo."""
        with self._lock:
            story = self._playing()
            try:
                return story.undone_by(self._correction(dice))
            except (IllegalEvent, CannotUndo) as problem:
                raise Refused("%(problem)s", problem=problem) from problem

    def throw_again(self, rolls_made: int | None = None, throw_number: int | None = None) -> None:
        """What was read for this throw does not count: wait for dice that move anew.

        `rolls_made` and `throw_number` say what was read, so that a second tap spares what is read after it.
        """
        with self._lock:
            if self._due is None:
                raise Refused("no throw is due now")
            if rolls_made not in (None, self._playing().rolls_made):
                raise Refused("that tap came too late: it was about another throw")
            if throw_number not in (None, self._due[0]):
                return
            self._renew_due(always=True)
            self._tell()

    def _taken_already(self, rolls_made: int | None, dice: Roll | None = None) -> bool:
        made, last = self._playing().rolls_made, self._playing().last_roll()
        if rolls_made is None or rolls_made == made:
            return False
        if rolls_made != made - 1 or last is None:
            raise Refused("that tap came too late: it was about another throw")
        if dice is not None and Counter(dice) != Counter(last[1].dice):
            raise Refused("that tap came too late: other dice were taken for this throw")
        return True

    def _undone_already(self, seat: Seat, choices_made: int | None) -> bool:
        made = self._playing().choices_made(seat)
        if choices_made is None or choices_made == made:
            return False
        if choices_made == made - 1 and isinstance(self._playing().last_of(seat), Undone):
            return True
        raise Refused("that tap came too late: something was decided for this seat before it")

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
