"""The configuration: every key of the example is read, every mistake is named with its line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from companion import settings
from companion.cli import main
from companion.settings import BadConfig, Settings, parse

OTHER = {
    "server": {"host": "127.0.0.1", "name": "dice.example", "port": 8123, "language": "en", "pin": "4711"},
    "camera": {"source": "usb:1", "rotate": 180, "lock": False},
    "button": {"pin": 5},
    "led": {"red": 6, "green": 13, "blue": 19, "common_anode": True},
    "buzzer": {"pin": 26},
    "eye": {"auto_confirm": True, "die_mm": 12.5, "threads": 4},
    "state": {"dir": "/srv/companion"},
}
"""Every key with a value that is not its default."""


def uncommented(text: str) -> str:
    return re.sub(r"^#(\w+ = )", r"\1", text, flags=re.MULTILINE)


def test_the_example_has_every_key_once_and_says_what_it_is_for() -> None:
    keys = {
        section.name: [key.name for key in fields(section.default)]  # type: ignore[arg-type]
        for section in fields(Settings)
    }
    found = tomllib.loads(uncommented(settings.example()))
    assert {name: list(section) for name, section in found.items()} == keys
    assert {name: list(section) for name, section in OTHER.items()} == keys
    lines = settings.example().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"#?\w+ = ", line):
            assert lines[number - 1].startswith("# "), f"{line} is not explained"


def test_the_example_is_the_defaults() -> None:
    assert parse(settings.example()) == Settings()
    assert parse("") == Settings()


@pytest.mark.parametrize(("section", "key"), [(s, k) for s, keys in OTHER.items() for k in keys])
def test_every_key_of_the_example_is_read(section: str, key: str) -> None:
    value = OTHER[section][key]  # type: ignore[index]
    written = settings._written(value)
    text = uncommented(settings.example())
    header = text.index(f"[{section}]")
    changed = text[:header] + re.sub(
        rf"^{key} = .*$", f"{key} = {written}", text[header:], count=1, flags=re.MULTILINE
    )
    read = parse(changed)
    assert getattr(getattr(read, section), key) == value
    assert getattr(getattr(parse(text), section), key) != value


@pytest.mark.parametrize(("section", "key"), [(s, k) for s, keys in OTHER.items() for k in keys])
def test_every_key_is_heeded_by_the_program(section: str, key: str) -> None:
    """A key that is read and then forgotten looks right in every other test."""
    root = Path(settings.__file__).parent
    files = [root / "settings.py", *(root / "cli").glob("*.py")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert re.search(rf"\b{section}\.{key}\b", source), f"nothing asks for [{section}] {key}"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[server]\n\nprot = 80\n", 3, "there is no key “prot”: did you mean “port”?"),
        ("\n[sever]\nport = 80\n", 2, "there is no section [sever]: did you mean “server”?"),
        ("[button]\n[zzz]\n", 2, "there are server, camera"),
        ('[server]\nport = "80"\n', 2, "“port” must be a whole number"),
        ("[server]\nport = true\n", 2, "“port” must be a whole number"),
        ("[server]\nport = 70000\n", 2, "“port” must be from 1 to 65535, not 70000"),
        ('[server]\nhost = "::"\nlanguage = "de"\n', 3, 'must be one of nl, en, not "de"'),
        ('[server]\npin = "12"\n', 2, "4 to 8 digits"),
        ("[camera]\nlock = 1\n", 2, "“lock” must be true or false"),
        ("[camera]\nrotate = 45\n", 2, "must be one of 0, 90, 180, 270"),
        ("[buzzer]\npin = 40\n", 2, "must be from 2 to 27"),
        ("[buzzer]\npin = 17\n", 2, "GPIO 17 is already taken by button.pin"),
        ("[eye]\n[led]\nred = 5\nblue = 6\n", 2, "all three colours: green is missing"),
        ("[server]\nport = \n", 2, "this is not TOML"),
        ("[server]\nhost = 'x'\nport = 1\nport = 2\n", 4, "this is not TOML"),
        ("server.port = 'x'\n", 1, "a whole number"),
        ("button = 17\n", 1, "is a section"),
    ],
)
def test_a_mistake_is_named_with_line_and_reason(text: str, line: int, words: str) -> None:
    with pytest.raises(BadConfig) as refusal:
        parse(text)
    ((found, reason),) = refusal.value.complaints
    assert found == line
    assert words in reason


def test_all_mistakes_are_named_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("[server]\nprot = 1\n[led]\nred = 99\n")
    assert main(["config", "--check", str(file)]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"{file}:2: there is no key “prot”: did you mean “port”?",
        f"{file}:4: “red” must be from 2 to 27, not 99",
    ]


def test_the_command_prints_an_example_that_it_finds_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "--example"]) == 0
    file = tmp_path / "companion.toml"
    file.write_text(capsys.readouterr().out)
    assert main(["config", "--check", str(file)]) == 0
    assert "is fine" in capsys.readouterr().out


def test_a_missing_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--check", str(tmp_path / "none.toml")]) == 2
    assert "config --example" in capsys.readouterr().err


def test_the_file_that_serve_would_use_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(settings, "SYSTEM_FILE", tmp_path / "etc.toml")
    assert main(["config", "--check"]) == 0
    assert "defaults are used" in capsys.readouterr().out
    (tmp_path / "etc.toml").write_text("[server]\nport = 81\n")
    assert settings.where(tmp_path) == tmp_path / "etc.toml"
    (tmp_path / "companion.toml").write_text("[server]\nport = 82\n")
    assert main(["config", "--check"]) == 0
    assert "companion.toml is fine" in capsys.readouterr().out


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadConfig, match="cannot be read"):
        settings.read(file)


def test_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", "/home/eva/.state")
    assert settings.state_dir(Settings()) == Path("/home/eva/.state/companion")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/companion:/var/lib/other")
    assert settings.state_dir(Settings()) == Path("/var/lib/companion")
    assert settings.state_dir(parse('[state]\ndir = "/srv/dice"')) == Path("/srv/dice")
