"""The button on gpiozero's own mock pins; time is passed in, nothing waits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from companion.button import BOUNCE_S, DOUBLE_S, SHUTDOWN_S, UNDO_S, Button, LampState, NoButton, Pins
from companion.dice import Die
from companion.log import Log
from companion.table import Table
from companion.vision.reading import Reading, Sentence, Sight

PINS = Pins(button=17, red=22, green=27, blue=24, buzzer=18)


class Refused(ValueError):
    pass


class Deck:
    """A table that takes a reading once it is sure, and writes down what it was asked."""

    def __init__(self) -> None:
        self.state: LampState = "ready"
        self.calls: list[str] = []

    def confirm(self) -> None:
        self.calls.append("confirm")
        if self.state != "sure":
            raise Refused(f"nothing to confirm while {self.state}")
        self.state = "ready"

    def ask_undo(self) -> None:
        self.calls.append("undo")

    def lamp(self) -> LampState:
        return self.state


class Rig:
    """A button on mock pins, a deck, and a clock that moves when told to."""

    def __init__(self, pins: Pins, state_dir: Path, table: Table | None = None) -> None:
        self.now = 1000.0
        self.deck = Deck()
        self.shutdowns = 0
        self.button = Button(
            table or self.deck, pins, shutdown=self._shutdown, state_dir=state_dir, clock=lambda: self.now
        )
        self.factory = gpiozero.Device.pin_factory

    def _shutdown(self) -> None:
        self.shutdowns += 1

    def pin(self, number: int) -> MockPin:
        return self.factory.pin(number)

    def down(self) -> None:
        self.pin(17).drive_low()

    def up(self) -> None:
        self.pin(17).drive_high()

    def wait(self, seconds: float, step: float = 0.04) -> None:
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now = min(end, self.now + step)
            self.button.tick()

    def press(self, seconds: float = 0.1) -> None:
        self.down()
        self.wait(seconds)
        self.up()
        self.wait(0.1)

    def colours(self, seconds: float) -> set[tuple[float, ...]]:
        seen = set()
        end = self.now + seconds
        while self.now < end:
            self.wait(0.04)
            seen.add(tuple(round(float(self.pin(number).state), 2) for number in (22, 27, 24)))
        return seen

    def beeps(self) -> int:
        """How often the buzzer went on."""
        return sum(1 for change in self.pin(18).states if change.state)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    monkeypatch.delenv("LG_WD", raising=False)
    before = gpiozero.Device.pin_factory
    mock = MockFactory(pin_class=MockPWMPin)
    gpiozero.Device.pin_factory = mock
    yield mock
    mock.reset()
    gpiozero.Device.pin_factory = before
    os.environ.pop("LG_WD", None)


@pytest.fixture
def rig(factory: MockFactory, tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(PINS, tmp_path)
    rig.button.tick()
    yield rig
    rig.button.close()


def test_a_press_confirms_a_sure_reading(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.press()
    assert rig.deck.calls == ["confirm"]
    assert rig.deck.state == "ready"


def test_nothing_is_confirmed_before_the_finger_lets_go(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.down()
    rig.wait(1.9)
    assert rig.deck.calls == []
    rig.up()
    rig.wait(0.1)
    assert rig.deck.calls == ["confirm"]


def test_a_chattering_contact_is_one_press(rig: Rig) -> None:
    rig.deck.state = "sure"
    for _ in range(6):  # closing: 6 edges within 12 ms
        rig.down()
        rig.wait(0.001, step=0.001)
        rig.up()
        rig.wait(0.001, step=0.001)
    rig.down()
    rig.wait(0.1)
    for _ in range(5):  # opening
        rig.up()
        rig.wait(0.002, step=0.001)
        rig.down()
        rig.wait(0.001, step=0.001)
    rig.up()
    rig.wait(1)
    assert rig.deck.calls == ["confirm"]


def test_a_spark_shorter_than_the_bounce_time_is_no_press(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.down()
    rig.wait(BOUNCE_S / 2, step=0.005)
    rig.up()
    rig.wait(1)
    assert rig.deck.calls == []


def test_a_tap_between_two_ticks_is_not_lost(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.down()
    rig.now += 0.03
    rig.up()
    rig.wait(0.04)
    assert rig.deck.calls == ["confirm"]


def test_two_presses_at_once_are_one(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.down()
    rig.now += 0.05
    rig.up()
    rig.now += 0.05
    rig.down()
    rig.now += 0.05
    rig.up()
    rig.wait(1)
    assert rig.deck.calls == ["confirm"]


def test_a_second_press_a_little_later_counts(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.press()
    rig.wait(DOUBLE_S)
    rig.deck.state = "sure"
    rig.press()
    assert rig.deck.calls == ["confirm", "confirm"]


def test_button_and_phone_at_once_the_later_one_is_refused_and_blinks(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.down()
    rig.wait(0.1)
    rig.deck.confirm()  # the phone was quicker
    rig.up()
    assert (1, 1, 1) in rig.colours(0.6)
    assert rig.deck.calls == ["confirm", "confirm"]


def test_in_doubt_it_does_not_guess_and_blinks(rig: Rig) -> None:
    rig.deck.state = "doubt"
    rig.press()
    assert rig.deck.state == "doubt"
    assert {(1, 1, 1), (0, 0, 0)} <= rig.colours(0.5)
    assert rig.colours(1) == {(1, 0.4, 0), (0, 0, 0)}


def test_a_press_with_no_throw_due_is_refused_with_three_flashes_and_beeps(rig: Rig) -> None:
    rig.wait(0.1)
    before = rig.beeps()
    rig.press()
    rig.wait(1)
    assert rig.deck.calls == ["confirm"]
    assert rig.beeps() - before == 3
    assert rig.colours(1) == {(0, 0, 1)}


def test_held_two_seconds_asks_for_undo_once(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.down()
    rig.wait(UNDO_S - 0.1)
    assert rig.deck.calls == []
    rig.wait(0.2)
    assert rig.deck.calls == ["undo"]
    rig.wait(3)
    rig.up()
    rig.wait(1)
    assert rig.deck.calls == ["undo"]
    assert rig.shutdowns == 0


def test_held_eight_seconds_shuts_down_once(rig: Rig) -> None:
    rig.down()
    rig.wait(SHUTDOWN_S - 0.1)
    assert rig.shutdowns == 0
    rig.wait(0.2)
    assert rig.shutdowns == 1
    rig.wait(10)
    rig.up()
    rig.wait(1)
    assert rig.shutdowns == 1
    assert rig.deck.calls == ["undo"]


def test_a_hold_is_seen_even_when_the_ticks_stall(rig: Rig) -> None:
    rig.down()
    rig.now += 3
    rig.up()
    rig.wait(1)
    assert rig.deck.calls == ["undo"]


@pytest.mark.parametrize(
    ("state", "colours"),
    [
        ("ready", {(0, 0, 1)}),
        ("rolling", {(0, 0, 1), (0, 0, 0)}),
        ("sure", {(0, 1, 0)}),
        ("doubt", {(1, 0.4, 0), (0, 0, 0)}),
        ("error", {(1, 0, 0), (0, 0, 0)}),
    ],
)
def test_the_lamp_says_how_the_table_stands(
    rig: Rig, state: LampState, colours: set[tuple[float, ...]]
) -> None:
    rig.deck.state = state
    assert rig.colours(2.5) == colours


def test_the_buzzer_tells_sure_from_doubt(rig: Rig) -> None:
    rig.deck.state = "sure"
    rig.wait(1)
    assert rig.beeps() == 1
    rig.deck.state = "doubt"
    rig.wait(1)
    assert rig.beeps() == 3


def test_a_common_anode_lamp_shines_by_pulling_low(factory: MockFactory, tmp_path: Path) -> None:
    rig = Rig(Pins(red=22, green=27, blue=24, common_anode=True), tmp_path)
    rig.deck.state = "sure"
    assert rig.colours(0.2) == {(1, 0, 1)}
    rig.button.close()


def test_no_lamp_and_no_buzzer_is_fine(factory: MockFactory, tmp_path: Path) -> None:
    rig = Rig(Pins(), tmp_path)
    rig.deck.state = "sure"
    rig.press()
    assert rig.deck.calls == ["confirm"]
    rig.button.close()


def test_lgpio_keeps_its_pipes_in_the_state_folder(rig: Rig, tmp_path: Path) -> None:
    assert os.environ["LG_WD"] == str(tmp_path)


def test_pins_that_do_not_exist_are_named_and_let_go(factory: MockFactory, tmp_path: Path) -> None:
    with pytest.raises(NoButton, match="look at the pins in the configuration"):
        Rig(Pins(button=17, buzzer=99), tmp_path)
    Rig(Pins(button=17), tmp_path).button.close()


def test_what_cannot_be_done_is_refused_and_not_silent(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    def full() -> None:
        raise OSError("No space left on device")

    rig.deck.confirm = full  # type: ignore[method-assign]
    before = rig.beeps()
    rig.press()
    rig.wait(1)
    assert rig.beeps() - before == 3
    assert "No space left" in caplog.text


def test_every_press_does_at_the_real_table_what_the_readme_says(
    factory: MockFactory, tmp_path: Path
) -> None:
    log = Log(tmp_path)
    table = Table(log, Random(1))
    table.open("regenwormen", {}, 3)
    table.join("Anna")
    table.join("Bram")
    rig = Rig(PINS, tmp_path, table)
    roll = tuple(map(Die.named, ["worm:worm", *["worm:5"] * 3, *["worm:1"] * 4]))

    def offer(sure: bool) -> None:
        due = table.due()
        assert due is not None
        reading = Reading(
            roll=roll if sure else None, doubts=() if sure else (Sentence("one die is cocked"),)
        )
        table.show(Sight(due[0], moving=False, reading=reading, roll=roll if sure else None))

    def refused() -> bool:
        rig.wait(1)
        beeps, events = rig.beeps(), table.view().events
        rig.press()
        rig.wait(1)
        return rig.beeps() - beeps == 3 and table.view().events == events

    assert refused(), "nobody plays yet"
    table.start()
    assert refused(), "nothing has been thrown yet"
    offer(sure=False)
    rig.wait(0.1)
    assert table.lamp() == "doubt"
    assert refused(), "in doubt it does not guess"
    offer(sure=True)
    rig.wait(0.1)
    assert table.lamp() == "sure"
    rig.press(0.05)
    rig.press(0.05)
    rig.wait(1)
    assert len(table.view().events) == 1, "twice quickly counts once"
    assert refused(), "no throw is due while somebody chooses"
    table.choose(0, "aside worm")
    rig.down()
    rig.wait(UNDO_S + 0.1)
    rig.up()
    rig.wait(0.2)
    assert table.view().undo_asked == 0, "the phone asks, nothing is taken back by itself"
    assert len(table.view().events) == 2
    rig.button.close()
    log.close()


def test_an_error_at_the_table_does_not_stop_the_button(
    rig: Rig, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = iter([False, False, True])
    monkeypatch.setattr(rig.button._stop, "wait", lambda _seconds: next(rounds))
    lamps = iter(["boom", "sure"])

    def lamp() -> LampState:
        if next(lamps) == "boom":
            raise RuntimeError("the table broke")
        return "sure"

    monkeypatch.setattr(rig.deck, "lamp", lamp)
    rig.button._run()
    assert "the table broke" in caplog.text
    assert rig.pin(27).state == 1


def test_the_thread_of_its_own_stops_with_close(factory: MockFactory, tmp_path: Path) -> None:
    rig = Rig(Pins(), tmp_path)
    rig.button.start()
    thread = rig.button._thread
    rig.button.close()
    assert thread is not None
    assert not thread.is_alive()
