"""Takes the pictures in docs/screenshots: `python -m docs.screenshots [FOLDER]` (needs Chromium).

The table is `companion serve --camera sim`, so the dice in the pictures are those of the simulated tray.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.web.phones import PATIENCE_S, Phone, Server, chromium

FOLDER = Path(__file__).parent / "screenshots"
SCREEN = {"width": 1280, "height": 800}


def shoot(page: Page, folder: Path, name: str) -> None:
    """One picture in light and one in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.screenshot(path=folder / f"{name}{'' if scheme == 'light' else '-dark'}.png", scale="css")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


def throw(phone: Phone) -> None:
    """Throw until the eye is sure, as one does with a die that leans on another."""
    for _ in range(10):
        phone.tap("[data-throw]")
        phone.see("[data-confirm], .roll .trouble")
        if phone.shows()["confirm"]:
            return
    raise AssertionError("the eye was never sure")


def regenwormen(browser: Browser, server: Server, folder: Path) -> None:
    """The join page, a phone in turn, a waiting phone and the table screen."""
    server.open("regenwormen")
    anna, bram, chris = (Phone(browser, server.url) for _ in range(3))
    anna.join("Anna")
    bram.page.reload()
    shoot(bram.page, folder, "join")
    bram.join("Bram")
    chris.join("Chris")
    anna.see("text=Chris")
    shoot(anna.page, folder, "lobby")
    anna.tap("[data-start]")
    screen = browser.new_page(viewport=SCREEN, locale="nl-NL")
    screen.set_default_timeout(PATIENCE_S * 1000)
    screen.goto(server.url + "/table")
    anna.see("[data-throw]")
    throw(anna)
    shoot(anna.page, folder, "phone-roll")
    screen.locator(".sighting").wait_for()
    shoot(screen, folder, "table")
    anna.tap("[data-confirm]")
    anna.see(".rw-lying")
    shoot(anna.page, folder, "phone-in-turn")
    bram.see("h1")
    shoot(bram.page, folder, "phone-waiting")
    screen.close()


def main(folder: Path = FOLDER) -> None:
    """All pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept, chromium() as browser:
        server = Server(Path(kept), tray=True)
        server.start()
        try:
            regenwormen(browser, server, folder)
        finally:
            server.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
