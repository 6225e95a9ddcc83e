"""The wheel carries the models and the web files, and serves from any folder."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from companion.games import GAMES
from tests.serving import Server

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    return next(folder.glob("companion-*.whl"))


def test_the_wheel_carries_models_and_web_files(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    models = {f"companion/models/{path.name}" for path in (ROOT / "models").glob("*.onnx")}
    assert models
    assert models <= names
    assert {f"companion/web/templates/sheets/{key}.html" for key in GAMES} <= names
    web = ROOT / "companion" / "web"
    for pattern in ("static/**/*.js", "static/**/*.css", "translations/**/*.mo", "templates/**/*.html"):
        files = {f"companion/web/{path.relative_to(web)}" for path in web.glob(pattern)}
        assert files
        assert files <= names


def test_the_wheel_is_small(wheel):
    assert wheel.stat().st_size < 10_000_000


@pytest.mark.long
@pytest.mark.timeout(900)
def test_installed_into_an_empty_venv_it_serves_from_any_folder(wheel, tmp_path, monkeypatch):
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with Server(tmp_path / "state", "--camera", "sim") as server:
        assert server.get("/api/state")["phase"] == "lobby"
