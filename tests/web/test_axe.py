"""axe-core on every page and state, in light and (for contrast) dark: nothing serious, nothing critical."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from companion.dice import Die
from companion.games import GAMES
from companion.table import Player
from companion.vision.reading import Reading, Sentence, Spotted
from tests.web.phones import PATIENCE_S
from tests.web.rig import Dice, free_port, room_of, served
from tests.web.test_around import play_out
from tests.web.test_setup import DrawnCamera

pytestmark = pytest.mark.browser
SERIOUS = ("serious", "critical")


class Room:
    """A served table, and one page that is moved from state to state."""

    def __init__(self, folder: Path, browser: Browser, size: tuple[int, int] = (390, 844)) -> None:
        self.log, self.table, self.dice, self.app = room_of(folder)
        self._served = served(self.app, free_port())
        self.url = self._served.__enter__()
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale="nl-NL", reduced_motion="reduce"
        )
        self.context.set_default_timeout(PATIENCE_S * 1000)
        self.page = self.context.new_page()
        self.found: list[str] = []

    def close(self) -> None:
        self.context.close()
        self._served.__exit__(None, None, None)
        self.log.close()

    def sit(self, player: Player) -> None:
        token = self.app.extensions["companion"].tokens.of_player(player.id)
        self._cookie("companion_seat", token)

    def be_host(self) -> None:
        self._cookie("companion_host", self.app.extensions["companion"].tokens.of_host())

    def _cookie(self, name: str, value: str) -> None:
        self.context.add_cookies([{"name": name, "value": value, "url": self.url}])

    def look(self, path: str, state: str, until: str = "main") -> Page:
        self.page.goto(f"{self.url}{path}")
        self.page.wait_for_selector(until, state="attached")
        self.check(state)
        return self.page

    def check(self, state: str) -> None:
        for scheme, options in (("light", None), ("dark", {"runOnly": ["color-contrast"]})):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for violation in Axe().run(self.page, options=options).response["violations"]:
                if violation["impact"] in SERIOUS:
                    self.found.append(f"{state}, {scheme}: {_said(violation)}")


def _said(violation: dict[str, Any]) -> str:
    nodes = [
        f"{node['html'][:140]} {node['any'][0]['message'][:160] if node['any'] else ''}"
        for node in violation["nodes"]
    ]
    return f"{violation['id']} ×{len(nodes)}: {' | '.join(nodes[:3])}"


@pytest.fixture
def room(tmp_path: Path, browser: Browser) -> Iterator[Room]:
    room = Room(tmp_path, browser)
    yield room
    room.close()
    assert not room.found, "\n".join(room.found)


def begun(room: Room, key: str, seats: int = 2) -> None:
    room.table.open(key, {})
    players = [room.table.join(name)[1] for name in ("Anna", "Bram", "Chris")[:seats]]
    room.table.start()
    room.sit(players[0])


def test_before_the_game(room: Room) -> None:
    room.look("/", "join")
    room.look("/host", "the PIN")
    _, anna = room.table.join("Anna")
    room.table.join("Bram")
    room.sit(anna)
    for key in ("regenwormen", "dicy_cards", "geizen"):
        room.table.change(key, {})
        room.look("/seat", f"lobby of {key}", "[data-start]")
    room.look("/lobby/cards", "cards")
    room.look("/lobby/board", "board")
    room.be_host()
    room.look("/table", "table screen before the game")
    room.look("/host?seat=1", "a seat handed over", ".taking")


def test_a_seat_handed_over_and_what_is_not_there(room: Room) -> None:
    begun(room, "regenwormen")
    token = room.app.extensions["companion"].tokens.of_player(room.table.hand_over(1).id)
    room.be_host()
    room.look("/host?seat=1", "the code for a new phone", ".taking")
    room.look("/trouble", "trouble for the host")
    room.look(f"/take/{token}", "a seat to be taken", "form.join")
    room.look("/take/nobody", "a link that has lapsed")
    room.look("/nowhere", "a page that is not there")


def test_setting_up_the_camera(room: Room) -> None:
    camera = DrawnCamera()
    room.be_host()
    room.look("/setup", "no camera")
    object.__setattr__(room.app.extensions["companion"], "setup", camera)
    camera.said = (Sentence("It is too dark: put a lamp near the table, or open the curtains."),)
    room.look("/setup", "nothing chosen yet", "[data-view]").click("[data-tap-corners]")
    room.page.wait_for_selector("[data-corner-hint]:not([hidden])")
    room.check("tapping corners")
    camera.use_corners(((20.0, 20.0), (600.0, 20.0), (600.0, 440.0), (20.0, 440.0)))
    camera.said = ()
    due = tuple(Die(kind, "worm") for kind in room.table.view().game.dice)
    camera.reading = Reading(tuple(Spotted(die, (9, 9, 90, 90), 1.0, sure=True) for die in due), due)
    room.look("/setup", "corners chosen", "[data-view]")
    room.page.click("form[action$='/setup/read'] button")
    room.page.wait_for_selector("form[action$='/setup/right']")
    room.check("dice read")


def test_a_roll_in_every_state(room: Room) -> None:
    begun(room, "regenwormen")
    dice: Dice = room.dice
    room.look("/seat", "throw due", "[data-throw]")
    dice.doubtful = (1,)
    dice.throw()
    room.look("/seat", "doubt", ".doubt")
    dice.throw()
    room.look("/seat", "sure", "[data-confirm]")
    room.look("/table", "table screen, sure", "[data-confirm]")
    room.look("/seat", "sure", "[data-type]").click("[data-type]")
    room.page.wait_for_selector("[data-add]")
    room.check("typing")
    room.table.confirm()
    room.look("/seat", "choosing", "[data-choice]")
    room.look("/seat?look=1", "another's sheet")
    room.look("/trouble", "trouble")
    room.be_host()
    room.look("/host", "host")
    room.page.eval_on_selector_all("details", "all => all.forEach((each) => (each.open = true))")
    room.check("host, all open")


@pytest.mark.parametrize("key", GAMES)
def test_a_game_from_rules_to_result(room: Room, key: str) -> None:
    begun(room, key)
    play_out(room.table, 25 if key != "regenwormen" else 60)
    room.look(f"/rules?game={key}", f"rules of {key}", ".rules")
    room.look("/seat", f"{key}, in the middle", "[data-sheet]")
    room.look("/table", f"table screen of {key}", "[data-sheet]")
    room.look("/history", f"history of {key}", ".history")
    play_out(room.table, 3000, seed=8)
    assert room.table.view().phase == "over"
    room.look("/seat", f"result of {key}", ".result")
    room.look("/sheets", f"sheets of {key}", ".keepsake")
