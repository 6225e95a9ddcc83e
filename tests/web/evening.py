"""An evening with phones in a real browser and dice that fall as told: games are played by tapping."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from companion.table import Table
from tests.web.phones import PATIENCE_S, Phone
from tests.web.rig import Dice, free_port, room_of, served

NAMES = ("Anna", "Bram")


class Evening:
    """The table, the dice and the phones at it."""

    def __init__(self, table: Table, dice: Dice, phones: list[Phone]) -> None:
        self.table, self.dice, self.phones = table, dice, phones

    def throw(self, phone: Phone, *dice: str) -> None:
        """This phone throws: these dice, or any; and says that the reading is right."""
        self.dice.next = dice
        phone.tap("[data-throw]")
        phone.see("[data-confirm]")
        self.press(phone, "[data-confirm]")

    def take(self, phone: Phone, *taps: str) -> None:
        """Tap these things on the sheet and the last one twice, which takes the choice."""
        before = self.table.view().version
        for tap in taps:
            phone.tap(f'[data-sheet="mine"] [data-tap="{tap}"].can')
        phone.see("#dock [data-choice]")
        phone.tap(f'[data-sheet="mine"] [data-tap="{taps[-1]}"].on')
        self.table.wait(before, PATIENCE_S)
        self.settle(phone)

    def press(self, phone: Phone, what: str) -> None:
        """Tap a button that decides."""
        before = self.table.view().version
        phone.tap(what)
        self.table.wait(before, PATIENCE_S)
        self.settle(phone)

    def settle(self, *phones: Phone) -> None:
        """Wait until these phones show the table as it is now."""
        version = self.table.view().version
        for phone in phones or self.phones:
            phone.page.wait_for_function(
                "v => Number(document.getElementById('live').dataset.version.split('-')[1]) >= v",
                arg=version,
            )

    def why(self, phone: Phone, tap: str, words: str) -> None:
        """A tap that does not fit, and what the phone must say about it."""
        phone.page.evaluate("document.getElementById('toast').textContent = ''")
        phone.tap(f'[data-sheet="mine"] [data-tap="{tap}"]')
        phone.says("#toast", words)

    def check(self) -> None:
        """No phone has had an error."""
        assert [phone.problems for phone in self.phones] == [[] for _ in self.phones]


@contextmanager
def evening(browser: Browser, folder: Path, game: str, players: int = 2) -> Iterator[Evening]:
    """Phones that have joined and begun a game."""
    log, table, dice, app = room_of(folder)
    table.open(game, {})
    with closing(log), served(app, free_port()) as url:
        phones = [Phone(browser, url) for _ in range(players)]
        for phone, name in zip(phones, NAMES, strict=False):
            phone.join(name)
        phones[0].tap("[data-start]")
        for phone in phones:
            phone.see(".players")
        try:
            yield Evening(table, dice, phones)
        finally:
            for phone in phones:
                phone.context.close()
