"""Where the dice fall in the picture, how large a millimetre is there, and what white looks like.

One look at the mat tells all of it; four tapped corners give the zone; else it is the whole picture.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.landmarks import Landmark, landmarks, moved
from companion.vision.mat import DICTIONARY, MARKERS, Layout, layout
from companion.vision.page import Box
from companion.vision.reading import Image, Sentence

Point = tuple[float, float]
Matrix = tuple[tuple[float, float, float], ...]
Floats = NDArray[np.float64]

BUMPED_SHARE = 0.003  # of the picture's width: 4 px of 1280; markers at rest tremble by half a pixel
BRIGHTNESS_STEP = 1.35  # a lamp switched on or off; passing clouds stay below
TINT_STEP = 0.08  # daylight to bulb moves the blue gain by 0.3 and more
CLIPPED, BLACKENED = 250, 12  # beyond these a patch says nothing about colour


class MatNotFound(ValueError):
    """No mat, or too little of it, in the picture; says what to do."""


class BadCorners(ValueError):
    """Four points that enclose no zone."""


class BadCalibration(ValueError):
    """A stored calibration that cannot be read."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one look has told, in pixels of a picture of `size`; corners go clockwise from the upper left.

    `homography` leads from millimetres on the mat to pixels; `white` holds the gains for blue, green and red
    that make grey grey; `light` is the level of grey paper (or of the picture) in blue, green and red;
    `landmarks` stand in for the mat's markers where there is none.
    """

    how: Literal["mat", "corners", "whole"]
    size: tuple[int, int]
    zone: tuple[Point, ...]
    px_per_mm: float | None = None
    homography: Matrix | None = None
    white: tuple[float, float, float] = (1.0, 1.0, 1.0)
    light: tuple[float, float, float] = (0.0, 0.0, 0.0)
    tray: tuple[Point, ...] = ()
    sheet: int | None = None
    markers: tuple[tuple[int, Point], ...] = ()
    landmarks: tuple[Landmark, ...] = ()

    def from_tray(self, point: Point) -> float:
        """How far a point is from the tray's edge on the table (in mm on a mat); 0 on the tray."""
        if not self.tray:
            raise ValueError("this calibration has no tray to measure from")
        tray = np.array(self.tray)
        spot = np.array([point])
        if self.homography is not None:
            back = np.linalg.inv(np.array(self.homography))
            tray, spot = _project(back, tray), _project(back, spot)
        distance = cv2.pointPolygonTest(_polygon(tray), (float(spot[0, 0]), float(spot[0, 1])), True)
        return max(0.0, -distance)

    def balance(self, image: Image) -> Image:
        """The picture with its white made white."""
        levels = np.arange(256).reshape(1, 256, 1) * np.array(self.white)
        return np.asarray(cv2.LUT(image, np.clip(np.round(levels), 0, 255).astype(np.uint8)), np.uint8)

    def scaled(self, size: tuple[int, int]) -> Calibration:
        """The same calibration for the same view in another number of pixels, width × height."""
        wide, high = size[0] / self.size[0], size[1] / self.size[1]

        def move(points: Iterable[Point]) -> tuple[Point, ...]:
            return tuple((x * wide, y * high) for x, y in points)

        matrix = self.homography
        if matrix is not None:
            matrix = _matrix(np.diag([wide, high, 1.0]) @ np.array(matrix))
        return replace(
            self,
            size=size,
            zone=move(self.zone),
            px_per_mm=None if self.px_per_mm is None else self.px_per_mm * (wide * high) ** 0.5,
            homography=matrix,
            tray=move(self.tray),
            markers=tuple((number, move([point])[0]) for number, point in self.markers),
        )


def calibrate(image: Image) -> Calibration:
    """Everything from one look at the mat; raises `MatNotFound`."""
    found = _markers(image)
    sheets = {first: layout(*key) for key, first in MARKERS.items()}
    counts = {first: sum(number in found for number in range(first, first + 4)) for first in sheets}
    first = max(counts, key=lambda key: counts[key])
    if counts[first] < 3:
        raise MatNotFound(
            f"Only {counts[first]} of the mat's four corner markers can be seen: three are needed. "
            "Keep the corners free, light them evenly, and let the camera see the whole sheet."
        )
    sheet = sheets[first]
    seen = [number for number in range(first, first + 4) if number in found]
    on_mat = np.concatenate([np.array(sheet.markers[number - first].corners) for number in seen])
    in_picture = np.concatenate([found[number] for number in seen])
    homography = cv2.findHomography(on_mat, in_picture, cv2.RANSAC, 3.0)[0]
    if homography is None:
        raise MatNotFound("The mat's markers do not fit together: lay the sheet flat and try again.")
    matrix = np.asarray(homography, np.float64)
    greys = _patches(image, matrix, sheet.greys)
    centres = tuple((number, _point(found[number].mean(axis=0))) for number in seen)
    return Calibration(
        how="mat",
        size=(image.shape[1], image.shape[0]),
        zone=_points(_project(matrix, sheet.zone.corners)),
        px_per_mm=_scale_at(matrix, sheet.zone.centre),
        homography=_matrix(matrix),
        white=_gains(greys),
        light=_level(greys),
        tray=_points(_project(matrix, sheet.tray.corners)) if sheet.tray else (),
        sheet=first,
        markers=centres,
    )


def from_corners(
    image: Image, corners: Sequence[Point], size_mm: tuple[float, float] | None = None
) -> Calibration:
    """The zone between four tapped corners, in any order; with its true size also scale and perspective."""
    height, width = image.shape[:2]
    if len(corners) != 4:
        raise BadCorners(f"Tap the four corners of the roll zone: {len(corners)} were tapped.")
    middle = np.mean(corners, axis=0)
    around = sorted(corners, key=lambda p: np.arctan2(p[1] - middle[1], p[0] - middle[0]))
    start = min(range(4), key=lambda n: around[n][0] / width + around[n][1] / height)
    zone = _points(np.array([around[(start + n) % 4] for n in range(4)], np.float64))
    polygon = _polygon(zone)
    if not cv2.isContourConvex(polygon) or cv2.contourArea(polygon) < 0.02 * width * height:
        raise BadCorners(
            "These four corners enclose no zone: tap the corners of the field where the dice fall."
        )
    matrix = None
    if size_mm is not None:
        whole = Box(0, 0, *size_mm)
        matrix = cv2.getPerspectiveTransform(
            np.array(whole.corners, np.float32), np.array(zone, np.float32)
        ).astype(np.float64)
    return Calibration(
        how="corners",
        size=(width, height),
        zone=zone,
        px_per_mm=None
        if matrix is None or size_mm is None
        else _scale_at(matrix, Box(0, 0, *size_mm).centre),
        homography=None if matrix is None else _matrix(matrix),
        light=_level(image.reshape(-1, 3)),
    )


def whole_picture(image: Image) -> Calibration:
    """The whole picture is the zone: all that can be said without a mat and without corners."""
    height, width = image.shape[:2]
    zone = _points(np.array(Box(0, 0, width, height).corners, np.float64))
    return Calibration("whole", (width, height), zone, light=_level(image.reshape(-1, 3)))


def watched(calibration: Calibration, image: Image) -> Calibration:
    """The same with landmarks of the picture it was made from, to notice a bump where no mat lies."""
    if calibration.markers:
        return calibration
    zone = calibration.zone if calibration.how == "corners" else ()
    return replace(calibration, landmarks=landmarks(image, zone))


def bumped(calibration: Calibration, image: Image) -> Sentence | None:
    """A warning if the camera or the mat has moved since; None if not, or if too little is seen to tell."""
    if calibration.landmarks:
        share = moved(calibration.landmarks, image)
        if share is None or share < BUMPED_SHARE:
            return None
        return Sentence("The camera was bumped: calibrate again on the setup page.")
    found = _markers(image)
    before = dict(calibration.scaled((image.shape[1], image.shape[0])).markers)
    moves = [float(np.hypot(*(found[n].mean(axis=0) - before[n]))) for n in before if n in found]
    if not moves or float(np.median(moves)) < BUMPED_SHARE * image.shape[1]:
        return None
    return Sentence("The camera or the mat was bumped: calibrate again on the setup page.")


def light_changed(calibration: Calibration, image: Image) -> Sentence | None:
    """A warning if the light is now much brighter, darker or of another colour."""
    if calibration.sheet is not None and calibration.homography is not None:
        here = calibration.scaled((image.shape[1], image.shape[0]))
        now = _level(_patches(image, np.array(here.homography), _sheet(calibration.sheet).greys))
    else:
        now = _level(image.reshape(-1, 3))
    ratios = (np.array(now) + 1) / (np.array(calibration.light) + 1)
    brightness = float(ratios.mean())
    if brightness > BRIGHTNESS_STEP:
        return Sentence("The light is brighter than at the calibration: calibrate again on the setup page.")
    if brightness < 1 / BRIGHTNESS_STEP:
        return Sentence("The light is darker than at the calibration: calibrate again on the setup page.")
    if float(np.abs(ratios / brightness - 1).max()) > TINT_STEP:
        return Sentence(
            "The light has another colour than at the calibration: calibrate again on the setup page."
        )
    return None


def store(calibration: Calibration, path: Path) -> None:
    """Write it as JSON so that a power cut leaves the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    with new.open("w", encoding="utf-8") as file:
        json.dump(asdict(calibration), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def stored(path: Path) -> Calibration | None:
    """The calibration written there; None if there is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadCalibration(f"{path} cannot be read ({error}): delete it and calibrate again.") from error
    # What an older version did not know yet has a default; what it needs has none.
    names = {field.name: field.default is MISSING for field in fields(Calibration)}
    needed = {name for name, must in names.items() if must}
    try:
        if not needed <= set(found) <= set(names) or len(found["zone"]) != 4:
            raise ValueError("other fields, or another zone")
        values = {name: _tuples(value) for name, value in found.items()}
        values["landmarks"] = tuple(Landmark(*each) for each in values.get("landmarks", ()))
        calibration = Calibration(**values)
        calibration.scaled(calibration.size)  # as every look at the table does
    except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:
        raise BadCalibration(
            f"{path} is not a calibration of this version: delete it and calibrate again."
        ) from error
    return calibration


def _markers(image: Image) -> dict[int, Floats]:
    """The corners of every marker seen, clockwise from its upper left, by id."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    if ids is None:
        return {}
    return {
        int(number): np.asarray(quad, np.float64).reshape(4, 2)
        for number, quad in zip(ids.ravel(), corners, strict=True)
    }


def _sheet(first: int) -> Layout:
    return next(layout(*key) for key, number in MARKERS.items() if number == first)


def _patches(image: Image, matrix: Floats, boxes: Iterable[Box]) -> Floats:
    """The median colour of each patch that is in the picture."""
    height, width = image.shape[:2]
    levels = []
    for box in boxes:
        quad = _project(matrix, box.inset(min(box.width, box.height) / 5).corners)
        if (quad < 0).any() or (quad[:, 0] >= width).any() or (quad[:, 1] >= height).any():
            continue
        left, top = np.floor(quad.min(axis=0)).astype(int)
        right, below = np.ceil(quad.max(axis=0)).astype(int) + 1
        mask = np.zeros((below - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad - (left, top)).astype(np.int32), 1)
        pixels = image[top:below, left:right][mask[: height - top, : width - left] > 0]
        if len(pixels):
            levels.append(np.median(pixels, axis=0))
    return np.array(levels, np.float64).reshape(-1, 3)


def _gains(greys: Floats) -> tuple[float, float, float]:
    """The factors for blue, green and red that make the greys grey."""
    fair = greys[(greys.max(axis=1) < CLIPPED) & (greys.min(axis=1) > BLACKENED)]
    if not len(fair):
        return (1.0, 1.0, 1.0)
    blue, green, red = np.median(fair[:, 1:2] / fair, axis=0)
    return (float(blue), float(green), float(red))


def _level(colours: NDArray[Any]) -> tuple[float, float, float]:
    blue, green, red = np.median(colours, axis=0) if len(colours) else (0.0, 0.0, 0.0)
    return (float(blue), float(green), float(red))


def _project(matrix: Floats, points: Sequence[Point] | Floats) -> Floats:
    moved = cv2.perspectiveTransform(np.array(points, np.float64).reshape(-1, 1, 2), matrix)
    return np.asarray(moved, np.float64).reshape(-1, 2)


def _scale_at(matrix: Floats, point: Point) -> float:
    """Pixels a millimetre around a point of the mat."""
    x, y = point
    corners = _project(
        matrix, [(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
    )
    return float(cv2.contourArea(corners.astype(np.float32)) ** 0.5)


def _polygon(points: Iterable[Point] | Floats) -> NDArray[np.float32]:
    return np.array(list(points), np.float32).reshape(-1, 1, 2)


def _point(point: Floats) -> Point:
    return (float(point[0]), float(point[1]))


def _points(points: Floats) -> tuple[Point, ...]:
    return tuple(_point(point) for point in points)


def _matrix(matrix: Floats) -> Matrix:
    return tuple((float(row[0]), float(row[1]), float(row[2])) for row in matrix)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
