"""The Raspberry Pi's own camera, through picamera2 from the system's packages."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.vision.cameras.frozen import SILENCE, Frozen
from companion.vision.reading import CameraLost, Frame, Image
from companion.vision.stillness import SMALL_SIZE

SIZE = (1280, 960)
FRAME_TIME = 33_333
"""Microseconds: 30 frames a second. A flushed capture waits for a frame that began after it was asked for,
which is every second one: 15 a second."""
BUFFERS = 4
_AF_MANUAL, _AF_CONTINUOUS = 0, 2
"""libcamera's numbers for these focus modes."""
_AE_HIGHLIGHT = 1
"""libcamera's number for an exposure that spares what is bright if there is enough of it (about a fiftieth of
the picture): where white is too bright for the sensor, the colours of crosses are lost."""
DRIFT = 0.02
"""Share by which a locked value may differ before it counts as drift; the sensor rounds to its own steps."""
_LOCKS = {
    "ExposureTime": ("AeEnable", False),
    "AnalogueGain": ("AeEnable", False),
    "ColourGains": ("AwbEnable", False),
    "LensPosition": ("AfMode", _AF_MANUAL),
}
"""The values that are locked, and the automatism that has to be switched off for each."""


def _library() -> Any:
    try:
        from picamera2 import Picamera2
    except (ImportError, ValueError) as missing:
        raise CameraLost(
            "The package picamera2 is missing: install it with “sudo apt install python3-picamera2”."
        ) from missing
    return Picamera2


def _connected(library: Any) -> bool:
    """Whether there is a camera on the ribbon cable; the library also knows USB cameras."""
    return any("/usb" not in camera["Id"] for camera in library.global_camera_info())


class PiCamera:
    """One fixed configuration; the picture and its small companion always come from the same request."""

    def __init__(self) -> None:
        self.name = "pi"
        library = _library()
        if not _connected(library):
            raise CameraLost("No Pi camera was found: check its ribbon cable and start the Pi again.")
        self._frozen = Frozen()
        self._locked: dict[str, Any] = {}
        self._metadata: dict[str, Any] = {}
        try:
            self._device = library()
        except (RuntimeError, IndexError) as busy:
            raise CameraLost("The Pi camera cannot be opened: stop the other program that uses it.") from busy
        try:
            self._begin()
        except RuntimeError as refused:
            self._device.close()
            raise CameraLost("The Pi camera refuses to start: update the system and picamera2.") from refused

    def _begin(self) -> None:
        device = self._device
        device.configure(
            device.create_video_configuration(
                main={"size": SIZE, "format": "RGB888"},
                lores={"size": SMALL_SIZE, "format": "YUV420"},
                controls={"FrameDurationLimits": (FRAME_TIME, FRAME_TIME)},
                buffer_count=BUFFERS,
            )
        )
        device.start()
        # Without being told so the library leaves the lens where it rests, which is far from sharp at 40 cm.
        self.unlock()

    def next(self) -> Frame | None:
        """The first frame exposed after this call."""
        try:
            with self._device.captured_request(flush=True, wait=SILENCE) as request:
                # Both are copies, made before the request goes back to the camera.
                image = np.asarray(request.make_array("main"), np.uint8)
                planes = np.asarray(request.make_array("lores"), np.uint8)
                self._metadata = request.get_metadata()
        except TimeoutError as silent:
            raise CameraLost(
                "The Pi camera has stopped: check its ribbon cable and start the Pi again."
            ) from silent
        small = _luma(planes)
        taken_at = self._metadata["SensorTimestamp"] / 1e9
        self._frozen.check(small, taken_at)
        return Frame(image, small, taken_at)

    def lock(self) -> None:
        """Keep exposure, gain, white balance and focus as they are now: call it once the picture is good."""
        known = self._device.camera_controls
        self._locked = {
            name: self._metadata[name] for name in _LOCKS if name in self._metadata and name in known
        }
        switches = {switch: off for switch, off in map(_LOCKS.__getitem__, self._locked) if switch in known}
        self._device.set_controls({**switches, **self._locked})

    def unlock(self) -> None:
        """Let the camera find its own exposure, white balance and focus again."""
        switches = {
            "AeEnable": True,
            "AeConstraintMode": _AE_HIGHLIGHT,
            "AwbEnable": True,
            "AfMode": _AF_CONTINUOUS,
        }
        known = self._device.camera_controls
        self._device.set_controls({switch: on for switch, on in switches.items() if switch in known})
        self._locked = {}

    def drift(self) -> tuple[str, ...]:
        """The locked values that the camera no longer keeps, by the newest frame."""
        return tuple(
            name
            for name, kept in self._locked.items()
            if not np.allclose(
                np.array(self._metadata.get(name, np.inf)), np.array(kept), rtol=DRIFT, atol=1e-3
            )
        )

    def close(self) -> None:
        """Stop, and free the camera for another program."""
        # A request that never came would keep the library's event loop busy for ever.
        self._device.cancel_all_and_flush()
        self._device.close()


def _luma(planes: Image) -> Image:
    """The grey picture on top of a YUV420 buffer, without the padding at the end of its rows."""
    width, height = SMALL_SIZE
    if planes.ndim != 2 or planes.shape[0] < height or planes.shape[1] < width:
        raise CameraLost("The Pi camera gives a picture of an unknown shape: update picamera2.")
    return np.ascontiguousarray(planes[:height, :width])
