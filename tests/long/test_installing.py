"""Whole-system tries: the installer in its own Debian, the program on emulated ARM, wheels for every Pi."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.long

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="makes a file system of its own: run it as root")


def run(*words: str | Path) -> str:
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


@needs_root
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_the_installer_in_a_plain_debian(suite: str) -> None:
    said = run(ROOT / "hardware" / "try-install.sh", suite)
    assert f"ok: this is {suite}" in said
    assert "All of it works." in said


@needs_root
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGKILL])
def test_a_try_that_is_stopped_leaves_nothing_running_and_nothing_mounted(name: signal.Signals) -> None:
    script = ROOT / "hardware" / "try-install.sh"
    before = set(Path("/var/tmp").glob("companion-try.*"))
    with subprocess.Popen(
        [script], stdout=subprocess.PIPE, text=True, env={**os.environ, "TRY_KEEP": ""}
    ) as tried:
        assert tried.stdout is not None
        place = next(line.split()[-1] for line in tried.stdout if "Making a Debian" in line)
        assert Path(place).is_relative_to("/var/tmp")
        tried.send_signal(name)
        assert tried.wait(30) != 0
        assert tried.stdout.read() is not None, "whoever held the pipe has gone"
    assert place not in Path("/proc/mounts").read_text()
    left = set(Path("/var/tmp").glob("companion-try.*")) - before
    assert (name is signal.SIGKILL) == bool(left), (
        "only a killed try leaves its folder, for the next one to remove"
    )
    for folder in left:
        assert [file.name for file in folder.iterdir() if file.is_dir() and any(file.iterdir())] == []


@needs_root
@pytest.mark.timeout(3 * 3600)
def test_the_program_on_emulated_arm64() -> None:
    said = run(ROOT / "hardware" / "try-arm64.sh")
    for game in ("clever", "regenwormen", "dicy_cards", "geizen", "keer_op_keer_2"):
        assert f"ok: {game}, " in said
    assert "All of it works on arm64." in said


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("python", "glibc"), [("3.11", "2_36"), ("3.13", "2_41")], ids=["bookworm", "trixie"]
)
def test_wheels_of_all_runtime_dependencies_exist_for_a_pi(python: str, glibc: str, tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    platforms = [
        f"--platform=manylinux_{major}_{minor}_aarch64"
        for major, newest in [map(int, glibc.split("_"))]
        for minor in range(17, newest + 1)
    ]
    report = tmp_path / "report.json"
    said = run(
        sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--only-binary=:all:",
        "--no-input", "--disable-pip-version-check", f"--python-version={python}", "--implementation=cp",
        "--target", tmp_path / "nowhere", "--report", report,
        "--platform=manylinux2014_aarch64", *platforms, *project["dependencies"], "simplejpeg",
    )  # fmt: skip
    for name in ("numpy", "onnxruntime", "opencv", "simplejpeg", "flask"):
        assert name in said.lower()
