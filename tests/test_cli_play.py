"""`companion play`, and how the command line answers a mistake."""

from __future__ import annotations

import json

import pytest

from companion.cli import main
from companion.games import GAMES


def lines(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("key", GAMES)
def test_every_game_with_every_number_of_players(key, capsys):
    for seats in GAMES[key].seats:
        bots = ",".join(["random"] * seats)
        assert main(["play", "--game", key, "--bots", bots, "--games", "2", "--seed", "1", "--json"]) == 0
        played = lines(capsys)
        assert [line["seed"] for line in played] == [1, 2]
        for line in played:
            assert list(line) == ["game", "seed", "scores", "winners", "events"]
            assert line["game"] == key
            assert len(line["scores"]) == seats
            assert line["winners"]
            assert line["events"] > 0


def test_the_same_seed_plays_the_same_game(capsys):
    for _ in range(2):
        main(["play", "--game", "geizen", "--bots", "random,greedy", "--games", "3", "--seed", "5", "--json"])
    played = lines(capsys)
    assert played[:3] == played[3:]


def test_options_are_taken(capsys):
    command = ["play", "--game", "regenwormen", "--bots", "random,random", "--games", "5", "--json"]
    main([*command, "--option", "short_game=on", "--option", "fail_without_tile=turn"])
    short = sum(line["events"] for line in lines(capsys))
    main(command)
    assert short < sum(line["events"] for line in lines(capsys))


def test_show_draws_the_states(capsys):
    assert main(["play", "--game", "regenwormen", "--bots", "greedy,greedy", "--show"]) == 0
    assert "worms" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "ludo", "--bots", "random"], "there is no game “ludo”: choose from"),
        (["--game", "regenwormen", "--bots", "random"], "is for 2 to 7 players, not 1"),
        (["--game", "regenwormen", "--bots", "clever,random"], "there is no bot “clever”"),
        (["--game", "clever", "--bots", "random", "--option", "x=on"], "has no option “x”"),
        (
            ["--game", "clever", "--bots", "random", "--option", "wasted_pick"],
            "write an option as NAME=VALUE",
        ),
        (["--game", "clever", "--bots", "random", "--option", "wasted_pick=7"], "is on or off"),
        (["--game", "clever", "--bots", "random", "--option", "start_player=x"], "is a number"),
        (["--game", "clever", "--bots", "random", "--option", "start_player=--1"], "is a number"),
        (["--game", "clever", "--bots", "random", "--option", "start_player=²"], "is a number"),
        (["--game", "clever", "--bots", "random", "--games", "0"], "--games must be 1 or more"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_2(arguments, sentence, capsys):
    assert main(["play", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in told.err
    assert told.err.count("\n") == 1
