"""Nothing but frames reaches the eye: the tray's frames, saved as files, give the very same rolls."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.cli import main
from companion.dice import Throw
from companion.vision.gaze import Gaze
from companion.vision.reader import Reader
from companion.vision.tray import Tray
from companion.vision.watch import Trusted
from tests.test_tray import Clock, shot

DUE = ("worm",) * 5


def test_saved_frames_give_the_same_rolls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    camera = Tray("green felt", 33, clock, clock.sleep, haste=4.0)
    gaze = Gaze(Reader())
    gaze.expect(Throw(0, DUE))
    told: list[dict[str, object]] = []
    thrown: list[list[str]] = []
    count = 0

    def look(frames: int) -> None:
        nonlocal count
        for _ in range(frames):
            frame = shot(camera)
            cv2.imwrite(str(tmp_path / f"{count:04}.png"), frame.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            seen = gaze.see(frame)
            if isinstance(seen, Trusted):
                roll = [str(die) for die in seen.roll]
                told.append({"frame": count, "roll": roll, "confidence": round(seen.confidence, 4)})
            count += 1

    look(4)
    for _ in range(2):
        camera.throw(DUE)
        thrown.append(sorted(map(str, camera.lies)))
        look(15)
    assert main(["watch", "--game", "regenwormen", "--dice", ",".join(DUE), "--json", str(tmp_path)]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == told
    assert [sorted(map(str, line["roll"])) for line in told] == thrown  # type: ignore[call-overload]
