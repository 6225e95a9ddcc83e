"""The benchmark runs to its end and names every speed; how fast it is here is nobody's business in a test."""

from __future__ import annotations

import json

import pytest

from companion.cli import main


def test_the_benchmark_tells_all_speeds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It waited in vain for phones once versions named the addresses, too, and nobody noticed."""
    monkeypatch.setattr("companion.cli.bench.EVENTS", 50)
    monkeypatch.setattr("companion.cli.bench.PHONES", 2)
    monkeypatch.setattr("companion.cli.bench.ROUNDS", 3)
    monkeypatch.setattr("companion.web.speed.GIVE_UP_S", 10.0)
    assert main(["bench", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["events_per_second"]) == 5
    assert 0 < told["phones"]["median_ms"] <= told["phones"]["worst_ms"]
    eye = told["eye"]
    assert eye["ratio"] == pytest.approx(eye["picture_to_roll_ms"] / eye["comparison_ms"], rel=0.05)
    assert {"movement_gate_ms", "idle_share_of_a_core", "simulated_frame_ms"} <= eye.keys()
