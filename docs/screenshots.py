"""Takes the pictures in docs/screenshots: `python -m docs.screenshots [FOLDER]` (needs Chromium).

The table is that of `companion serve --camera sim`: dice fall on the simulated tray; the eye reads frames.
Between the pictures bots decide for everybody, so that each game is seen early, in the middle and at its end.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page

from companion.advice import BOTS, Played, play
from companion.cli.serve import make_eye
from companion.eye import Eye
from companion.games import GAMES
from companion.games.core import Chose, Rolled
from companion.log import Log
from companion.settings import Settings
from companion.table import Table, View
from companion.vision.tray import Tray
from companion.vision.tray.tray import Fault
from companion.web import create_app
from docs.palette import shrink
from tests.test_tray import Clock
from tests.web.phones import PATIENCE_S, QUICK, chromium
from tests.web.rig import PIN, free_port, served

FOLDER = Path(__file__).parent / "screenshots"
PHONE, LYING, TABLET, SCREEN = (390, 844), (844, 390), (820, 1180), (1280, 800)
PLAYERS = ("Anna", "Bram", "Chris")
WIDE = {
    "keer_op_keer_2": (LYING, "lying", "nl-NL"),
    "clever": (TABLET, "tablet", "en-GB"),
}
"""Sheets that are also pictured on a phone held across, or on a tablet in English."""
ADDRESS = "http://192.168.1.20:8017"
SEED = 5
MOST_THROWS = 60
FRAMES = 24
"""In so many pictures dice fall, come to rest and are read."""


class Studio:
    """A table, the tray with the eye above it, and a browser that looks at the table in any size."""

    def __init__(self, browser: Browser, table: Table, eye: Eye, tray: Tray, url: str, folder: Path) -> None:
        self.browser, self.table, self.eye, self.tray = browser, table, eye, tray
        self.url, self.folder = url, folder
        self.cookies: list[object] = []

    def seat(self, key: str) -> None:
        """Another game with the same three players; Anna's phone is ours."""
        self.table.open(key, {})
        with self.look("/", PHONE) as page:
            page.fill("#name", PLAYERS[0])
            page.tap("form.join button")
            page.wait_for_selector("body.seat")
            self.cookies = list(page.context.cookies())
        for name in PLAYERS[1:]:
            self.table.join(name)

    def play(self, game: Iterator[Played], stop: Callable[[View], bool] = lambda view: False) -> None:
        """Let this game go on at the table until something is so, or to its end."""
        for played in game:
            match played.event:
                case Rolled(dice):
                    self.table.roll(dice)
                case Chose(seat, choice):
                    self.table.choose(seat, str(choice))
            if stop(self.table.view()):
                return

    def watch(self, frames: int) -> None:
        """Let the eye look at the tray for so many frames."""
        for _ in range(frames):
            frame = self.tray.next()
            assert frame is not None
            self.eye.see(frame)

    @contextmanager
    def look(self, path: str, size: tuple[int, int], language: str = "nl-NL") -> Iterator[Page]:
        """A page of the table in a window of this size; a phone has Anna's seat, the table screen none."""
        phone = size != SCREEN
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=phone,
            is_mobile=phone,
            locale=language,
            reduced_motion="reduce",
        )
        context.add_init_script(QUICK)
        if phone:
            context.add_cookies(self.cookies)  # type: ignore[arg-type]
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(self.url + path)
        try:
            yield page
        finally:
            context.close()

    def shoot(self, page: Page, name: str, at: str = "", dark: bool = False) -> None:
        """A picture of what the window shows, from the top or with one thing at its top; also in dark."""
        top = f"document.querySelector({at!r}).getBoundingClientRect().top + scrollY - 8" if at else "0"
        page.evaluate(f"scrollTo(0, {top})")
        for scheme in ("light", "dark") if dark else ("light",):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            file = self.folder / f"{name}{'-dark' if scheme == 'dark' else ''}.png"
            page.screenshot(path=file)
            shrink(file)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")


def greedy(key: str) -> Iterator[Played]:
    """A game of greedy bots, played as far as it is looked at."""
    return play(GAMES[key], {}, [BOTS["greedy"]] * len(PLAYERS), Random(SEED))


def anna_chooses(view: View) -> bool:
    """Whether the phone in the pictures has something to choose."""
    return view.state is not None and len(view.state.legal(0)) > 1


def sheets(studio: Studio, key: str) -> None:
    """One game's sheet early, in the middle and at the end; the result, and all sheets to keep."""
    studio.seat(key)
    studio.table.start()
    whole = list(greedy(key))
    game = iter(whole)
    studio.play(game, lambda view: len(view.events) > len(whole) * 0.06 and anna_chooses(view))
    with studio.look("/seat", PHONE) as page:
        studio.shoot(page, f"{key}-early")
        studio.play(game, lambda view: len(view.events) > len(whole) * 0.5 and anna_chooses(view))
        page.reload()
        studio.shoot(page, f"{key}-middle", dark=True)
        if key in WIDE:
            size, name, language = WIDE[key]
            with studio.look("/seat", size, language) as wide:
                studio.shoot(wide, f"{key}-{name}")
        studio.play(game)
        page.reload()
        studio.shoot(page, f"{key}-end", at=".sheet")
        if key == "clever":
            studio.shoot(page, "result")
            page.goto(studio.url + "/rules")
            studio.shoot(page, "rules")
            page.goto(studio.url + "/history")
            studio.shoot(page, "history")


def around(studio: Studio) -> None:
    """The pages around a game: joining, the lobby, the host, setting up."""
    studio.table.open("regenwormen", {})
    with studio.look("/", PHONE) as page:
        studio.shoot(page, "join", dark=True)
    studio.seat("regenwormen")
    with studio.look("/seat", PHONE) as page:
        studio.shoot(page, "lobby", dark=True)
        studio.shoot(page, "lobby-games", at=".lobby-game")
    with studio.look("/table", SCREEN) as page:
        studio.shoot(page, "table-lobby")
    with studio.look("/host", PHONE) as page:
        page.fill("#pin", PIN)
        page.tap("form.join button")
        page.wait_for_selector(".host-seats")
        page.locator(".host-seat summary").nth(1).tap()
        studio.shoot(page, "host")
        page.goto(studio.url + "/setup")
        page.wait_for_selector("[data-view]")
        studio.shoot(page, "setup")
        page.goto(studio.url + "/trouble")
        studio.shoot(page, "trouble")


def dice(studio: Studio) -> None:
    """A sure roll and a doubtful one, on the phone and on the table screen; and the roll typed in."""
    studio.seat("clever")
    studio.table.start()
    studio.play(greedy("clever"), lambda view: len(view.events) > 60 and anna_throws(view))
    with studio.look("/seat", PHONE) as page:
        throw_until(studio, page, "[data-confirm]")
        studio.shoot(page, "roll", dark=True)
        with studio.look("/table", SCREEN) as screen:
            screen.wait_for_selector(".sighting")
            screen.wait_for_timeout(500)
            studio.shoot(screen, "table", dark=True)
        page.tap("[data-type]")
        page.wait_for_selector(".faces")
        studio.shoot(page, "roll-typed")
    studio.seat("keer_op_keer_2")
    studio.table.start()
    if not anna_throws(studio.table.view()):
        studio.play(greedy("keer_op_keer_2"), anna_throws)
    with studio.look("/seat", PHONE) as page:
        throw_until(studio, page, ".doubt .crop", "cocked")
        studio.shoot(page, "roll-doubt", dark=True)


def anna_throws(view: View) -> bool:
    """Whether the dice are Anna's to throw."""
    return view.due is not None and view.due[1].seat == 0


def throw_until(studio: Studio, page: Page, wanted: str, fault: Fault | None = None) -> None:
    """Throw the dice due until the eye says what the picture is to show."""
    for _ in range(MOST_THROWS):
        studio.table.throw_again()  # a throw of its own, with a watch of its own
        due = studio.table.due()
        assert due is not None
        studio.watch(2)
        studio.tray.throw(due[1].kinds, due[1].lying, fault)
        studio.watch(FRAMES)
        page.wait_for_function(
            "v => Number(document.getElementById('live').dataset.version.split('-')[1]) >= v",
            arg=studio.table.view().version,
        )
        if page.locator(wanted).count():
            page.wait_for_timeout(500)
            return
    raise AssertionError(f"no throw led to {wanted}")


@contextmanager
def opened(folder: Path) -> Iterator[Studio]:
    """A table with the simulated tray before the eye, served, and a browser."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept, chromium() as browser, closing(Log(Path(kept))) as log:
        clock = Clock()
        table, tray = Table(log, Random(SEED)), Tray("green felt", SEED, clock, clock.sleep, haste=4.0)
        eye, setup = make_eye(lambda: tray, table, Path(kept), Settings())
        eye.camera = tray
        app = create_app(
            table,
            secret=log.secret(),
            pin=PIN,
            throw=lambda: None,
            live_picture=eye.picture,
            addresses=lambda: [ADDRESS],
            setup=setup,
        )
        with served(app, free_port()) as url:
            studio = Studio(browser, table, eye, tray, url, folder)
            studio.watch(2)
            yield studio


def main(folder: Path = FOLDER) -> None:
    """All pictures into a folder."""
    with opened(folder) as studio:
        around(studio)
        for key in GAMES:
            sheets(studio, key)
        dice(studio)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
