"""A clip, or a folder of pictures, played frame by frame as if a camera saw it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.vision.pictures import LEAST_SIDE, picture
from companion.vision.reading import CameraLost, Frame, Image
from companion.vision.stillness import small_of

PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})


class ClipCamera:
    """Every frame in order, taken `1 / fps` seconds apart; in real time only when given a way to wait."""

    def __init__(
        self, path: Path, fps: float = 15.0, wait_until: Callable[[float], None] | None = None
    ) -> None:
        if not path.exists():
            raise CameraLost("There is no clip or folder “%(path)s”: check the name.", path=path)
        self.name = path.name
        self._fps = fps
        self._wait_until = wait_until
        self._images = _pictures(path) if path.is_dir() else _film(path)
        self._count = 0

    def next(self) -> Frame | None:
        """The next frame; None at the end."""
        image = next(self._images, None)
        if image is None:
            return None
        taken_at = self._count / self._fps
        self._count += 1
        if self._wait_until is not None:
            self._wait_until(taken_at)
        return Frame(image, small_of(image), taken_at)

    def close(self) -> None:
        """Let the file go."""
        self._images = iter(())


class Pace:
    """Waits in real time until so many seconds have passed since the first wait."""

    def __init__(self) -> None:
        self._start: float | None = None

    def __call__(self, seconds: float) -> None:
        """Wait until then."""
        now = time.monotonic()
        if self._start is None:
            self._start = now - seconds
        time.sleep(max(0.0, self._start + seconds - now))


def _pictures(folder: Path) -> Iterator[Image]:
    files = sorted((file for file in folder.iterdir() if file.suffix.lower() in PICTURES), key=_counted)
    if not files:
        raise CameraLost(
            "There are no pictures in “%(path)s”: it should hold the frames of a clip.", path=folder
        )
    return (_picture(file) for file in files)


def _counted(file: Path) -> tuple[list[tuple[int, str]], str]:
    """The place of a frame: numbers in its name count as numbers, so that frame10 comes after frame9."""
    parts = re.findall(r"([0-9]*)([^0-9]*)", file.name)
    return [(int(number or 0), words) for number, words in parts], file.name


def _picture(file: Path) -> Image:
    image = picture(file)
    if image is None:
        raise CameraLost("“%(path)s” is not a picture: take it out of the folder.", path=file)
    return image


def _film(file: Path) -> Iterator[Image]:
    try:
        str(file).encode()
    except UnicodeEncodeError as problem:  # OpenCV would take the whole program down with it
        told = str(file).encode(errors="replace").decode()
        raise CameraLost(
            "“%(path)s” cannot be played, for its name is not in UTF-8: rename it.", path=told
        ) from problem
    film = cv2.VideoCapture(str(file))
    ok, image = film.read() if film.isOpened() else (False, None)
    if not ok or image is None or min(image.shape[:2]) < LEAST_SIDE:
        film.release()
        raise CameraLost(
            "“%(path)s” cannot be played: a video file or a folder of pictures is needed.", path=file
        )
    return _frames(film, np.asarray(image, np.uint8))


def _frames(film: cv2.VideoCapture, image: Image) -> Iterator[Image]:
    try:
        while True:
            yield image
            ok, following = film.read()
            if not ok:
                return
            image = np.asarray(following, np.uint8)
    finally:
        film.release()
