"""Stands in for picamera2: exactly the calls our camera makes, in the order the real library demands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

CONTROLS = {
    "AeConstraintMode": (0, 3, 0),
    "AeEnable": (False, True, True),
    "AfMode": (0, 2, 0),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "AwbEnable": (False, True, True),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (100, 100_000, 20_000),
    "FrameDurationLimits": (8_000, 200_000, 33_333),
    "LensPosition": (0.0, 32.0, 1.0),
}


class Request:
    """A completed request: its arrays are only there until it is released."""

    def __init__(self, device: Picamera2, number: int) -> None:
        self._device, self._number, self._released = device, number, False

    def make_array(self, name: str) -> np.ndarray:
        assert not self._released, "a request was used after its release"
        rng = np.random.default_rng(0 if self._device.frozen else self._number)
        width, height = self._device.streams[name]["size"]
        if self._device.streams[name]["format"] == "YUV420":
            # Rows are padded to what the memory likes.
            return rng.integers(0, 255, (height * 3 // 2, width + 64), np.uint8)
        return rng.integers(0, 255, (height, width, 3), np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        assert not self._released
        return {"SensorTimestamp": self._number * 66_666_667, **self._device.metadata}

    def release(self) -> None:
        assert not self._released, "a request was released twice"
        self._released = True
        self._device.out -= 1


class Picamera2:
    """The camera of the library, as far as we use it."""

    plugged: ClassVar[list[dict[str, Any]]] = [{"Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}]
    busy: ClassVar[bool] = False
    refuses: ClassVar[bool] = False
    opened: ClassVar[list[Picamera2]] = []

    def __init__(self, camera_num: int = 0) -> None:
        if self.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.calls: list[str] = []
        self.controls: dict[str, Any] = {}
        self.metadata = {
            "ExposureTime": 19_990,
            "AnalogueGain": 2.0,
            "ColourGains": (1.9, 1.6),
            "LensPosition": 3.5,
            "Lux": 200.0,
        }
        self.streams: dict[str, Any] = {}
        self.started = self.closed = self.silent = self.frozen = False
        self.out = self.number = 0
        self.opened.append(self)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return Picamera2.plugged

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return dict(CONTROLS)

    def create_video_configuration(
        self, main: dict[str, Any], lores: dict[str, Any], controls: dict[str, Any], buffer_count: int
    ) -> dict[str, Any]:
        assert set(controls) <= set(CONTROLS)
        return {"main": main, "lores": lores, "controls": controls, "buffer_count": buffer_count}

    def configure(self, camera_config: dict[str, Any]) -> None:
        assert not self.started, "the camera must be configured before it is started"
        if self.refuses:
            raise RuntimeError("Failed to allocate buffers")
        self.streams = {name: camera_config[name] for name in ("main", "lores")}
        self.calls.append("configure")

    def start(self) -> None:
        assert self.streams, "Camera has not been configured"
        self.started = True
        self.calls.append("start")

    @contextmanager
    def captured_request(self, wait: float | None = None, flush: bool | None = None) -> Iterator[Request]:
        assert self.started, "a frame was asked for before the camera was started"
        assert flush is True, "an old frame may come without flush"
        if self.silent:
            raise TimeoutError
        self.number += 1
        self.out += 1
        request = Request(self, self.number)
        try:
            yield request
        finally:
            request.release()

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert self.started
        assert set(controls) <= set(CONTROLS), "not advertised by libcamera"
        self.controls |= controls

    def cancel_all_and_flush(self) -> None:
        self.calls.append("cancel_all_and_flush")

    def close(self) -> None:
        assert not self.closed
        self.started, self.closed = False, True
        self.calls.append("close")
