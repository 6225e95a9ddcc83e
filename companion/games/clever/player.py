"""One player of Clever: the sheet, the bonuses still to be used, and what comes next this turn."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace

from companion.games.clever.sheet import EMPTY, Bonus, Field, Sheet


@dataclass(frozen=True, slots=True)
class Mark:
    """A field filled: the points it brought to its area and the bonuses it fired."""

    field: Field
    points: int
    fired: tuple[Bonus, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """`owed` are bonuses that must be used now; `step` is what is asked once they are used;
    `lent` are the dice already used as an extra die this turn. `filled_in` are the fields filled since the
    last decision other than a bonus, in order, on the sheet as it was `before`: what is shown, and no part
    of what a player is."""

    sheet: Sheet = EMPTY
    owed: tuple[Bonus, ...] = ()
    step: str = ""
    lent: frozenset[str] = frozenset()
    before: Sheet = dataclasses.field(default=EMPTY, compare=False)
    filled_in: tuple[Field, ...] = dataclasses.field(default=(), compare=False)

    def begun(self) -> Player:
        """At the begin of a new chain of marks."""
        return replace(self, before=self.sheet, filled_in=())

    def chain(self) -> tuple[Mark, ...]:
        """The last die entered and every bonus that followed from it, one by one."""
        sheet, marks = self.before, list[Mark]()
        for field in self.filled_in:
            after, fired = sheet.marked(field)
            marks.append(Mark(field, after.points()[field.area] - sheet.points()[field.area], fired))
            sheet = after
        return tuple(marks)

    def given(self, bonuses: tuple[Bonus, ...]) -> Player:
        """With bonuses received: actions and foxes are noted at once, the others are owed."""
        sheet, owed = self.sheet, self.owed
        for bonus in bonuses:
            if bonus.fills:
                owed = (*owed, bonus)
            else:
                sheet = sheet.granted(bonus)
        return replace(self, sheet=sheet, owed=owed)

    def marked(self, field: Field) -> Player:
        """With a field marked and its bonuses received."""
        sheet, fired = self.sheet.marked(field)
        return replace(self, sheet=sheet, filled_in=(*self.filled_in, field)).given(fired)

    def filled(self, field: Field) -> Player:
        """With a field filled for the first bonus owed that allows it."""
        used = next(i for i, bonus in enumerate(self.owed) if field in self._fields_for(bonus))
        return replace(self, owed=self.owed[:used] + self.owed[used + 1 :]).marked(field)

    def openings(self) -> tuple[Field, ...]:
        """Every field that may be filled for a bonus owed, of all of them: the player orders them so."""
        return tuple(dict.fromkeys(field for bonus in self.owed for field in self._fields_for(bonus)))

    def settled(self) -> Player:
        """With the bonuses entered that leave no choice; one whose areas are full is lost."""
        player = self
        while player.owed:
            usable = tuple(bonus for bonus in player.owed if player._fields_for(bonus))
            player = replace(player, owed=usable)
            openings = player.openings()
            if len(openings) > 1:
                break
            if openings:
                player = player.filled(openings[0])
        return player

    def _fields_for(self, bonus: Bonus) -> tuple[Field, ...]:
        return tuple(field for area, number in bonus.fills for field in self.sheet.fields(area, number))
