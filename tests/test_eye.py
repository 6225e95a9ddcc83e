"""The camera loop: what the table is told, and what happens when the camera goes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion import eye as eye_module
from companion.dice import Die, Roll, Throw
from companion.eye import DRIFTED, ENDED, SETTLED, STUMBLED, Eye
from companion.vision.calibration import Calibration
from companion.vision.cameras import TurnedCamera
from companion.vision.reading import CameraLost, Frame, Image, Reading, Sentence, Sight, Spotted
from companion.vision.stillness import small_of

THROW = Throw(0, ("worm", "worm"))
CLOTH = np.random.default_rng(1).integers(60, 90, (240, 320, 3), np.uint8)


class Table:
    """The part of a table that an eye knows."""

    def __init__(self) -> None:
        self.now: tuple[int, Throw] | None = (1, THROW)
        self.sights: list[Sight] = []
        self.troubles: list[Sentence | None] = []

    def due(self) -> tuple[int, Throw] | None:
        return self.now

    def show(self, sight: Sight) -> None:
        self.sights.append(sight)

    def trouble(self, sentence: Sentence | None) -> None:
        self.troubles.append(sentence)


class PaleReader:
    """Reads every pale square as a worm die; its brightness tells the face."""

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[str, ...] | None, Roll]] = []
        self.zones: list[tuple[tuple[float, float], ...] | None] = []
        self.whites: list[tuple[float, float, float] | None] = []
        self.broken = False

    def read(
        self,
        image: Image,
        due: tuple[str, ...] | None,
        lying: Roll = (),
        zone: tuple[tuple[float, float], ...] | None = None,
        white: tuple[float, float, float] | None = None,
    ) -> Reading:
        self.asked.append((due, lying))
        self.zones.append(zone)
        self.whites.append(white)
        if self.broken:
            raise RuntimeError("the network fell over")
        pale = (image[..., 0] > 150).astype(np.uint8)
        count, _, boxes, _ = cv2.connectedComponentsWithStats(pale)
        dice = []
        for x, y, w, h, _ in boxes[1:count].tolist():
            face = str(1 + (int(image[y + h // 2, x + w // 2, 0]) - 160) // 20)
            dice.append(Spotted(Die("worm", face), (x, y, w, h), 0.999, sure=True))
        whole = due is not None and len(dice) == len(due)
        return Reading(
            tuple(dice), tuple(one.die for one in dice) if whole else None, () if whole else (Sentence("no"),)
        )


def picture(*dice: tuple[int, int, int]) -> Image:
    image = CLOTH.copy()
    for face, x, y in dice:
        image[y : y + 20, x : x + 20] = 160 + 20 * (face - 1) + 5
    return image


HERE, THERE = ((3, 40, 50), (5, 120, 90)), ((1, 200, 60), (2, 90, 150))


class Film:
    """Frames at 15 a second, as many of each picture as are asked for."""

    def __init__(self) -> None:
        self.at = 0.0

    def of(self, image: Image, count: int) -> list[Frame]:
        frames = []
        for _ in range(count):
            self.at += 1 / 15
            frames.append(Frame(image, small_of(image), self.at))
        return frames


def hand(n: int) -> Image:
    image = picture(*HERE)
    cv2.circle(image, (30 * n, 120), 50, (90, 120, 140), -1)
    return image


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def reader() -> PaleReader:
    return PaleReader()


@pytest.fixture
def eye(table: Table, reader: PaleReader) -> Eye:
    return Eye(never, reader, table)


def never() -> eye_module.Camera:
    raise AssertionError("no camera in this test")


def look(eye: Eye, frames: list[Frame]) -> None:
    for frame in frames:
        eye.see(frame)


def test_a_throw_is_seen_from_movement_to_a_trusted_roll(eye: Eye, table: Table) -> None:
    film = Film()
    look(eye, film.of(picture(), 4) + film.of(picture(*THERE), 1) + film.of(picture(*HERE), 8))
    assert [(sight.moving, sight.roll is not None) for sight in table.sights] == [
        (True, False),
        (False, False),
        (True, False),
        (False, False),
        (False, True),
    ]
    last = table.sights[-1]
    assert last.roll == (Die("worm", "3"), Die("worm", "5"))
    assert last.throw_number == 1
    assert last.size == (320, 240)
    assert last.reading is not None and len(last.reading.dice) == 2
    decoded = cv2.imdecode(np.frombuffer(last.picture, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(decoded.astype(int) - picture(*HERE)).mean() < 9


def test_a_still_table_is_read_only_a_few_times(eye: Eye, table: Table, reader: PaleReader) -> None:
    film = Film()
    look(eye, film.of(picture(), 30))
    assert len(reader.asked) == 3
    look(eye, film.of(picture(*HERE), 30))
    assert len(reader.asked) == 6
    assert len(table.sights) == 5


def test_nothing_is_read_when_no_throw_is_due(eye: Eye, table: Table, reader: PaleReader) -> None:
    table.now = None
    film = Film()
    look(eye, film.of(picture(), 5) + film.of(picture(*HERE), 20))
    assert reader.asked == []
    assert table.sights == []
    assert eye.facts().moving is False


def test_the_roll_stays_offered_while_a_hand_passes(eye: Eye, table: Table) -> None:
    film = Film()
    look(eye, film.of(picture(), 3) + film.of(picture(*HERE), 8))
    told = len(table.sights)
    look(eye, [frame for n in range(8) for frame in film.of(hand(n), 1)])
    assert [(sight.moving, sight.roll) for sight in table.sights[told:]] == [
        (True, table.sights[told - 1].roll)
    ]
    look(eye, film.of(picture(*HERE), 10))
    assert len(table.sights) == told + 2
    assert table.sights[-1].roll == table.sights[told - 1].roll
    assert not table.sights[-1].moving


def test_a_new_throw_needs_new_dice(eye: Eye, table: Table) -> None:
    film = Film()
    look(eye, film.of(picture(), 3) + film.of(picture(*HERE), 8))
    table.now = (2, THROW)
    look(eye, film.of(picture(*HERE), 8) + film.of(hand(4), 2) + film.of(picture(*HERE), 12))
    assert all(sight.roll is None for sight in table.sights if sight.throw_number == 2)
    look(eye, film.of(picture(*THERE), 8))
    assert table.sights[-1].roll == (Die("worm", "1"), Die("worm", "2"))
    assert table.sights[-1].throw_number == 2


def test_dice_gathered_between_throws_are_no_throw_though_an_arm_is_over_them_when_it_falls_due(
    eye: Eye, table: Table
) -> None:
    film = Film()
    look(eye, film.of(picture(), 3) + film.of(picture(*HERE), 8))
    table.now = None
    look(eye, film.of(picture(*THERE), 8) + film.of(hand(3), 1))
    table.now = (2, THROW)
    look(eye, film.of(hand(5), 1) + film.of(picture(*THERE), 12))
    assert all(sight.roll is None for sight in table.sights if sight.throw_number == 2)
    look(eye, film.of(picture((3, 60, 180), (5, 250, 20)), 8))
    assert sorted(table.sights[-1].roll or ()) == [Die("worm", "3"), Die("worm", "5")]


def test_what_is_due_and_may_lie_reaches_the_reader(eye: Eye, table: Table, reader: PaleReader) -> None:
    lying = (Die("worm", "4"),)
    table.now = (1, Throw(1, ("worm",), lying))
    look(eye, Film().of(picture(), 3))
    assert reader.asked == [(("worm",), lying)]


def test_a_doubt_is_shown_with_its_picture_and_read_again_now_and_then(
    eye: Eye, table: Table, reader: PaleReader
) -> None:
    film = Film()
    look(eye, film.of(picture(), 3) + film.of(picture(HERE[0]), 60))
    doubt = table.sights[-1]
    assert doubt.roll is None
    assert doubt.reading is not None and doubt.reading.doubts
    assert doubt.picture
    assert 10 <= len(reader.asked) <= 14
    look(eye, film.of(picture(*HERE), 8))
    assert table.sights[-1].roll is not None


def test_the_zone_and_the_white_of_the_mat_reach_the_reader(table: Table, reader: PaleReader) -> None:
    square = ((0.0, 0.0), (640.0, 0.0), (640.0, 480.0), (0.0, 480.0))
    tray = ((600.0, 440.0), (640.0, 440.0), (640.0, 480.0), (600.0, 480.0))
    mat = Calibration("mat", (640, 480), square, white=(1.2, 1.0, 0.8), tray=tray)
    eye = Eye(never, reader, table, mat)
    film = Film()
    look(eye, film.of(picture(), 3) + film.of(picture(*HERE), 8))
    assert reader.zones[-1] == ((0.0, 0.0), (320.0, 0.0), (320.0, 240.0), (0.0, 240.0))
    assert reader.whites[-1] == (0.8, 1.0, 1.2)
    assert table.sights[-1].nearest_first
    assert table.sights[-1].roll == (Die("worm", "5"), Die("worm", "3"))
    eye.calibration = replace(mat, tray=())
    look(eye, film.of(picture(), 3) + film.of(picture(*THERE), 8))
    assert table.sights[-1].roll and not table.sights[-1].nearest_first, (
        "the mat was changed for one without a tray"
    )
    eye.calibration = None
    look(eye, film.of(picture(), 3) + film.of(picture(*HERE), 8))
    assert reader.zones[-1] is None


def test_a_picture_is_made_when_asked_for(eye: Eye) -> None:
    assert eye.picture() == b""
    look(eye, Film().of(picture(*HERE), 1))
    first = eye.picture()
    assert first.startswith(b"\xff\xd8")
    assert eye.picture() is first
    assert eye.facts().size == (320, 240)
    assert eye.latest is not None


class Camera:
    """A camera that gives its frames and then what it is told to."""

    name = "test"

    def __init__(self, frames: list[Frame], then: Exception | None = None) -> None:
        self.frames, self.then, self.closed = frames, then, False

    def next(self) -> Frame | None:
        if self.frames:
            return self.frames.pop(0)
        if self.then:
            raise self.then
        return None

    def close(self) -> None:
        self.closed = True


def run(eye: Eye, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Run the loop in this thread with all pauses passed at once, and say how long they were."""
    pauses: list[float] = []

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        return False

    monkeypatch.setattr(eye._stop, "wait", wait)
    eye._run()
    return pauses


def opening(*cameras: Camera | CameraLost) -> Callable[[], eye_module.Camera]:
    left = list(cameras)

    def open_camera() -> eye_module.Camera:
        camera = left.pop(0)
        if isinstance(camera, CameraLost):
            raise camera
        return camera

    return open_camera


def test_a_lost_camera_is_said_and_tried_again(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = Film()
    gone = CameraLost("It is gone: plug in camera %(number)s.", number=3)
    first = Camera(film.of(picture(), 3), gone)
    second = Camera(film.of(picture(), 2) + film.of(picture(*HERE), 8))
    eye = Eye(opening(first, gone, gone, second), reader, table)
    assert run(eye, monkeypatch) == [1.0, 2.0, 4.0]
    assert table.troubles == [None, gone.sentence, None, ENDED]
    assert str(gone.sentence) == "It is gone: plug in camera 3."
    assert first.closed and second.closed
    assert table.sights[-1].roll is not None


def test_pauses_grow_no_longer_than_ten_seconds(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = CameraLost("gone")
    eye = Eye(opening(*[gone] * 6, Camera([])), reader, table)
    assert run(eye, monkeypatch) == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_a_camera_that_worked_again_is_tried_again_soon(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = CameraLost("gone")
    back = Camera(Film().of(picture(), 3), gone)
    eye = Eye(opening(gone, gone, gone, back, gone, Camera([])), reader, table)
    assert run(eye, monkeypatch) == [1.0, 2.0, 4.0, 1.0, 2.0]


def test_an_error_is_said_and_the_eye_goes_on(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    film = Film()

    class Breaks(Camera):
        def next(self) -> Frame | None:
            reader.broken = 7 < len(self.frames) < 10
            return super().next()

    camera = Breaks(film.of(picture(), 3) + film.of(picture(*HERE), 12))
    run(Eye(opening(camera), reader, table), monkeypatch)
    assert table.troubles == [None, STUMBLED, None, ENDED]
    assert "the network fell over" in caplog.text
    assert table.sights[-1].roll is not None


def test_any_failure_of_a_camera_is_survived(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye = Eye(opening(Camera([], OSError("bus error")), Camera([])), reader, table)
    run(eye, monkeypatch)
    assert "unplug it" in str(table.troubles[0])


class Locking(Camera):
    """A camera that can be held, and writes down at which frame it was."""

    def __init__(self, count: int) -> None:
        image = picture()
        super().__init__([Frame(image, small_of(image), 0.0)] * count)
        self.count = count
        self.held: list[tuple[str, int]] = []

    def lock(self) -> None:
        self.held.append(("lock", self.count - len(self.frames)))

    def unlock(self) -> None:
        self.held.append(("unlock", self.count - len(self.frames)))

    def drift(self) -> tuple[str, ...]:
        return ("ExposureTime",) if 50 < len(self.frames) < 150 else ()


@pytest.mark.parametrize("turned", [False, True])
def test_a_camera_is_locked_once_settled_and_its_drift_is_said(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch, turned: bool
) -> None:
    table.now = None
    camera = Locking(400)
    eye = Eye(lambda: TurnedCamera(camera, 180) if turned else camera, reader, table)
    eye.lock_camera()
    run(eye, monkeypatch)
    assert camera.held == [("lock", SETTLED)]
    assert table.troubles == [None, DRIFTED, ENDED]


def test_a_held_camera_finds_the_light_anew_before_another_calibration(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.now = None
    camera = Locking(200)
    eye = Eye(opening(camera), reader, table)
    assert eye.settle() is False, "a camera that runs free has nothing to wait for"
    eye.lock_camera()
    waited: list[int] = []

    def wait(_seconds: float) -> None:
        while not eye._settled.is_set():
            eye.see(step())
        waited.append(200 - len(camera.frames))

    hold = eye_module.Hold(camera)

    def step() -> Frame:
        frame = camera.next()
        assert frame is not None
        hold.drifted(eye._locked)
        if hold.settled:
            eye._settled.set()
        return frame

    for _ in range(50):
        step()
    monkeypatch.setattr(eye._settled, "wait", wait)
    assert eye.settle() is True
    eye.lock_camera()
    step()
    assert camera.held == [("lock", SETTLED), ("unlock", 51), ("lock", 52 + SETTLED)]
    assert waited == [51 + SETTLED]


def test_somebody_who_calibrates_waits_for_the_eye_and_no_longer(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.now = None
    monkeypatch.setattr(eye_module, "SETTLE_S", 0.01)
    eye = Eye(never, reader, table)
    eye.lock_camera()
    assert eye.settle() is True
    assert not eye._locked


def test_the_reader_is_warmed_up_before_the_first_frame(
    table: Table, reader: PaleReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.now = None
    run(Eye(opening(Camera(Film().of(picture(), 2))), reader, table), monkeypatch)
    assert reader.asked == [(None, ())]


def test_the_eye_runs_in_a_thread_and_stops(table: Table, reader: PaleReader) -> None:
    seen = threading.Event()
    film = Film()

    class Endless(Camera):
        def next(self) -> Frame | None:
            if film.at > 1:
                seen.set()
            return film.of(picture(), 1)[0]

    camera = Endless([])
    eye = Eye(lambda: camera, reader, table)
    eye.start()
    assert seen.wait(20)
    eye.stop()
    assert camera.closed
    assert table.troubles == [None]
