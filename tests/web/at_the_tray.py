"""Players at the simulated tray: every throw is read by the eye and looked over, every choice is touched.

A player sees the dice with their own eyes. A sure and right reading is confirmed, a doubtful die is answered
with one tap, and whatever else the eye may say is put right by hand; so no reading can spoil an evening.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Browser, expect

from tests.web.phones import PATIENCE_S, Phone, Server

Brain = Callable[[list[str], bool], str]
"""Which of these choices a player takes; with the flag, nothing may be taken and the dice be thrown."""

ROLL = """() => {
  const seen = (what) => [...document.querySelectorAll(what)].filter((e) => e.checkVisibility());
  const dice = (e) => new URL(e.href).searchParams.get("d").split(",");
  const [die] = seen(".roll .dice [data-die]");
  return {
    sure: seen("[data-confirm]").length > 0,
    doubt: seen(".roll .trouble, .roll .doubt").length > 0,
    draft: seen(".roll .edit").length > 0,
    read: die ? dice(die) : [],
    more: seen(".doubt a.face:not(.other)").length > 0,
    offered: seen(".doubt .face:not(.other)").map(
      (e) => (e.form ? e.form.elements.dice.value.split(",") : dice(e))),
  };
}"""
CHOICES = """() => {
  const taps = (what) => [...document.querySelectorAll(`[data-sheet="mine"] [data-tap]${what}`)]
    .filter((e) => e.checkVisibility()).map((e) => e.dataset.tap);
  return {
    rows: JSON.parse(document.getElementById("choices")?.textContent ?? "[]"),
    must: taps(":not([data-narrow])"),
    may: taps("[data-narrow]"),
  };
}"""


class AtTheTray:
    """A game on phones over the tray."""

    def __init__(self, browser: Browser, server: Server, names: Sequence[str], brain: Brain) -> None:
        self.server, self.brain, self.names = server, brain, names
        self.phones = [Phone(browser, server.url, width=360 if n else 390) for n in range(len(names))]
        for phone, name in zip(self.phones, names, strict=True):
            phone.join(name)
        self.phones[0].tap("[data-start]")
        for phone in self.phones:
            phone.see(".players")
        self.told: Counter[str] = Counter()
        """How often a roll was confirmed, answered by a tap a doubt, or put right by hand."""

    # ---- one thing after another ---------------------------------------------------------------------

    def step(self) -> bool:
        """Whoever must do something does it; False when the game is over."""
        now = self.server.state()
        if now["phase"] == "over":
            return False
        if not (now["asked"] and self.choose(int(min(now["asked"])), may_throw=bool(now["throw"]))):
            self.roll(now["throw"]["seat"])
        return True

    def play(self) -> None:
        """Play on to the end."""
        while self.step():
            pass

    def thrower(self) -> int:
        """Play on until a throw is due and nothing else; whose it is."""
        while (now := self.server.state())["asked"] or not now["throw"]:
            assert self.step(), "the game ended too soon"
        return int(now["throw"]["seat"])

    # ---- the roll ------------------------------------------------------------------------------------

    def roll(self, seat: int, **wish: Any) -> None:
        """Throw, look at the dice, and say what lies there."""
        self.throw(seat, **wish)
        self.say_roll(seat)

    def say_roll(self, seat: int) -> None:
        """Dice lie there: say which, until the table has them."""
        phone, before = self.phones[seat], self._rolls()
        give_up = time.monotonic() + 2 * PATIENCE_S
        while self._rolls() == before:
            assert time.monotonic() < give_up, (
                f"the roll is not taken: {phone.page.inner_text('#live')[:300]}"
            )
            version = phone.version()
            if self._answer(phone):
                phone.changes(version)

    def throw(self, seat: int, **wish: Any) -> Phone:
        """Touch the button, and wait until the eye has something to say about the dice."""
        phone = self.phones[seat]
        if wish:
            self.server.wish(**wish)
        phone.tap("[data-throw]")
        give_up = time.monotonic() + 2 * PATIENCE_S
        while not self._seen(phone):
            assert time.monotonic() < give_up, f"nothing was read: {phone.page.inner_text('#live')[:300]}"
            time.sleep(0.08)
        return phone

    def _rolls(self) -> int:
        return int(self.server.state()["rolls_made"])

    def _seen(self, phone: Phone) -> dict[str, Any]:
        seen: dict[str, Any] = phone.page.evaluate(ROLL)
        return seen if seen["sure"] or seen["doubt"] else {}

    def _answer(self, phone: Phone) -> bool:
        """Say what lies there, as far as one tap says it; False if there is nothing to say yet."""
        seen, truth = self._seen(phone), Counter(self.server.lies())
        if not seen:
            return False
        if seen["sure"] and Counter(seen["read"]) == truth:
            self.told["confirmed"] += 1
            return phone.taps("[data-confirm]")
        if (face := _right_face(seen, truth)) is not None:
            self.told["answered"] += 1
            return phone.taps(f".doubt .face >> nth={face}")
        self.told["by hand"] += 1
        if seen["draft"] and not phone.taps(".roll .row a.quiet:not([data-remove])"):
            return False
        return self.type_in(phone, sorted(truth.elements()))

    def type_in(self, phone: Phone, dice: Sequence[str]) -> bool:
        """Touch the faces one by one; False if the way to do so has gone."""
        if not phone.taps("[data-type]"):
            return False
        for n, die in enumerate(dice):
            phone.tap(f'[data-add="{die}"]')
            phone.counts(".edit [data-die]", n + 1)
        return phone.taps("[data-roll]")

    def correct(self, phone: Phone, wrong: str, right: str) -> None:
        """A die of the last roll was taken for another: put it right, having read what that takes back."""
        phone.tap("[data-correct]")
        expect(phone.page.locator(".edit")).to_be_in_viewport()
        at = phone.page.evaluate(
            """wrong => new URL(document.querySelector('.edit [data-die="0"]').href)
                 .searchParams.get("d").split(",").indexOf(wrong)""",
            wrong,
        )
        phone.tap(f'.edit [data-die="{at}"]')
        phone.tap(f'[data-face="{right.partition(":")[2]}"]')
        phone.see(".undoes li")
        version = phone.version()
        phone.tap("[data-roll]")
        phone.changed(version)

    # ---- choices -------------------------------------------------------------------------------------

    def choose(self, seat: int, *, may_throw: bool = False) -> bool:
        """Take what the brain likes; False: nothing, the dice are thrown instead."""
        phone = self.phones[seat]
        phone.page.wait_for_selector("#choices", state="attached")
        version, shown = phone.version(), phone.page.evaluate(CHOICES)
        rows = {row[0]: row[1] or row[0] for row in shown["rows"]}
        text = self.brain(list(rows), may_throw) if rows else ""
        if text and self.touch(phone, text, rows[text].split(), shown):
            phone.changes(version)
        return bool(text) or not may_throw

    def touch(self, phone: Phone, text: str, words: list[str], shown: dict[str, Any]) -> bool:
        """Touch on the sheet what the choice needs and take it in the dock; or touch its plain button."""
        must = list((Counter(words) & Counter(shown["must"])).elements())
        may = [word for word in words if word in shown["may"]]
        if not must and not may:
            return phone.taps(f'.choices [data-choice="{text}"]')
        taken = f'#dock [data-choice="{text}"]'
        for n, word in enumerate((*must, *may)):
            if n >= len(must) and phone.page.locator(taken).count():
                break
            if not phone.taps(f'[data-sheet="mine"] [data-tap="{word}"].can'):
                return False
        return phone.taps(taken)

    # ---- what happens in the course of an evening ----------------------------------------------------

    def undo(self, seat: int) -> None:
        """That seat takes its last choice back, and is asked the same again."""
        phone = self.phones[seat]
        version = phone.version()
        phone.tap("[data-undo]")
        phone.changed(version)

    def comes_back(self, seat: int) -> None:
        """A phone that was put away is opened again: it is in its seat, and shows the table as it is."""
        away = self.phones[seat]
        away.page.goto(self.server.url)
        away.see(".players")
        expect(away.page.locator(".player.own .name").first).to_have_text(self.names[seat])

    def end(self) -> None:
        """All phones show the same end, and nothing went wrong on any."""
        for phone in self.phones:
            phone.see(".result")
            assert phone.problems == []
        results = {phone.page.inner_text(".result ol") for phone in self.phones}
        assert len(results) == 1
        [result] = results
        assert all(name in result for name in self.names)


def _right_face(seen: dict[str, Any], truth: Counter[str]) -> int | None:
    """Which of the faces offered for a doubtful die lies there; more dice may be asked after it."""
    right = [(Counter(offer) & truth).total() for offer in seen.get("offered", ())]
    if not right or not (seen["more"] or max(right) == truth.total()):
        return None
    return right.index(max(right))
