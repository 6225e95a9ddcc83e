"""What every sheet must keep at any moment: all that is legal is within reach, and everything has a name."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random

from companion.advice import BOTS, throw_dice
from companion.dice import Roll
from companion.games.core import Choice
from companion.table import View
from companion.web.roles import SEAT_COOKIE
from companion.web.sheets import Sheet, sheet_of
from companion.web.taps import for_phone
from tests.web.rig import room_of

FRAGMENT_BYTES = 25_000
MOST_OFFERED = 4
"""So many choices fit in the dock; see taps.js."""

Thing = dict[str, str]


HIDDEN = {"no-js", "placed"}
"""What stylesheets may hide from a phone with script; see choices.html."""
VOID = {"input", "meta", "link", "br", "img"}


class _Things(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Thing] = []
        self.shown: list[Thing] = []
        self._around: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        thing = {name: value or "" for name, value in attrs}
        hidden = bool(HIDDEN & set(thing.get("class", "").split())) or tag == "template"
        hidden = hidden or any(hides for _, hides in self._around)
        self.found.append(thing)
        if not hidden:
            self.shown.append(thing)
        if tag not in VOID:
            self._around.append((tag, hidden))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._around and tag not in VOID:
            if self._around.pop()[0] == tag:
                break


def _parsed(html: str) -> _Things:
    parser = _Things()
    parser.feed(html)
    return parser


def things(html: str) -> list[Thing]:
    """The attributes of every element."""
    return _parsed(html).found


class Sitting:
    """A table with a game on it, and its sheet in one language."""

    def __init__(
        self, folder: Path, game: str, players: int = 2, language: str = "nl", **options: str | bool
    ) -> None:
        self.log, self.table, _, self.app = room_of(folder)
        self.key, self.language, self.chance = game, language, Random(7)
        self.table.open(game, options)
        for name in ("Anna", "Bram", "Chris")[:players]:
            self.table.join(name)
        self.table.start()

    def drawn(self, work: Callable[[Sheet, View], str]) -> str:
        """Something that the sheet says now."""
        with self.app.test_request_context(headers={"Accept-Language": self.language}):
            return str(work(sheet_of(self.key), self.table.view()))

    def sheet(self, seat: int = 0, *, mine: bool = True) -> str:
        """The HTML of a seat's sheet."""
        return self.drawn(lambda sheet, view: sheet.draw(view, seat, mine))

    def page(self, seat: int) -> str:
        """The living part of a seat's page, as that player's phone has it."""
        phone, room = self.app.test_client(), self.app.extensions["companion"]
        phone.set_cookie(SEAT_COOKIE, room.tokens.of_player(self.table.view().lobby.players[seat].id))
        return phone.get("/seat", headers={"Accept-Language": self.language, "X-Fragment": "yes"}).text

    def roll(self, dice: Roll | None = None) -> None:
        """Dice fall: these, or any."""
        due = self.table.due()
        assert due is not None
        self.table.roll(dice or throw_dice(due[1], self.chance))

    def moments(self, bot: str = "random") -> Iterator[View]:
        """A whole game, moment by moment, played by a bot."""
        while (state := self.table.view().state) is not None and not state.outcome():
            if self.table.due():
                self.roll()
            else:
                seat = self.chance.choice(sorted(state.asked()))
                choice = BOTS[bot](state, seat, self.chance)
                self.table.choose(seat, str(choice))
            yield self.table.view()


def check_taps(sitting: Sitting, seat: int) -> None:
    """Tapping what a choice needs leads to a dock that offers it, for every choice."""
    with sitting.app.test_request_context(headers={"Accept-Language": sitting.language}):
        view, sheet = sitting.table.view(), sheet_of(sitting.key)
        assert view.state is not None
        legal = view.state.legal(seat)
        html = str(sheet.draw(view, seat, mine=True))
        rows = for_phone(view.state, seat, sheet)
    tappable = [thing for thing in things(html) if "data-tap" in thing]
    must = Counter(thing["data-tap"] for thing in tappable if "data-narrow" not in thing)
    may = {thing["data-tap"] for thing in tappable if "data-narrow" in thing}
    offered: dict[tuple[str, ...], list[tuple[Choice, set[str]]]] = {}
    for choice, row in zip(legal, rows, strict=True):
        words = Counter((row[1] or row[0]).split())
        needed = words & must
        assert needed or set(words) & may, f"{choice} cannot be reached on the sheet"
        offered.setdefault(tuple(sorted(needed.elements())), []).append((choice, set(words) & may))
    for together in offered.values():
        narrowed = Counter(frozenset(dice) for _, dice in together)
        alike = max(narrowed.values())
        assert alike == 1 or len(together) <= MOST_OFFERED, f"{together} cannot be told apart"


def out_of_reach(sitting: Sitting, seat: int) -> list[str]:
    """What is legal but can neither be tapped on the sheet nor has a button, for a phone with script."""
    page = _parsed(sitting.page(seat))
    buttons = {thing["data-choice"] for thing in page.shown if "data-choice" in thing}
    with sitting.app.test_request_context():
        state = sitting.table.view().state
        assert state is not None
        legal, sheet = state.legal(seat), sheet_of(sitting.key)
        choices = {str(choice): Counter(sheet.taps(choice)) for choice in legal}
    tappable = [thing for thing in page.shown if "data-tap" in thing]
    must = Counter(thing["data-tap"] for thing in tappable if "data-narrow" not in thing)
    may = {thing["data-tap"] for thing in tappable if "data-narrow" in thing}
    dear = {thing["data-tap"] for thing in tappable if "data-dear" in thing}
    alike: dict[tuple[str, ...], list[str]] = {}
    for text, words in choices.items():
        alike.setdefault(tuple(sorted((words & must).elements())), []).append(text)
    lost = []
    for needed, texts in alike.items():
        for text in texts:
            narrowed = may & set(choices[text])
            exact = [each for each in texts if narrowed <= set(choices[each])]
            exact.sort(key=lambda each: len(dear & set(choices[each])))
            tapped = needed or (narrowed and len(exact) <= MOST_OFFERED)
            if text not in buttons and not (tapped and text in exact[:MOST_OFFERED]):
                lost.append(text)
    return lost


def check_names(html: str) -> None:
    """Whatever can be tapped has a role and a name."""
    for thing in things(html):
        if "data-tap" in thing:
            assert thing.get("role") == "img", thing
            assert thing.get("aria-label", "").strip(), thing


def check_weight(sitting: Sitting, seat: int) -> int:
    """The compressed bytes of a seat's sheet with all its choices."""
    with sitting.app.test_request_context():
        view, sheet = sitting.table.view(), sheet_of(sitting.key)
        assert view.state is not None
        text = str(sheet.draw(view, seat, mine=True)) + str(for_phone(view.state, seat, sheet))
    weight = len(zlib.compress(text.encode(), 6))
    assert weight < FRAGMENT_BYTES
    return weight
