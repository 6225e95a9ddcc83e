"""The pages as a browser without script sees them: plain forms that post and come back."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from markupsafe import Markup

from companion.advice import BOTS, play
from companion.dice import Die
from companion.games import GAMES
from companion.vision.reading import Sentence
from companion.web import create_app
from companion.web.sheets import sheet_of
from companion.web.taps import remaining
from tests.web.rig import PIN, room_of, sight_of
from tests.web.test_api import Party

WORMS = ("worm:worm",) * 4 + ("worm:5",) * 4
FORM = re.compile(r'<form method="post" action="([^"]+)"[^>]*>(.*?)</form>', re.S)


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Party]:
    party = Party(tmp_path)
    yield party
    party.log.close()


def seated(party: Party, *names: str, language: str = "en") -> list[FlaskClient]:
    clients = []
    for name in names:
        client = party.app.test_client()
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
        answer = client.post("/join", data={"name": name})
        assert (answer.status_code, answer.location) == (303, "/seat")
        clients.append(client)
    return clients


def form_of(client: FlaskClient, page: str, mark: str) -> tuple[str, dict[str, str]]:
    """Where the button with this mark would post, and what."""
    for action, inside in FORM.findall(client.get(page).text):
        if mark in inside:
            hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', inside)
            return action, {name: html.unescape(value) for name, value in hidden}
    raise AssertionError(f"no form with {mark} on {page}")


def tap(client: FlaskClient, page: str, mark: str) -> str:
    """Press the button with this mark, as a browser without script does; the page it comes back to."""
    action, fields = form_of(client, page, mark)
    return client.post(action, data=fields, follow_redirects=True).text


def go(client: FlaskClient, page: str, mark: str) -> str:
    """The address behind the link with this mark."""
    match = re.search(rf'<a [^>]*{mark}[^>]*href="([^"]+)"', client.get(page).text)
    assert match, f"no link with {mark} on {page}"
    return html.unescape(match[1])


def test_name_to_seat_in_one_screen(party: Party) -> None:
    client = party.client()
    assert "What is your name?" in client.get("/").text
    [anna] = seated(party, "Anna")
    assert anna.get("/").location == "/seat"
    assert "Anna" in anna.get("/seat").text
    assert client.get("/seat").location == "/", "nobody without a seat"


def test_a_refused_name_is_said_on_the_page(party: Party) -> None:
    seated(party, "Anna")
    page = party.client().post("/join", data={"name": "Anna"}, follow_redirects=True)
    assert "sits here already" in page.text and 'role="alert"' in page.text


def test_the_lobby_without_script(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    assert "data-start" in anna.get("/seat").text and "data-start" not in bram.get("/seat").text
    anna.post("/lobby/add", data={"name": "Opa", "plays": "guest"})
    anna.post("/lobby/add", data={"name": "Robot", "plays": "greedy"})
    anna.post("/lobby/move", data={"seat": 2, "by": -1})
    assert [p.name for p in party.table.view().lobby.players] == ["Anna", "Opa", "Bram", "Robot"]
    anna.post("/lobby/move", data={"seat": 0, "by": -1})
    assert party.table.view().lobby.players[0].name == "Anna", "nobody moves off the table"
    bram.post("/lobby/leave", data={"seat": 3})
    assert len(party.table.view().lobby.players) == 4, "only the first seat or the host sends others away"
    anna.post("/lobby/leave", data={"seat": 3})
    options = {"game": "regenwormen", "option.short_game": "on", "option.start_player": "1"}
    anna.post("/lobby/game", data=options)
    assert party.table.view().lobby.options == {"short_game": True, "start_player": 1}
    assert "default" in anna.get("/seat").text
    page = tap(anna, "/seat", "data-start")
    assert "Throw 8 dice" in page and "Opa" in page, "Anna's phone serves her guest, who begins"


def test_every_game_can_be_chosen_and_drawn(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    for key, game in GAMES.items():
        anna.post("/lobby/game", data={"game": key})
        assert game.title in html.unescape(anna.get("/seat").text)
        party.table.start()
        page = anna.get("/seat").text
        assert 'data-sheet="mine"' in page and "Traceback" not in page
        assert party.client().get("/table").status_code == 200
        party.table.put_away()


def test_a_turn_without_script(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    party.table.start()
    assert "Throw 8 dice" in anna.get("/seat").text
    assert "Anna throws 8 dice" in bram.get("/seat").text
    party.dice.next = WORMS
    page = tap(anna, "/seat", "data-throw")
    assert "Is this what you rolled?" in page
    page = tap(anna, "/seat", "data-confirm")
    assert 'data-choice="aside worm"' in page and 'data-choice="aside 5"' in page
    assert "data-choice" not in bram.get("/seat").text
    page = tap(anna, "/seat", 'data-choice="aside worm"')
    assert "Take a tile" not in page and "Throw 4 dice" in page
    page = tap(anna, "/seat", "data-undo")
    assert 'data-choice="aside 5"' in page


def test_stopping_for_nothing_comes_last_and_says_what_it_costs(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    party.table.roll(WORMS)
    party.table.choose(0, "aside 5")
    page = anna.get("/seat").text
    assert "<h1>Throw 4 dice, or stop without a tile</h1>" in page
    assert re.search(
        r'<button class="quiet choice"[^>]*data-choice="stop"[^>]*>\s*Stop without a tile\s*<', page
    )


def test_stopping_for_nothing_names_the_tile_that_goes_back(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    party.table.roll(("worm:worm",) * 5 + ("worm:1",) * 3)
    party.table.choose(0, "aside worm")
    party.table.choose(0, "take 25")
    party.table.roll(("worm:1",) * 8)
    party.table.choose(1, "aside 1")
    party.table.choose(1, "stop")
    party.table.roll(WORMS)
    party.table.choose(0, "aside 5")
    assert "Stop without a tile: tile 25 goes back" in anna.get("/seat").text


def test_every_legal_choice_of_a_few_has_its_button(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    party.table.roll(("worm:1", "worm:2", "worm:3", "worm:4", "worm:5", "worm:worm", "worm:1", "worm:2"))
    shown = re.findall(r'<button[^>]*data-choice="([^"]+)"', anna.get("/seat").text)
    assert shown == [f"aside {face}" for face in ("1", "2", "3", "4", "5", "worm")]


def test_typing_a_roll_in_without_script(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    party.table.start()
    address = go(anna, "/seat", "data-type")
    for die in WORMS:
        address = go(anna, address, f'data-add="{die}"')
    page = tap(anna, address, "data-roll")
    assert 'data-choice="aside worm"' in page
    assert "data-type" not in bram.get("/seat").text, "only who throws types it in"


def test_a_die_can_be_changed_added_and_removed(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    party.dice.next = WORMS
    party.dice.throw()
    address = go(anna, "/seat", 'data-die="0"')
    address = go(anna, address, "data-remove")
    page = anna.get(address).text
    assert "data-roll" not in page, "seven dice are no roll"
    address = go(anna, address, 'data-add="worm:3"')
    address = go(anna, go(anna, address, 'data-die="7"'), 'data-face="4"')
    tap(anna, address, "data-roll")
    assert sorted(die.face for die in party.table.view().last_roll) == sorted(
        ["worm"] * 3 + ["5"] * 4 + ["4"]
    )


def test_a_doubtful_die_is_asked_about_with_its_picture(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    party.table.start()
    party.dice.next, party.dice.doubtful = WORMS, (7,)
    party.dice.throw()
    page = anna.get("/seat").text
    assert 'class="crop"' in page and page.count('<button class="face"') == 2
    picture = re.search(r'href="(/picture/[^"]+)"', page)
    assert picture and anna.get(picture[1]).data[:2] == b"\xff\xd8"
    assert "What does this die show?" not in bram.get("/seat").text
    tap(anna, "/seat", '<button class="face"')
    assert [str(die) for die in party.table.view().last_roll] == list(WORMS)


def test_two_doubtful_dice_are_asked_about_one_by_one(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    party.dice.next, party.dice.doubtful = WORMS, (0, 7)
    party.dice.throw()
    page = anna.get("/seat").text
    assert '<button class="face"' not in page
    first = html.unescape(re.findall(r'<a data-go class="face" href="([^"]+)"', page)[1])
    tap(anna, first, '<button class="face"')
    assert [str(die) for die in party.table.view().last_roll] == ["worm:1", *WORMS[1:]]


def test_a_correction_names_what_it_undoes_before_it_happens(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    party.table.start()
    party.table.roll(WORMS)
    party.table.choose(0, "aside 5")
    assert "data-correct" not in bram.get("/seat").text
    address = go(anna, "/seat", "data-correct")
    for place in (4, 5, 6, 7):
        address = go(anna, go(anna, address, f'data-die="{place}"'), 'data-face="4"')
    page = anna.get(address).text
    assert "This takes back:" in page and "Anna: set aside" in page
    assert party.table.view().state.aside == (("5", 4),), "nothing has happened yet"  # type: ignore[union-attr]
    page = tap(anna, address, "data-roll")
    assert "This took back: Anna: set aside" in page and 'data-choice="aside 4"' in page


def test_a_stale_draft_is_dropped(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    address = go(anna, "/seat", "data-type")
    party.table.roll(WORMS)
    assert "Which dice lie there?" not in anna.get(address).text
    for odd in (
        "?mode=roll&rolls=x",
        "?mode=roll&rolls=1&d=worm:9",
        "?as=77",
        "?look=99",
        "?tap=zzz",
        "?mode=correct&rolls=1&d=worm:1&at=5",
    ):
        assert anna.get("/seat" + odd).status_code == 200


def test_a_roll_confirmed_while_it_was_being_changed_is_said(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    party.table.start()
    party.dice.next = WORMS
    party.dice.throw()
    address = go(anna, go(anna, "/seat", 'data-die="0"'), 'data-face="1"')
    tap(party.client(), "/table", "data-confirm")
    page = anna.get(address).text
    assert "The roll was confirmed meanwhile, without what you changed." in page
    assert "Correct the last roll</h2>" in anna.get(go(anna, address, "data-correct")).text
    assert "confirmed meanwhile" not in anna.get("/seat").text
    assert "confirmed meanwhile" not in bram.get(address).text
    address = go(anna, "/seat", "data-correct")
    party.table.choose(0, "aside 5")
    party.table.roll(("worm:worm",) * 4)
    assert "The next roll was confirmed meanwhile" in anna.get(address).text


def test_the_host_throws_for_another_with_a_quiet_button(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    bram.post("/host", data={"pin": PIN})
    party.table.start()
    button = re.compile(r'<button class="([^"]+)"[^>]*data-(?:throw|confirm)[^>]*>([^<]+)<')
    assert button.findall(anna.get("/seat").text) == [("big throw", "Throw")]
    assert button.findall(bram.get("/seat").text) == [("quiet", "Throw for Anna")]
    party.dice.throw()
    assert button.findall(anna.get("/seat").text) == [("big good", "That is right")]
    assert button.findall(bram.get("/seat").text) == [("quiet", "This is what Anna rolled")]
    assert button.findall(party.client().get("/table").text) == [("big good", "That is right")]


def test_anybody_throws_for_a_bot_with_a_button_that_says_so(party: Party) -> None:
    [anna] = seated(party, "Anna")
    party.table.join("Bip", "greedy")
    party.table.change("regenwormen", {"start_player": 1})
    party.table.start()
    assert re.search(r'class="big throw"[^>]*data-throw[^>]*>Throw for Bip<', anna.get("/seat").text)


RAW = re.compile(r"\w[:-]\w|\b(die|score|for|freeze|thaw|take|pass|skip|done|reroll|colour|number)\b")
"""How the words look that the program taps by."""


@pytest.mark.parametrize("key", GAMES)
def test_things_to_tap_have_names_without_script(party: Party, key: str) -> None:
    state = GAMES[key].start(3)
    with party.app.test_request_context(headers={"Accept-Language": "nl"}):
        sheet = sheet_of(key)
        seen: set[str] = set()
        for played in play(GAMES[key], {}, [BOTS["random"]] * 3, Random(3)):
            state = played.state
            words = {w for seat in state.asked() for c in state.legal(seat) for w in sheet.taps(c)} - seen
            for word in words:
                said = str(sheet.tap_words(word, state))
                named = Markup(said).striptags() + " ".join(re.findall(r'aria-label="([^"]+)"', said))
                assert named.strip(), word
                assert not RAW.search(named), (word, named)
            seen |= words
    assert len(seen) > 5


def test_many_choices_are_narrowed_step_by_step(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    anna.post("/lobby/game", data={"game": "keer_op_keer_2"})
    party.table.start()
    kinds = (
        "colour:red",
        "colour:blue",
        "colour:joker",
        "number:1",
        "number:2",
        "number:joker",
        "special:bomb",
    )
    party.table.roll(kinds)
    state = party.table.view().state
    assert state is not None
    legal = [str(choice) for choice in state.legal(0)]
    assert len(legal) > 100
    page = anna.get("/seat").text
    assert page.count("data-choice=") < 10, "many choices are never listed"
    text = max(legal, key=len)
    with party.app.test_request_context():
        sheet = sheet_of("keer_op_keer_2")
        wanted = sheet.taps(state.find(0, text))
        assert remaining(state.legal(0), sheet, wanted)
    address = "/seat"
    for word in wanted:
        page = anna.get(address).text
        if f'data-choice="{text}"' in re.sub(r"<script.*?</script>", "", page, flags=re.S):
            break
        links = [html.unescape(link) for link in re.findall(r'<a class="button small" href="([^"]+)"', page)]
        address = next((link for link in links if link.endswith(f"tap={word}".replace(":", ":"))), address)
    tap(anna, address, f'data-choice="{text}"')
    assert party.table.view().choices_made[0] == 1


def test_other_sheets_are_one_tap_away(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    page = anna.get("/seat?look=1").text
    assert "The sheet of Bram" in page and 'data-sheet="other"' in page and 'data-sheet="mine"' not in page


def test_fragments_and_their_etags(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    part = anna.get("/seat", headers={"X-Fragment": "yes"})
    assert "<html" not in part.text and 'data-part="now"' in part.text
    again = anna.get("/seat", headers={"X-Fragment": "yes", "If-None-Match": part.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    party.table.roll(WORMS)
    fresh = anna.get("/seat", headers={"X-Fragment": "yes", "If-None-Match": part.headers["ETag"]})
    assert fresh.status_code == 200 and fresh.headers["X-Version"] != part.headers["X-Version"]


def test_a_deed_answers_with_the_fragment_or_the_sentence(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    headers = {"X-Fragment": "yes"}
    done = anna.post("/play/roll", data={"dice": ",".join(WORMS), "back": "seat"}, headers=headers)
    assert done.status_code == 200 and "data-choice" in done.text
    refused = anna.post("/play/choose", data={"choice": "aside 1", "back": "seat"}, headers=headers)
    assert refused.status_code == 409 and "cannot be chosen" in refused.json["error"]  # type: ignore[index]


def test_the_table_screen(party: Party) -> None:
    seated(party, "Anna", "Bram")
    screen = party.client()
    page = screen.get("/table").text
    assert "<svg" in page and f"PIN of the host: {PIN}" in page and "localhost" in page
    party.table.start()
    party.table.trouble(Sentence("no game is being played now"))
    assert "Anna throws 8 dice" in screen.get("/table").text
    stranger = party.client()
    party.dice.throw()
    assert "seat first" in stranger.post("/play/confirm", headers={"X-Fragment": "yes"}).json["error"]  # type: ignore[index]
    tap(screen, "/table", "data-confirm")
    assert "Anna chooses" in screen.get("/table").text


def test_a_network_that_comes_later_is_shown_on_an_open_table_screen(party: Party) -> None:
    found: list[str] = []
    asked = []
    app = create_app(party.table, secret="s", pin=PIN, addresses=lambda: asked.append(1) or tuple(found))
    screen = app.test_client()
    headers = {"Host": "companion.local:8017", "X-Fragment": "yes"}
    before = screen.get("/table", headers=headers)
    assert (
        'href="http://companion.local:8017"' in before.text and "<b>companion.local:8017</b>" in before.text
    )
    found += ["http://192.168.1.7:8017", "http://companion.local:8017"]
    asked.clear()
    after = screen.get("/table", headers={**headers, "If-None-Match": before.headers["ETag"]})
    assert 'href="http://192.168.1.7:8017"' in after.text and "<b>companion.local:8017</b>" in after.text
    assert after.headers["X-Version"] != before.headers["X-Version"]
    assert len(asked) == 1


def test_dice_that_lay_there_are_told_from_the_throw(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.change("dicy_cards", {})
    party.table.start()
    party.table.roll(tuple(f"pip:{face}" for face in "335666"))
    party.table.choose(0, "freeze 4")
    party.table.choose(0, "reroll 3 3 5")
    due = party.table.due()
    assert due is not None and len(due[1].lying) == 3
    seen = sight_of(due[0], tuple(Die("pip", face) for face in "666621"))
    party.table.show(replace(seen, roll=tuple(Die("pip", face) for face in "621")))
    page = anna.get("/seat").text
    assert page.count('class="still"') == page.count("<small>lay there</small>") == 3
    assert page.count('data-die="') == 3, "only what was thrown is put right"
    mended = go(anna, go(anna, "/seat", 'data-die="1"'), 'data-face="4"')
    assert "d=pip:6,pip:4,pip:1" in mended and "data-roll" in anna.get(mended).text
    assert "This throw does not count: throw again" in page
    assert '<g class="seen still">' in page


def test_others_are_told_that_the_throw_lies_there(party: Party) -> None:
    _, bram = seated(party, "Anna", "Bram")
    party.table.start()
    assert "Anna throws 8 dice" in bram.get("/seat").text
    party.dice.throw()
    for page in (bram.get("/seat").text, party.client().get("/table").text):
        assert "The throw of Anna lies there: is it right?" in page
    party.dice.doubtful = (0,)
    party.dice.throw()
    assert "The throw of Anna lies there, but is not clear yet" in bram.get("/seat").text


def test_the_live_picture(party: Party) -> None:
    assert party.client().get("/live.jpg").status_code == 404
    app = create_app(party.table, secret="s", pin=PIN, live_picture=lambda: b"\xff\xd8picture")
    answer = app.test_client().get("/live.jpg")
    assert answer.data == b"\xff\xd8picture" and answer.headers["Cache-Control"] == "no-store"


def test_the_host_page(party: Party) -> None:
    anna, bram = seated(party, "Anna", "Bram")
    assert "You are the host" not in anna.get("/host").text
    assert "not the PIN" in anna.post("/host", data={"pin": "1", "back": "host"}, follow_redirects=True).text
    assert "You are the host" in anna.post("/host", data={"pin": PIN}, follow_redirects=True).text
    anna.post("/lobby/rename", data={"seat": 1, "name": "Bas", "back": "host"})
    assert party.table.view().lobby.players[1].name == "Bas"
    party.table.start()
    party.table.roll(WORMS)
    party.table.choose(0, "aside 5")
    anna.post("/lobby/undo_all", data={"seat": 0, "back": "host"})
    assert party.table.view().state.legal(0)  # type: ignore[union-attr]
    anna.post("/lobby/auto_confirm", data={"on": "on", "back": "host"})
    assert party.table.auto_confirm
    anna.post("/lobby/hand_over", data={"seat": 1, "plays": "greedy", "back": "host"})
    assert party.table.view().lobby.players[1].is_bot
    assert bram.get("/seat").location == "/", "the old phone's token has lapsed"
    anna.post("/lobby/put_away", data={"back": "host"})
    assert party.table.view().phase == "lobby"


BACK = re.compile(r'class="way-back"><a [^>]*href="/seat"')


def test_who_has_a_seat_finds_the_way_back_to_it(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    assert BACK.search(anna.get("/host").text), "before the PIN is typed"
    anna.post("/host", data={"pin": PIN})
    assert 'href="/seat">Choose the game' in anna.get("/host").text, "and not away to the table screen"
    assert "Which game?" in anna.get("/seat").text
    party.table.start()
    for page in ("/host", "/table"):
        assert BACK.search(anna.get(page).text), page
    for stranger in (party.client(), party.host()):
        assert not BACK.search(stranger.get("/table").text), "the table screen itself"
        assert not BACK.search(stranger.get("/host").text)
    party.table.put_away()
    assert 'href="/table">Choose the game' in party.host().get("/host").text


def test_numbers_below_zero_have_a_real_minus_everywhere(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.change("keer_op_keer_2", {})
    party.table.start()
    for page in ("/seat", "/table", "/sheets"):
        text = anna.get(page).text
        assert "−" in text, page
        assert not re.search(r">[^<]*(?<!\w)-\d", re.sub(r"<(script|style).*?</\1>", "", text, flags=re.S)), (
            page
        )


def test_the_result_and_a_rematch(party: Party) -> None:
    party.table.open("regenwormen", {"short_game": True, "fail_without_tile": "turn"})
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    while party.table.view().phase == "playing":
        party.table.roll(("worm:1",) * 8)
        seat = next(iter(party.table.view().state.asked()))  # type: ignore[union-attr]
        party.table.choose(seat, "aside 1")
        party.table.choose(seat, "stop")
    page = anna.get("/seat").text
    assert "Anna and Bram share the win" in page and "Play again" in page
    assert "Throw 8 dice" in tap(anna, "/seat", "Play again")


def test_dutch_first_english_second_and_remembered(party: Party) -> None:
    client = party.app.test_client()
    assert "Hoe heet je?" in client.get("/").text
    assert "Hoe heet je?" in client.get("/", headers={"Accept-Language": "de"}).text
    assert "What is your name?" in client.get("/", headers={"Accept-Language": "en-GB"}).text
    client.post("/language", data={"language": "en", "back": "home"})
    assert "What is your name?" in client.get("/", headers={"Accept-Language": "nl"}).text
    assert 'lang="en"' in client.get("/").text
    [anna] = seated(party, "Anna", language="nl")
    seated(party, "Bram")
    party.table.start()
    assert "Gooi 8 dobbelstenen" in anna.get("/seat").text


def test_nothing_comes_from_elsewhere(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    for page in ("/seat", "/table", "/host", "/"):
        for address in re.findall(
            r'(?:src|href|action)="([^"]+)"', anna.get(page, follow_redirects=True).text
        ):
            assert address.startswith(("/", "#", "http://localhost")), address


def test_sights_of_another_throw_have_no_picture(party: Party) -> None:
    anna, _ = seated(party, "Anna", "Bram")
    party.table.start()
    assert anna.get("/picture/1-abc.jpg").status_code == 404
    due = party.table.due()
    assert due is not None
    party.table.show(sight_of(due[0], ()))
    assert anna.get(f"/picture/{due[0]}-abc.jpg").status_code == 200
    assert anna.get(f"/picture/{due[0] + 1}-abc.jpg").status_code == 404


def test_light_over_the_wire(party: Party) -> None:
    client, *_ = seated(party, "A", "B", "C", "D", "E", "F", "G")
    party.table.start()
    party.table.roll(WORMS)
    gzip = {"Accept-Encoding": "gzip"}
    page = client.get("/seat")
    first = len(client.get("/seat", headers=gzip).data)
    for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text):
        answer = client.get(file, headers=gzip)
        assert answer.status_code == 200 and "immutable" in answer.headers["Cache-Control"]
        first += len(answer.data)
    part = len(client.get("/seat", headers={**gzip, "X-Fragment": "yes"}).data)
    assert first <= 120_000 and part <= 25_000, (first, part)


def test_two_apps_do_not_share_anything(party: Party, tmp_path: Path) -> None:
    log, table, _, app = room_of(tmp_path / "other")
    seated(party, "Anna")
    assert table.view().lobby.players == ()
    assert app.test_client().get("/api/state").json["seats"] == []
    log.close()
