"""The pages around the game: lobby, host, rules, history, the end, and what to do when something is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.advice import BOTS, throw_dice
from companion.games import GAMES
from companion.games.core import Chose, Outcome
from companion.games.dicy_cards.cards import read
from companion.games.geizen.board import PRINTED, Board
from companion.table import Table
from companion.web.ending import breakdown, tie_words
from tests.web.rig import PIN, Dice, room_of, sight_of


class Room:
    """A table, its app, and phones that come in."""

    def __init__(self, folder: Path) -> None:
        self.log, self.table, self.dice, self.app = room_of(folder)

    def phone(self, name: str = "") -> FlaskClient:
        phone = self.app.test_client()
        phone.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
        if name:
            phone.post("/join", data={"name": name})
        return phone

    def host(self) -> FlaskClient:
        phone = self.phone()
        phone.post("/host", data={"pin": PIN})
        return phone

    def names(self) -> list[str]:
        return [player.name for player in self.table.view().lobby.players]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.log.close()


def play_out(table: Table, most: int, seed: int = 5) -> None:
    chance = Random(seed)
    for _ in range(most):
        now = table.view()
        if now.phase != "playing":
            return
        assert now.state is not None
        seat = next(iter(sorted(now.state.asked())), None)
        choice = BOTS["random"](now.state, seat, chance) if seat is not None else None
        if choice is not None and seat is not None:
            table.choose(seat, str(choice))
        else:
            assert now.due is not None
            table.roll(throw_dice(now.due[1], chance))


def text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def app_of(room: Room) -> Flask:
    return room.app


# ---- rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("language", ["nl", "en"])
def test_every_game_has_its_rules_page(room: Room, key: str, language: str) -> None:
    answer = room.phone().get(f"/rules?game={key}", headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert f"<h1>{GAMES[key].title}</h1>" in answer.text
    assert '<article class="rules"' in answer.text


def test_the_rules_speak_of_the_options_on_the_table(room: Room) -> None:
    anna = room.phone("Anna")
    anna.post("/lobby/game", data={"game": "regenwormen", "option.short_game": "on"})
    page = text(anna.get("/rules").text)
    assert "(default: off: a tile just given back stays open)" in page
    assert "given back" not in text(anna.get("/rules?game=clever").text)


# ---- the lobby --------------------------------------------------------------------------------


def test_seats_are_dragged_into_another_order_and_the_starter_stays_the_same_person(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    room.phone("Chris")
    anna.post("/lobby/game", data={"game": "clever", "option.start_player": "1"})
    anna.post("/lobby/order", data={"order": "0,2,1"})
    assert room.names() == ["Anna", "Chris", "Bram"]
    assert room.table.view().lobby.options["start_player"] == 2
    assert anna.post("/lobby/order", data={"order": "0,0,1"}, headers={"X-Fragment": "y"}).status_code == 409
    assert anna.post("/lobby/order", data={"order": "a"}, headers={"X-Fragment": "y"}).status_code == 400


def test_the_starter_who_leaves_begins_no_more(room: Room) -> None:
    anna = room.phone("Anna")
    bram = room.phone("Bram")
    anna.post("/lobby/game", data={"game": "clever", "option.start_player": "1"})
    bram.post("/lobby/leave", data={"seat": "1"})
    assert "start_player" not in room.table.view().lobby.options


def test_lots_are_drawn_for_who_begins(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    drawn = set()
    for _ in range(40):
        anna.post("/lobby/lots")
        drawn.add(room.table.view().lobby.options["start_player"])
    assert drawn == {0, 1}


def test_a_bot_gets_a_name_and_a_guest_sits_on_somebodys_phone(room: Room) -> None:
    anna = room.phone("Anna")
    bram = room.phone("Bram")
    anna.post("/lobby/add", data={"plays": "greedy", "name": ""})
    anna.post("/lobby/add", data={"plays": "guest", "name": "Opa", "keeper": "1"})
    bot, guest = room.table.view().lobby.players[2:]
    assert bot.is_bot
    assert bot.name
    assert guest.keeper == room.table.view().lobby.players[1].id
    refused = bram.post(
        "/lobby/add", data={"plays": "guest", "name": "Oma", "keeper": "0"}, headers={"X-Fragment": "y"}
    )
    assert refused.status_code == 403


def test_cards_are_drawn_chosen_and_kept(room: Room) -> None:
    anna = room.phone("Anna")
    anna.post("/lobby/cards", data={"how": "draw"})
    now = room.table.view().lobby
    assert now.key == "dicy_cards"
    assert len(read(str(now.options["cards"]))) == 5
    anna.post("/lobby/cards", data={"how": "own", "card": ["12", "1", "4", "5", "9"]})
    assert room.table.view().lobby.options["cards"] == "1,4,5,9,12"
    wrong = anna.post("/lobby/cards", data={"how": "own", "card": ["12", "1"]})
    assert wrong.status_code == 400
    assert "a set is 5 cards, not 2" in wrong.text
    typed = anna.post("/lobby/cards", data={"how": "keep", "B": "1 2 3 4", "C": "", "D": ""})
    assert "B: a set is 5 cards, not 4" in typed.text
    assert 'value="1 2 3 4"' in typed.text
    anna.post("/lobby/cards", data={"how": "keep", "B": "2 3 4 6 12", "C": "", "D": ""})
    assert "Set B" in anna.get("/seat").text
    anna.post("/lobby/cards", data={"how": "set", "letter": "B"})
    assert room.table.view().lobby.options["cards"] == "2,3,4,6,12"


def test_the_board_is_kept_for_the_next_game_and_mistakes_name_their_line(room: Room) -> None:
    anna = room.phone("Anna")
    page = anna.get("/lobby/board").text
    assert "[column.1]" in page
    own = PRINTED.to_toml().replace("arrow = 3", "arrow = 4")
    wrong = anna.post("/lobby/board", data={"board": own.replace("arrow = 4", "arrow = 40"), "how": "keep"})
    assert wrong.status_code == 400
    assert "line 29: column 5: arrow is 1 to 9, not 40" in wrong.text
    assert "arrow = 40" in wrong.text, "what was typed must not be lost"
    dutch = anna.post(
        "/lobby/board",
        data={"board": "chips = 0\n" + own.replace("chips = 130", "")},
        headers={"Accept-Language": "nl"},
    )
    assert "regel 1: een spel heeft 1 tot 999 fiches, niet 0" in dutch.text
    anna.post("/lobby/board", data={"board": own, "how": "keep"})
    assert room.table.view().lobby.key == "geizen"
    anna.post("/lobby/game", data={"game": "clever"})
    anna.post("/lobby/game", data={"game": "geizen"})
    assert Board.read(str(room.table.view().lobby.options["board"])) == Board.from_toml(own)
    anna.post("/lobby/board", data={"board": own, "how": "printed"})
    assert "board" not in room.table.view().lobby.options


def test_a_second_tap_on_the_chosen_game_keeps_its_options(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    own = PRINTED.to_toml().replace("arrow = 3", "arrow = 4")
    anna.post("/lobby/board", data={"board": own, "how": "keep"})
    room.table.keep("geizen.board", "")  # a board that only this game has
    anna.post("/lobby/game", data={"game": "geizen", "option.start_player": "1"})
    options = room.table.view().lobby.options
    assert set(options) >= {"board", "start_player"}
    anna.post("/lobby/game", data={"game": "geizen"})
    assert room.table.view().lobby.options == options


def test_an_option_that_was_turned_on_is_turned_off_again(room: Room) -> None:
    anna = room.phone("Anna")
    for word, value in (("on", True), ("off", False)):
        anna.post("/lobby/game", data={"game": "regenwormen", "option.short_game": word})
        assert room.table.view().lobby.options["short_game"] is value


def test_a_late_comer_is_told_to_watch(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram")
    anna.post("/lobby/start")
    assert "You can watch" in room.phone().get("/").text


# ---- the host ---------------------------------------------------------------------------------


def seated(room: Room, key: str = "regenwormen") -> tuple[FlaskClient, FlaskClient]:
    anna, bram = room.phone("Anna"), room.phone("Bram")
    anna.post("/lobby/game", data={"game": key})
    anna.post("/lobby/start")
    assert room.table.view().phase == "playing"
    return anna, bram


def test_a_seat_goes_to_a_new_phone_by_a_link(room: Room) -> None:
    _, bram = seated(room)
    host = room.host()
    shown = host.post("/lobby/hand_over", data={"seat": "1", "plays": "phone"}, follow_redirects=True).text
    link = re.search(r'href="[^"]*(/take/[^"]+)"', shown)
    assert link
    assert bram.get("/seat").status_code == 303, "the old phone's token has lapsed"
    new = room.phone()
    assert "Go on for Bram?" in new.get(link[1]).text
    assert new.get("/seat").status_code == 303, "looking at the link takes nothing"
    new.post(link[1])
    assert "Bram" in new.get("/seat").text
    host.post("/lobby/hand_over", data={"seat": "1", "plays": "phone"})
    assert new.get(link[1]).status_code == 404


def test_who_never_heard_of_the_own_seat_is_told_how_to_get_it(room: Room) -> None:
    room.phone("Anna")  # the answer with the cookie is lost
    anna = room.phone()
    said = anna.post("/join", data={"name": "Anna"}, follow_redirects=True).text
    assert "if that is you, let the host (PIN on the table screen) hand the seat to this phone" in said
    anna.post("/host", data={"pin": PIN})
    page = anna.post("/lobby/hand_over", data={"seat": "0", "plays": "phone"}, follow_redirects=True).text
    link = re.search(r"/take/[^\"]+", page)
    assert link
    anna.post(link[0])
    assert room.names() == ["Anna"] and anna.get("/seat").status_code == 200


def test_a_seat_goes_to_a_guest_or_a_bot_and_guests_go_along(room: Room) -> None:
    anna = room.phone("Anna")
    room.phone("Bram").post("/lobby/add", data={"plays": "guest", "name": "Opa"})
    anna.post("/lobby/start")
    host = room.host()
    host.post("/lobby/hand_over", data={"seat": "1", "plays": "guest.0"})
    players = room.table.view().lobby.players
    assert players[1].keeper == players[2].keeper == players[0].id
    host.post("/lobby/hand_over", data={"seat": "2", "plays": "random"})
    assert room.table.view().lobby.players[2].is_bot


def test_a_newcomer_takes_the_seat_of_somebody_who_left(room: Room) -> None:
    _, bram = seated(room)
    late = room.phone()
    assert "/claim" not in late.get("/").text
    bram.post("/lobby/step_out", data={"seat": "1"})
    assert "The seat of Bram is free" in late.get("/").text
    assert "free: a bot goes on" in room.host().get("/host").text
    late.post("/claim", data={"seat": "1", "name": "Doris"})
    assert room.names() == ["Anna", "Doris"]
    assert "Doris" in late.get("/seat").text
    other = room.phone()
    said = other.post("/claim", data={"seat": "1", "back": "home"}, follow_redirects=True).text
    assert "That seat is not free any more" in said


def test_the_host_frees_a_seat(room: Room) -> None:
    _, bram = seated(room)
    room.host().post("/lobby/hand_over", data={"seat": "1", "plays": "free"})
    assert bram.get("/seat").status_code == 303
    bram.post("/claim", data={"seat": "1"})
    assert room.names() == ["Anna", "Bram"] and bram.get("/seat").status_code == 200


def test_the_host_answers_for_a_seat_that_is_left(room: Room) -> None:
    seated(room)
    host = room.host()
    assert host.get("/seat").status_code == 303
    host.post("/lobby/stand_in", data={"seat": "0", "on": "on"})
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    page = host.get("/seat").text
    assert 'data-choice="aside 3"' in page
    host.post("/play/choose", data={"seat": "0", "choice": "aside 3"})
    assert room.table.view().choices_made[0] == 1
    host.post("/lobby/stand_in", data={"seat": "0", "on": "off"})
    assert host.get("/seat").status_code == 303
    anna = room.phone()
    anna.set_cookie("companion_for", "0")
    assert anna.get("/seat").status_code == 303, "only the host may stand in"


def test_who_steps_out_is_followed_by_a_bot(room: Room) -> None:
    anna, _ = seated(room)
    assert "Leave the game" in anna.get("/trouble").text
    anna.post("/lobby/step_out", data={"seat": "0"})
    assert room.table.view().lobby.players[0].is_bot
    assert anna.get("/seat").status_code == 303


def test_the_seats_of_guests_are_free_too_when_their_phone_leaves(room: Room) -> None:
    anna, bram = room.phone("Anna"), room.phone("Bram")
    bram.post("/lobby/add", data={"name": "Opa", "plays": "guest"})
    anna.post("/lobby/start")
    assert "for the guests on this phone" in bram.get("/trouble").text
    assert "for the guests on this phone" not in anna.get("/trouble").text
    bram.post("/lobby/step_out", data={"seat": "1"})
    late = room.phone()
    assert "The seat of Opa is free" in late.get("/").text
    late.post("/claim", data={"seat": "2"})
    assert "Opa" in late.get("/seat").text and not room.table.view().lobby.players[2].is_bot
    assert room.table.view().lobby.players[1].free


def test_a_game_is_put_away_another_begun_and_the_first_taken_up(room: Room) -> None:
    seated(room)
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    first = room.table.view()
    host = room.host()
    host.post("/lobby/put_away")
    assert room.table.view().phase == "lobby"
    assert room.names() == ["Anna", "Bram"]
    page = host.get("/host").text
    assert "Take up again" in page
    host.post("/lobby/take_up", data={"game": str(first.game_id)})
    assert room.table.view().state == first.state


@pytest.mark.parametrize("onward", ["/lobby/next_game", "/play/rematch"])
def test_a_finished_game_is_looked_at_and_corrected_after_another_was_begun(room: Room, onward: str) -> None:
    anna, _ = seated(room)
    play_out(room.table, 5000)
    over = room.table.view()
    assert over.phase == "over"
    host = room.host()
    assert "Finished" not in host.get("/host").text, "the one on the table is none to go back to"
    anna.post(onward)
    page = host.get("/host").text
    assert "Finished: look at them again" in page and f'name="game" value="{over.game_id}"' in page
    host.post("/lobby/take_up", data={"game": str(over.game_id)})
    assert room.table.view().state == over.state
    assert 'data-part="result"' in anna.get("/seat").text and anna.get("/sheets").status_code == 200
    assert "/play/rematch" in anna.get("/seat").text
    room.table.correct(over.last_roll)
    assert room.table.view().state == over.state


def test_the_host_takes_back_everything_since(room: Room) -> None:
    anna, _ = seated(room)
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    anna.post("/play/choose", data={"choice": "aside 3"})
    room.host().post("/lobby/undo_all", data={"seat": "0"})
    assert "aside 3" in map(str, room.table.view().state.legal(0))  # type: ignore[union-attr]


# ---- history and the end ----------------------------------------------------------------------


def test_the_history_strikes_what_no_longer_stands(room: Room) -> None:
    anna, _ = seated(room)
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    room.table.choose(0, "aside 3")
    room.table.undo(0)
    room.table.choose(0, "aside 5")
    room.table.correct(("worm:3",) * 3 + ("worm:4",) * 5)
    page = anna.get("/history").text
    lines = re.findall(r'<li class="told-(\w+)( gone)?">', page)
    assert lines == [
        ("corrected", ""),
        ("chose", " gone"),
        ("undone", ""),
        ("chose", " gone"),
        ("rolled", " gone"),
    ]
    assert re.search(r"<time>\d\d:\d\d</time>", page)
    assert "Anna" in page


def test_what_a_correction_takes_back_is_told_with_its_dice(room: Room) -> None:
    anna, _ = seated(room)
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    room.table.choose(0, "aside 3")
    answer = anna.post("/api/correct", json={"dice": ["worm:4"] * 8})
    assert answer.status_code == 200
    (undid,) = answer.json["undid"]
    assert re.fullmatch(r"Anna: set aside 4 × .*3", undid)


def test_the_table_screen_says_whose_sheet_it_shows_and_addresses_nobody(room: Room) -> None:
    anna, bram = seated(room, "keer_op_keer_2")
    while not getattr(room.table.view().state, "taken", ()):
        play_out(room.table, 1)
    active = room.table.view().threw
    page = room.phone().get("/table").text
    assert f"The sheet of {room.names()[active or 0]}" in page
    assert "You have taken:" not in page
    assert "You have taken:" in (anna, bram)[active or 0].get("/seat").text


def test_the_way_to_the_history_is_there_before_the_game_has_begun(room: Room) -> None:
    """The foot of a page is not drawn anew when the game begins."""
    anna = room.phone("Anna")
    assert 'href="/history"' in anna.get("/", follow_redirects=True).text
    assert anna.get("/history").status_code == 200


def meanwhile(phone: FlaskClient) -> list[str]:
    (part,) = re.findall(r'<ul class="meanwhile"[^>]*>(.*?)</ul>', phone.get("/seat").text, re.DOTALL)
    return [told.strip() for told in re.findall(r"<li>(.*?)</li>", part, re.DOTALL)]


def test_what_the_others_chose_stands_above_ones_own_sheet(room: Room) -> None:
    anna, bram = seated(room)
    assert meanwhile(bram) == []
    room.table.roll(("worm:3",) * 4 + ("worm:5",) * 4)
    room.table.choose(0, "aside 3")
    assert len(told := meanwhile(bram)) == 1 and "Anna" in told[0] and "3" in told[0]
    assert meanwhile(anna) == [], "one's own choice is no news"
    room.table.undo(0)
    assert meanwhile(bram) == [], "what was taken back is none either"


def test_the_last_two_choices_since_ones_own_are_told(room: Room) -> None:
    anna, bram = room.phone("Anna"), room.phone("Bram")
    for name in ("Chris", "Dirk"):
        room.table.join(name)
    room.table.change("keer_op_keer_2", {})
    room.table.start()
    due = room.table.view().due
    assert due is not None
    room.table.roll(throw_dice(due[1], Random(1)))
    seen = {}
    for seat in range(4):
        room.table.choose(seat, "pass")
        seen[seat] = [re.sub(r".*<b>(\w+)</b>.*", r"\1", line) for line in meanwhile(anna)]
    assert seen == {0: [], 1: ["Bram"], 2: ["Bram", "Chris"], 3: ["Chris", "Dirk"]}
    assert len(meanwhile(bram)) == 2


def test_alone_and_after_the_end_nothing_happens_meanwhile(room: Room) -> None:
    anna = room.phone("Anna")
    room.table.change("clever", {})
    room.table.start()
    play_out(room.table, 30)
    assert 'class="meanwhile"' not in anna.get("/seat").text
    room.table.open("regenwormen", {})
    anna, _ = seated(room)
    play_out(room.table, 5000)
    assert room.table.view().phase == "over"
    assert 'class="meanwhile"' not in anna.get("/seat").text


@pytest.mark.parametrize("key", GAMES)
def test_what_the_others_chose_is_told_in_the_words_of_its_own_moment(room: Room, key: str) -> None:
    phones = seated(room, key)
    seen = 0
    for step in range(40):
        play_out(room.table, 1, seed=step)
        last = room.table.view().events[-1]
        if room.table.view().phase == "playing" and isinstance(last, Chose):
            told = meanwhile(phones[1 - last.seat])
            newest = re.findall(
                r"<li class=\"told-chose\">.*?</li>", phones[0].get("/history").text, re.DOTALL
            )[0]
            assert told[-1].partition("chose:")[2].strip() in newest
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("key", GAMES)
def test_the_history_of_a_whole_game_reads_and_grows(room: Room, key: str) -> None:
    anna, _ = seated(room, key)
    play_out(room.table, 30)
    anna.get("/history")
    play_out(room.table, 30, seed=6)
    page = anna.get("/history").text
    assert page.count("<time>") == min(100, len(room.table.history()))


@pytest.mark.parametrize("key", GAMES)
def test_the_result_adds_up_and_the_sheets_can_be_kept(room: Room, key: str) -> None:
    anna, _ = seated(room, key)
    play_out(room.table, 4000)
    state = room.table.view().state
    assert state is not None
    outcome = state.outcome()
    assert outcome is not None
    parts = breakdown(state)
    assert tuple(sum(each.values()) for each in parts.points) == outcome.scores
    page = text(anna.get("/seat").text)
    assert "Play again" in page
    kept = anna.get("/sheets").text
    assert kept.count("<article>") == 2
    anna.post("/play/rematch")
    assert room.table.view().phase == "playing"
    assert room.table.view().events == ()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome((3, 3, 1), (1,), "highest tile"), "2 players have 3 each. B has the highest tile and wins."),
        (
            Outcome((9, 9), (0, 1), "shared"),
            "2 players have 9 each. Nothing decides between them: the win is shared.",
        ),
        (Outcome((9, 8), (0,)), ""),
        (
            Outcome((9, 9), (0,), "active cards"),
            "2 players have 9 each. A has the most active cards and wins.",
        ),
    ],
)
def test_a_tie_is_explained(room: Room, outcome: Outcome, words: str) -> None:
    with app_of(room).test_request_context(headers={"Accept-Language": "en"}):
        assert tie_words(outcome, ["A", "B", "C"]) == words


# ---- the table's mess -------------------------------------------------------------------------


def test_a_throw_that_does_not_count_is_thrown_again(room: Room) -> None:
    anna, bram = seated(room)
    before = room.table.due()
    assert before is not None
    dice: Dice = room.dice
    dice.throw()
    assert room.table.view().offered is not None
    assert bram.post("/play/throw_again", headers={"X-Fragment": "y"}).status_code == 403
    assert "data-again" in anna.get("/seat").text
    anna.post("/play/throw_again")
    after = room.table.due()
    assert after is not None
    assert after[0] == before[0] + 1
    assert room.table.view().sight is None
    room.table.show(sight_of(before[0], throw_dice(before[1], Random(1))))
    assert room.table.view().sight is None, "what the eye still says about the old throw is not heard"


def test_every_trouble_has_its_way_out(room: Room) -> None:
    anna, _ = seated(room)
    page = anna.get("/trouble").text
    assert page.count("<h2>") == 7
    assert "/trouble" in anna.get("/seat").text
