"""Picks real or simulated devices: the only place that does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli import Mistake

if TYPE_CHECKING:
    from companion.vision.reading import Camera

CAMERAS = "auto, pi, usb, usb:N, sim, none, or a clip or folder of pictures"


def camera_opener(name: str, patient: bool = False) -> Callable[[], Camera] | None:
    """How to open the camera of this name, again and again; None when rolls are typed in.

    A camera that was asked for by name and is not there is a mistake, said at once; a `patient` table opens
    without it and lets the eye try again.
    """
    if name == "none":
        return None
    if name == "auto":
        return _first_found()
    open_camera = _opener(name)
    if not patient:
        _try(open_camera)
    return open_camera


def _opener(name: str) -> Callable[[], Camera]:
    if name == "pi":
        from companion.vision.cameras import PiCamera

        return PiCamera
    if name == "usb" or name.startswith("usb:"):
        from companion.vision.cameras import UsbCamera

        number = name.partition(":")[2] or "0"
        if not re.fullmatch("[0-9]{1,3}", number):
            raise Mistake(f"“{name}” is no camera: write usb:0, usb:1, …")
        return lambda: UsbCamera(int(number))
    if name == "sim":
        from companion.vision.tray import Tray

        return Tray
    path = Path(name)
    if not path.exists():
        raise Mistake(f"there is no camera “{name}”: choose from {CAMERAS}")
    from companion.vision.cameras import ClipCamera
    from companion.vision.cameras.clip import Pace

    return lambda: ClipCamera(path, wait_until=Pace())


def _first_found() -> Callable[[], Camera] | None:
    from companion.vision.reading import CameraLost

    for name in ("pi", "usb"):
        open_camera = _opener(name)
        try:
            open_camera().close()
        except CameraLost:
            continue
        return open_camera
    return None


def _try(open_camera: Callable[[], Camera]) -> None:
    from companion.vision.reading import CameraLost

    try:
        open_camera().close()
    except CameraLost as lost:
        raise Mistake(str(lost)) from lost


def turned(open_camera: Callable[[], Camera], degrees: int) -> Callable[[], Camera]:
    """The same camera with its picture turned clockwise, for one that hangs sideways."""
    from companion.vision.cameras import TurnedCamera

    return lambda: TurnedCamera(open_camera(), degrees)
