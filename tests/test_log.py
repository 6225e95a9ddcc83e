"""The log: what is written is there after any stop, and a bad folder is said in a sentence."""

from __future__ import annotations

import pytest

from companion.log import Log, StateUnusable


def test_lines_come_back_in_order_after_reopening(tmp_path):
    ticks = iter(range(100))
    log = Log(tmp_path, clock=lambda: float(next(ticks)))
    game = log.begin("regenwormen", {"players": []})
    log.append(game, "rolled", None, "worm:1")
    log.append(game, "chose", 0, "aside 1")
    log.close()
    again = Log(tmp_path)
    assert [(line.kind, line.seat, line.text) for line in again.lines(game)] == [
        ("rolled", None, "worm:1"),
        ("chose", 0, "aside 1"),
    ]
    assert next(again.games()).lobby == {"players": []}
    again.close()


def test_the_disk_is_asked_to_be_safe(tmp_path):
    log = Log(tmp_path)
    assert log._do("PRAGMA journal_mode", ()) == [("wal",)]
    assert log._do("PRAGMA synchronous", ()) == [(2,)]
    log.close()


def test_games_do_not_mix_and_the_newest_comes_first(tmp_path):
    log = Log(tmp_path)
    first, second = log.begin("clever", {}), log.begin("geizen", {})
    log.append(first, "rolled", None, "x")
    log.append(second, "rolled", None, "y")
    assert [line.text for line in log.lines(first)] == ["x"]
    assert [game.id for game in log.games()] == [second, first]
    log.close()


def test_what_belongs_together_is_written_whole_or_not_at_all(tmp_path):
    log = Log(tmp_path)
    with pytest.raises(RuntimeError), log.together():
        log.begin("clever", {})
        raise RuntimeError("the power went")
    assert list(log.games()) == []
    with log.together():
        log.keep("on_table", str(log.begin("clever", {})))
    log.close()
    log = Log(tmp_path)
    assert [str(game.id) for game in log.games()] == [log.kept("on_table")]
    log.close()


def test_kept_values_and_the_secret_stay(tmp_path):
    log = Log(tmp_path)
    secret = log.secret()
    log.keep("pin", "1234")
    log.keep("pin", "4321")
    log.close()
    again = Log(tmp_path)
    assert (again.secret(), again.kept("pin"), again.kept("nothing", "x")) == (secret, "4321", "x")
    again.close()


def test_a_second_program_on_the_same_folder_is_refused(tmp_path):
    log = Log(tmp_path)
    with pytest.raises(StateUnusable, match="another companion is using"):
        Log(tmp_path)
    log.close()


def test_a_broken_file_is_said_and_left_alone(tmp_path):
    (tmp_path / "companion.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(StateUnusable, match=r"cannot be read.*move that file away"):
        Log(tmp_path)
    assert (tmp_path / "companion.db").read_bytes().startswith(b"no database")


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StateUnusable, match="cannot be written"):
        Log(tmp_path / "file" / "state")
