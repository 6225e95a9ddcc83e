"""A player in a hurry: taps what glows on the own sheet, from inside the page, until the game is over."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from tests.web.phones import PATIENCE_S, Phone, Server
from tests.web.rig import PIN

HURRY = """(all) => {
  const live = document.getElementById("live");
  const seen = (what) => [...live.querySelectorAll(what)].filter((e) => e.checkVisibility());
  const area = (e) => e.dataset.tap.split("-")[0];
  window.hurried = { areas: [], taps: 0, offered: 0 };
  let sent = "";
  let since = 0;
  const tap = (e) => {
    window.hurried.taps += 1;
    e.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  };
  const send = (e) => { sent = live.dataset.version; since = Date.now(); tap(e); };
  window.hurrying = setInterval(() => {
    if (sent && live.dataset.version === sent && Date.now() - since < 4000) return;
    sent = "";
    if (seen(".result").length) return clearInterval(window.hurrying);
    for (const what of ["[data-confirm]", "[data-throw]"]) {
      if (seen(what).length) return send(seen(what)[0]);
    }
    const can = seen('[data-sheet="mine"] [data-tap].can');
    const offer = seen("#dock [data-choice]");
    if (offer.length && !(all && can.length)) { window.hurried.offered += 1; return send(offer[0]); }
    if (can.length) {
      const fields = can.filter((e) => area(e) !== "die");
      const fresh = fields.filter((e) => !window.hurried.areas.includes(area(e)));
      const next = fresh[0] ?? fields[0] ?? can[0];
      window.hurried.areas.push(area(next));
      return tap(next);
    }
    const choices = seen(".choices [data-choice]");
    if (choices.length) return send(choices[choices.length - 1]);
    return undefined;
  }, 15);
}"""


def take_sure_rolls(server: Server) -> None:
    """The host has sure rolls taken without a tap, which halves an evening."""

    def post(path: str, body: bytes, **headers: str) -> bytes:
        request = urllib.request.Request(server.url + path, body, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return bytes(answer.read())

    token = json.loads(post("/api/host", json.dumps({"pin": PIN}).encode()))["token"]
    post("/lobby/auto_confirm", b"on=on&back=host", **{"X-Seat-Token": token, "X-Fragment": "yes"})


def hurry(server: Server, *phones: Phone, every_die: bool = False) -> list[dict[str, Any]]:
    """Let these phones play to the end; what each of them tapped."""
    take_sure_rolls(server)
    for phone in phones:
        phone.page.evaluate(HURRY, every_die)
    for phone in phones:
        phone.page.locator(".result").wait_for(timeout=240_000)
    return [phone.page.evaluate("window.hurried") for phone in phones]
