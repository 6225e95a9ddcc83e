"""The doctor on machines of every kind; what it packs for others holds no name and no token."""

from __future__ import annotations

import fcntl
import json
import logging
import shutil
import socket
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion import doctor, systemd
from companion.cli import main
from companion.doctor import Finding, Patient, cannot_run, checks, examine
from companion.log import Log
from companion.table.players import Lobby
from companion.vision.calibration import store, whole_picture
from companion.vision.landmarks import Landmark
from companion.vision.reading import CameraLost, Frame


class StillCamera:
    name = "still"

    def __init__(self, level: int = 128) -> None:
        self._picture = np.full((96, 128, 3), level, np.uint8)
        self.closed = False

    def next(self) -> Frame:
        return Frame(self._picture, self._picture[::4, ::4, 0], 0.0)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(
        state_dir=tmp_path / "state",
        open_camera=StillCamera,
        addresses=("192.168.1.7",),
        root=tmp_path / "root",
        command=lambda *_words: None,
        now=lambda: datetime(2027, 1, 2, 20, 15, tzinfo=UTC),
        machine=lambda: "aarch64",
    )


def lay(root: Path, name: str, text: str) -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def pi(patient: Patient) -> Patient:
    lay(patient.root, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    return patient


def answering(**answers: str) -> Callable[..., str | None]:
    return lambda *words: answers.get(words[0])


def test_versions_name_program_libraries_system_and_board(patient: Patient) -> None:
    lay(pi(patient).root, "etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n')
    finding = checks.versions(patient)
    assert finding.level == "ok"
    for word in ("companion", "Python 3.", "numpy", "trixie", "Raspberry Pi 5", "aarch64"):
        assert word in finding.text


def test_a_32_bit_system_is_a_problem(patient: Patient) -> None:
    finding = checks.versions(replace(patient, machine=lambda: "armv7l"))
    assert (finding.level, "64-bit" in finding.advice) == ("problem", True)


def test_a_missing_library_is_a_problem(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LIBRARIES", ("numpy", "no-such-library"))
    finding = checks.versions(patient)
    assert finding.level == "problem"
    assert "no-such-library is missing" in finding.text


@pytest.mark.parametrize(("free_mb", "level"), [(10, "problem"), (200, "warning"), (9000, "ok")])
def test_disk_space(patient: Patient, monkeypatch: pytest.MonkeyPatch, free_mb: int, level: str) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=free_mb * 2**20))
    assert checks.disk(patient).level == level
    assert list(patient.state_dir.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_problem(patient: Patient, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    finding = checks.disk(replace(patient, state_dir=tmp_path / "file" / "state"))
    assert finding.level == "problem"
    assert "--state" in finding.advice


def test_games_that_are_read(patient: Patient) -> None:
    assert checks.games(patient) == Finding("games", "ok", "none yet")
    log = Log(patient.state_dir)
    log.begin("regenwormen", Lobby("regenwormen", 2).as_json())
    before = {file.name: file.read_bytes() for file in patient.state_dir.iterdir()}
    assert checks.games(patient).text == "in use by the running table"
    fcntl.flock(
        log._held, fcntl.LOCK_UN
    )  # the power is gone: what was written last is not in the database yet
    assert checks.games(patient).text == f"1 in {patient.state_dir / 'companion.db'}"
    assert {file.name: file.read_bytes() for file in patient.state_dir.iterdir()} == before
    log.close()


def test_games_that_cannot_be_read_are_a_problem(patient: Patient) -> None:
    lay(patient.state_dir, "companion.db", "not a database" * 400)
    finding = checks.games(patient)
    assert (finding.level, finding.advice[:19]) == ("problem", "move that file away")
    assert finding.text.endswith("companion.db cannot be read (file is not a database)")
    assert [file.name for file in patient.state_dir.iterdir()] == ["companion.db"]
    (patient.state_dir / "companion.db").unlink()
    log = Log(patient.state_dir)
    game = log.begin("regenwormen", Lobby("regenwormen", 2).as_json())
    log.arrange(game, "ludo", {}, "playing")
    log.close()
    finding = checks.games(patient)
    assert (finding.level, finding.text[:5]) == (
        "warning",
        "1 in ",
    ) and "last one cannot be read" in finding.text


@pytest.fixture
def models(patient: Patient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Patient:
    """Three files with a card each, and a reader that is content with them."""
    folder = tmp_path / "models"
    for name in checks.MODELS:
        file = lay(folder, name, f"the weights of {name}")
        digest = sha256(file.read_bytes()).hexdigest()
        lay(folder, f"{file.stem}.md", f"# {name}\nchecksum (SHA-256): {digest}\n")

    class Reader:
        def __init__(self, _models: Path | None = None) -> None:
            pass

        def read(self, image: Any, _due: Any) -> None:
            assert image.shape == (960, 1280, 3)

    monkeypatch.setattr("companion.vision.reader.Reader", Reader)
    return replace(patient, models=folder)


def test_models_on_their_cards_are_fine(models: Patient) -> None:
    assert checks.models(models).level == "ok"


def test_a_damaged_model_is_a_problem(models: Patient) -> None:
    assert models.models is not None
    (models.models / "faces.onnx").write_text("the weights of facEs.onnx")
    finding = checks.models(models)
    assert finding.level == "problem"
    assert finding.text.startswith("faces.onnx (SHA-256 ")
    assert "not the network that its card describes" in finding.text
    (models.models / "corners.onnx").write_text("")
    assert "corners.onnx" in checks.models(models).text
    assert "faces.onnx" in checks.models(models).text


def test_the_shipped_models_are_the_ones_on_their_cards(patient: Patient, tmp_path: Path) -> None:
    shipped = Path(checks.__file__).parents[2] / "models"
    assert checks.models(replace(patient, models=shipped)).level == "ok"
    for file in shipped.glob("*.*"):
        shutil.copy(file, tmp_path)
    damaged = (tmp_path / "detector.onnx").read_bytes()
    (tmp_path / "detector.onnx").write_bytes(damaged[:-1] + bytes([damaged[-1] ^ 1]))
    finding = checks.models(replace(patient, models=tmp_path))
    assert finding.level == "problem"
    assert finding.text.startswith("detector.onnx (SHA-256 ")


def test_a_missing_model_is_a_problem(models: Patient) -> None:
    assert models.models is not None
    (models.models / "detector.onnx").unlink()
    assert checks.models(models).level == "problem"


def test_a_model_without_a_card_is_a_warning(models: Patient) -> None:
    assert models.models is not None
    (models.models / "colours.md").unlink()
    assert checks.models(models).level == "warning"


def test_a_model_that_cannot_read_is_a_problem(models: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_models: Path | None) -> None:
        raise RuntimeError("bad weights")

    monkeypatch.setattr("companion.vision.reader.Reader", broken)
    finding = checks.models(models)
    assert finding.level == "problem"
    assert "bad weights" in finding.text


def test_the_camera_gives_a_picture_and_is_let_go(patient: Patient) -> None:
    camera = StillCamera()
    finding = checks.camera(replace(patient, open_camera=lambda: camera))
    assert (finding.level, finding.text) == ("ok", "“still” gives 128 × 96 pixels")
    assert camera.closed


def test_no_camera_is_only_a_warning_for_rolls_can_be_typed_in(patient: Patient) -> None:
    assert checks.camera(replace(patient, open_camera=None)).level == "warning"


def test_a_lens_cap_is_noticed(patient: Patient) -> None:
    finding = checks.camera(replace(patient, open_camera=lambda: StillCamera(3)))
    assert "lens cap" in finding.advice


def test_a_lost_camera_is_a_problem(patient: Patient) -> None:
    def lost() -> StillCamera:
        raise CameraLost("The Pi camera has stopped.")

    assert checks.camera(replace(patient, open_camera=lost)).level == "problem"


def test_the_camera_of_a_running_table_is_left_alone(patient: Patient) -> None:
    patient.state_dir.mkdir()
    with (patient.state_dir / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finding = checks.camera(replace(patient, open_camera=lambda: pytest.fail("it was opened")))
    assert "left to the running table" in finding.text


def test_the_command_does_not_reach_for_the_camera_of_a_running_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.doctor.camera_opener", lambda _: pytest.fail("it was opened"))
    with (tmp_path / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        main(["doctor", "--camera", "pi", "--state", str(tmp_path)])
    assert "left to the running table: its setup page tells how it is" in capsys.readouterr().out


def test_calibration(patient: Patient) -> None:
    assert checks.calibration(patient).text == "none yet"
    store(whole_picture(np.zeros((96, 128, 3), np.uint8)), patient.state_dir / "calibration.json")
    assert checks.calibration(patient).text == "the whole picture"
    lay(patient.state_dir, "calibration.json", "{")
    assert checks.calibration(patient).level == "warning"


def test_pins(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "space bar" in checks.gpio(patient).text
    pi(patient)
    assert "no /dev/gpiochip" in checks.gpio(patient).text
    chip = lay(patient.root, "dev/gpiochip0", "")
    monkeypatch.setattr(checks.os, "access", lambda path, _mode: path != chip)
    assert "usermod" in checks.gpio(patient).advice
    monkeypatch.undo()
    monkeypatch.setattr(checks.importlib, "import_module", lambda _name: None)
    assert checks.gpio(patient).level == "ok"


def test_clock(patient: Patient) -> None:
    assert checks.clock(patient).level == "ok"
    assert checks.clock(replace(patient, command=answering(timedatectl="yes"))).text.endswith(
        "by the network"
    )
    assert checks.clock(replace(patient, command=answering(timedatectl="no"))).level == "warning"
    past = replace(patient, now=lambda: datetime(1970, 1, 1, tzinfo=UTC))
    assert checks.clock(past).level == "warning"


def test_network(patient: Patient) -> None:
    assert checks.network(patient).text == "http://192.168.1.7:8017"
    assert "--hotspot" in checks.network(replace(patient, addresses=())).advice


@pytest.mark.parametrize(
    ("millidegrees", "level"), [("48123", "ok"), ("77000", "warning"), ("84000", "warning")]
)
def test_temperature(patient: Patient, millidegrees: str, level: str) -> None:
    assert checks.temperature(patient).text == "no sensor here"
    lay(patient.root, "sys/class/thermal/thermal_zone0/temp", f"{millidegrees}\n")
    assert checks.temperature(patient).level == level


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("throttled=0x0", "steady"),
        ("throttled=0x50005", "now"),
        ("throttled=0x50000", "since the start"),
        ("throttled=0x4", "slowed down"),
        ("VCHI initialization failed", "does not tell"),
    ],
)
def test_under_voltage(patient: Patient, answer: str, words: str) -> None:
    assert words in checks.power(replace(patient, command=answering(vcgencmd=answer))).text


def test_last_errors_come_from_the_log_in_the_state_folder(patient: Patient) -> None:
    assert checks.last_errors(patient).level == "ok"
    patient.state_dir.mkdir()
    keeper = doctor.keep_errors(patient.state_dir)
    try:
        logging.getLogger("eye").error("the camera fell over")
        logging.getLogger("eye").info("all is well")
    finally:
        logging.getLogger().removeHandler(keeper)
        keeper.close()
    finding = checks.last_errors(patient)
    assert finding.text.startswith("1, the last: ")
    assert "the camera fell over" in finding.text
    assert "all is well" not in (patient.state_dir / "errors.log").read_text()


def test_a_check_that_breaks_down_is_a_finding(patient: Patient) -> None:
    def broken(_patient: Patient) -> Finding:
        raise ZeroDivisionError("oops")

    findings = examine(patient, [broken, checks.clock])
    assert [finding.level for finding in findings] == ["problem", "ok"]
    assert cannot_run(findings)
    assert not cannot_run(findings[1:])


def test_real_commands_are_asked_and_missing_ones_are_none() -> None:
    assert checks._command("echo", "hello") == "hello"
    assert checks._command("false") is None
    assert checks._command("no-such-command-anywhere") is None


def test_the_command_prints_a_line_a_check_and_its_exit_code_follows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "CHECKS", (checks.versions, checks.disk))
    arguments = ["doctor", "--camera", "none", "--state", str(tmp_path), "--json"]
    assert main(arguments) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["what"] for line in lines if line["what"] != "config"] == ["versions", "disk"]
    lay(tmp_path, "companion.toml", "[server]\nprot = 1\n")
    assert main(arguments[:-1]) == 1
    assert "line 2: there is no key “prot”" in capsys.readouterr().out


def test_a_camera_asked_for_and_not_there_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "CHECKS", (checks.camera,))
    assert main(["doctor", "--camera", str(tmp_path / "no.mp4"), "--state", str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("camera: ") == 1


def test_the_simulated_tray_is_a_camera_for_the_doctor_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "CHECKS", (checks.camera,))
    assert main(["doctor", "--camera", "sim", "--state", str(tmp_path)]) == 0
    assert "gives 1280 × 960 pixels" in capsys.readouterr().out


def test_the_diagnostics_hold_no_names_and_no_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token, player = "eyJzZWF0IjoxfQ.aBcD1234efGH", "c0ffee00c0ffee00"
    log = Log(tmp_path)
    log.begin("regenwormen", {"key": "regenwormen", "players": [{"name": "Annemiek", "id": player}]})
    log.keep("pin", "48151")
    for name, value in (("auto_confirm", "on"), ("on_table", "13"), ("alive", "yes")):
        log.keep(name, value)
    secret = log.secret()
    log.close()
    lay(
        tmp_path,
        "errors.log",
        f"2027-01-01 ERROR web: ANNEMIEK could not sit ({token}), {player}, pin 48151, key {secret}\n"
        "  Debian GNU/Linux 13 on a Pi: yes\n"
        "  File companion/web/acts.py, line 12\n",
    )
    lay(tmp_path, "companion.toml", '[server]\nport = 8123\npin = "48151"\n')
    patches = (Landmark(20, 30, "0a" * 441),)
    found = replace(whole_picture(np.zeros((96, 128, 3), np.uint8)), landmarks=patches)
    store(found, tmp_path / "calibration.json")
    monkeypatch.setattr(checks, "CHECKS", (checks.versions, checks.last_errors))
    file = tmp_path / "diagnostics.zip"
    assert main(["doctor", "--camera", "none", "--state", str(tmp_path), "--zip", str(file)]) == 0
    capsys.readouterr()
    with zipfile.ZipFile(file) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) == {
        "doctor.txt",
        "doctor.json",
        "packages.txt",
        "errors.log",
        "calibration.json",
        "companion.toml",
    }
    for name, text in texts.items():
        for hidden in ("annemiek", token, player, "48151", secret, "0a0a0a"):
            assert hidden.lower() not in text.lower(), f"{hidden} is in {name}"
    assert "could not sit" in texts["errors.log"]
    assert "Debian GNU/Linux 13 on a Pi: yes" in texts["errors.log"], "only what is secret is left out"
    assert "acts.py, line 12" in texts["errors.log"]
    assert "port = 8123" in texts["companion.toml"]


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(2)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield line


def test_systemd_hears_ready_alive_and_stopping(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "2000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    stopped, well = threading.Event(), iter([True, False])

    def alive() -> bool:
        answer = next(well)
        if not answer:
            stopped.set()
        return answer

    systemd.keep_alive(stopped, alive)
    assert [listener.recv(99) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_without_systemd_nothing_is_sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not systemd.notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert not systemd.notify("READY=1")
    monkeypatch.setenv("WATCHDOG_USEC", "2000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert systemd.watchdog_seconds() is None
    monkeypatch.delenv("WATCHDOG_PID")
    assert systemd.watchdog_seconds() == 2
