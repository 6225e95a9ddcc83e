"""What is wrong with the camera's view, said in words: too dark, uneven light, hard shadows, glare, blurred,
tilted, dice too small."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.calibration import Calibration
from companion.vision.reading import Image, Sentence


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a view stops being good enough."""

    dark: float = 70.0  # level (0–255) that the brightest tenth of the zone must reach
    uneven: float = 2.0  # times as bright on one side of the zone as on another; a die is read by contrast
    shadow_share: float = (
        0.05  # of the zone in deep shadow; eight dark dice take up 0.02, a hard lamp's shadows 0.12
    )
    glare_share: float = 0.016  # of the zone burnt out in one spot; a white die is 0.010 of an A4 zone
    blur_px: float = 2.2  # spread of an edge; pips of a 50 px die are 9 px wide and melt beyond
    tilt: float = 40.0  # degrees from straight down; beyond, upper faces are less than 3/4 as high as wide
    die_px: float = 36.0  # an upper face this wide leaves a pip 6 px


LIMITS = Limits()


def verdict(
    image: Image, calibration: Calibration, die_mm: float = 16.0, limits: Limits = LIMITS
) -> tuple[Sentence, ...]:
    """What to put right before playing, the worst first; empty when the view is good."""
    here = calibration.scaled((image.shape[1], image.shape[0]))
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(here.zone)).astype(np.int32), 1)
    inside = mask > 0
    said: list[Sentence] = []
    if _leaves(here):
        said.append(
            Sentence(
                "Part of the roll zone is outside the picture: raise the camera or move it to the middle."
            )
        )
    if not inside.any():
        return tuple(said)
    if float(np.percentile(grey[inside], 90)) < limits.dark:
        said.append(Sentence("It is too dark: put a lamp near the table, or open the curtains."))
    elif calibration.how != "whole" and _unevenness(image, here) > limits.uneven:
        said.append(
            Sentence(
                "The light is uneven: one side of the roll zone is much darker than another. "
                "Put a lamp on the dark side, or move the bright one farther away."
            )
        )
    if calibration.how == "mat" and _shadow(image, here) > limits.shadow_share:
        said.append(
            Sentence(
                "A hard light from the side throws dark shadows: hang some paper before the lamp, "
                "or put a second one on the other side."
            )
        )
    if _glare(image, inside) > limits.glare_share:
        said.append(
            Sentence("A lamp glares in the roll zone: move it to the side or hang some paper before it.")
        )
    if _blur(grey) > limits.blur_px:
        said.append(
            Sentence("The picture is blurred: focus the lens, wipe it, and let the camera stand still.")
        )
    if here.px_per_mm is not None:
        scales = _scales(here)
        if _tilt(here) > limits.tilt:
            said.append(Sentence("The camera looks from the side: let it look down more steeply."))
        width = min(scales) * die_mm
        if width < limits.die_px:
            said.append(
                Sentence(
                    "The dice are too small: a die is %(width)s pixels wide and should be %(least)s. "
                    "Lower the camera.",
                    (("width", f"{width:.0f}"), ("least", f"{limits.die_px:.0f}")),
                )
            )
    return tuple(said)


def _leaves(calibration: Calibration) -> bool:
    width, height = calibration.size
    return any(not (-1 <= x <= width + 1 and -1 <= y <= height + 1) for x, y in calibration.zone)


def _field(image: Image, calibration: Calibration, width: int, height: int) -> NDArray[np.float32]:
    """The zone alone, seen from straight above, after its white has been made white."""
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(calibration.zone, np.float32), flat)
    # Shrunk before it is laid flat: taking every fourth pixel would take the noise with it.
    field = cv2.warpPerspective(cv2.blur(image, (3, 3)), matrix, (width, height))
    return calibration.balance(np.asarray(field, np.uint8)).astype(np.float32)


def _unevenness(image: Image, calibration: Calibration) -> float:
    """How many times as bright the brightest twelfth of the zone is as the darkest; dice do not count."""
    level = _field(image, calibration, 160, 120).mean(axis=2)
    parts = [np.median(part) for row in np.split(level, 3) for part in np.split(row, 4, axis=1)]
    return float((max(parts) + 1) / (min(parts) + 1))


def _shadow(image: Image, calibration: Calibration) -> float:
    """The share of the mat's grey field in deep shadow: dark, as grey as the field, and without a pattern."""
    field = cv2.GaussianBlur(_field(image, calibration, 400, 300), (0, 0), 1.0)
    shade = field / np.maximum(np.median(field.reshape(-1, 3), axis=0), 1.0)
    level = shade.mean(axis=2)
    spread = shade.max(axis=2) - shade.min(axis=2)
    rough = np.sqrt(np.maximum(cv2.blur(level**2, (9, 9)) - cv2.blur(level, (9, 9)) ** 2, 0.0))
    grey = (level < 0.65) & (spread < 0.12)
    even = cv2.morphologyEx(
        (grey & (rough < 0.05)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)
    )
    return float((grey & (cv2.dilate(even, np.ones((9, 9), np.uint8)) > 0)).mean())


def _glare(image: Image, inside: NDArray[np.bool_]) -> float:
    """The share of the zone in its largest burnt-out spot; the many small ones are dice and noise."""
    burnt = ((image.min(axis=2) >= 250) & inside).astype(np.uint8)
    burnt = cv2.morphologyEx(burnt, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(burnt)
    largest = max((int(stats[n, cv2.CC_STAT_AREA]) for n in range(1, count)), default=0)
    return largest / float(inside.sum())


def _blur(grey: NDArray[np.uint8]) -> float:
    """How far the sharpest edges of the picture are spread, in pixels (a Gaussian's sigma).

    The steepest slope of a blurred edge is its contrast / (sigma · √2π). A little smoothing keeps noise from
    passing for an edge; what it adds is taken off again.
    """
    smooth = 1.0
    soft = cv2.GaussianBlur(grey, (0, 0), smooth).astype(np.float32)
    slope = np.hypot(
        cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    )
    steepest = float(np.percentile(slope, 99.9))
    contrast = float(np.percentile(soft, 99) - np.percentile(soft, 1))
    if steepest <= 0:
        return float("inf")
    sigma = contrast / (steepest * float(np.sqrt(2 * np.pi)))
    return float(np.sqrt(max(0.0, sigma**2 - smooth**2)))


def _tilt(calibration: Calibration) -> float:
    """How far the camera leans, in degrees: what is round on the table looks narrower by its cosine."""
    matrix = np.array(calibration.homography)
    middle = np.mean(calibration.zone, axis=0).reshape(1, 1, 2)
    x, y = cv2.perspectiveTransform(middle, np.linalg.inv(matrix)).ravel()
    cross = np.array([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]).reshape(-1, 1, 2)
    left, right, top, below = cv2.perspectiveTransform(cross, matrix).reshape(-1, 2)
    large, small = np.linalg.svd(np.array([right - left, below - top]), compute_uv=False)
    return float(np.degrees(np.arccos(small / large)))


def _scales(calibration: Calibration) -> list[float]:
    """Pixels a millimetre at the four corners of the zone."""
    matrix = np.array(calibration.homography)
    back = cv2.perspectiveTransform(np.array(calibration.zone).reshape(-1, 1, 2), np.linalg.inv(matrix))
    scales = []
    for x, y in back.reshape(-1, 2):
        around = np.array([(x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)]).reshape(-1, 1, 2)
        area = cv2.contourArea(cv2.perspectiveTransform(around, matrix).astype(np.float32))
        scales.append((area / 4) ** 0.5)
    return scales
