"""Real phones for tests: a server in a process of its own, and Chromium pages of phone size."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, expect, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from tests.web.rig import PIN, free_port

PATIENCE_S = 120  # a busy machine is slow, and no test should fail for that
SOON_S = 20
expect.set_options(timeout=PATIENCE_S * 1000)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--mute-audio",
]


def eventually(check: Callable[[], object]) -> None:
    """Wait until this holds: what a page shows comes a moment after the tap."""
    give_up = time.monotonic() + PATIENCE_S
    while True:
        try:
            check()
        except AssertionError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)
        else:
            return


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium; without one this fails and says so."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert path, f"the browser tests need Chromium: install one of {', '.join(CHROMIUM)} (./check says how)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=PATIENCE_S * 1000)
        try:
            yield browser
        finally:
            browser.close()


class Server:
    """A table served by a process of its own, that can be stopped and started again on the same port."""

    def __init__(self, folder: Path, *, tray: bool = False, seed: int = 1) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = (folder / "server.txt").open("a")
        state = str(folder / "state")
        serve = ["--state", state, "--host", "127.0.0.1", "--port", str(self.port), "--pin", PIN]
        self._command = [sys.executable, "-m", "tests.web.rig", state, str(self.port), str(seed)]
        if tray:
            self._command = [sys.executable, "-m", "tests.web.tray", str(folder), str(seed), *serve]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Serve, and wait for the first answer."""
        self._process = subprocess.Popen(
            self._command, stdout=self._log, stderr=subprocess.STDOUT, cwd=Path(__file__).parents[2]
        )
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            try:
                with urllib.request.urlopen(self.url + "/api/state", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                assert self._process.poll() is None, Path(self._log.name).read_text()
                time.sleep(0.05)
        raise AssertionError("the server does not answer:\n" + Path(self._log.name).read_text())

    def open(self, game: str, **options: bool | int | str) -> None:
        """The host opens a game."""
        token = self._post("/api/host", {"pin": PIN})["token"]
        self._post("/api/games", {"game": game, "options": options}, token)

    def state(self) -> dict[str, Any]:
        """The table as anybody may see it."""
        with urllib.request.urlopen(self.url + "/api/state", timeout=PATIENCE_S) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def wish(self, **wish: Any) -> None:
        """The next throw over the tray: `dice` that fall, a `fault` of the tray's, a `wary` eye."""
        (self._folder / "wish.txt").write_text(json.dumps(wish))

    def lies(self) -> list[str]:
        """What really lies on the tray of the last throw, as the players see it with their own eyes."""
        return sorted((self._folder / "lies.txt").read_text().split())

    def _post(self, path: str, body: object, token: str = "") -> Any:
        headers = {"X-Seat-Token": token} if token else {}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def stop(self) -> float:
        """Ctrl-C; how many seconds the server took to go."""
        assert self._process is not None
        began = time.monotonic()
        self._process.send_signal(signal.SIGINT)
        self._process.wait(PATIENCE_S)
        return time.monotonic() - began

    def close(self) -> None:
        """Make sure that nothing is left running."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(PATIENCE_S)
        self._log.close()


QUICK = "Object.defineProperty(UIEvent.prototype, 'detail', { get: () => 0 })"
"""A test taps what has just appeared, which the page takes for a double tap: let its taps look like keys."""


class Phone:
    """A phone at the table: a page that is tapped. `quick`: faster than people can."""

    def __init__(
        self, browser: Browser, url: str, *, language: str = "nl-NL", width: int = 390, quick: bool = True
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 844},
            has_touch=True,
            is_mobile=True,
            device_scale_factor=2,
            locale=language,
            reduced_motion="reduce",
        )
        if quick:
            self.context.add_init_script(QUICK)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_S * 1000)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)
        self._sent: set[Request] = set()
        self.context.on("request", lambda sent: self._sent.add(sent) if sent.method == "POST" else None)
        for ended in ("requestfinished", "requestfailed"):
            self.context.on(ended, lambda sent: self._sent.discard(sent))
        self.page.goto(url)

    def _note(self, message: Any) -> None:
        # a stream or a picture that breaks off when the server stops is no fault of the page
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.problems.append(message.text)

    def join(self, name: str) -> None:
        """Take a seat."""
        self.page.fill("#name", name)
        self.page.tap("form.join button")
        self.page.wait_for_selector("body.seat")

    def tap(self, what: str) -> None:
        """Tap the first thing of this kind that can be seen."""
        try:
            self.page.locator(what).locator("visible=true").first.tap()
        except TooLate:
            words = " ".join(self.page.inner_text("body", timeout=1000).split())
            raise AssertionError(f"no {what} to tap: {words[:600]}") from None

    def taps(self, what: str) -> bool:
        """Tap this if it stays long enough to be tapped."""
        try:
            self.page.locator(what).locator("visible=true").first.tap(timeout=8_000)
        except TooLate:
            return False
        return True

    def see(self, what: str) -> None:
        """Wait until this can be seen."""
        self.page.locator(what).locator("visible=true").first.wait_for()

    def says(self, what: str, words: str) -> None:
        """Wait until this says these words, among others."""
        expect(self.page.locator(what).first).to_contain_text(words)

    def counts(self, what: str, number: int) -> None:
        """Wait until there are so many of these."""
        expect(self.page.locator(what)).to_have_count(number)

    def version(self) -> str:
        """The version of the table that the page shows."""
        return str(self.page.evaluate("document.getElementById('live').dataset.version"))

    def changed(self, version: str) -> None:
        """Wait until the page shows something newer."""
        self.page.wait_for_function("v => document.getElementById('live').dataset.version !== v", arg=version)

    def changes(self, version: str) -> bool:
        """Whether the page shows something newer soon; a tap on a button that is just renewed may be lost.

        What was sent has then been answered: something newer may be shown before, and the table still be
        about to take it.
        """
        newer = "v => document.getElementById('live').dataset.version !== v"
        try:
            self.page.wait_for_function(newer, arg=version, timeout=SOON_S * 1000)
        except TooLate:
            return False
        give_up = time.monotonic() + PATIENCE_S
        while self._sent:
            assert time.monotonic() < give_up, f"no answer to {[sent.url for sent in self._sent]}"
            self.page.wait_for_timeout(20)
        return True

    def name(self) -> str:
        """The name on the own seat."""
        return self.page.inner_text(".player.own .name >> nth=0").strip()

    def shows(self) -> dict[str, Any]:
        """What can be done on this phone now."""
        shown: dict[str, Any] = self.page.evaluate(
            """() => {
              const seen = (what) =>
                [...document.querySelectorAll(what)].filter((e) => e.checkVisibility());
              return {
                confirm: seen("[data-confirm]").length > 0,
                throw: seen("[data-throw]").length > 0,
                doubt: seen(".doubt .face").length > 0,
                choices: seen(".choices [data-choice]").map((e) => e.dataset.choice),
                over: seen(".result").length > 0,
              };
            }"""
        )
        return shown
