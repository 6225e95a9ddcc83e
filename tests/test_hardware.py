"""What lies in hardware/: scripts without a complaint, a unit that systemd takes, drawings that are whole."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.settings import Settings, parse
from companion.vision.calibration import MatNotFound, calibrate, whole_picture
from companion.vision.verdict import verdict

HARDWARE = Path(__file__).parent.parent / "hardware"
SCRIPTS = sorted(HARDWARE.rglob("*.sh"))
README = (HARDWARE / "README.md").read_text(encoding="utf-8")


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, capture_output=True, text=True, timeout=240, check=False, cwd=HARDWARE.parent
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_bash_can_read_the_script(script: Path) -> None:
    assert run("bash", "-n", script).stderr == ""


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_has_no_complaint() -> None:
    assert run("shellcheck", "-x", *SCRIPTS).stdout == ""


def test_the_installer_explains_itself_and_refuses_nonsense() -> None:
    usage = run(HARDWARE / "install.sh", "--help").stdout
    for option in (
        "--update",
        "--rollback",
        "--uninstall",
        "--purge",
        "--yes",
        "--hotspot",
        "--name",
        "--wheel",
    ):
        assert option in usage
    for words, complaint in (
        (["--frobnicate"], "there is no option --frobnicate"),
        (["--wheel", "nowhere.whl"], "there is no file nowhere.whl"),
        (["--name", "No Good!"], "small letters"),
    ):
        refused = run(HARDWARE / "install.sh", *words)
        assert refused.returncode == 2
        assert complaint in refused.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit() -> None:
    said = run(
        "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", HARDWARE / "companion.service"
    )
    complaints = [line for line in said.stderr.splitlines() if "/opt/companion" not in line]
    assert complaints == []


def test_the_unit_is_hardened_and_watched() -> None:
    unit = (HARDWARE / "companion.service").read_text()
    for line in (
        "Type=notify",
        "Restart=on-failure",
        "WatchdogSec=30",
        "StateDirectory=companion",
        "WorkingDirectory=%S/companion",
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
        "SupplementaryGroups=video gpio",
    ):
        assert f"\n{line}\n" in unit


def test_installer_service_and_settings_agree_on_the_port() -> None:
    port = str(Settings().server.port)
    assert f"<port>{port}</port>" in (HARDWARE / "companion.avahi.xml").read_text()
    assert f"echo {port}" in (HARDWARE / "install.sh").read_text()


def test_the_wiring_is_the_same_in_table_drawing_and_example() -> None:
    table = dict(re.findall(r"\| ([^|]+?) \| GPIO ?(\d+) \|", README))
    assert table == {
        "button": "17",
        "lamp, red": "22",
        "lamp, green": "23",
        "lamp, blue": "24",
        "buzzer": "25",
    }
    config = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert config is not None
    chosen = parse(config[1])
    pins = [chosen.button.pin, chosen.led.red, chosen.led.green, chosen.led.blue, chosen.buzzer.pin]
    assert [str(pin) for pin in pins] == list(table.values())
    drawing = (HARDWARE / "wiring.svg").read_text(encoding="utf-8")
    for pin in table.values():
        assert f"GPIO {pin}" in drawing


def test_every_picture_and_file_the_readme_names_is_there_and_whole() -> None:
    names = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(names) >= 8
    for name in names:
        file = HARDWARE / name
        assert file.exists(), name
        if file.suffix == ".svg":
            ET.parse(file)


@pytest.mark.parametrize("stl", sorted(HARDWARE.glob("stand/*.stl")), ids=lambda path: path.name)
def test_a_printable_part_is_a_closed_solid_of_sane_size(stl: Path) -> None:
    content = stl.read_bytes()
    (count,) = struct.unpack_from("<I", content, 80)
    assert len(content) == 84 + 50 * count
    edges: dict[tuple[tuple[float, ...], ...], int] = {}
    corners = []
    for n in range(count):
        numbers = struct.unpack_from("<12f", content, 84 + 50 * n)
        triangle = [tuple(round(c, 3) for c in numbers[i : i + 3]) for i in (3, 6, 9)]
        corners += triangle
        for one, other in zip(triangle, [*triangle[1:], triangle[0]], strict=True):
            edges[one, other] = edges.get((one, other), 0) + 1
    assert all(edges.get((other, one), 0) == times for (one, other), times in edges.items()), "a hole"
    sides = [max(c[axis] for c in corners) - min(c[axis] for c in corners) for axis in range(3)]
    assert max(sides) <= 220, f"{sides} does not fit on a printer's bed"
    assert min(sides) >= 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("good", ""),
        ("side-lamp", "A hard light from the side throws dark shadows"),
        ("uneven", "The light is uneven"),
        ("dark", "It is too dark"),
        ("glare", "A lamp glares in the roll zone"),
        ("blurred", "The picture is blurred"),
        ("from-the-side", "The camera looks from the side"),
        ("too-far", "The dice are too small"),
    ],
)
def test_the_pictures_of_light_get_the_verdict_the_readme_promises(name: str, words: str) -> None:
    image = np.asarray(cv2.imread(str(HARDWARE / "light" / f"{name}.jpg")), np.uint8)
    try:
        calibration = calibrate(image)
    except MatNotFound:
        assert name == "blurred"
        calibration = whole_picture(image)
    said = " ".join(map(str, verdict(image, calibration)))
    assert (words in said) if words else (said == "")
    row = next(line for line in README.splitlines() if f"light/{name}.jpg" in line)
    assert f"“{words}" in row if words else "| nothing" in row
