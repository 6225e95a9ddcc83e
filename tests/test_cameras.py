"""The cameras: clips and folders, USB through OpenCV, the Pi's through picamera2."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
import time
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.cameras import ClipCamera, PiCamera, TurnedCamera, UsbCamera, frozen, pi, usb
from companion.vision.reading import Camera, CameraLost, Frame, Image
from companion.vision.stillness import small_of
from tests import picamera2_stand_in
from tests.picamera2_stand_in import Picamera2

VERSION = "0.3.38"


def shade(level: int, size: tuple[int, int] = (96, 128)) -> Image:
    return np.full((*size, 3), level, np.uint8)


# Clips and folders


def test_a_folder_is_played_by_name_at_its_own_pace(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.png", 10), ("c.PNG", 30)):
        cv2.imwrite(str(tmp_path / name), shade(level))
    (tmp_path / "notes.txt").write_text("no frame")
    camera: Camera = ClipCamera(tmp_path, fps=10)
    frames = [camera.next() for _ in range(4)]
    assert frames.pop() is None
    assert [int(frame.image[0, 0, 0]) for frame in frames if frame] == [10, 20, 30]
    assert [frame.taken_at for frame in frames if frame] == [0.0, 0.1, 0.2]
    assert all(frame.small.shape == (240, 320) and frame.small.dtype == np.uint8 for frame in frames if frame)
    camera.close()


@pytest.mark.parametrize("name", ["frame{}.png", "{}.png", "evening 2 take {}_left.png"])
def test_frame_10_comes_after_frame_9(tmp_path: Path, name: str) -> None:
    for n in range(12):
        cv2.imwrite(str(tmp_path / name.format(n)), shade(n))
    camera = ClipCamera(tmp_path)
    frames = [camera.next() for _ in range(12)]
    assert [int(frame.image[0, 0, 0]) for frame in frames if frame] == list(range(12))


def test_a_film_is_played_to_its_end(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, (128, 96))
    for level in (40, 80, 120):
        film.write(shade(level))
    film.release()
    camera = ClipCamera(tmp_path / "clip.avi")
    levels = []
    while (frame := camera.next()) is not None:
        levels.append(int(frame.image.mean().round()))
    assert levels == pytest.approx([40, 80, 120], abs=3)


def test_a_clip_waits_in_real_time_when_asked_to(tmp_path: Path) -> None:
    for n in range(3):
        cv2.imwrite(str(tmp_path / f"{n}.png"), shade(n))
    waits: list[float] = []
    camera = ClipCamera(tmp_path, 4, waits.append)
    for _ in range(3):
        camera.next()
    assert waits == [0.0, 0.25, 0.5]


@pytest.mark.parametrize("what", ["absent", "empty folder", "no film", "no picture"])
def test_what_cannot_be_played_is_said_in_a_sentence(tmp_path: Path, what: str) -> None:
    path = tmp_path / "clip"
    if what == "empty folder":
        path.mkdir()
    elif what == "no film":
        path.write_text("not a film")
    elif what == "no picture":
        path.mkdir()
        (path / "frame.png").write_bytes(b"not a picture")
    with pytest.raises(CameraLost, match=r"clip.*: |clip.*folder"):
        ClipCamera(path).next()


# Frozen pictures


def test_the_same_picture_again_and_again_is_a_lost_camera() -> None:
    check = frozen.Frozen()
    same = shade(7)[..., 0]
    for at in (0.0, 0.5, 1.0, 1.4):
        check.check(same, at)
    with pytest.raises(CameraLost, match="frozen"):
        check.check(same.copy(), 1.5)


def test_noise_keeps_a_camera_alive() -> None:
    check = frozen.Frozen()
    for n in range(100):
        check.check(np.random.default_rng(n).integers(0, 3, (4, 4), np.uint8), float(n))


# USB


class Device:
    """Stands in for OpenCV's capture: frames while it is plugged in."""

    plugged = True
    last: Device | None = None

    def __init__(self, number: int, backend: int) -> None:
        self.number, self.settings = (
            number,
            {cv2.CAP_PROP_EXPOSURE: 120.0, cv2.CAP_PROP_WB_TEMPERATURE: 4200.0},
        )
        self.taken = 0
        self.released = threading.Event()
        self.hang = threading.Event()
        Device.last = self

    def isOpened(self) -> bool:  # noqa: N802
        return self.plugged

    def set(self, name: int, value: float) -> bool:
        self.settings[name] = value
        return name not in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)

    def get(self, name: int) -> float:
        return self.settings.get(name, 0.0)

    def read(self) -> tuple[bool, Image | None]:
        if self.hang.is_set():
            self.released.wait(5)
            return False, None
        if not self.plugged:
            return False, None
        time.sleep(0.001)
        self.taken += 1
        return True, np.full((48, 64, 3), self.taken % 250, np.uint8)

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Device]]:
    monkeypatch.setattr(cv2, "VideoCapture", Device)
    monkeypatch.setattr(Device, "plugged", True)
    yield Device
    if Device.last:
        Device.last.released.set()


def opened(camera: UsbCamera) -> Device:
    assert camera.name.startswith("usb:")
    assert Device.last is not None
    return Device.last


def test_usb_gives_the_newest_frame(device: type[Device]) -> None:
    camera = UsbCamera(1)
    capture = opened(camera)
    first = camera.next()
    already = capture.taken
    while capture.taken < already + 20:
        time.sleep(0.002)
    second = camera.next()
    camera.close()
    assert first is not None and second is not None
    assert int(second.image[0, 0, 0]) - int(first.image[0, 0, 0]) >= 15
    assert capture.number == 1
    assert capture.settings[cv2.CAP_PROP_BUFFERSIZE] == 1
    assert capture.released.is_set()


def test_usb_that_is_not_there_says_what_to_do(device: type[Device], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "plugged", False)
    with pytest.raises(CameraLost, match="USB camera 2 answers: plug it in"):
        UsbCamera(2)


def test_usb_unplugged_is_noticed_at_once(device: type[Device], monkeypatch: pytest.MonkeyPatch) -> None:
    camera = UsbCamera()
    camera.next()
    monkeypatch.setattr(Device, "plugged", False)
    with pytest.raises(CameraLost, match="stopped"):
        for _ in range(100):
            camera.next()
    camera.close()


def test_usb_that_hangs_is_noticed_within_two_seconds(
    device: type[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert usb.SILENCE < 2
    monkeypatch.setattr(usb, "SILENCE", 0.05)
    camera = UsbCamera()
    camera.next()
    opened(camera).hang.set()
    with pytest.raises(CameraLost, match="stopped"):
        for _ in range(100):
            camera.next()
    opened(camera).released.set()
    camera.close()


def test_usb_keeps_exposure_and_white_balance_when_locked(device: type[Device]) -> None:
    camera = UsbCamera()
    camera.lock()
    settings = opened(camera).settings
    assert camera.drift() == ()
    settings[cv2.CAP_PROP_WB_TEMPERATURE] = 5000.0
    assert camera.drift() == ("white balance",)
    assert settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert settings[cv2.CAP_PROP_EXPOSURE] == 120
    assert settings[cv2.CAP_PROP_AUTO_WB] == 0
    assert cv2.CAP_PROP_FOCUS not in settings
    camera.unlock()
    assert camera.drift() == ()
    assert settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert settings[cv2.CAP_PROP_AUTO_WB] == 1
    camera.close()


# The Pi's camera


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(Picamera2, "opened", [])
    return Picamera2


def test_pi_gives_both_streams_from_one_request(library: type[Picamera2]) -> None:
    camera: Camera = PiCamera()
    frames = [camera.next() for _ in range(3)]
    (device,) = library.opened
    assert device.out == 0
    assert device.calls == ["configure", "start"]
    assert device.controls["AfMode"] == 2, "a lens that is not told to focus rests where the dice are not"
    assert device.controls["AeConstraintMode"] == 1, "white dice on a dark cloth are not to be too bright"
    for frame in frames:
        assert frame is not None
        assert frame.image.shape == (960, 1280, 3)
        assert frame.small.shape == (240, 320)
        assert frame.small.flags["C_CONTIGUOUS"]
    assert [round(frame.taken_at, 3) for frame in frames if frame] == [0.067, 0.133, 0.2]
    camera.close()
    assert device.calls[2:] == ["cancel_all_and_flush", "close"]


def test_pi_is_locked_as_it_is_and_checked_for_drift(library: type[Picamera2]) -> None:
    camera = PiCamera()
    camera.next()
    camera.lock()
    (device,) = library.opened
    assert device.controls == {
        "AeEnable": False,
        "AeConstraintMode": 1,
        "AwbEnable": False,
        "AfMode": 0,
        "ExposureTime": 19_990,
        "AnalogueGain": 2.0,
        "ColourGains": (1.9, 1.6),
        "LensPosition": 3.5,
    }
    device.metadata |= {"ExposureTime": 19_985}
    camera.next()
    assert camera.drift() == ()
    device.metadata |= {"ColourGains": (1.5, 1.6), "LensPosition": 4.0}
    camera.next()
    assert camera.drift() == ("ColourGains", "LensPosition")
    camera.unlock()
    assert camera.drift() == ()
    assert device.controls["AeEnable"] is True
    camera.close()


def test_a_pi_camera_without_focus_is_locked_too(
    library: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = ("AeConstraintMode", "LensPosition", "AfMode")
    fixed = {k: v for k, v in picamera2_stand_in.CONTROLS.items() if k not in missing}
    monkeypatch.setattr(picamera2_stand_in, "CONTROLS", fixed)
    camera = PiCamera()
    camera.next()
    camera.lock()
    camera.unlock()
    assert not {"AfMode", "AeConstraintMode"} & set(library.opened[0].controls)
    camera.close()


def test_a_silent_pi_camera_is_lost(library: type[Picamera2]) -> None:
    assert pi.SILENCE < 2
    camera = PiCamera()
    library.opened[0].silent = True
    with pytest.raises(CameraLost, match="ribbon cable"):
        camera.next()
    camera.close()


def test_a_frozen_pi_camera_is_lost(library: type[Picamera2]) -> None:
    camera = PiCamera()
    library.opened[0].frozen = True
    with pytest.raises(CameraLost, match="frozen"):
        for _ in range(30):
            camera.next()
    assert library.opened[0].number <= 30
    camera.close()


@pytest.mark.parametrize(
    ("trouble", "value", "sentence"),
    [
        ("plugged", [], "No Pi camera was found"),
        ("plugged", [{"Id": "/base/soc/usb@1/webcam", "Num": 0}], "No Pi camera was found"),
        ("busy", True, "stop the other program"),
        ("refuses", True, "refuses to start"),
    ],
)
def test_no_pi_camera_says_what_to_do(
    library: type[Picamera2], monkeypatch: pytest.MonkeyPatch, trouble: str, value: Any, sentence: str
) -> None:
    monkeypatch.setattr(Picamera2, trouble, value)
    with pytest.raises(CameraLost, match=sentence):
        PiCamera()
    assert all(device.closed for device in library.opened)


def test_without_picamera2_there_is_no_pi_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match="apt install python3-picamera2"):
        PiCamera()


# What the real picamera2 has


@pytest.fixture(scope="module")
def source(request: pytest.FixtureRequest) -> dict[str, ast.Module]:
    """The sources of the real picamera2, fetched once and kept beside pytest's cache."""
    assert request.config.cache is not None
    folder = Path(request.config.cache.mkdir("picamera2"))
    name = f"picamera2-{VERSION}-py3-none-any.whl"
    if not (folder / name).is_file():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        fetched = subprocess.run(
            [*pip, "--dest", str(folder), f"picamera2=={VERSION}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert fetched.returncode == 0, f"picamera2 {VERSION} cannot be fetched: {fetched.stderr[-500:]}"
    with zipfile.ZipFile(folder / name) as wheel:
        modules = ("__init__", "picamera2", "request", "job")
        return {module: ast.parse(wheel.read(f"picamera2/{module}.py")) for module in modules}


def members(tree: ast.Module, name: str) -> dict[str, ast.FunctionDef]:
    """The methods and properties of a class, the last definition winning as Python has it."""
    (found,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    return {node.name: node for node in found.body if isinstance(node, ast.FunctionDef)}


def uses(tree: ast.Module, names: set[str]) -> tuple[list[ast.Call], set[str]]:
    """Every call of, and every attribute read from, things of these names."""

    def ours(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and ast.unparse(node.value) in names

    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ours(node.func)]
    called = {id(call.func) for call in calls}
    read = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ours(node) and id(node) not in called
    }
    return calls, read


@pytest.mark.parametrize(
    ("module", "kind", "names", "least"),
    [
        ("picamera2", "Picamera2", {"library", "device", "self._device", "_library()"}, 7),
        ("request", "CompletedRequest", {"request"}, 2),
    ],
)
def test_every_use_of_picamera2_is_in_its_source(
    source: dict[str, ast.Module], module: str, kind: str, names: set[str], least: int
) -> None:
    known = members(source[module], kind)
    calls, read = uses(ast.parse(Path(pi.__file__).read_text()), names)
    assert len({call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}) >= least
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        method = known[call.func.attr]
        arguments = [a.arg for a in (*method.args.posonlyargs, *method.args.args) if a.arg != "self"]
        assert len(call.args) <= len(arguments), call.func.attr
        for keyword in call.keywords:
            assert keyword.arg in arguments, f"{call.func.attr} takes no {keyword.arg}"
    for name in read:
        decorators = [ast.unparse(d) for d in known[name].decorator_list]
        assert "property" in decorators, f"{name} is no property"


def test_the_stand_in_takes_what_the_real_one_takes(source: dict[str, ast.Module]) -> None:
    stand_in = ast.parse(Path(picamera2_stand_in.__file__).read_text())
    for module, real, ours in (
        ("picamera2", "Picamera2", "Picamera2"),
        ("request", "CompletedRequest", "Request"),
    ):
        known = members(source[module], real)
        for name, method in members(stand_in, ours).items():
            if name == "__init__" and ours == "Request":
                continue
            theirs = {a.arg for a in known[name].args.args}
            assert {a.arg for a in method.args.args} <= theirs, name


def test_silence_comes_as_a_timeout(source: dict[str, ast.Module]) -> None:
    """A number for `wait` ends in `Future.result(timeout=…)`, whose error is the builtin `TimeoutError`."""
    job = members(source["job"], "Job")
    assert "self._future.result(timeout=timeout)" in ast.unparse(job["get_result"])
    dispatch = ast.unparse(members(source["picamera2"], "Picamera2")["dispatch_functions"])
    assert "job.get_result(timeout=timeout)" in dispatch
    assert "Picamera2" in ast.unparse(source["__init__"])


def test_arrays_of_a_request_are_copies(source: dict[str, ast.Module]) -> None:
    make_array = ast.unparse(members(source["request"], "CompletedRequest")["make_array"])
    assert "np.copy(m.array)" in make_array


def test_a_camera_that_hangs_sideways_is_turned():
    class Sideways:
        name = "sideways"
        closed = False

        def next(self):
            image = np.zeros((4, 6, 3), np.uint8)
            image[0, 0] = 255
            return Frame(image, small_of(image), 1.0)

        def close(self):
            self.closed = True

        def lock(self):
            return "locked"

    inner = Sideways()
    camera = TurnedCamera(inner, 90)
    frame = camera.next()
    assert frame.image.shape == (6, 4, 3)
    assert frame.image[0, 3].tolist() == [255, 255, 255]
    assert frame.taken_at == 1.0
    assert camera.lock() == "locked"
    camera.close()
    assert inner.closed
