from __future__ import annotations

import numpy as np
import pytest

from companion.vision.detector import Find
from companion.vision.faces import BODIES, FACES, INKS, Glance, log_chances
from companion.vision.judge import Seen
from companion.vision.train.leaning import Measured, measured, noise, told

FACE = [[100.0, 100.0], [160.0, 100.0], [160.0, 150.0], [100.0, 150.0]]


def truth(**how: object) -> dict[str, object]:
    return {"box": [98, 98, 64, 74], "top_face": FACE, "state": "flat", "visible": 1.0, "tilt_deg": 0.0} | how


def seen(lift: tuple[float, float], face: str = "3") -> Seen:
    scores = np.where(np.array(FACES) == face, 9.0, 0.0).astype(np.float32)
    glance = Glance(log_chances(scores), *(np.zeros(len(names), np.float32) for names in (BODIES, INKS)))
    box = np.array([98, 98, 162, 172], np.float32)
    return Seen(Find(0.9, box, np.array(FACE, np.float32), np.zeros(4, np.float32), lift), glance, 2.5)


def die(tilt: float = 0.0, odd: float = 1.0, edge: float = 60.0) -> Measured:
    return Measured(tilt, edge, edge, (0.0, 0.0), (0.0, 0.0), odd, 0.0)


def test_errors_are_measured_on_whole_dice_with_a_face() -> None:
    edge = np.sqrt(60 * 50)
    (one,) = measured([seen((0.1, -10 / edge))], [truth(tilt_deg=20.0)])
    assert (one.tilt, one.odd, one.edge) == (20.0, 2.5, pytest.approx(edge))
    assert one.lift_error == pytest.approx((0.1, 0.0), abs=1e-6)
    assert one.shape_error == pytest.approx((0.0, 0.0), abs=1e-6)
    assert measured([seen((0, 0))], [truth(state="cut_off")]) == []
    assert measured([seen((0, 0))], [truth(visible=0.8)]) == []
    assert measured([seen((0, 0), "none")], [truth()]) == []


def test_noise_is_found_again_from_errors() -> None:
    chance = np.random.default_rng(1)
    edges = chance.uniform(25, 90, 6000)
    errors = chance.normal(size=(6000, 2)) * np.hypot(0.03, 1.5 / edges)[:, None]
    pairs = [(float(x), float(y)) for x, y in errors]
    assert noise([die(edge=edge) for edge in edges], pairs) == pytest.approx((0.03, 1.5), rel=0.2)


def test_the_suggested_limit_lets_hardly_a_flat_die_be_called_cocked() -> None:
    flat = [die(odd=i / 1000, edge=40.0 + i % 30) for i in range(1000)]
    words = told([*flat, *(die(20.0, 0.9) for _ in range(3)), die(20.0, 5.0), die(30.0, 5.0)])
    (line,) = [line for line in words if "suggested ODD" in line]
    assert line.split() == ["0.97:", "2.5", "%", "none", "25.0", "%", "100.0", "%", "(suggested", "ODD)"]
