"""The small values that pass between the stages of seeing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.dice import Die, Roll

Image = NDArray[np.uint8]
"""A picture, height × width × 3 in BGR order (or height × width for a grey one)."""

DieState = Literal["flat", "cocked", "cut_off", "stacked", "foreign"]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What the camera saw at one moment: the picture and its small companion for judging movement."""

    image: Image
    small: Image
    taken_at: float


@dataclass(frozen=True, slots=True)
class Spotted:
    """One die seen: its best reading, where it lies, and how sure that is.

    `box` is x, y, width, height around the visible die; `top_face` the four corners of the upper face;
    `alternatives` up to four plausible faces with their chances, the likeliest first.
    """

    die: Die
    box: tuple[float, float, float, float]
    confidence: float
    state: DieState = "flat"
    alternatives: tuple[tuple[str, float], ...] = ()
    top_face: tuple[tuple[float, float], ...] = ()
    sure: bool = False

    @property
    def centre(self) -> tuple[float, float]:
        """Where the die lies: the middle of its upper face, or of its box."""
        if self.top_face:
            across, down = zip(*self.top_face, strict=True)
            return sum(across) / len(across), sum(down) / len(down)
        x, y, width, height = self.box
        return x + width / 2, y + height / 2


@dataclass(frozen=True, slots=True)
class Reading:
    """All dice seen in one picture. `roll` is given only when every die is flat and sure and together
    they are the dice due; otherwise `doubts` says in sentences what is wrong."""

    dice: tuple[Spotted, ...] = ()
    roll: Roll | None = None
    doubts: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in English with named blanks, so that a page can say it in another language."""

    text: str
    blanks: tuple[tuple[str, str], ...] = ()
    about: int | None = None
    """The index of the die it speaks of, if of one."""

    def __str__(self) -> str:
        return self.text % dict(self.blanks)


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """A reading that is not to be trusted, with the picture it came from."""

    reading: Reading
    image: Image


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What the eye tells the table about the throw with this number.

    `reading` is the one that was trusted or doubted last, `roll` the trusted roll once there is one;
    `picture` is the JPEG they were read from, `size` its width and height in pixels.
    """

    throw_number: int
    moving: bool
    reading: Reading | None = None
    roll: Roll | None = None
    nearest_first: bool = False
    picture: bytes = b""
    size: tuple[int, int] = (0, 0)


class CameraLost(OSError):
    """A camera that is not there (any more), with what to do about it."""

    def __init__(self, text: str, **blanks: object) -> None:
        self.sentence = Sentence(text, tuple((name, str(value)) for name, value in blanks.items()))
        super().__init__(str(self.sentence))


class Camera(Protocol):
    """A source of frames: the Pi's camera, a USB camera, a clip, or the simulated tray."""

    name: str

    def next(self) -> Frame | None:
        """The newest frame, waiting for it; None at the end of a clip. Raises `CameraLost`."""

    def close(self) -> None:
        """Let the device go."""
