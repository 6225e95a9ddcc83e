"""The checks: camera, models, pins, disk, games, clock, network, temperature, power, versions, errors."""

from __future__ import annotations

import fcntl
import importlib
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from companion import __version__
from companion.doctor.finding import Finding
from companion.log import Log
from companion.table import Table
from companion.vision.calibration import BadCalibration, stored
from companion.vision.models import ModelMissing, model_file
from companion.vision.reading import Camera, CameraLost

MODELS = ("detector.onnx", "corners.onnx", "slants.onnx", "faces.onnx", "colours.onnx")
LIBRARIES = ("numpy", "opencv-python-headless", "onnxruntime", "flask", "waitress", "gpiozero")
LEAST_MB, LOW_MB = 50, 500  # an evening writes less than one megabyte; logs and updates need the rest
HOT_C, TOO_HOT_C = 75.0, 82.0  # a Pi slows itself down from 80 °C on
OLDEST_YEAR = 2025  # a Pi without a clock starts in the past
UNDER_VOLTAGE, THROTTLED, UNDER_VOLTAGE_BEFORE = 1 << 0, 1 << 2, 1 << 16


def _command(*words: str) -> str | None:
    """What a system command prints; None when it is not there or fails."""
    path = shutil.which(words[0])
    if path is None:
        return None
    try:
        done = subprocess.run([path, *words[1:]], capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined. Everything about the machine comes in through here, so a test can be any machine."""

    state_dir: Path
    open_camera: Callable[[], Camera] | None = None
    addresses: Sequence[str] = ()
    port: int = 8017
    root: Path = Path("/")
    command: Callable[..., str | None] = _command
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    machine: Callable[[], str] = platform.machine
    models: Path | None = None


def examine(patient: Patient, checks: Sequence[Check] | None = None) -> list[Finding]:
    """All findings; a check that breaks down is a finding too."""
    findings = []
    for check in CHECKS if checks is None else checks:
        try:
            findings.append(check(patient))
        except Exception as error:
            what = check.__name__.replace("_", " ").strip()
            findings.append(
                Finding(
                    what, "problem", f"the check broke down ({error!r})", "send the diagnostics to the makers"
                )
            )
    return findings


def versions(patient: Patient) -> Finding:
    """The program, Python, its libraries, the system and the board."""
    found = [f"companion {__version__}", f"Python {platform.python_version()}"]
    missing = []
    for library in LIBRARIES:
        try:
            found.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            missing.append(library)
    release = _text(patient.root / "etc/os-release")
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)', release, re.MULTILINE)
    board = _text(patient.root / "proc/device-tree/model").strip("\0\n")
    text = ", ".join([*found, *([name[1]] if name else []), *([board] if board else []), patient.machine()])
    if missing:
        return Finding(
            "versions", "problem", f"{', '.join(missing)} is missing ({text})", "install companion again"
        )
    if patient.machine() in ("armv6l", "armv7l", "i386", "i686") or sys.maxsize < 2**32:
        return Finding("versions", "problem", f"a 32-bit system ({text})", "install Raspberry Pi OS 64-bit")
    return Finding("versions", "ok", text)


def disk(patient: Patient) -> Finding:
    """The state folder can be written and has room."""
    folder = patient.state_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".doctor"
        probe.write_bytes(b"written by companion doctor")
        probe.unlink()
    except OSError as error:
        advice = "mend its permissions or choose another with --state"
        return Finding("disk", "problem", f"{folder} cannot be written ({error.strerror})", advice)
    free = shutil.disk_usage(folder).free // 2**20
    text = f"{folder} can be written, {free} MB free"
    if free < LEAST_MB:
        return Finding("disk", "problem", text, "free some space: the next game may not be kept")
    return (
        Finding("disk", "warning", text, "free some space soon")
        if free < LOW_MB
        else Finding("disk", "ok", text)
    )


def games(patient: Patient) -> Finding:
    """The table finds its games again; tried on a copy, so that nothing in the folder changes."""
    file = patient.state_dir / "companion.db"
    if not file.exists():
        return Finding("games", "ok", "none yet")
    if running(patient.state_dir):
        return Finding("games", "ok", "in use by the running table")
    with TemporaryDirectory() as copy:
        try:
            late = file.with_name("companion.db-wal")  # what a sudden stop left behind
            for part in (file, late):
                if part.exists():
                    shutil.copy(part, copy)
            with closing(Log(Path(copy))) as log:
                text = f"{len(list(log.games()))} in {file}"
                unread = Table(log).view().unread
        except (OSError, sqlite3.Error, ValueError, TypeError, KeyError) as error:
            advice = "move that file away to begin anew, or put back a copy of it"
            return Finding("games", "problem", f"{file} cannot be read ({error.__cause__ or error})", advice)
    if unread:
        advice = "begin another: it is kept as it is, for the version that it was played with"
        return Finding("games", "warning", f"{text}; the last one cannot be read any more", advice)
    return Finding("games", "ok", text)


def models(patient: Patient) -> Finding:
    """The networks are there, are the ones on their cards, and read a picture."""
    again = "install companion again"
    try:
        files = [model_file(name, patient.models) for name in MODELS]
    except ModelMissing as error:
        return Finding("models", "problem", str(error), again)
    uncarded, wrong = [], []
    for file in files:
        digest = sha256(file.read_bytes()).hexdigest()
        known = re.findall(r"\b[0-9a-f]{64}\b", _text(file.with_suffix(".md")))
        if not known:
            uncarded.append(file.name)
        elif digest not in known:
            wrong.append(f"{file.name} (SHA-256 {digest[:12]}…)")
    if wrong:
        text = f"{', '.join(wrong)}: not the network that its card describes, so it may be damaged"
        return Finding("models", "problem", text, again)
    from companion.vision.reader import Reader

    try:
        Reader(patient.models).read(np.full((960, 1280, 3), 128, np.uint8), None)
    except Exception as error:
        return Finding("models", "problem", f"the networks cannot read a picture ({error})", again)
    text = f"{', '.join(file.name for file in files)} are there and read a picture"
    if uncarded:
        return Finding("models", "warning", f"{text}; {', '.join(uncarded)} has no checksum to compare with")
    return Finding("models", "ok", text)


def camera(patient: Patient) -> Finding:
    """The camera gives a picture that is not black."""
    if running(patient.state_dir):
        return Finding("camera", "ok", "left to the running table: its setup page tells how it is")
    if patient.open_camera is None:
        advice = "connect one, or type the rolls in on a phone"
        return Finding("camera", "warning", "no camera was found", advice)
    try:
        device = patient.open_camera()
        try:
            frame = device.next()
        finally:
            device.close()
    except CameraLost as lost:
        return Finding("camera", "problem", str(lost), "or start with --camera none and type the rolls in")
    if frame is None:
        return Finding(
            "camera", "problem", f"“{device.name}” gives no picture", "choose another with --camera"
        )
    height, width = frame.image.shape[:2]
    level = float(np.percentile(frame.image, 90))
    text = f"“{device.name}” gives {width} × {height} pixels"
    if level < 25:
        return Finding(
            "camera", "warning", f"{text}, but all is dark", "take off the lens cap, put on the light"
        )
    return Finding("camera", "ok", text)


def calibration(patient: Patient) -> Finding:
    """The table has been calibrated."""
    try:
        found = stored(patient.state_dir / "calibration.json")
    except BadCalibration as error:
        return Finding("calibration", "warning", str(error))
    if found is None:
        return Finding(
            "calibration", "warning", "none yet", "open the setup page with the mat under the camera"
        )
    how = {"mat": "from the mat", "corners": "from four tapped corners", "whole": "the whole picture"}[
        found.how
    ]
    scale = f", {found.px_per_mm:.1f} px/mm" if found.px_per_mm else ""
    return Finding("calibration", "ok", f"{how}{scale}")


def gpio(patient: Patient) -> Finding:
    """The pins of the header can be used, where there is one."""
    if "Raspberry Pi" not in _text(patient.root / "proc/device-tree/model"):
        return Finding("gpio", "ok", "no Raspberry Pi: the space bar and the phones confirm")
    chips = sorted((patient.root / "dev").glob("gpiochip*"))
    if not chips:
        return Finding(
            "gpio", "warning", "no /dev/gpiochip: the button cannot work", "update the Pi's system"
        )
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        advice = "sudo usermod -aG gpio USER, then log in again"
        return Finding("gpio", "warning", "this user may not use the pins", advice)
    try:
        importlib.import_module("lgpio")
    except ImportError:
        return Finding("gpio", "warning", "lgpio is missing", "sudo apt install python3-lgpio")
    return Finding("gpio", "ok", f"{len(chips)} chips, lgpio is there")


def clock(patient: Patient) -> Finding:
    """The date makes sense and is kept right."""
    now = patient.now()
    text = f"{now:%Y-%m-%d %H:%M} UTC"
    if now.year < OLDEST_YEAR:
        advice = "connect to a network once, or sudo date -s “…”; games are dated wrong until then"
        return Finding("clock", "warning", text, advice)
    synced = patient.command("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    if synced == "no":
        return Finding("clock", "warning", f"{text}, not set by the network", "fine without a network")
    return Finding("clock", "ok", text + (", set by the network" if synced == "yes" else ""))


def network(patient: Patient) -> Finding:
    """Phones can reach this machine."""
    if not patient.addresses:
        advice = "join a Wi-Fi, plug in a cable, or run the installer with --hotspot"
        return Finding("network", "warning", "no address: phones cannot reach the table", advice)
    places = ", ".join(f"http://{address}:{patient.port}" for address in patient.addresses)
    return Finding("network", "ok", places)


def temperature(patient: Patient) -> Finding:
    """The processor is not too hot."""
    degrees = []
    for zone in sorted((patient.root / "sys/class/thermal").glob("thermal_zone*/temp")):
        text = _text(zone).strip()
        if re.fullmatch(r"-?\d+", text):
            degrees.append(int(text) / 1000)
    if not degrees:
        return Finding("temperature", "ok", "no sensor here")
    hottest = max(degrees)
    text = f"{hottest:.0f} °C"
    if hottest >= TOO_HOT_C:
        return Finding("temperature", "warning", f"{text}: it is slowed down", "add a heat sink or a fan")
    if hottest >= HOT_C:
        return Finding("temperature", "warning", text, "let air come to it")
    return Finding("temperature", "ok", text)


def power(patient: Patient) -> Finding:
    """The supply holds its voltage (only a Pi tells)."""
    answer = patient.command("vcgencmd", "get_throttled")
    bits = re.search(r"throttled=0x([0-9a-fA-F]+)", answer or "")
    if bits is None:
        return Finding("power", "ok", "this machine does not tell")
    state = int(bits[1], 16)
    advice = "use the official supply and a short, thick cable"
    if state & UNDER_VOLTAGE:
        return Finding("power", "warning", "too little voltage now: it may stop at any moment", advice)
    if state & UNDER_VOLTAGE_BEFORE:
        return Finding("power", "warning", "too little voltage since the start", advice)
    if state & THROTTLED:
        return Finding("power", "warning", "the processor is slowed down", "let air come to it")
    return Finding("power", "ok", "the voltage is steady")


def last_errors(patient: Patient) -> Finding:
    """What went wrong lately, by the log in the state folder."""
    lines = [line for line in _text(patient.state_dir / "errors.log").splitlines() if " ERROR " in line]
    if not lines:
        return Finding("last errors", "ok", "none")
    return Finding("last errors", "warning", f"{len(lines)}, the last: {lines[-1]}", "see errors.log")


Check = Callable[[Patient], Finding]
CHECKS: tuple[Check, ...] = (
    versions,
    disk,
    games,
    models,
    camera,
    calibration,
    gpio,
    clock,
    network,
    temperature,
    power,
    last_errors,
)


def running(state_dir: Path) -> bool:
    """Whether a table holds this folder now."""
    try:
        with (state_dir / "lock").open("r+") as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
