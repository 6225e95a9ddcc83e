"""The mat in rendered scenes: its own drawing under a tilted camera, warm light, blur, noise and a hand."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision import calibration as eye
from companion.vision.calibration import BadCalibration, BadCorners, Calibration, MatNotFound, calibrate
from companion.vision.mat import PaperSize, draw, layout
from companion.vision.page import Box
from companion.vision.reading import Image
from companion.vision.verdict import verdict

WIDTH, HEIGHT = 1280, 960
STRAIGHT = ((80, 90), (1200, 90), (1200, 882), (80, 882))
TILTED = ((250, 120), (1050, 150), (1215, 880), (60, 850))
WARM = (0.55, 0.85, 1.0)
SCALES: dict[PaperSize, float] = {"a4": 6.0, "a3": 4.5}


@cache
def printed(size: PaperSize, tray: bool) -> Image:
    picture = draw(size, tray, "Clever", "6 dice").picture(SCALES[size])
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)


class Scene:
    """A photograph of the mat: where its corners are in the picture, and what the light is like."""

    def __init__(
        self,
        corners: tuple[tuple[float, float], ...] = STRAIGHT,
        size: PaperSize = "a4",
        tray: bool = True,
    ) -> None:
        self.sheet, self.scale = layout(size, tray), SCALES[size]
        self.flat = printed(size, tray).copy()
        paper = np.array(Box(0, 0, self.sheet.width, self.sheet.height).corners, np.float32)
        self.matrix = cv2.getPerspectiveTransform(paper, np.array(corners, np.float32))

    def cover(self, box: Box, fill: tuple[int, int, int] = (120, 150, 190)) -> Scene:
        """Lay something on the mat."""
        (left, top), _, (right, below), _ = box.corners
        ys = slice(round(top * self.scale), round(below * self.scale))
        self.flat[ys, round(left * self.scale) : round(right * self.scale)] = fill
        return self

    def shoot(
        self,
        light: tuple[float, float, float] = (0.9, 0.9, 0.9),
        blur: float = 0.8,
        noise: float = 3.0,
        size: tuple[int, int] = (WIDTH, HEIGHT),
    ) -> Image:
        matrix = (
            np.diag([size[0] / WIDTH, size[1] / HEIGHT, 1.0])
            @ self.matrix
            @ np.diag([1 / self.scale] * 2 + [1])
        )
        table = (62, 84, 105)
        seen = cv2.warpPerspective(self.flat, matrix, size, flags=cv2.INTER_AREA, borderValue=table)
        seen = cv2.GaussianBlur(seen, (0, 0), blur).astype(np.float64) * np.array(light)
        seen += np.random.default_rng(1).normal(0, noise, seen.shape)
        return np.clip(np.round(seen), 0, 255).astype(np.uint8)

    def truth(self, box: Box) -> NDArray[np.float64]:
        points = np.array(box.corners, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(points, self.matrix.astype(np.float64))).reshape(-1, 2)


def off(found: tuple[tuple[float, float], ...], true: NDArray[np.float64]) -> float:
    return float(np.hypot(*(np.array(found) - true).T).max())


def grey_error(image: Image, scene: Scene) -> float:
    """How far the grey patches are from grey: the mean spread of their channels, in levels."""
    spreads = []
    for box in scene.sheet.greys:
        if max(box.fill) > 230:
            continue
        x, y = scene.truth(box).mean(axis=0)
        colour = image[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4].reshape(-1, 3).mean(axis=0)
        spreads.append(colour.max() - colour.min())
    return float(np.mean(spreads))


@pytest.mark.parametrize("size", ["a4", "a3"])
@pytest.mark.parametrize("tray", [True, False])
def test_one_look_at_a_straight_mat_tells_zone_and_scale(size: PaperSize, tray: bool) -> None:
    scene = Scene(STRAIGHT, size, tray)
    found = calibrate(scene.shoot())
    assert off(found.zone, scene.truth(scene.sheet.zone)) < 1
    assert found.px_per_mm == pytest.approx(1120 / scene.sheet.width, rel=0.01)
    assert bool(found.tray) == tray
    if scene.sheet.tray is not None:
        assert off(found.tray, scene.truth(scene.sheet.tray)) < 1


@pytest.mark.parametrize("size", ["a4", "a3"])
@pytest.mark.parametrize("covered", [0, 1, 2, 3])
def test_tilted_camera_warm_light_and_a_partly_covered_marker(size: PaperSize, covered: int) -> None:
    scene = Scene(TILTED, size)
    marker = scene.sheet.markers[covered]
    scene.cover(Box(marker.x + marker.width * 0.4, marker.y - 4, marker.width, marker.height * 0.7))
    image = scene.shoot(WARM, blur=1.2, noise=4)
    found = calibrate(image)
    assert len(found.markers) == 3
    assert off(found.zone, scene.truth(scene.sheet.zone)) < 2
    assert scene.sheet.tray is not None
    assert off(found.tray, scene.truth(scene.sheet.tray)) < 2
    assert grey_error(found.balance(image), scene) < grey_error(image, scene) / 2


def test_white_balance_survives_dice_and_a_hand_on_the_patches() -> None:
    scene = Scene(TILTED)
    for patch in scene.sheet.greys[:7]:
        scene.cover(patch, (30, 60, 220))
    image = scene.shoot(WARM)
    blue, green, red = calibrate(image).white
    assert blue == pytest.approx(0.85 / 0.55, rel=0.05)
    assert green == 1
    assert red == pytest.approx(0.85, rel=0.05)


def test_a_mat_upside_down_is_as_good() -> None:
    corners = (*TILTED[2:], *TILTED[:2])
    scene = Scene(corners)
    assert off(calibrate(scene.shoot(WARM)).zone, scene.truth(scene.sheet.zone)) < 2


def test_two_markers_are_too_few_and_it_says_what_to_do() -> None:
    scene = Scene().cover(Box(0, 0, 40, 210))
    with pytest.raises(MatNotFound, match="Only 2 of the mat's four corner markers"):
        calibrate(scene.shoot())
    with pytest.raises(MatNotFound, match="Only 0"):
        calibrate(np.full((480, 640, 3), 128, np.uint8))


def test_a_bumped_camera_is_noticed_and_a_quiet_one_is_not() -> None:
    before = Scene(TILTED)
    found = calibrate(before.shoot(WARM))
    assert eye.bumped(found, before.shoot(blur=1.3, noise=5)) is None
    moved = Scene(tuple((x + 9, y - 4) for x, y in TILTED))
    warning = eye.bumped(found, moved.shoot(WARM))
    assert warning is not None
    assert "bumped" in str(warning)
    turned = Scene(tuple((x + 0.012 * (y - 480), y - 0.012 * (x - 640)) for x, y in TILTED))
    assert eye.bumped(found, turned.shoot(WARM)) is not None


def test_a_hand_over_the_markers_is_no_bump() -> None:
    scene = Scene()
    found = calibrate(scene.shoot())
    scene.cover(Box(0, 0, 297, 60)).cover(Box(0, 150, 297, 60))
    assert eye.bumped(found, scene.shoot()) is None


@cache
def wood() -> Image:
    """A table with a grain, somewhat larger than the picture."""
    rng = np.random.default_rng(7)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT + 400, WIDTH + 400)).astype(np.float32), (0, 0), 6)
    return np.clip(120 + 22 * grain[..., None] / grain.std() + (-20, 0, 15), 0, 255).astype(np.uint8)


def table(
    dice: int,
    push: tuple[float, float] = (0, 0),
    degrees: float = 0.0,
    light: float = 1.0,
    plain: bool = False,
) -> Image:
    """The table, with dice thrown anew for each number, seen by a camera that was pushed and turned."""
    rng = np.random.default_rng(dice)
    here = np.full_like(wood(), 120) if plain else wood().copy()
    for _ in range(6):
        x, y = rng.uniform(400, 1200), rng.uniform(400, 900)
        corners = cv2.boxPoints(((x, y), (60, 60), float(rng.uniform(0, 90))))
        cv2.fillConvexPoly(here, corners.round().astype(np.int32), (225, 230, 235))
        for dx, dy in rng.uniform(-18, 18, (4, 2)):
            cv2.circle(here, (round(x + dx), round(y + dy)), 7, (30, 30, 30), -1)
    turn = cv2.getRotationMatrix2D((200 + WIDTH / 2, 200 + HEIGHT / 2), degrees, 1.0)
    turn[:, 2] += np.array(push) - 200
    seen = cv2.warpAffine(here, turn, (WIDTH, HEIGHT), flags=cv2.INTER_AREA).astype(np.float64) * light
    return np.clip(seen + rng.normal(0, 3, seen.shape), 0, 255).astype(np.uint8)


TAPPED = ((200, 180), (1080, 180), (1080, 780), (200, 780))


@pytest.mark.parametrize("how", ["corners", "whole"])
def test_a_bump_is_noticed_without_a_mat(how: str) -> None:
    first = table(dice=1)
    found = eye.from_corners(first, TAPPED) if how == "corners" else eye.whole_picture(first)
    assert eye.bumped(found, table(2, push=(40, 0))) is None, "nothing to compare with yet"
    found = eye.watched(found, first)
    assert 6 <= len(found.landmarks) <= 32
    for same in (first, table(2), table(3, light=0.6), table(4, light=1.3)):
        assert eye.bumped(found, same) is None, "other dice and another lamp are no bump"
    for moved in (table(5, push=(8, -3)), table(6, push=(-70, 40)), table(7, degrees=1.0)):
        assert str(eye.bumped(found, moved)).startswith("The camera was bumped")
    small = cv2.resize(table(5, push=(12, -3)), (640, 480), interpolation=cv2.INTER_AREA)
    assert eye.bumped(found, np.asarray(small, np.uint8)) is not None


def test_a_table_without_structure_says_nothing_about_bumps() -> None:
    first = table(dice=1, plain=True)
    corners = eye.watched(eye.from_corners(first, TAPPED), first)
    assert corners.landmarks == ()
    assert eye.bumped(corners, table(2, push=(40, 0), plain=True)) is None
    whole = eye.watched(eye.whole_picture(first), first)
    for dice in range(2, 8):
        assert eye.bumped(whole, table(dice, plain=True)) is None, (
            "the dice were thrown, the camera hangs still"
        )


def test_a_covered_table_is_no_bump() -> None:
    first = table(dice=1)
    found = eye.watched(eye.from_corners(first, TAPPED), first)
    covered = table(dice=2)
    covered[:, :900] = (60, 90, 140)
    assert eye.bumped(found, covered) is None


def test_the_mat_needs_no_landmarks() -> None:
    image = Scene(TILTED).shoot()
    found = calibrate(image)
    assert eye.watched(found, image) is found


@pytest.mark.parametrize(
    ("light", "words"),
    [
        ((0.9, 0.9, 0.9), None),
        ((0.82, 0.82, 0.84), None),
        ((0.5, 0.5, 0.5), "darker"),
        (WARM, "colour"),
    ],
)
def test_changed_light_is_noticed(light: tuple[float, float, float], words: str | None) -> None:
    scene = Scene(TILTED)
    warning = eye.light_changed(calibrate(scene.shoot()), scene.shoot(light))
    assert (warning is None) if words is None else (words in str(warning))


def test_light_is_also_watched_without_a_mat() -> None:
    scene = Scene()
    dim = eye.whole_picture(scene.shoot((0.5, 0.5, 0.5)))
    assert eye.light_changed(dim, scene.shoot((0.5, 0.5, 0.5), noise=5)) is None
    assert "brighter" in str(eye.light_changed(dim, scene.shoot()))


def test_four_tapped_corners_in_any_order_give_the_zone() -> None:
    scene = Scene(TILTED)
    image = scene.shoot()
    tapped = scene.truth(scene.sheet.zone)
    shuffled = [tuple(tapped[n]) for n in (2, 0, 3, 1)]
    found = eye.from_corners(image, shuffled)
    assert off(found.zone, tapped) < 1e-6
    assert found.px_per_mm is None
    sized = eye.from_corners(image, shuffled, (scene.sheet.zone.width, scene.sheet.zone.height))
    mat = calibrate(image)
    assert sized.px_per_mm == pytest.approx(mat.px_per_mm, rel=0.01)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (10, 0), (10, 10)],
        [(0, 0), (100, 0), (200, 0), (300, 0)],
        [(0, 0), (1000, 0), (1000, 800), (900, 100)],
        [(5, 5), (9, 5), (9, 9), (5, 9)],
    ],
)
def test_corners_that_enclose_nothing_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(BadCorners, match="corners"):
        eye.from_corners(np.zeros((HEIGHT, WIDTH, 3), np.uint8), corners)


def test_without_anything_the_whole_picture_is_the_zone() -> None:
    found = eye.whole_picture(np.full((480, 640, 3), 99, np.uint8))
    assert found.zone == ((0, 0), (640, 0), (640, 480), (0, 480))
    assert found.light == (99, 99, 99)


def test_nearness_to_the_tray() -> None:
    scene = Scene(TILTED)
    found = calibrate(scene.shoot())
    zone, tray = scene.sheet.zone, scene.sheet.tray
    assert tray is not None
    near, far = (
        tuple(scene.truth(Box(x, 60, 0, 0))[0]) for x in (zone.x + zone.width - 10, zone.x + zone.width - 30)
    )
    assert found.from_tray(tuple(np.mean(found.tray, axis=0))) == 0
    assert found.from_tray(near) == pytest.approx(16, abs=1)
    assert found.from_tray(far) == pytest.approx(36, abs=1)


def test_a_calibration_fits_the_small_stream_too() -> None:
    scene = Scene(TILTED)
    found = calibrate(scene.shoot()).scaled((320, 240))
    assert off(found.zone, scene.truth(scene.sheet.zone) / 4) < 0.5
    assert found.px_per_mm is not None
    assert eye.light_changed(found, scene.shoot()) is None


def test_stored_calibrations_come_back_equal_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "state" / "calibration.json"
    assert eye.stored(path) is None
    scene = Scene(TILTED)
    first = table(1)
    watched = eye.watched(eye.from_corners(first, TAPPED), first)
    assert watched.landmarks
    for found in (calibrate(scene.shoot(WARM)), eye.whole_picture(scene.shoot()), watched):
        eye.store(found, path)
        assert eye.stored(path) == found
    assert [file.name for file in path.parent.iterdir()] == ["calibration.json"]


def test_a_calibration_of_an_older_version_is_still_good(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    eye.store(eye.whole_picture(table(1)), path)
    older = json.loads(path.read_text())
    del older["landmarks"]
    path.write_text(json.dumps(older))
    assert eye.stored(path) == eye.whole_picture(table(1))
    path.write_text(json.dumps({**older, "of_the_future": 1}))
    with pytest.raises(BadCalibration, match="not a calibration of this version"):
        eye.stored(path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"how": "mat"}'])
def test_a_broken_file_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text)
    with pytest.raises(BadCalibration, match="calibrate again"):
        eye.stored(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("zone", None),
        ("zone", [1, 2, 3, 4]),
        ("landmarks", None),
        ("landmarks", [[1]]),
        ("size", [0, 0]),
        ("size", 3),
        ("markers", None),
        ("homography", "none"),
    ],
)
def test_a_file_of_wrong_values_is_refused_with_what_to_do(tmp_path: Path, name: str, value: object) -> None:
    path = tmp_path / "calibration.json"
    eye.store(eye.whole_picture(table(1)), path)
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))
    with pytest.raises(BadCalibration, match="calibrate again"):
        eye.stored(path)


def said(image: Image, calibration: Calibration, die_mm: float = 16) -> str:
    return " ".join(str(sentence) for sentence in verdict(image, calibration, die_mm))


def test_a_good_view_gets_no_remark() -> None:
    for corners in (STRAIGHT, TILTED):
        scene = Scene(corners)
        image = scene.shoot()
        assert said(image, calibrate(image)) == ""


def test_a_view_with_dice_on_it_gets_no_remark() -> None:
    scene = Scene()
    for n in range(6):
        scene.cover(Box(60 + 20 * n, 60 + 12 * (n % 3), 16, 16), (255, 255, 255))
    image = scene.shoot((1.05, 1.05, 1.05))
    assert said(image, calibrate(image)) == ""


def test_too_dark() -> None:
    scene = Scene()
    image = scene.shoot((0.3, 0.3, 0.3), noise=2)
    assert "too dark" in said(image, calibrate(image))


def lit(image: Image, darkest: float) -> Image:
    """The picture with a lamp close to the left of the zone: full light there, so much of it on the right."""
    fall = np.interp(np.arange(WIDTH), (230, 820), (1.0, darkest))[None, :, None]
    return np.clip(image * fall, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("darkest", "remark"), [(0.7, False), (0.25, True)])
def test_uneven_light(darkest: float, remark: bool) -> None:
    scene = Scene()
    for n in range(6):
        scene.cover(Box(60 + 20 * n, 60 + 12 * (n % 3), 16, 16), (255, 255, 255))
    image = scene.shoot((1.0, 1.0, 1.0))
    tapped = tuple(tuple(point) for point in scene.truth(scene.sheet.zone))
    for found in (calibrate(image), eye.from_corners(image, tapped)):
        assert ("uneven" in said(lit(image, darkest), found)) == remark
    assert "uneven" not in said(lit(image, darkest), eye.whole_picture(image)), "a table may have two colours"


@pytest.mark.parametrize(("shade", "remark"), [(0.45, True), (0.8, False)])
def test_hard_shadows(shade: float, remark: bool) -> None:
    scene = Scene()
    grey = tuple(round(shade * level) for level in scene.sheet.zone.fill)
    for n in range(6):
        x, y = 50 + 70 * (n % 2), 45 + 40 * (n // 2)
        scene.cover(Box(x, y, 46, 16), grey).cover(Box(x, y, 16, 16), (60, 60, 200))
    image = scene.shoot(WARM)
    assert ("hard light" in said(image, calibrate(image))) == remark
    assert "hard light" not in said(image, eye.whole_picture(image))


def test_dark_dice_are_no_shadows() -> None:
    scene = Scene()
    for n in range(8):
        x, y = 55 + 22 * (n % 5), 50 + 30 * (n // 5)
        scene.cover(Box(x, y, 16, 16), (45, 45, 45))
        for dx, dy in ((3, 3), (11, 3), (7, 7), (3, 11), (11, 11)):
            scene.cover(Box(x + dx, y + dy, 2.5, 2.5), (240, 240, 240))
    image = scene.shoot()
    assert said(image, calibrate(image)) == ""


def test_glare() -> None:
    scene = Scene()
    image = scene.shoot()
    lamp = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.circle(lamp, (500, 400), 60, 1.0, -1)
    lit = np.clip(image + 260 * cv2.GaussianBlur(lamp, (0, 0), 15)[..., None], 0, 255).astype(np.uint8)
    assert said(lit, calibrate(image)).startswith("A lamp glares")


@pytest.mark.parametrize("blur", [3.5, 6.0])
def test_blurred(blur: float) -> None:
    scene = Scene()
    found = calibrate(scene.shoot())
    assert "blurred" in said(scene.shoot(blur=blur), found)
    assert "blurred" in said(scene.shoot(blur=blur), eye.whole_picture(scene.shoot()))


@pytest.mark.parametrize(("degrees", "remark"), [(0, False), (30, False), (50, True)])
def test_tilted(degrees: float, remark: bool) -> None:
    lean = np.radians(degrees)
    corners = []
    for x, y in ((-148.5, 105), (148.5, 105), (148.5, -105), (-148.5, -105)):
        depth = 400 + y * np.sin(lean)
        corners.append((640 + 1300 * x / depth, 480 - 1300 * y * np.cos(lean) / depth))
    image = Scene(tuple(corners)).shoot()
    assert ("from the side" in said(image, calibrate(image))) == remark


def test_dice_too_small() -> None:
    scene = Scene(((300, 250), (900, 250), (900, 670), (300, 670)))
    image = scene.shoot()
    assert "too small: a die is 32 pixels wide and should be 36" in said(image, calibrate(image))
    assert "too small" not in said(image, calibrate(image), die_mm=20)


def test_zone_outside_the_picture() -> None:
    scene = Scene(((80, -110), (1200, -110), (1200, 682), (80, 682)))
    found = calibrate(Scene().shoot())
    shifted = Calibration(
        **{name: getattr(found, name) for name in ("how", "size")},
        zone=tuple((x, y - 200) for x, y in found.zone),
    )
    assert "outside the picture" in said(scene.shoot(), shifted)
