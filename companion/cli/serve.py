"""`companion serve`: the table – eye, button and pages – until Ctrl-C."""

from __future__ import annotations

import argparse
import errno
import logging
import re
import secrets
import signal
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import settings
from companion.cli import Mistake
from companion.cli.devices import CAMERAS, camera_opener, turned

if TYPE_CHECKING:
    from companion.button import Button
    from companion.cli.setup import CameraSetup
    from companion.eye import Eye
    from companion.log import Log
    from companion.table import Table
    from companion.vision.reading import Sight
    from companion.vision.tray import Tray

_log = logging.getLogger(__name__)

MOST_SEATS = 7
THREADS = 4 * (MOST_SEATS + 3)
"""An open page holds a thread for its stream: four for each seat, and room for those who watch."""


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "serve",
        help="run the table: eye, button and pages",
        description="The table: eye, button and pages. Ctrl-C stops it; the game goes on at the next start.",
    )
    parser.add_argument(
        "--camera",
        metavar="CAMERA",
        help=f"{CAMERAS} (default auto: Pi camera, else USB camera, else none: rolls are typed in)",
    )
    parser.add_argument(
        "--host", metavar="H", help="address to listen on (default 0.0.0.0: the whole home network)"
    )
    parser.add_argument("--port", type=int, metavar="P", help="port to listen on (default 8017)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games are kept")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration (companion config --example)"
    )
    parser.add_argument("--pin", metavar="PIN", help="set the host's PIN (made on the first start otherwise)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Wire everything and serve."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    return Evening(arguments).serve()


def read_settings(file: Path | None, state: Path | None) -> settings.Settings:
    """The configuration named, or the one among the games, or the system's, or the defaults."""
    if file is None:
        file = settings.where(state or settings.state_dir(settings.Settings()))
    try:
        return settings.read(file) if file else settings.Settings()
    except settings.BadConfig as bad:
        raise Mistake(str(bad)) from bad


class Evening:
    """One run of the server: the devices, the table and the pages, taken down in the right order."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._settings = chosen = read_settings(arguments.config, arguments.state)
        self._camera = arguments.camera or chosen.camera.source
        # A table that starts with the Pi has nobody to tell: rolls are typed in until the plug is mended.
        self._patient = not arguments.camera
        self._host = arguments.host or chosen.server.host
        self._port = chosen.server.port if arguments.port is None else arguments.port
        self._state = arguments.state or settings.state_dir(chosen)
        self._pin = arguments.pin or chosen.server.pin
        if arguments.pin is not None and not re.fullmatch("[0-9]{4,8}", arguments.pin):
            raise Mistake("the host's PIN is 4 to 8 digits")
        if not 0 <= self._port <= 65535:
            raise Mistake(f"a port is a number up to 65535, not {self._port}")

    def serve(self) -> int:
        """Open everything, serve until a signal, close everything."""
        from companion.doctor import keep_errors
        from companion.log import StateUnusable

        simulated = self._camera == "sim"
        open_camera = None if simulated else camera_opener(self._camera, self._patient)
        try:
            log = self._open_log()
            keep_errors(self._state)
            table = self._open_table(log)
        except StateUnusable as problem:
            raise Mistake(str(problem)) from problem
        if self._settings.eye.auto_confirm:
            table.auto_confirm = True
        throw: Callable[[], None] | None = None
        if simulated:
            open_camera, throw = simulated_tray(table)
        elif open_camera and self._settings.camera.rotate:
            open_camera = turned(open_camera, self._settings.camera.rotate)
        eye, setup = None, None
        if open_camera:
            eye, setup = make_eye(open_camera, table, self._state, self._settings)
        try:
            return self._serve(log, table, eye, throw, setup)
        finally:
            log.close()

    def _open_log(self) -> Log:
        from companion.log import Log

        return Log(self._state)

    def _open_table(self, log: Log) -> Table:
        from companion.log import StateUnusable
        from companion.table import Table

        try:
            return Table(log)
        except (sqlite3.DatabaseError, ValueError, TypeError, KeyError) as problem:
            log.close()
            raise StateUnusable(
                f"the last game in {self._state} cannot be read ({problem}): "
                "choose another folder with --state, or put back a copy of this one"
            ) from problem

    def _serve(
        self,
        log: Log,
        table: Table,
        eye: Eye | None,
        throw: Callable[[], None] | None,
        setup: CameraSetup | None,
    ) -> int:
        from companion.cli.network import free_port
        from companion.systemd import keep_alive
        from companion.web import create_app
        from companion.web.serving import Serving

        # The pages name the port, so it is chosen before they open.
        self._port = self._port or free_port(self._host)
        pin = self._host_pin(log)
        app = create_app(
            table,
            secret=log.secret(),
            pin=pin,
            throw=throw,
            live_picture=eye.picture if eye else None,
            addresses=self._places,
            names=[self._host, self._settings.server.name, socket.gethostname()],
            setup=setup,
            language=self._settings.server.language,
        )
        try:
            pages = Serving(app, self._host, self._port, THREADS)
        except (OSError, ValueError, OverflowError) as problem:
            raise Mistake(self._cannot_listen(problem)) from problem
        button = make_button(table, self._state, self._settings)
        self._greet(pin)
        if eye:
            eye.start()
        stopped = threading.Event()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: stopped.set())
        if setup:
            setup.keep_checking(stopped)
        pages.start()
        keep_alive(stopped, pages.alive)
        table.close()
        if button:
            button.close()
        if eye:
            eye.stop()
        pages.stop()
        return 0

    def _host_pin(self, log: Log) -> str:
        pin = self._pin or log.kept("pin") or f"{secrets.randbelow(10_000):04}"
        log.keep("pin", pin)
        return pin

    def _places(self) -> list[str]:
        """Where phones find the pages now; none while this machine is in no network."""
        found = self._addresses()
        return [*found, *self._local_name()] if found else []

    def _addresses(self) -> list[str]:
        from companion.cli.network import addresses, addresses_6

        everywhere = {"0.0.0.0": addresses, "::": addresses_6}  # noqa: S104
        hosts = everywhere[self._host]() if self._host in everywhere else [self._host]
        return [f"http://{self._place(host)}" for host in hosts]

    def _here(self) -> str:
        """Where this machine itself finds the pages."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)  # noqa: S104

    def _place(self, host: str) -> str:
        return f"[{host}]:{self._port}" if ":" in host else f"{host}:{self._port}"

    def _local_name(self) -> list[str]:
        """The name that Avahi announces, where it runs: easier to type, though not every phone finds it."""
        name = socket.gethostname().partition(".")[0]
        return [f"http://{name}.local:{self._port}"] if Path("/run/avahi-daemon/pid").exists() else []

    def _greet(self, pin: str) -> None:
        import segno

        found = self._addresses()
        if found:
            print(f"\nThe table is open. Phones: scan this, or go to {found[0]}")
        else:
            print(
                "\nThe table is open, but in no network yet: the table screen will show where phones find it."
            )
        for other in found[1:]:
            print(f"  (or {other})")
        print(
            f"Table screen: http://{self._place(self._here())}/table     Host's PIN: {pin}     Stop: Ctrl-C\n"
        )
        if found:
            segno.make(found[0], error="l").terminal(compact=True, border=2)
        sys.stdout.flush()

    def _cannot_listen(self, problem: Exception) -> str:
        if isinstance(problem, OSError) and problem.errno == errno.EADDRINUSE:
            return f"port {self._port} is in use: stop the other program, or choose another port with --port"
        why = getattr(problem, "strerror", None) or problem
        return f"cannot listen on {self._place(self._host)} ({why}): try other --host or --port"


READ_WITHIN = 5.0
"""Seconds in which dice that were thrown come to rest and are read."""


class Hand:
    """The hand that throws what is due on a simulated tray. It takes no dice up again that still fall or are
    about to be read, however often it is asked to."""

    def __init__(self, tray: Tray, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._tray, self._table, self._clock = tray, table, clock
        self._thrown, self._at = -1, 0.0
        self._before: Sight | None = None

    def __call__(self) -> None:
        """Throw."""
        view = self._table.view()
        if view.due is None:  # a trial on the setup page
            self._tray.throw(view.game.dice, ())
            return
        number, throw = view.due
        # A doubt that led to throwing anew still stands until the eye has seen the dice fall.
        unread = view.sight is None or view.sight.reading is None or view.sight is self._before
        if unread and number == self._thrown and self._clock() - self._at < READ_WITHIN:
            return
        self._thrown, self._at, self._before = number, self._clock(), view.sight
        self._tray.throw(throw.kinds, throw.lying)


def simulated_tray(table: Table) -> tuple[Callable[[], Any], Callable[[], None]]:
    """The simulated tray as a camera, and the hand that throws what is due."""
    from companion.vision.tray import Tray

    tray = Tray()
    return lambda: tray, Hand(tray, table)


def make_eye(
    open_camera: Callable[[], Any], table: Table, state: Path, chosen: settings.Settings
) -> tuple[Eye, CameraSetup]:
    """The eye on this camera, with what an earlier calibration found, and what sets it up."""
    from companion.cli.setup import CameraSetup
    from companion.eye import Eye
    from companion.vision.calibration import BadCalibration, stored
    from companion.vision.reader import Reader

    try:
        calibration = stored(state / "calibration.json")
    except BadCalibration as problem:
        _log.warning("%s", problem)
        calibration = None
    reader = Reader(threads=chosen.eye.threads)
    eye = Eye(open_camera, reader, table, calibration)
    if calibration is not None and chosen.camera.lock:
        eye.lock_camera()
    return eye, CameraSetup(eye, reader, table, state, lock=chosen.camera.lock, die_mm=chosen.eye.die_mm)


def make_button(table: Table, state: Path, chosen: settings.Settings) -> Button | None:
    """The real button where there are pins; None on a laptop."""
    from companion.button import Button, NoButton, Pins, power_off

    if chosen.button.pin is None or not Path("/dev/gpiochip0").exists():
        return None
    led = chosen.led
    pins = Pins(chosen.button.pin, led.red, led.green, led.blue, chosen.buzzer.pin, led.common_anode)
    try:
        button = Button(table, pins, shutdown=power_off, state_dir=state)
    except NoButton as problem:
        _log.warning("%s", problem)
        return None
    button.start()
    return button
