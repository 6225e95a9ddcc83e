"""One player of Clever: the sheet, the bonuses still to be used, and what comes next this turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.clever.sheet import EMPTY, Bonus, Field, Sheet


@dataclass(frozen=True, slots=True)
class Player:
    """`owed` are bonuses that must be used now; `step` is what is asked once they are used;
    `lent` are the dice already used as an extra die this turn."""

    sheet: Sheet = EMPTY
    owed: tuple[Bonus, ...] = ()
    step: str = ""
    lent: frozenset[str] = frozenset()

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
        return replace(self, sheet=sheet).given(fired)

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
