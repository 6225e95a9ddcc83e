"""The simulated tray: what falls, what lies, and what the camera sees of it."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations, pairwise
from math import dist

import cv2
import numpy as np
import pytest

from companion.dice import KINDS, Die, NotADie, Roll, Throw
from companion.vision.gaze import Gaze
from companion.vision.reading import Camera, Frame, Image, Reading, Spotted
from companion.vision.stillness import Stillness
from companion.vision.tray import NoSuchDie, Tray
from companion.vision.tray.flight import Fall, Motion, lowest
from companion.vision.tray.places import SIZE, ZONE, NoRoom, Places
from companion.vision.tray.stage import TABLES
from companion.vision.tray.tray import VIEW
from companion.vision.watch import Trusted
from companion.vision.world import Placed

WORMS = ("worm",) * 8
CLEVER = ("white", "yellow", "blue", "green", "orange", "purple")
KEER = ("colour",) * 3 + ("number",) * 3 + ("special",)


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def tray(table: str = "green felt", seed: int = 1) -> tuple[Tray, Clock]:
    clock = Clock()
    return Tray(table, seed, clock, clock.sleep), clock


def shot(camera: Camera) -> Frame:
    frame = camera.next()
    assert frame is not None
    return frame


def placed(motions: tuple[Motion, ...]) -> list[Placed]:
    return [motion.at(motion.ends) for motion in motions]


def places(seed: int) -> Places:
    return Places(VIEW, np.random.default_rng(seed))


# Motion, without a single picture


@pytest.mark.parametrize("kinds", [WORMS, KEER, CLEVER])
def test_every_die_ends_flat_on_its_face_in_the_zone_and_on_no_other(kinds: tuple[str, ...]) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        dice = [Die(kind, str(rng.choice(KINDS[kind].sides))) for kind in kinds]
        ended = placed(places(seed).fall(dice, ()))
        assert [one.die for one in ended] == dice
        assert all(one.tilt < 0.1 and one.position[2] == pytest.approx(SIZE / 2) for one in ended)
        assert all(abs(one.position[0]) < ZONE[0] and abs(one.position[1]) < ZONE[1] for one in ended)
        assert all(dist(a.position, b.position) > SIZE * 2**0.5 for a, b in combinations(ended, 2))


def test_a_fall_begins_out_of_the_picture_and_never_sinks_into_the_table() -> None:
    for seed in range(4):
        for motion in places(seed).fall([Die("worm", "worm")] * 4, ()):
            assert isinstance(motion, Fall)
            x, y = VIEW.project(np.array([motion.at(0).position], np.float32))[0]
            assert not (0 < x < VIEW.width and 0 < y < VIEW.height)
            for moment in np.linspace(0, motion.ends, 40):
                now = motion.at(float(moment))
                assert now.position[2] >= lowest(now) - 1e-3
                assert np.allclose(now.rotation @ now.rotation.T, np.eye(3), atol=1e-4)


def test_a_fall_has_no_jumps() -> None:
    """Nothing moves faster than a thrown die can: about 2.5 m/s and 10 turns a second."""
    for motion in places(3).fall([Die("pip", "6")] * 6, ()):
        steps = [motion.at(float(moment)) for moment in np.arange(0, motion.ends, 1 / 240)]
        for a, b in pairwise(steps):
            assert dist(a.position, b.position) < 2500 / 240
            assert (
                np.degrees(np.arccos(np.clip((np.trace(a.rotation.T @ b.rotation) - 1) / 2, -1, 1)))
                < 10 * 360 / 240
            )


def test_faults_are_what_they_say() -> None:
    dice = [Die("worm", face) for face in ("1", "2", "3", "4")]
    for seed in range(20):
        cocked = placed(places(seed).fall(dice, (), "cocked"))
        assert 15 < cocked[-1].tilt < 40
        assert all(one.tilt < 0.1 for one in cocked[:-1])
        outside = placed(places(seed).fall(dice, (), "outside"))[-1]
        assert abs(outside.position[0]) > ZONE[0]
        touching = placed(places(seed).fall(dice, (), "touching"))
        near = min(dist(touching[-1].position, one.position) for one in touching[:-1])
        assert near == pytest.approx(SIZE, abs=0.5)
        assert touching[-1].tilt < 0.1


@pytest.mark.parametrize("to", ["1", "2", "4", "5", "worm"])
def test_a_die_is_tipped_over_to_any_face(to: str) -> None:
    for seed in range(6):
        spots = places(seed)
        first = spots.lay(Die("worm", "3"), ())
        motion = spots.tipped(first, to, ())
        start, end = motion.at(0.0), motion.at(motion.ends)
        assert start.position == pytest.approx(first.position, abs=1e-3)
        assert np.allclose(start.rotation, first.rotation, atol=1e-4)
        assert end.face == to
        assert end.tilt < 0.1


def test_a_full_tray_has_no_room_for_more() -> None:
    with pytest.raises(NoRoom, match="no room"):
        places(1).fall([Die("worm", "1")] * 80, ())


# The verbs


def test_throws_are_by_chance_and_a_seed_repeats_them() -> None:
    def rolls(seed: int) -> list[tuple[Die, ...]]:
        camera, _ = tray(seed=seed)
        out = []
        for _ in range(12):
            camera.throw(WORMS)
            out.append(camera.lies)
        return out

    assert rolls(4) == rolls(4)
    assert rolls(4) != rolls(5)
    assert {die.face for roll in rolls(6) for die in roll} == set(KINDS["worm"].faces)


def test_the_heart_lies_up_twice_as_often() -> None:
    camera, _ = tray(seed=9)
    faces = []
    for _ in range(150):
        camera.throw(("special",) * 4)
        faces += [die.face for die in camera.lies]
    assert 0.26 < faces.count("heart") / len(faces) < 0.41


def test_what_stays_lying_keeps_its_place_and_face() -> None:
    camera, _ = tray()
    camera.throw(("pip",) * 6)
    before = camera._dice
    kept = (before[1].die, before[4].die)
    camera.throw(("pip",) * 4, lying=kept)
    after = camera._dice
    assert len(after) == 6
    assert [one.die for one in after[:2]] == list(kept)
    for one in after[:2]:
        assert any(one is old for old in before)
    for one, other in combinations(after, 2):
        assert dist(one.position, other.position) > SIZE * 2**0.5


def test_what_should_lie_and_does_not_is_laid_there() -> None:
    camera, _ = tray()
    camera.throw(("pip",) * 2, lying=(Die("pip", "6"), Die("pip", "6")))
    assert camera.lies[:2] == (Die("pip", "6"), Die("pip", "6"))
    assert len(camera.lies) == 4


def test_dice_are_dropped_nudged_and_taken_away() -> None:
    camera, _ = tray()
    camera.drop("worm:3", "worm:worm")
    camera.drop("worm:1")
    assert camera.lies == (Die("worm", "3"), Die("worm", "worm"), Die("worm", "1"))
    at = camera._dice[0].position
    camera.nudge("worm:3")
    assert sorted(map(str, camera.lies)) == ["worm:1", "worm:3", "worm:worm"]
    assert 10 < dist(at, camera._dice[-1].position) < 30
    camera.nudge("worm:3", to="worm:5")
    assert sorted(map(str, camera.lies)) == ["worm:1", "worm:5", "worm:worm"]
    camera.take_away("worm:5")
    assert len(camera.lies) == 2
    camera.take_away()
    assert camera.lies == ()


def test_a_missing_die_fell_off_the_table() -> None:
    camera, _ = tray()
    camera.throw(WORMS, fault="missing")
    assert len(camera.lies) == 7


def test_dice_that_are_not_there_are_named() -> None:
    camera, _ = tray()
    camera.drop("worm:3")
    with pytest.raises(NoSuchDie, match="no worm:4 lies on the tray, only worm:3"):
        camera.nudge("worm:4")
    with pytest.raises(NotADie):
        camera.drop("worm:6")


# The frames


@pytest.fixture(scope="module")
def evening() -> tuple[list[Frame], dict[str, int]]:
    """A throw, a hand, a shadow, a flickering lamp, a darker picture and a nudge, once for all tests."""
    camera, _ = tray(seed=21)
    frames: list[Frame] = []
    began: dict[str, int] = {}

    def watch(name: str, seconds: float) -> None:
        began[name] = len(frames)
        frames.extend(shot(camera) for _ in range(round(15 * seconds)))

    watch("empty", 0.6)
    camera.throw(("worm",) * 4)
    watch("throw", 2.2)
    camera.hand_over(0.8)
    watch("hand", 1.4)
    camera.shadow_over(0.8)
    watch("shadow", 1.4)
    camera.flicker(0.12)
    watch("flicker", 1.0)
    camera.flicker(0.0)
    camera.brighten(0.8)
    watch("darker", 0.8)
    camera.nudge(str(camera.lies[0]))
    watch("nudge", 1.2)
    return frames, began


def test_frames_are_pictures_and_nothing_else(evening: tuple[list[Frame], dict[str, int]]) -> None:
    frames, _ = evening
    assert [field.name for field in fields(Frame)] == ["image", "small", "taken_at"]
    for frame in frames:
        assert frame.image.shape == (960, 1280, 3) and frame.image.dtype == np.uint8
        assert frame.small.shape == (240, 320) and frame.small.dtype == np.uint8
    assert np.allclose(np.diff([frame.taken_at for frame in frames]), 1 / 15)


def test_stillness_sees_throw_hand_and_nudge_but_no_lamp(evening: tuple[list[Frame], dict[str, int]]) -> None:
    frames, began = evening
    stillness = Stillness()
    still = [stillness.see(frame.small, frame.taken_at) == "still" for frame in frames]
    ends = [*list(began.values())[1:], len(frames)]
    moved = {
        name: not all(still[start + 2 : end]) for (name, start), end in zip(began.items(), ends, strict=True)
    }
    assert moved["throw"] and moved["hand"] and moved["nudge"]
    assert not moved["empty"] and not moved["flicker"] and not moved["darker"]
    assert all(still[end - 4 : end] == [True] * 4 for end in ends)


class BlobReader:
    """Sees white blobs on green felt as dice, each with its place and angle; all faces are a 1 to it."""

    def read(
        self,
        image: Image,
        due: tuple[str, ...] | None,
        lying: Roll = (),
        zone: tuple[tuple[float, float], ...] | None = None,
        white: tuple[float, float, float] | None = None,
    ) -> Reading:
        pale = cv2.inRange(image, (110, 110, 110), (255, 255, 255))
        contours, _ = cv2.findContours(pale, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        dice = []
        for contour in contours:
            if 900 < cv2.contourArea(contour) < 6000:
                corners = tuple((float(x), float(y)) for x, y in cv2.boxPoints(cv2.minAreaRect(contour)))
                x, y, w, h = cv2.boundingRect(contour)
                dice.append(Spotted(Die("worm", "1"), (x, y, w, h), 0.999, top_face=corners, sure=True))
        whole = due is not None and len(dice) == len(due)
        return Reading(tuple(dice), tuple(one.die for one in dice) if whole else None)


def test_only_the_throw_and_the_nudge_are_rolls(evening: tuple[list[Frame], dict[str, int]]) -> None:
    frames, began = evening
    gaze = Gaze(BlobReader())
    gaze.expect(Throw(0, ("worm",) * 4))
    trusted = [n for n, frame in enumerate(frames) if isinstance(gaze.see(frame), Trusted)]
    assert len(trusted) == 2
    assert began["throw"] < trusted[0] < began["hand"]
    assert began["nudge"] < trusted[1]


def test_a_roll_is_trusted_within_six_frames_of_rest_and_never_before() -> None:
    camera, _ = tray(seed=8)
    shot(camera)
    camera.throw(("worm",) * 4)
    gaze = Gaze(BlobReader())
    gaze.expect(Throw(0, ("worm",) * 4))
    for n in range(60):
        seen = gaze.see(shot(camera))
        if n == 0:
            rest = round(camera._wanted.ends * 15) + 1
        if isinstance(seen, Trusted):
            break
    assert rest <= n <= rest + 6


def test_a_still_frame_has_fresh_noise() -> None:
    camera, clock = tray("wood", seed=2)
    camera.drop("yellow:4", "blue:2")
    shot(camera)
    clock.now += 3
    one, other = shot(camera).image, shot(camera).image
    step = np.abs(one.astype(int) - other)
    assert 1.0 < step.mean() < 5.0


def test_the_hand_passes_and_leaves_everything_as_it_was(evening: tuple[list[Frame], dict[str, int]]) -> None:
    frames, began = evening
    before, after = frames[began["hand"] - 1].small, frames[began["shadow"] - 1].small
    during = frames[began["hand"] + 6].small
    assert np.abs(before.astype(int) - after).mean() < 1.5
    assert np.abs(before.astype(int) - during).mean() > 5


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_table_shows_its_dice(table: str) -> None:
    camera, clock = tray(table, seed=5)
    bare = shot(camera).small.astype(int)
    camera.drop("purple:6")
    shot(camera)
    clock.now += 3
    assert (np.abs(shot(camera).small - bare) > 20).sum() > 30


def test_a_late_camera_leaves_frames_out() -> None:
    camera, clock = tray()
    shot(camera)
    clock.now += 10.0
    late = shot(camera)
    assert shot(camera).taken_at - late.taken_at == pytest.approx(1 / 15)
