"""`companion serve`: a mistake is one sentence and exit 2, and nothing is lost by it."""

from __future__ import annotations

import contextlib
import http.client
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import Mistake, network
from companion.cli.devices import camera_opener
from companion.cli.serve import READ_WITHIN, Evening, Hand
from companion.dice import Throw
from companion.log import Log
from companion.vision.reading import Reading, Sight
from tests.serving import Server, free_port


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def assert_one_sentence(answer: subprocess.CompletedProcess[str], words: str) -> None:
    assert answer.returncode == 2, answer.stderr
    last = answer.stderr.strip().splitlines()[-1]
    assert last.startswith("companion: ")
    assert words in last
    assert "Traceback" not in answer.stderr
    assert answer.stdout == ""


@pytest.mark.skipif(Path("/dev/video0").exists(), reason="this machine has a camera")
@pytest.mark.parametrize("camera", ["pi", "usb", "usb:3"])
def test_a_camera_that_is_not_there(camera, tmp_path):
    assert_one_sentence(serve("--camera", camera, "--state", str(tmp_path)), "amera")


def test_a_camera_nobody_knows(tmp_path):
    assert_one_sentence(
        serve("--camera", "telescope", "--state", str(tmp_path)), "there is no camera “telescope”"
    )


@pytest.mark.parametrize("number", ["²", "-1", "9" * 12])
def test_a_usb_camera_with_a_number_that_is_none(number):
    with pytest.raises(Mistake, match="write usb:0, usb:1, …"):
        camera_opener(f"usb:{number}")


@pytest.mark.skipif(Path("/dev/video0").exists(), reason="this machine has a camera")
def test_a_table_opens_without_the_camera_of_its_configuration_and_says_so(tmp_path):
    config = tmp_path / "c.toml"
    config.write_text('[camera]\nsource = "usb"\n[server]\nlanguage = "en"\n')
    with Server(tmp_path / "state", "--config", str(config)) as server:
        server.begin("regenwormen", "Anna", "Bram")
        said = ""
        with urllib.request.urlopen(f"{server.address}/api/events", timeout=60) as events:
            while "No USB camera 0 answers" not in said:
                assert events.readline(), "the stream has ended"
                with urllib.request.urlopen(f"{server.address}/table", timeout=20) as page:
                    said = page.read().decode()


def test_a_port_in_use(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = serve("--camera", "none", "--state", str(tmp_path), "--port", str(port))
    assert_one_sentence(answer, f"port {port} is in use")


def test_a_locked_state_folder(tmp_path):
    log = Log(tmp_path)
    answer = serve("--camera", "none", "--state", str(tmp_path), "--port", str(free_port()))
    log.close()
    assert_one_sentence(answer, "another companion is using the state folder")


def test_a_broken_state_folder_is_left_alone(tmp_path):
    (tmp_path / "companion.db").write_bytes(b"not a database" * 400)
    assert_one_sentence(serve("--camera", "none", "--state", str(tmp_path)), "move that file away")
    assert (tmp_path / "companion.db").read_bytes() == b"not a database" * 400


def test_a_game_in_the_log_that_cannot_be_read_does_not_keep_the_table_from_opening(tmp_path):
    state = tmp_path / "state"
    log = Log(state)
    players = [{"name": "A"}, {"name": "B"}]
    game = log.begin("regenwormen", {})
    lobby = {"key": "regenwormen", "capacity": 2, "options": {}, "players": players}
    log.arrange(game, "regenwormen", lobby, "playing")
    log.append(game, "chose", 0, "aside 9")
    log.close()
    with Server(state, "--camera", "none") as server:
        now = server.get("/api/state")
        assert (now["phase"], [seat["name"] for seat in now["seats"]]) == ("lobby", ["A", "B"])
    assert f"WARNING companion.table.standing: game {game} cannot be read any more" in server.output()
    log = Log(state)
    assert [(line.kind, line.text) for line in log.lines(game)] == [("chose", "aside 9")]
    log.close()


def test_a_log_that_cannot_be_read_is_left_alone(tmp_path):
    Log(tmp_path).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "companion.db")) as games:
        games.execute("INSERT INTO games VALUES (1, 'regenwormen', '{', 'playing', 0)")
        games.commit()
    assert_one_sentence(serve("--camera", "none", "--state", str(tmp_path)), "cannot be read")


@pytest.mark.parametrize("pin", ["12", "²²²²", "123456789"])
def test_a_pin_that_is_none(pin, tmp_path):
    assert_one_sentence(serve("--pin", pin, "--state", str(tmp_path)), "PIN is 4 to 8 digits")


def test_a_port_that_is_none(tmp_path):
    assert_one_sentence(serve("--port", "99999", "--state", str(tmp_path)), "up to 65535")


def test_a_configuration_with_a_typo(tmp_path):
    (tmp_path / "companion.toml").write_text("[server]\nprot = 80\n")
    answer = serve("--camera", "none", "--state", str(tmp_path))
    assert_one_sentence(answer, "line 2: there is no key “prot”: did you mean “port”?")


@pytest.mark.parametrize(
    ("host", "phones", "table"),
    [
        ("::1", "http://[::1]:8765", "http://[::1]:8765/table"),
        ("::", "http://[fd00::2]:8765", "http://[::1]:8765/table"),
        ("0.0.0.0", "http://192.168.1.7:8765", "http://127.0.0.1:8765/table"),
        ("192.168.1.7", "http://192.168.1.7:8765", "http://192.168.1.7:8765/table"),
    ],
)
def test_the_greeting_names_only_where_it_listens(host, phones, table, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(network, "addresses", lambda: ["192.168.1.7"])
    monkeypatch.setattr(network, "addresses_6", lambda: ["fd00::2"])
    asked = Namespace(camera="none", host=host, port=8765, state=tmp_path, config=None, pin=None)
    Evening(asked)._greet("4711")
    printed = capsys.readouterr().out
    assert f"go to {phones}\n" in printed
    assert f"Table screen: {table} " in printed and "PIN: 4711 " in printed


def test_a_wi_fi_that_comes_after_the_start_is_found(tmp_path, monkeypatch, capsys):
    found: list[str] = []
    monkeypatch.setattr(network, "addresses", lambda: found)
    asked = Namespace(camera="none", host="0.0.0.0", port=8765, state=tmp_path, config=None, pin=None)
    evening = Evening(asked)
    evening._greet("4711")
    printed = capsys.readouterr().out
    assert "in no network yet" in printed and "Table screen: http://127.0.0.1:8765/table " in printed
    assert evening._places() == []
    found.append("192.168.1.7")
    assert evening._places()[0] == "http://192.168.1.7:8765"


def test_ipv6_addresses_of_the_machine_and_the_link_are_left_out(tmp_path):
    known = tmp_path / "if_inet6"
    assert network.addresses_6(known) == []
    known.write_text(
        "fe8000000000000000fc00fffe000001 04 40 20 80     eth0\n"
        "fd000000000000000000000000000002 04 40 00 82     eth0\n"
        "00000000000000000000000000000001 01 80 10 80       lo\n"
    )
    assert network.addresses_6(known) == ["fd00::2"]


def test_the_greeting_names_the_port_that_was_found(tmp_path):
    command = [sys.executable, "-m", "companion", "serve", "--camera", "none", "--host", "127.0.0.1"]
    command += ["--port", "0", "--state", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            greeting = next(line for line in server.stdout if "go to " in line)
            address = greeting.partition("go to ")[2].strip()
            assert not address.endswith(":0")
            with urllib.request.urlopen(f"{address}/table", timeout=20) as page:
                assert address.removeprefix("http://") in page.read().decode()
        finally:
            server.terminate()


def test_the_names_given_and_the_machines_own_lead_to_the_table(tmp_path):
    config = tmp_path / "c.toml"
    config.write_text('[server]\nname = "dice.example"\n')
    with Server(tmp_path / "state", "--camera", "none", "--config", str(config)) as server:
        statuses = {}
        for name in ("dice.example", socket.gethostname(), "evil.example"):
            asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
            asking.request("GET", "/healthz", headers={"Host": f"{name}:{server.port}"})
            statuses[name] = asking.getresponse().status
            asking.close()
    assert list(statuses.values()) == [200, 200, 403]


def test_the_greeting_names_the_address_and_shows_a_qr_code(tmp_path):
    with Server(tmp_path / "state") as server:
        printed = server.output()
    assert server.address in printed
    assert "▄" in printed or "█" in printed


class _Tray:
    def __init__(self) -> None:
        self.thrown: list[tuple[str, ...]] = []

    def throw(self, kinds: tuple[str, ...], _lying: object) -> None:
        self.thrown.append(kinds)


def test_a_second_tap_takes_up_no_dice_that_still_fall_or_are_about_to_be_read():
    now, tray = [100.0], _Tray()
    sight, due = None, (4, Throw(0, ("worm",) * 8))
    table = SimpleNamespace(view=lambda: SimpleNamespace(due=due, sight=sight))
    hand = Hand(tray, table, lambda: now[0])
    hand()
    sight = Sight(4, moving=True)
    now[0] += 2.3
    hand()
    assert len(tray.thrown) == 1
    sight = Sight(4, moving=False, reading=Reading())
    hand()
    assert len(tray.thrown) == 2, "what was read may be thrown again"
    hand()
    assert len(tray.thrown) == 2, "once: the doubt still stands while the dice fall"
    sight, due = None, (5, Throw(0, ("worm",) * 5))
    hand()
    assert tray.thrown[2:] == [("worm",) * 5], "the next throw is another"
    now[0] += READ_WITHIN
    hand()
    assert len(tray.thrown) == 4, "dice that nobody reads may be thrown again"
