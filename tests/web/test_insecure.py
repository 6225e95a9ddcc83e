"""A phone's plain http is no secure context: what browsers withhold there must not break a page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.web.phones import CHROMIUM, FLAGS, PATIENCE_S
from tests.web.rig import free_port, room_of, served

pytestmark = pytest.mark.browser
HOST = "companion.lan"


def test_the_pages_live_without_a_secure_context(tmp_path: Path) -> None:
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert path, "the browser tests need Chromium"
    log, table, dice, app = room_of(tmp_path)
    port = free_port()
    problems: list[str] = []
    with served(app, port), sync_playwright() as playwright:
        flags = [*FLAGS, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        page = browser.new_page(locale="en-GB")
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"http://{HOST}:{port}/")
        assert page.evaluate("isSecureContext") is False
        assert page.evaluate("'wakeLock' in navigator || 'share' in navigator") is False
        page.fill("#name", "Anna")
        page.click("form.join button")
        page.wait_for_selector("body.seat")
        table.join("Bram")
        page.wait_for_selector("text=Bram")
        table.start()
        page.wait_for_selector(".now.mine")
        dice.throw()
        page.wait_for_selector("[data-confirm]")
        page.goto(f"http://{HOST}:{port}/sheets")
        with page.expect_download() as kept:
            page.click("[data-keep-picture]")
        assert Path(kept.value.path()).read_bytes().startswith(b"\x89PNG")
        browser.close()
    log.close()
    assert problems == []
