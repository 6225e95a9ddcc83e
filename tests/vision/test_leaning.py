from __future__ import annotations

import numpy as np
import pytest

from companion.vision.detector import Find
from companion.vision.leaning import oddness, sines_of, slanted
from companion.vision.sides import shapes

SIZE = (1280, 960)
PLACES = ((300, 300), (900, 250), (600, 500), (350, 700), (1000, 800), (700, 150))


def lying(x: float, y: float, slant: complex, lift: complex | None = None, half: float = 25) -> Find:
    """A die seen at a slant: its upper face foreshortened that way, and lifted (by `lift`, if told)."""
    along = np.exp(1j * np.angle(slant))
    spots = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) * half / along
    seen = (spots.real * np.exp(-2 * abs(slant) ** 2) + 1j * spots.imag) * along + complex(x, y)
    corners = np.stack([seen.real, seen.imag], axis=1).astype(np.float32)
    box = np.array([x - half, y - half, x + half, y + half], np.float32)
    up = slant if lift is None else lift
    return Find(0.9, box, corners, np.zeros(4, np.float32), (up.real, up.imag))


def slant_at(x: float, y: float, tilt: float = 0.1) -> complex:
    """From where a camera above the middle that leans a little sees a die: sides show towards the edges."""
    return complex(0.2 * (x - 640) / 640, tilt + 0.2 * (y - 480) / 640)


def flat(x: float, y: float, tilt: float = 0.1) -> Find:
    return lying(x, y, slant_at(x, y, tilt))


def seen_by(x: float, y: float, tilt: float, focal: float = 1.9) -> Find:
    """A flat die as a camera held upright sees it that is tilted by so many degrees from looking down; its
    focal length is in halves of the picture's width."""
    place = complex(x - 640, y - 480) / 640 / focal
    up, away = -1j * np.sin(np.radians(tilt)), np.cos(np.radians(tilt))
    lift = (up + place * away) / (2 * np.sqrt(away - (up.conjugate() * place).real))
    return lying(x, y, lift)


def test_lift_and_shape_of_a_face_tell_the_same_slant() -> None:
    find = lying(300, 300, 0.25 - 0.1j)
    noise = np.array([0.04**2]), np.array([0.1**2])
    told, _ = slanted(np.array([0.25 - 0.1j]), shapes(find.corners[None]), *noise)
    assert told[0] == pytest.approx(0.25 - 0.1j, abs=1e-3)


def test_flat_dice_are_not_odd_wherever_they_lie_and_however_the_camera_leans() -> None:
    for tilt in (0.0, 0.15, -0.2):
        assert max(oddness([flat(x, y, tilt) for x, y in PLACES], SIZE)) < 1


@pytest.mark.parametrize("degrees", [0, 20, 40, 60, 75])
def test_a_slant_tells_the_sine_of_the_angle_at_which_a_die_is_seen(degrees: float) -> None:
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    slant = sine / (2 * np.sqrt(cosine)) * np.exp(0.7j)
    assert sines_of(np.array([slant]), np.array([0.01]))[0] == pytest.approx(sine * np.exp(0.7j))


@pytest.mark.parametrize("degrees", [5, 30, 60])
def test_the_noise_of_a_sine_is_what_the_noise_of_its_slant_makes_of_it(degrees: float) -> None:
    slant = np.sin(np.radians(degrees)) / (2 * np.sqrt(np.cos(np.radians(degrees)))) + 0j
    steps = np.array([slant, slant + 1e-5, slant + 1e-5j])
    here, along, across = sines_of(steps, np.full(3, 0.5))[0]
    changes = np.abs(np.array([along, across]) - here) / 1e-5
    noise = sines_of(np.array([slant]), np.array([0.5]))[1][0]
    assert noise == pytest.approx(0.5 * np.sqrt((changes**2).mean()), rel=0.15)


@pytest.mark.parametrize("tilt", [0, 30, 45, 60])
def test_flat_dice_seen_from_the_side_are_not_odd_and_one_that_leans_is(tilt: float) -> None:
    dice = [seen_by(x, y, tilt) for x, y in PLACES]
    assert max(oddness(dice, SIZE)) < 1.5
    leaning = seen_by(*PLACES[2], tilt + (25 if tilt < 40 else -25))
    odd = oddness([*dice[:2], leaning, *dice[3:]], SIZE)
    assert odd[2] > 3
    assert max(odd[:2] + odd[3:]) < 2


def test_a_die_alone_is_odder_where_only_a_camera_held_askew_could_see_it_so() -> None:
    upright, sideways = lying(640, 480, -0.5j), lying(640, 480, 0.5 + 0j)
    assert oddness([upright], SIZE)[0] < 1 < 2 < oddness([sideways], SIZE)[0]


@pytest.mark.parametrize("degrees", [25, 30, 45])
def test_of_two_dice_the_flat_one_is_never_odder_than_the_one_that_leans(degrees: float) -> None:
    lean = np.sin(np.radians(degrees)) / (2 * np.sqrt(np.cos(np.radians(degrees))))
    for way in (1, 1j, -1, -1j):
        flat_one, leaning = oddness([lying(300, 300, -0.05 - 0.03j), lying(800, 600, lean * way)], SIZE)
        assert flat_one < leaning


@pytest.mark.parametrize("count", [4, 6])
def test_the_one_that_leans_stands_out(count: int) -> None:
    dice = [flat(x, y) for x, y in PLACES[:count]]
    dice[1] = lying(*PLACES[1], slant_at(*PLACES[1]) - 0.25 + 0.15j)
    odd = oddness(dice, SIZE)
    assert odd[1] > 3
    assert max(odd[:1] + odd[2:]) < odd[1] / 2


def test_a_face_foreshortened_otherwise_than_the_others_is_odd_though_it_is_lifted_like_them() -> None:
    dice = [flat(x, y) for x, y in PLACES]
    dice[1] = lying(*PLACES[1], slant_at(*PLACES[1]) + 0.4, slant_at(*PLACES[1]))
    odd = oddness(dice, SIZE)
    assert odd[1] > 1.5
    assert max(odd[:1] + odd[2:]) < odd[1] / 2


def test_the_same_slant_says_less_about_a_small_die() -> None:
    large, small = (
        [*(flat(x, y) for x, y in PLACES[1:]), lying(*PLACES[0], 0.3 + 0j, half=half)] for half in (40, 8)
    )
    assert oddness(small, SIZE)[-1] < oddness(large, SIZE)[-1]


def test_a_second_look_says_less_where_it_saw_the_die_otherwise_than_the_first() -> None:
    dice = [*(flat(x, y) for x, y in PLACES[1:]), lying(*PLACES[0], slant_at(*PLACES[0]) + 0.15)]
    other = [*dice[:-1], flat(*PLACES[0])]
    same, changed = (oddness(dice, SIZE, before)[-1] for before in (dice, other))
    assert same == pytest.approx(oddness(dice, SIZE)[-1])
    assert changed < 0.7 * same


def test_a_die_alone_is_given_the_benefit_of_the_doubt() -> None:
    assert oddness([lying(300, 300, 0.1 + 0.1j)], SIZE)[0] < 2
    assert oddness([], SIZE) == []
