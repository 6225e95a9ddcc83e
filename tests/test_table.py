"""The table: seats, choices, undo, corrections, what the eye offers, and resuming after any stop."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from random import Random

import pytest

from companion.advice import BOTS, throw_dice
from companion.dice import Die
from companion.games.core import Chose
from companion.log import Log
from companion.table import Refused, Table
from companion.table.standing import FIRST
from companion.vision.reading import Reading, Sentence, Sight


def worms(faces: str) -> tuple[str, ...]:
    return tuple("worm:worm" if face == "w" else f"worm:{face}" for face in faces)


@pytest.fixture
def log(tmp_path):
    log = Log(tmp_path)
    yield log
    log.close()


@pytest.fixture
def table(log):
    table = Table(log, Random(1))
    table.open("regenwormen", {}, 3)
    table.join("Anna")
    table.join("Bram")
    return table


@pytest.fixture
def playing(table):
    table.start()
    return table


def sight(table: Table, faces: str, sure: bool = True) -> Sight:
    roll = tuple(map(Die.named, worms(faces)))
    doubts = () if sure else (Sentence("one die is not sure"),)
    reading = Reading(roll=roll if sure else None, doubts=doubts)
    number = table.due()[0]
    return Sight(number, moving=False, reading=reading, roll=roll if sure else None)


def test_joining_gives_the_next_seat(table):
    seat, player = table.join("Chris")
    assert seat == 2
    assert table.view().lobby.seat_of(player.id) == 2


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "a name has"),
        ("x" * 40, "a name has"),
        ("anna", "sits here already"),
        ("  ", "a name has"),
        ("\u200d", "a name has"),
        ("\ud800x", "cannot be shown"),
        ("x\x07", "cannot be shown"),
    ],
)
def test_names_that_cannot_be(table, name, sentence):
    with pytest.raises(Refused, match=sentence):
        table.join(name)
    with pytest.raises(Refused, match=sentence):
        table.rename(1, name)


def test_a_name_of_joined_signs_is_a_name(table):
    table.join("👩\u200d🚀 Zoë")
    assert table.view().lobby.players[2].name == "👩\u200d🚀 Zoë"


def test_a_full_table_is_said(table):
    table.join("Chris")
    with pytest.raises(Refused, match="the table is full: 3 seats"):
        table.join("Daan")


def test_an_unknown_game_or_option_is_said_and_nothing_changes(table):
    before = table.view().lobby
    with pytest.raises(Refused, match="there is no game “ludo”"):
        table.open("ludo", {})
    with pytest.raises(Refused, match="no option"):
        table.open("regenwormen", {"nonsense": True})
    with pytest.raises(Refused, match="2 to 7 players"):
        table.open("regenwormen", {}, 9)
    assert table.view().lobby == before


def test_too_few_players_cannot_start(log):
    table = Table(log)
    table.join("Anna")
    with pytest.raises(Refused, match="2 to 7 players"):
        table.start()
    assert table.view().phase == "lobby"


def test_nobody_joins_a_game_that_has_begun(playing):
    with pytest.raises(Refused, match="you can watch"):
        playing.join("Late")


def test_reordering_renaming_and_leaving(table):
    table.reorder((1, 0))
    table.rename(0, "Bart")
    assert [player.name for player in table.view().lobby.players] == ["Bart", "Anna"]
    with pytest.raises(Refused, match="sits here already"):
        table.rename(1, "bart")
    with pytest.raises(Refused, match="not an order"):
        table.reorder((0, 0))
    table.leave(0)
    assert [player.name for player in table.view().lobby.players] == ["Anna"]


def test_a_guest_plays_on_the_keepers_phone_and_leaves_with_it(table):
    anna = table.view().lobby.players[0]
    table.join("Opa", plays="guest", keeper=anna.id)
    assert table.view().lobby.hands_of(anna.id) == (0, 2)
    table.leave(0)
    assert [player.name for player in table.view().lobby.players] == ["Bram"]


def test_a_roll_and_a_choice(playing):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm", 0)
    assert playing.view().state.aside == (("worm", 3),)


def test_a_choice_that_is_not_legal_is_refused(playing):
    playing.roll(worms("www11123"))
    with pytest.raises(Refused, match="that cannot be chosen now"):
        playing.choose(0, "aside 5")
    with pytest.raises(Refused):
        playing.choose(1, "aside worm")


def test_a_double_tap_is_harmless_and_a_late_tap_is_said(playing):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm", 0)
    events = playing.view().events
    playing.choose(0, "aside worm", 0)
    assert playing.view().events == events
    with pytest.raises(Refused, match="too late"):
        playing.choose(0, "aside 1", 0)


def test_a_tap_sent_again_after_an_undo_does_nothing(playing):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm", 0)
    playing.undo(0)
    with pytest.raises(Refused, match="too late"):
        playing.choose(0, "aside worm", 0)


def test_a_tap_of_before_an_undo_is_late_though_the_same_was_chosen_earlier(playing):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm", 0)
    playing.roll(worms("11123"))
    playing.choose(0, "aside 1", 1)
    playing.undo(0, 2)
    with pytest.raises(Refused, match="too late"):
        playing.choose(0, "aside worm", 2)


def test_another_roll_for_a_throw_that_was_taken_is_said(playing):
    playing.roll(worms("www11123"), rolls_made=0)
    playing.roll(worms("11123www"), rolls_made=0)
    assert playing.view().rolls_made == 1
    with pytest.raises(Refused, match="other dice were taken"):
        playing.roll(worms("www11124"), rolls_made=0)


@pytest.mark.parametrize("undo", [Table.undo, Table.undo_all])
def test_an_undo_twice_is_harmless_and_a_late_one_is_said(playing, undo):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm", 0)
    with pytest.raises(Refused, match="too late"):
        undo(playing, 0, 0)
    for _ in range(2):
        undo(playing, 0, 1)
    assert len(playing.view().events) == 1 and playing.view().choices_made[0] == 2
    playing.choose(0, "aside 3", 2)
    with pytest.raises(Refused, match="too late"):
        undo(playing, 0, 2)
    with pytest.raises(Refused, match="too late"):
        undo(playing, 0, 1)


def test_a_wrong_roll_is_refused_with_what_is_due(playing):
    with pytest.raises(Refused, match="due are worm"):
        playing.roll(worms("www"))
    with pytest.raises(Refused, match="is no die"):
        playing.roll(("worm:6",) * 8)


def test_the_host_takes_back_everything_since(playing):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm")
    playing.undo_all(0)
    assert playing.view().state.lying
    with pytest.raises(Refused, match="nothing to take back"):
        playing.undo_all(1)


def test_correction_says_what_it_undid(playing):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside 3")
    assert [str(e.choice) for _, e in playing.undone_by(worms("www11122"))] == ["aside 3"]
    assert [str(e.choice) for _, e in playing.correct(worms("www11122"))] == ["aside 3"]
    assert playing.view().state.aside == ()


def test_confirm_takes_the_sure_roll(playing):
    playing.show(sight(playing, "www11123"))
    playing.confirm()
    assert len(playing.view().state.lying) == 8


def test_confirm_does_not_guess(playing):
    with pytest.raises(Refused, match="no roll has been read"):
        playing.confirm()
    playing.show(sight(playing, "www11123", sure=False))
    with pytest.raises(Refused, match="not sure yet"):
        playing.confirm()
    playing.roll(worms("www11123"))
    with pytest.raises(Refused, match="no throw is due"):
        playing.confirm()


def test_a_sight_of_an_earlier_throw_is_dropped(playing):
    old = sight(playing, "www11123")
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm")
    playing.show(old)
    assert playing.view().sight is None


def test_auto_confirm_takes_a_sure_roll_by_itself(playing):
    playing.auto_confirm = True
    playing.show(sight(playing, "www11123"))
    assert len(playing.view().state.lying) == 8


def test_a_new_throw_has_a_new_number(playing):
    first = playing.due()
    playing.roll(worms("www11123"))
    assert playing.due() is None
    playing.choose(0, "aside worm")
    assert playing.due()[0] > first[0]
    assert len(playing.due()[1].kinds) == 5


def test_holding_the_button_asks_whoever_chose_last(playing):
    with pytest.raises(Refused, match="nothing to take back"):
        playing.ask_undo()
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm")
    playing.ask_undo()
    assert playing.view().undo_asked == 0
    playing.undo(0)
    assert playing.view().undo_asked is None


def test_resume_after_any_stop(playing, log, tmp_path):
    playing.roll(worms("www11123"))
    playing.choose(0, "aside worm")
    playing.undo(0)
    playing.choose(0, "aside 3")
    playing.correct(worms("www11122"))
    before = playing.view()
    log.close()
    again_log = Log(tmp_path)
    after = Table(again_log).view()
    assert after.state == before.state
    assert after.events == before.events
    assert after.lobby == before.lobby
    assert after.choices_made == before.choices_made
    assert after.phase == "playing"
    again_log.close()


def test_a_game_put_away_can_be_taken_up(playing):
    playing.roll(worms("www11123"))
    first = playing.view()
    playing.put_away()
    assert playing.view().phase == "lobby"
    assert len(playing.view().lobby.players) == 2
    playing.take_up(first.game_id)
    assert playing.view().state == first.state
    with pytest.raises(Refused, match="no such game"):
        playing.take_up(99)


def test_a_bot_answers_by_itself_once_the_dice_have_fallen(table):
    table.join("Robo", plays="greedy")
    table.reorder((2, 0, 1))
    table.start()
    table.roll(worms("www11123"))
    view = table.view()
    assert not view.state.lying
    assert view.events[1].seat == 0


def test_a_seat_handed_to_a_bot_goes_on(playing):
    playing.roll(worms("www11123"))
    old = playing.view().lobby.players[0]
    playing.hand_over(0, "greedy")
    assert playing.view().state.aside
    assert playing.view().lobby.seat_of(old.id) is None
    assert playing.view().lobby.players[0].name == "Anna"


def test_bots_play_a_whole_game_and_rematch(log):
    chance = Random(3)
    table = Table(log, chance)
    table.open("regenwormen", {"short_game": True, "fail_without_tile": "turn"}, 2)
    table.join("Ro", plays="greedy")
    table.join("Bo", plays="random")
    table.start()
    with pytest.raises(Refused, match="not over yet"):
        table.rematch()
    while table.view().phase == "playing":
        kinds = table.due()[1].kinds
        table.roll(worms("".join(chance.choice("12345w") for _ in kinds)))
    assert table.view().state.outcome()
    table.rematch()
    assert table.view().phase == "playing"
    assert [player.name for player in table.view().lobby.players] == ["Ro", "Bo"]


def test_waiting_ends_when_the_table_changes(playing):
    seen = playing.view().version
    assert playing.wait(seen, timeout=0) == seen
    playing.roll(worms("www11123"))
    assert playing.wait(seen, timeout=0) > seen


def test_trouble_with_the_camera_is_told_once(playing):
    seen = playing.view().version
    playing.trouble(Sentence("the camera is gone"))
    playing.trouble(Sentence("the camera is gone"))
    assert playing.view().version == seen + 1
    playing.trouble(None)
    assert playing.view().trouble is None


def test_the_lamp_follows_the_throw(playing):
    assert playing.lamp() == "ready", "a throw is due, and nobody has thrown yet"
    number = playing.due()[0]
    playing.show(Sight(number, moving=True))
    assert playing.lamp() == "rolling"
    playing.show(Sight(number, moving=False))
    assert playing.lamp() == "ready", "it was only a hand"
    playing.show(sight(playing, "www11123", sure=False))
    assert playing.lamp() == "doubt"
    playing.show(sight(playing, "www11123"))
    assert playing.lamp() == "sure"
    playing.confirm()
    assert playing.lamp() == "ready"
    playing.trouble(Sentence("the camera is gone"))
    assert playing.lamp() == "error"


def test_a_game_taken_up_is_the_one_resumed_after_a_restart(playing, log):
    playing.roll(worms("33345www"))
    first = playing.view().game_id
    playing.put_away()
    playing.take_up(first)
    again = Table(log, Random(1))
    assert again.view().game_id == first and again.view().phase == "playing"
    again.put_away()
    assert Table(log, Random(1)).view().phase == "lobby"


def test_a_game_that_cannot_be_taken_up_leaves_the_table_as_it_was(playing, log):
    broken = playing.view().game_id
    playing.put_away()
    log.append(broken, "chose", 0, "aside 9")
    before = playing.view()
    with pytest.raises(Refused):
        playing.take_up(broken)
    assert playing.view() == before


@pytest.mark.parametrize(
    "wrong", [{"options": {"wind": True}}, {"key": "ludo"}, {"players": [{"name": 7}]}, {}]
)
def test_a_game_that_cannot_be_resumed_is_left_as_it_is_and_its_players_find_a_lobby(playing, log, wrong):
    broken = playing.view()
    lobby = broken.lobby.as_json() | wrong
    log.arrange(broken.game_id, lobby["key"], lobby, "playing")
    log.append(broken.game_id, "chose", 0, "aside 9")
    kept, lines = next(log.games()), log.lines(broken.game_id)
    again = Table(log, Random(1))
    now = again.view()
    assert now.phase == "lobby" and now.unread is not None and now.game_id != broken.game_id
    assert now.lobby == (broken.lobby if not wrong else replace(FIRST, players=now.lobby.players))
    assert now.lobby.players == (() if "players" in wrong else broken.lobby.players)
    assert kept in log.games() and log.lines(kept.id) == lines
    with pytest.raises(Refused):
        again.take_up(broken.game_id)
    assert Table(log, Random(1)).view().unread is None, "the next start finds the lobby"


def test_what_could_not_be_read_is_no_longer_said_once_a_game_has_begun(playing, log):
    log.append(playing.view().game_id, "undone", 0, "")
    again = Table(log, Random(1))
    assert "cannot be read" in str(again.view().unread)
    again.start()
    assert again.view().unread is None


def play_on(table, chance):
    """One more choice or roll."""
    state = table.view().state
    seat = next(iter(state.asked()), None)
    choice = BOTS["greedy"](state, seat, chance) if seat is not None else None
    if choice is not None:
        table.choose(seat, str(choice))
    else:
        table.roll(throw_dice(table.due()[1], chance))


def full_once(log, monkeypatch, name):
    """Let the disk be full the next time that this is to be written."""
    right = getattr(log, name)

    def full(*_):
        monkeypatch.setattr(log, name, right)
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(log, name, full)


@pytest.mark.parametrize("deed", ["put_away", "take_up"])
def test_a_game_that_could_not_be_laid_down_leaves_the_old_one_to_play_on(playing, log, monkeypatch, deed):
    other = playing.view().game_id
    playing.put_away()
    playing.start()
    playing.roll(worms("www11123"))
    before = playing.view()
    full_once(log, monkeypatch, "keep")
    with pytest.raises(sqlite3.OperationalError):
        playing.put_away() if deed == "put_away" else playing.take_up(other)
    assert playing.view() == before
    playing.choose(0, "aside worm")
    now, again = playing.view(), Table(log, Random(1)).view()
    assert (again.game_id, again.lobby, again.events) == (now.game_id, now.lobby, now.events)
    assert len(now.events) == 2 and len(playing.games()) == 2


def test_a_game_whose_start_could_not_be_written_has_not_begun(table, log, monkeypatch):
    before = table.view()
    full_once(log, monkeypatch, "arrange")
    with pytest.raises(sqlite3.OperationalError):
        table.start()
    assert table.view() == before
    with pytest.raises(Refused, match="no game is being played"):
        table.roll(worms("www11123"))
    table.start()
    table.roll(worms("www11123"))
    assert Table(log, Random(1)).view().events == table.view().events != ()


def test_a_last_choice_that_could_not_be_written_whole_does_not_count(log, monkeypatch):
    table, chance = Table(log, Random(3)), Random(3)
    table.open("clever", {}, 1)
    table.join("Anna")
    table.start()
    full_once(log, monkeypatch, "arrange")
    failed = 0
    while table.view().phase == "playing":
        before = table.view()
        try:
            play_on(table, chance)
        except sqlite3.OperationalError:
            failed += 1
            assert table.view() == before
    assert failed == 1
    assert Table(log, Random(1)).view().events == table.view().events


def test_a_bot_that_was_asked_when_the_power_went_answers_after_the_restart(table, log):
    table.join("Bip", plays="greedy")
    table.change("regenwormen", {"start_player": 2})
    table.start()
    log.append(table.view().game_id, "rolled", None, " ".join(worms("33345www")))
    again = Table(log, Random(1))
    assert again.view().choices_made[2] == 1


def test_a_bot_thinks_again_after_a_host_has_taken_its_choice_back(table):
    table.join("Bip", plays="greedy")
    table.change("regenwormen", {"start_player": 2})
    table.start()
    table.roll(worms("33345www"))
    table.undo_all(2)
    assert len(table.view().events) == 2, "the roll, and the bot's new choice"


def test_the_buttons_question_does_not_outlive_its_game(playing):
    playing.roll(worms("33345www"))
    playing.choose(0, "aside 3")
    playing.ask_undo()
    playing.put_away()
    assert playing.view().undo_asked is None


def test_a_corrected_roll_keeps_which_die_lay_nearest(log):
    table = Table(log, Random(1))
    table.open("clever", {}, 1)
    table.join("Anna")
    table.start()
    dice = ("blue:1", "white:2", "yellow:3", "green:4", "orange:5", "purple:6")
    table.roll(dice, nearest_first=True)
    table.correct(("blue:2", *dice[1:]))
    assert table.view().events[-1].nearest_first
    table.correct(tuple(reversed(dice)))
    assert not table.view().events[-1].nearest_first


def test_phones_that_joined_anew_have_their_old_seats_back(playing):
    playing.roll(worms("www11123"))
    first = playing.view()
    playing.open("clever", {})
    _, anew = playing.join("anna")
    playing.join("Doris")
    playing.take_up(first.game_id)
    lobby = playing.view().lobby
    assert lobby.seat_of(anew.id) == 0
    assert [player.name for player in lobby.players] == ["Anna", "Bram"]
    assert lobby.players[1] == first.lobby.players[1]


def test_the_guest_of_a_phone_that_joined_anew_goes_with_it(log):
    table = Table(log, Random(1))
    table.open("regenwormen", {})
    _, anna = table.join("Anna")
    table.join("Opa", "guest", anna.id)
    table.start()
    first = table.view().game_id
    table.open("clever", {})
    _, anew = table.join("Anna")
    table.take_up(first)
    assert table.view().lobby.hands_of(anew.id) == (0, 1)
    assert Table(log).view().lobby.hands_of(anew.id) == (0, 1), "also after a restart"


def test_nobody_gets_two_seats_by_another_name(playing):
    first = playing.view()
    playing.put_away()
    playing.leave(1)
    playing.rename(0, "Bram")
    playing.take_up(first.game_id)
    assert playing.view().lobby == first.lobby


def test_a_newcomer_takes_the_seat_of_somebody_who_left(playing):
    with pytest.raises(Refused, match="not free"):
        playing.claim(1)
    playing.hand_over(1, "greedy", free=True)
    with pytest.raises(Refused, match="sits here already"):
        playing.claim(1, "Anna")
    doris = playing.claim(1, "Doris")
    lobby = playing.view().lobby
    assert lobby.seat_of(doris.id) == 1 and lobby.players[1].name == "Doris"
    assert not lobby.players[1].is_bot and not lobby.players[1].free
    with pytest.raises(Refused, match="not free"):
        playing.claim(1, "Erik")


def test_other_options_keep_the_number_of_seats(log):
    table = Table(log, Random(1))
    table.open("regenwormen", {}, 3)
    table.change("regenwormen", {"short_game": True})
    assert table.view().lobby.capacity == 3
    table.change("clever", {})
    assert table.view().lobby.capacity == 4


def test_somebody_who_left_sits_down_again_for_the_next_game(playing):
    playing.hand_over(1, "greedy", free=True)
    playing.put_away()
    seat, bram = playing.join("bram")
    assert seat == 1 and playing.view().lobby.players == (playing.view().lobby.players[0], bram)
    with pytest.raises(Refused, match="sits here already"):
        playing.join("Bram")


def answered_by(plays, log):
    """A table on which Anna has picked in Clever until the other seat has built on it."""
    table = Table(log, Random(1))
    table.join("Anna")
    table.join("Bip", plays=plays)
    table.change("clever", {})
    table.start()
    while True:
        view = table.view()
        if view.due:
            table.roll(throw_dice(view.due[1], Random(3)))
        elif 0 in view.state.asked():
            table.choose(0, str(view.state.legal(0)[0]))
        else:
            table.choose(1, str(view.state.legal(1)[0]))
        last = table.view().events[-1]
        if isinstance(last, Chose) and last.seat == 1:
            return table


def test_what_only_bots_built_on_a_choice_falls_with_it(log):
    table = answered_by("greedy", log)
    own = [event for event in table.view().events if isinstance(event, Chose) and event.seat == 0]
    table.undo(0)
    events = table.view().events
    assert [event for event in events if isinstance(event, Chose) and event.seat == 0] == own[:-1]
    assert 0 in table.view().state.asked()
    assert Table(log, Random(1)).view().state == table.view().state, "and so it is after a restart"


def test_what_another_player_built_on_a_choice_stays(log):
    table = answered_by("phone", log)
    before = table.view()
    with pytest.raises(Refused, match="built on that choice"):
        table.undo(0)
    assert table.view().events == before.events


def test_holding_the_button_after_a_bot_chose_asks_the_player_before_it(log):
    table = answered_by("greedy", log)
    table.ask_undo()
    assert table.view().undo_asked == 0
    table.undo(0)
    assert 0 in table.view().state.asked()


def test_holding_the_button_when_only_a_bot_has_chosen_asks_nobody(log):
    table = answered_by("greedy", log)
    table.hand_over(0, "greedy")
    with pytest.raises(Refused, match="nothing to take back"):
        table.ask_undo()
    assert table.view().undo_asked is None
