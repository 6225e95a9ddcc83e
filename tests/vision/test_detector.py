from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.detector import STRIDE, UNIT, Detector, Find, distinct, peaks, resized

CELLS = 20


def a_map(*dice: tuple[int, int, float]) -> np.ndarray:
    """A map as the network makes it: (row, column, score) of dice 24 pixels wide."""
    found = np.zeros((CELLS, CELLS, 20), np.float32)
    found[..., 0] = -8
    for row, column, score in dice:
        found[row, column, 0] = np.log(score / (1 - score))
        found[row, column, 1:5] = np.log(12 / UNIT)
        found[row, column, 7] = np.log(10 * 2**0.5 / 24)  # from the face's middle to a corner, in box sizes
        found[row, column, 8] = -1  # not turned
        found[row, column, 14:18] = (4, -4, -4, -4)
    return found


def test_a_peak_becomes_a_die_around_its_cell() -> None:
    (find,) = peaks(a_map((5, 7, 0.9)), (CELLS * STRIDE, CELLS * STRIDE))
    assert find.score == pytest.approx(0.9)
    assert find.box == pytest.approx(np.array([18, 10, 42, 34]))
    assert find.corners == pytest.approx(np.array([[20, 12], [40, 12], [40, 32], [20, 32]]))
    assert find.states[0] > 0.9 > 0.1 > find.states[1]
    assert find.centre == pytest.approx((30, 22)) and find.size == pytest.approx(24)


def test_faint_cells_neighbours_and_the_border_added_for_the_network_are_no_dice() -> None:
    found = a_map((5, 5, 0.9), (5, 6, 0.6), (15, 3, 0.05), (10, 18, 0.9))
    finds = peaks(found, (60, 80))
    assert [round(find.score, 2) for find in finds] == [0.9]


def test_a_die_seen_at_two_scales_counts_once_and_neighbours_stay_two() -> None:
    (one,) = peaks(a_map((5, 5, 0.8)), (80, 80))
    (again,) = peaks(a_map((5, 5, 0.8)), (80, 80), (1.1, 1.05))
    beside = Find(0.7, one.box + 21, one.corners + np.array([21, 0], np.float32), one.states)
    assert distinct([again, one, beside]) in ((one, beside), (again, beside))


class Afar(Detector):
    """A detector that sees four dice and a speck closely, and one more die only from afar."""

    def __init__(self) -> None:
        self.sides: list[int] = []

    def _pass(self, image: np.ndarray, scale: float) -> list[Find]:
        self.sides.append(round(max(image.shape) * scale))
        near = [
            (80.0, 0.8, 60.0),
            (200.0, 0.7, 62.0),
            (320.0, 0.6, 58.0),
            (700.0, 0.6, 60.0),
            (500.0, 0.3, 24.0),
        ]
        seen = near if scale > 0.4 else [(440.0, 0.5, 55.0), (560.0, 0.5, 20.0), (600.0, 0.2, 60.0)]
        return [a_find(x, score, size) for x, score, size in seen]


def a_find(x: float, score: float, size: float) -> Find:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.float32(size)
    at = np.array([x, 100], np.float32)
    return Find(score, np.concatenate([at, at + np.float32(size)]), square + at, np.zeros(4, np.float32))


@pytest.mark.parametrize(("wanted", "seen"), [(4, 5), (5, 6)])
def test_a_die_that_shows_from_afar_counts_when_one_is_missing_and_it_is_as_large_as_the_others(
    wanted: int, seen: int
) -> None:
    detector = Afar()
    finds = detector.find(np.zeros((960, 1280, 3), np.uint8), wanted)
    assert len(finds) == seen and detector.sides == [512, 640, 256][: wanted - 2]
    assert (440.0 in {float(find.box[0]) for find in finds}) == (wanted == 5)


class Glancing(Detector):
    """Sees dice of these sizes at a glance, the last with this score, and none otherwise."""

    def __init__(self, sizes: list[float], last: float = 0.6) -> None:
        self.sides: list[int] = []
        self.sizes, self.scores = sizes, [*[0.6] * (len(sizes) - 1), last]

    def _pass(self, image: np.ndarray, scale: float) -> list[Find]:
        self.sides.append(round(max(image.shape) * scale))
        seen = self.sizes if self.sides[-1] == 512 else []
        both = enumerate(zip(seen, self.scores, strict=False))
        return [a_find(200.0 * i, score, size / scale) for i, (size, score) in both]


@pytest.mark.parametrize(
    ("sizes", "wanted", "enough"),
    [
        ([24.0] * 5, 5, True),
        ([24.0] * 6, 5, False),
        ([24.0] * 4, 5, False),
        ([24.0] * 4 + [12.0], 5, False),
        ([24.0] * 4 + [70.0], 5, False),
        ([12.0] * 5, 5, False),
        ([70.0] * 5, 5, False),
        ([24.0] * 4 + [15.0], 5, False),
        ([24.0] * 4 + [40.0], 5, False),
        ([24.0] * 4 + [19.0, 40.0], 5, True),
        ([24.0] * 3, 3, None),
    ],
    ids=[
        "all",
        "one more",
        "one missing",
        "one tiny",
        "one large",
        "all tiny",
        "all large",
        "one smaller",
        "one larger",
        "all and a larger one",
        "few wanted",
    ],
)
def test_a_glance_is_enough_where_it_shows_all_dice_wanted_and_none_is_tiny_or_large(
    sizes: list[float], wanted: int, enough: bool | None
) -> None:
    detector = Glancing(sizes)
    finds = detector.find(np.zeros((960, 1280, 3), np.uint8), wanted)
    glances = detector.sides.count(512)
    assert glances == (0 if enough is None else 1)
    assert len(finds) == (len(sizes) if enough else 0) and (detector.sides == [512]) == bool(enough)


@pytest.mark.parametrize(
    ("last", "wanted", "enough"),
    [(0.6, 5, True), (0.3, 5, False), (0.3, 4, False), (0.2, 4, True)],
    ids=["plain", "half seen, the last one wanted", "half seen, one too many", "next to nothing"],
)
def test_a_find_that_is_half_seen_at_a_glance_is_neither_a_die_wanted_nor_nothing(
    last: float, wanted: int, enough: bool
) -> None:
    detector = Glancing([24.0] * 5, last)
    detector.find(np.zeros((960, 1280, 3), np.uint8), wanted)
    assert (detector.sides == [512]) == enough


class Large(Detector):
    """Sees so much from afar, and three dice when nearer."""

    def __init__(self, afar: list[tuple[float, float, float]]) -> None:
        self.sides: list[int] = []
        self.afar = afar

    def _pass(self, image: np.ndarray, scale: float) -> list[Find]:
        side = round(max(image.shape) * scale)
        self.sides.append(side)
        near = [(80.0, 0.8, 60.0), (400.0, 0.7, 62.0), (720.0, 0.8, 58.0)]
        seen = {640: self.afar, 1280: near}.get(side, [])
        return [a_find(x, score, size) for x, score, size in seen]


@pytest.mark.parametrize(
    ("afar", "wanted", "longer", "left", "sides"),
    [
        ([(900.0, 0.45, 300.0)], 1, 3000, 80.0, [640, 256, 112, 1280]),
        ([], 1, 4000, 80.0, [640, 256, 112, 1280, 2560]),
        ([(900.0, 0.9, 300.0), (2000.0, 0.9, 300.0)], 1, 3000, 900.0, [640, 256, 112, 1280]),
        ([(900.0, 0.45, 300.0), (2000.0, 0.45, 300.0)], 2, 3000, 900.0, [640, 256, 112]),
        ([(900.0, 0.45, 300.0)], 1, 1500, 900.0, [640, 256, 112]),
    ],
    ids=["vague", "nothing", "plain", "enough", "not-so-large"],
)
def test_in_a_large_picture_dice_are_looked_for_from_near_and_those_that_are_plainer_count(
    afar: list[tuple[float, float, float]], wanted: int, longer: int, left: float, sides: list[int]
) -> None:
    detector = Large(afar)
    finds = detector.find(np.zeros((64, longer, 3), np.uint8), wanted)
    assert min(float(find.box[0]) for find in finds) == left
    assert detector.sides == sides


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 960), (640, 480), (1456, 1088), (1023, 767), (200, 150)]
)
def test_a_picture_of_any_size_is_brought_to_the_one_asked_for_with_its_dice_in_place(
    width: int, height: int
) -> None:
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, : width // 4] = 200
    small = resized(picture, 640, 480)
    assert small.shape == (480, 640, 3)
    assert small[:, :150].min() == 200 and small[:, 170:].max() == 0


def test_a_die_is_not_lost_to_a_plainer_pip_in_its_middle() -> None:
    die, pip = a_find(100.0, 0.6, 200.0), a_find(180.0, 0.9, 40.0)
    down = np.array([0, 80], np.float32)
    pip = replace(pip, box=pip.box + np.tile(down, 2), corners=pip.corners + down)
    assert set(distinct([die, pip])) == {die, pip}


class Filling(Detector):
    """Sees pips from near, and the two dice that they belong to from afar."""

    def __init__(self) -> None:
        self.sides: list[int] = []

    def _pass(self, image: np.ndarray, scale: float) -> list[Find]:
        side = round(max(image.shape) * scale)
        self.sides.append(side)
        dice, pips = [(20.0, 0.8, 280.0), (340.0, 0.8, 280.0)], [(60.0, 0.7, 50.0), (400.0, 0.7, 50.0)]
        return [a_find(x, score, size) for x, score, size in (pips if side == 640 else dice)]


def test_pips_of_two_large_dice_do_not_spare_the_pass_that_finds_those() -> None:
    detector = Filling()
    finds = detector.find(np.zeros((480, 640, 3), np.uint8), 2)
    assert detector.sides == [640, 256, 112]
    assert sorted(round(find.size) for find in finds) == [50, 50, 280, 280]


class Sharp(Large):
    """Sees one large die from afar, and its pips, plainly, when nearer."""

    def _pass(self, image: np.ndarray, scale: float) -> list[Find]:
        side = round(max(image.shape) * scale)
        pips = [(900.0 + 350 * k, 0.8, 300.0) for k in range(4)]
        seen = {112: [(800.0, 0.9, 1600.0)], 1280: pips}.get(side, [])
        return [a_find(x, score, size) for x, score, size in seen]


def test_a_large_die_stays_when_its_pips_are_plainer_from_near() -> None:
    finds = Sharp([]).find(np.zeros((64, 3000, 3), np.uint8), 1)
    assert {round(find.size) for find in finds} == {300, 1600}


def test_from_closer_by_all_looks_count_alike_and_each_sees_a_die_of_its_own_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[np.ndarray] = []

    def maps(_self: Detector, pictures: np.ndarray) -> np.ndarray:
        looks.extend(pictures)
        heat = np.full((2, pictures.shape[1] // STRIDE, pictures.shape[2] // STRIDE, 20), -9.0, np.float32)
        middle = heat.shape[1] // 2
        heat[0, middle, middle, 0], heat[1, middle, middle - 1, 0] = len(looks), -1.0
        heat[:, 0, 0, 0] = 9.0  # a die beside it
        return heat

    monkeypatch.setattr(Detector, "_maps", maps)
    image = np.zeros((300, 300, 3), np.uint8)
    image[100:180, 100:180] = 255
    image[100:180, 100:120] = 128
    (chance,) = Detector.__new__(Detector).closer(image, [(140.0, 140.0, 80.0)])
    assert chance == pytest.approx(1 / (1 + np.exp(-(2 - 1 + 4 - 1) / 4)))
    assert [look.shape[0] for look in looks] == [128, 128, 160, 160]
    assert [round(np.sqrt((look[..., 0] > 64).sum())) for look in looks] == [36, 36, 52, 52]
    assert (looks[0] == looks[1][:, ::-1]).all() and (looks[2] == looks[3][:, ::-1]).all()
