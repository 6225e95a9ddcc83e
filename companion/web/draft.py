"""A roll being mended or typed in on a phone; it lives in the page's address, not in the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.dice import KINDS, Die, NotADie, Roll, same_kinds
from companion.table import View
from companion.vision.reading import Reading
from companion.web.asking import whole


@dataclass(frozen=True, slots=True)
class Draft:
    """The dice as the phone has them so far.

    `mode` is "roll" for the throw that is due, "correct" for the last roll; `at` the die being changed;
    `settled` the dice of the reading that somebody has answered for.
    """

    mode: str
    rolls_made: int
    dice: Roll = ()
    at: int | None = None
    settled: frozenset[int] = frozenset()

    @classmethod
    def from_args(cls, args: Mapping[str, str], view: View) -> Draft | None:
        """The draft in this address, if it still speaks of the throw on the table."""
        mode = args.get("mode", "")
        if mode not in ("roll", "correct") or args.get("rolls", "") != str(view.rolls_made):
            return None
        if (mode == "roll" and view.due is None) or (mode == "correct" and not view.last_roll):
            return None
        try:
            dice = tuple(Die.named(text) for text in args.get("d", "").split(",") if text)
        except NotADie:
            return None
        at = whole(args.get("at", ""))
        settled = frozenset(n for word in args.get("ok", "").split(",") if (n := whole(word)) is not None)
        place = at if at is not None and at < len(dice) else None
        return cls(mode, view.rolls_made, dice, place, settled)

    @classmethod
    def of_reading(cls, view: View, reading: Reading) -> Draft:
        """What the eye has read, to be mended."""
        return cls("roll", view.rolls_made, tuple(spotted.die for spotted in reading.dice))

    @classmethod
    def of_last_roll(cls, view: View) -> Draft:
        """The last roll, to be corrected."""
        return cls("correct", view.rolls_made, view.last_roll)

    @classmethod
    def empty(cls, view: View) -> Draft:
        """A roll to be typed in."""
        return cls("roll", view.rolls_made)

    def args(self) -> dict[str, str]:
        """This draft as the page's address holds it."""
        args = {"mode": self.mode, "rolls": str(self.rolls_made), "d": ",".join(map(str, self.dice))}
        if self.at is not None:
            args["at"] = str(self.at)
        if self.settled:
            args["ok"] = ",".join(map(str, sorted(self.settled)))
        return args

    def changing(self, place: int) -> Draft:
        """With one die held up to be changed."""
        return replace(self, at=place)

    def with_face(self, place: int, face: str) -> Draft:
        """With another face on one die."""
        dice = tuple(Die(die.kind, face) if n == place else die for n, die in enumerate(self.dice))
        return replace(self, dice=dice, at=None, settled=self.settled | {place})

    def with_die(self, kind: str, face: str) -> Draft:
        """With one die more."""
        return replace(self, dice=(*self.dice, Die(kind, face)), at=None)

    def without(self, place: int) -> Draft:
        """With one die fewer."""
        dice = tuple(die for n, die in enumerate(self.dice) if n != place)
        settled = frozenset(n - (n > place) for n in self.settled if n != place)
        return replace(self, dice=dice, at=None, settled=settled)

    def kinds(self, view: View) -> tuple[str, ...]:
        """The kinds of dice that must be there."""
        if self.mode == "roll" and view.due is not None:
            return view.due[1].kinds
        return tuple(die.kind for die in view.last_roll)

    def missing(self, view: View) -> list[str]:
        """The kinds of dice that are not there yet, each once."""
        return list(Counter(self.kinds(view)) - Counter(die.kind for die in self.dice))

    def extra(self, view: View) -> bool:
        """Whether dice are there that should not be."""
        return bool(Counter(die.kind for die in self.dice) - Counter(self.kinds(view)))

    def complete(self, view: View) -> bool:
        """Whether these are the dice due."""
        return same_kinds(self.dice, self.kinds(view))

    def open_doubt(self, reading: Reading | None) -> int | None:
        """The first die of the reading that is doubtful and that nobody has answered for."""
        if reading is None or len(reading.dice) != len(self.dice):
            return None
        doubtful = (
            n for n, spotted in enumerate(reading.dice) if not spotted.sure or spotted.state != "flat"
        )
        return next((n for n in doubtful if n not in self.settled), None)

    def faces(self, kind: str) -> tuple[str, ...]:
        """The faces such a die has."""
        return KINDS[kind].faces
