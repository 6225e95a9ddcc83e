"""The configuration: one TOML file in which every key may be left out."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

SYSTEM_FILE = Path("/etc/companion/companion.toml")


class BadConfig(ValueError):
    """A configuration that cannot be used: every line that is wrong, and why."""

    def __init__(self, file: Path | str, complaints: list[tuple[int, str]]) -> None:
        self.file, self.complaints = file, sorted(complaints)
        super().__init__("; ".join(f"{file}, line {line}: {reason}" for line, reason in self.complaints))


Test = Callable[[Any], str | None]
"""Says what is wrong with a value, if anything."""


def _one_of(*values: object) -> Test:
    words = ", ".join(map(str, values))
    return lambda value: None if value in values else f"must be one of {words}"


def _between(low: int, high: int) -> Test:
    return lambda value: None if low <= value <= high else f"must be from {low} to {high}"


def _pin_code(value: str) -> str | None:
    return None if not value or re.fullmatch(r"\d{4,8}", value) else "must be 4 to 8 digits, or empty"


def _anything(_value: object) -> str | None:
    return None


_gpio = _between(2, 27)


def _key(default: Any, doc: str, test: Test = _anything, example: Any = None) -> Any:
    """A key with its default and its line in the example; a key whose default is None is left out there."""
    kind = type(default if default is not None else example)
    shown = default if example is None else example
    return field(default=default, metadata={"doc": doc, "test": test, "kind": kind, "example": shown})


@dataclass(frozen=True, slots=True)
class Server:
    """The pages that the phones open."""

    host: str = _key("0.0.0.0", "Listen on this address; 127.0.0.1 lets only this computer in.")  # noqa: S104
    name: str = _key(
        "", "A name of this computer beyond the home network, such as one that leads here by https."
    )
    port: int = _key(8017, "Listen on this port.", _between(1, 65535))
    language: str = _key(
        "nl", "The language of the pages until a phone chooses its own: nl or en.", _one_of("nl", "en")
    )
    pin: str = _key(
        "", "The host's PIN, 4 to 8 digits; empty: one is made up and shown at the start.", _pin_code
    )


@dataclass(frozen=True, slots=True)
class Camera:
    """The camera above the table."""

    source: str = _key("auto", "auto, pi, usb, usb:1, none, or a clip or folder of pictures.")
    rotate: int = _key(0, "Turn the picture clockwise: 0, 90, 180 or 270 degrees.", _one_of(0, 90, 180, 270))
    lock: bool = _key(True, "Keep exposure, white balance and focus as they were at the calibration.")


@dataclass(frozen=True, slots=True)
class ButtonPin:
    """The button, between a pin and ground. Pins are GPIO (BCM) numbers."""

    pin: int | None = _key(17, "GPIO 17 is pin 11 of the header.", _gpio)


@dataclass(frozen=True, slots=True)
class Led:
    """The RGB lamp, each leg through its own resistor. Leave it out if there is none."""

    red: int | None = _key(None, "GPIO 22 is pin 15.", _gpio, example=22)
    green: int | None = _key(None, "GPIO 23 is pin 16.", _gpio, example=23)
    blue: int | None = _key(None, "GPIO 24 is pin 18.", _gpio, example=24)
    common_anode: bool = _key(False, "true if the lamp's long leg goes to 3.3 V instead of to ground.")


@dataclass(frozen=True, slots=True)
class Buzzer:
    """An active buzzer. Leave it out if there is none."""

    pin: int | None = _key(None, "GPIO 25 is pin 22.", _gpio, example=25)


@dataclass(frozen=True, slots=True)
class Eye:
    """How rolls are taken."""

    auto_confirm: bool = _key(False, "Take a sure and complete reading by itself, without button or tap.")
    die_mm: float = _key(
        16.0, "The width of your dice in millimetres, for the verdict on the view.", _between(5, 50)
    )
    threads: int = _key(2, "How many processor cores the reader may use.", _between(1, 16))


@dataclass(frozen=True, slots=True)
class State:
    """Where games, calibration and the signing key are kept."""

    dir: str = _key("", "A folder; empty: the system's place for it.")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the file can say."""

    server: Server = field(default=Server())
    camera: Camera = field(default=Camera())
    button: ButtonPin = field(default=ButtonPin())
    led: Led = field(default=Led())
    buzzer: Buzzer = field(default=Buzzer())
    eye: Eye = field(default=Eye())
    state: State = field(default=State())


def example() -> str:
    """The documented file with every key at its default; a key without a default is behind a `#`."""
    lines = ["# Companion's configuration. Every key may be left out; these are the defaults."]
    for section, sample in _sections().items():
        lines += ["", f"# {type(sample).__doc__}", f"[{section}]"]
        for key in fields(sample):
            mark = "#" if key.default is None else ""
            lines += [f"# {key.metadata['doc']}", f"{mark}{key.name} = {_written(key.metadata['example'])}"]
    return "\n".join([*lines, ""])


def read(file: Path) -> Settings:
    """The settings in a file; raises `BadConfig` with every line that is wrong."""
    try:
        return parse(file.read_text(encoding="utf-8"), file)
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(file, [(1, f"the file cannot be read ({error})")]) from error


def parse(text: str, file: Path | str = "companion.toml") -> Settings:
    """The settings in a text."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+)", str(error))
        line = int(place[1]) if place else max(1, text.count("\n"))
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise BadConfig(
            file, [(line, f"this is not TOML ({reason}): see  companion config --example")]
        ) from error
    complaints: list[tuple[int, str]] = []
    sections, chosen = _sections(), dict[str, Any]()
    for name, keys in found.items():
        if name not in sections:
            complaints.append((_line(text, name), f"there is no section [{name}]{_meant(name, sections)}"))
        elif not isinstance(keys, dict):
            complaints.append(
                (_line(text, name), f"“{name}” is a section: write [{name}] on a line of its own")
            )
        else:
            values, wrong = _checked(sections[name], keys)
            complaints += [(_line(text, name, key), reason) for key, reason in wrong]
            chosen[name] = replace(sections[name], **values)
    settings = Settings(**chosen)
    complaints += [(_line(text, *place), reason) for place, reason in _together(settings)]
    if complaints:
        raise BadConfig(file, complaints)
    return settings


def where(state_dir: Path) -> Path | None:
    """The file that counts when none is named: the one among the games, else the system's, else none."""
    return next((file for file in (state_dir / "companion.toml", SYSTEM_FILE) if file.is_file()), None)


def state_dir(settings: Settings) -> Path:
    """The folder for games and calibration: as configured, as systemd says, or the user's own."""
    if settings.state.dir:
        return Path(settings.state.dir).expanduser()
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given.split(":")[0])
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "companion"


def _sections() -> dict[str, Any]:
    """Every section with its defaults."""
    return {section.name: section.default for section in fields(Settings)}


def _checked(sample: Any, keys: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The values of one section that are right, and what is wrong with the others."""
    known = {key.name: key for key in fields(sample)}
    values, wrong = {}, []
    for name, value in keys.items():
        if name not in known:
            wrong.append((name, f"there is no key “{name}”{_meant(name, known)}"))
            continue
        kind = known[name].metadata["kind"]
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}
            wrong.append((name, f"“{name}” must be {words[kind]}"))
            continue
        reason = known[name].metadata["test"](value)
        if reason is None:
            values[name] = value
        else:
            wrong.append((name, f"“{name}” {reason}, not {_written(value)}"))
    return values, wrong


def _together(settings: Settings) -> list[tuple[tuple[str, str], str]]:
    """What is wrong with keys that are right on their own: two things on one pin, a lamp with one leg."""
    led = settings.led
    places = {
        ("button", "pin"): settings.button.pin,
        ("led", "red"): led.red,
        ("led", "green"): led.green,
        ("led", "blue"): led.blue,
        ("buzzer", "pin"): settings.buzzer.pin,
    }
    wrong, taken = [], dict[int, str]()
    for place, pin in places.items():
        if pin is not None and pin in taken:
            wrong.append((place, f"GPIO {pin} is already taken by {taken[pin]}"))
        elif pin is not None:
            taken[pin] = ".".join(place)
    legs = {name: places["led", name] for name in ("red", "green", "blue")}
    if any(legs.values()) and not all(legs.values()):
        missing = ", ".join(name for name, pin in legs.items() if pin is None)
        wrong.append((("led", ""), f"the lamp needs all three colours: {missing} is missing"))
    return wrong


def _places(text: str) -> dict[tuple[str, str], int]:
    """The line of every section (with an empty key) and of every key in it."""
    places, section = dict[tuple[str, str], int](), ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+\s*[\"']?([\w-]+)", line):
            section = header[1]
            places.setdefault((section, ""), number)
        elif key := re.match(r"\s*[\"']?([\w-]+)[\"']?\s*(\.|=)(?:\s*[\"']?([\w-]+))?", line):
            if section or key[2] == "=":
                places.setdefault((section, key[1]) if section else (key[1], ""), number)
            else:
                places.setdefault((key[1], ""), number)
                places.setdefault((key[1], key[3] or ""), number)
    return places


def _line(text: str, section: str, key: str = "") -> int:
    places = _places(text)
    return places.get((section, key), places.get((section, ""), 1))


def _meant(name: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    return f": did you mean “{close[0]}”?" if close else f": there are {', '.join(known)}"


def _written(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return str(value)
