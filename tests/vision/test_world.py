"""The dice world: what it draws is what its labels say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.dice import KINDS, Die
from companion.vision.world import (
    SETS,
    Placed,
    Scene,
    View,
    Wish,
    faces_of,
    felt,
    published_looks,
    random_looks,
    random_pip_look,
    random_scene,
    render,
    resting,
    turned,
)
from companion.vision.world.chance import kelvin, random_view
from companion.vision.world.faces import drawn
from companion.vision.world.surfaces import littered

LOOK = published_looks("geizen")["pip"]
VIEW = View(320, 240, distance=300, focal=600)
GREEN = felt((60, 110, 40))


def lying(face: str, x: float = 0, y: float = 0, degrees: float = 0) -> Placed:
    return Placed("pip", (x, y, 8.0), resting("pip", face, degrees, LOOK), LOOK)


def seen(*dice: Placed, view: View = VIEW):
    return render(Scene(dice, view, GREEN), np.random.default_rng(1))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_resting_die_shows_the_face_asked_for(kind):
    game = next(game for game, kinds in SETS.items() if kind in kinds)
    for looks in (published_looks(game), random_looks(game, np.random.default_rng(3))):
        for face in faces_of(kind):
            die = Placed(kind, (0, 0, 8), resting(kind, face, 33.0, looks[kind]), looks[kind])
            assert die.die == Die(kind, face)
            assert die.tilt < 0.1


def test_no_die_has_a_face_it_lacks():
    with pytest.raises(ValueError, match="no face"):
        resting("worm", "6", 0, LOOK)


def test_opposite_sides_of_an_ordinary_die_sum_to_seven():
    die = lying("1")
    assert [int(die.side_face(s)) + int(die.side_face(5 - s)) for s in range(3)] == [7, 7, 7]


def test_the_label_lies_on_the_die():
    picture, (label,) = seen(lying("5", degrees=20))
    assert (label.kind, label.face, label.state) == ("pip", "5", "flat")
    x, y, w, h = (round(n) for n in label.box)
    assert picture[y : y + h, x : x + w].mean() > picture.mean() + 40, "a white die on green felt"
    corners = np.array(label.top_face)
    assert np.abs(corners.mean(0) - (160, 120)).max() < 1
    side = np.linalg.norm(corners[1] - corners[0])
    assert side == pytest.approx(16 * 600 / (300 - 16), rel=0.02), "the upper face is nearer than the table"
    (ax, ay), (bx, by) = corners[1] - corners[0], corners[2] - corners[1]
    assert ax * by - ay * bx > 0, "clockwise on the screen"


def test_pips_are_where_the_upright_symbol_says():
    picture, (label,) = seen(lying("2", degrees=70))
    a, b, c, d = np.array(label.top_face)
    at = lambda u, v: a + (b - a) * u + (d - a) * v + (a - b + c - d) * u * v  # noqa: E731
    dark, light = [picture[tuple(at(u, v).astype(int)[::-1])].mean() for u, v in ((0.25, 0.25), (0.75, 0.25))]
    assert dark < 90 < light


def test_a_die_over_the_edge_is_cut_off_and_its_box_ends_there():
    _, (label,) = seen(lying("3", x=-78))
    assert label.state == "cut_off"
    assert label.box[0] == 0
    assert 0.1 < label.visible < 0.9


def test_a_leaning_die_is_cocked():
    die = lying("4")
    leaning = replace(die, rotation=turned((1, 0, 0), 20) @ die.rotation, position=(0, 0, 10.0))
    _, (label,) = seen(leaning)
    assert (label.state, round(label.tilt_deg)) == ("cocked", 20)


def test_a_die_under_another_is_stacked():
    above = replace(lying("6", x=6, y=6), position=(6.0, 6.0, 24.0))
    _, (low, high) = seen(lying("1"), above)
    assert (low.state, high.state) == ("stacked", "flat")
    assert low.visible < 0.7 < high.visible


def test_a_maker_s_mark_in_place_of_the_pips_does_not_tell_the_value():
    marked = replace(LOOK, emblem="6", style=1)
    _, (six, one) = seen(replace(lying("6"), look=marked), replace(lying("1", x=30), look=marked))
    assert (six.told, one.told) == (False, True)
    _, (six,) = seen(replace(lying("6"), look=replace(marked, style=3)))
    assert six.told, "its pips are there as well"


def test_the_side_faces_show_when_the_camera_leans():
    _, (straight,) = seen(lying("1"))
    _, (leaning,) = seen(lying("1"), view=replace(VIEW, tilt=35.0))
    assert leaning.box[3] > straight.box[3] * 1.15


def test_a_point_of_the_table_comes_back_through_a_bending_lens():
    view = View(640, 480, distance=400, tilt=25, heading=70, roll=12, focal=500, k1=-0.08, target=(5, 9))
    points = np.array([[30.0, -20, 0], [-60, 45, 0]], np.float32)
    assert np.allclose(view.ground(view.project(points)), points[:, :2], atol=0.1)


def ink_on(look, face):
    """How much of a face has another colour than the body."""
    painted = drawn(look, face, 0).levels[0][..., :3]
    return float((np.abs(painted - np.array(look.body[::-1]) ** 2.2).sum(axis=2) > 0.3).mean())


def test_an_ink_of_its_own_is_on_its_own_face_alone():
    red = replace(LOOK, own_inks=(("1", (0.8, 0.0, 0.1)),))
    for face, same in (("1", False), ("2", True)):
        plain, own = (drawn(look, face, 0).levels[0][..., :3] for look in (LOOK, red))
        assert np.allclose(plain, own) == same


def test_worn_paint_leaves_less_ink_in_the_same_hollows():
    fresh = replace(LOOK, depth=0.6)
    worn = replace(fresh, worn=0.9)
    assert 0 < ink_on(worn, "5") < 0.7 * ink_on(fresh, "5")
    slopes = [drawn(look, "5", 0).levels[0][..., 3:] for look in (fresh, worn)]
    assert np.allclose(*slopes)


def test_the_pips_of_any_six_stay_apart_and_on_its_face():
    for seed in range(200):
        look = random_pip_look(np.random.default_rng(seed))
        assert look.spread > 2 * look.pip
        assert look.spread + look.pip < 0.95


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_face_of_a_die_is_drawn_differently(kind):
    game = next(game for game, kinds in SETS.items() if kind in kinds)
    look = published_looks(game)[kind]
    faces = [drawn(look, face, 0).levels[0][..., :3] for face in faces_of(kind)]
    for i, one in enumerate(faces):
        for other in faces[:i]:
            assert np.abs(one - other).mean() > 0.005


def test_a_scene_by_chance_depends_on_its_seed_alone():
    wish = Wish(160, 120, game="clever", pixels=(20, 30), empty=0)
    pictures = [
        render(random_scene(wish, np.random.default_rng(8)), np.random.default_rng(9)) for _ in range(2)
    ]
    assert np.array_equal(pictures[0][0], pictures[1][0])
    assert pictures[0][1] == pictures[1][1] != ()


def test_a_warm_lamp_is_redder_than_a_cold_one():
    warm, cold = kelvin(2700), kelvin(6500)
    assert warm[2] / warm[0] > 3 * cold[2] / cold[0]


def test_cameras_look_from_the_heights_wished_and_from_the_side_are_mostly_held_upright() -> None:
    rng = np.random.default_rng(3)
    wish = Wish(least_tilt=40, most_tilt=60)
    views = [random_view(wish, rng, 16.0) for _ in range(200)]
    assert all(40 <= view.tilt <= 60 for view in views)
    assert np.mean([abs(view.roll) < 20 for view in views]) > 0.9
    rolled = [abs(random_view(Wish(most_tilt=30), rng, 16.0).roll) for _ in range(200)]
    assert 0.15 < np.mean([roll > 20 for roll in rolled]) < 0.45


def test_litter_is_strewn_on_a_surface_and_covers_little_of_it():
    strewn = littered(GREEN, np.random.default_rng(2))
    changed = (strewn.picture != GREEN.picture).any(axis=2).mean()
    assert 0.0002 < changed < 0.05
    assert strewn.span == GREEN.span


@pytest.mark.parametrize(("apart", "state"), [(30.0, "flat"), (4.0, "stacked")])
def test_only_a_die_that_is_hidden_to_a_good_part_is_stacked(apart, state):
    """Dice that lie close hide a little of one another's sides, and are read well."""
    below = lying("5")
    above = Placed("pip", (apart, 0.0, 24.0), resting("pip", "3", 0.0, LOOK), LOOK)
    states = {label.face: label.state for label in seen(below, above)[1]}
    assert states == {"5": state, "3": "flat"}
