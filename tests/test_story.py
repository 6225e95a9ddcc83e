"""The fold: what stands after undo and correction, and that history is never rewritten."""

from __future__ import annotations

import pytest

from companion.dice import Die
from companion.games import GAMES
from companion.games.core import Chose, Corrected, IllegalRoll, Rolled, Undone
from companion.log import Line
from companion.table.story import CannotUndo, Story, entry_of, text_of


def worms(faces: str) -> tuple[Die, ...]:
    return tuple(Die("worm", "worm" if face == "w" else face) for face in faces)


@pytest.fixture
def story() -> Story:
    return Story(GAMES["regenwormen"].start(2))


def choose(story: Story, text: str) -> None:
    seat = next(iter(story.state.asked()))
    story.add(Chose(seat, story.state.find(seat, text)))


def test_undo_takes_back_the_own_last_choice(story):
    story.add(Rolled(worms("www11123")))
    before = story.state
    choose(story, "aside worm")
    story.add(Undone(0))
    assert story.state == before


def test_undo_never_reaches_behind_a_roll(story):
    story.add(Rolled(worms("www11123")))
    choose(story, "aside worm")
    story.add(Rolled(worms("11123")))
    with pytest.raises(CannotUndo):
        story.add(Undone(0))


def test_undo_of_another_seat_is_refused(story):
    story.add(Rolled(worms("www11123")))
    choose(story, "aside worm")
    with pytest.raises(CannotUndo):
        story.add(Undone(1))


def test_correction_keeps_the_choices_that_still_fit(story):
    story.add(Rolled(worms("www11123")))
    choose(story, "aside worm")
    story.add(Corrected(worms("wwww1123")))
    assert story.state.aside == (("worm", 4),)


def test_correction_undoes_what_no_longer_fits_and_names_it(story):
    story.add(Rolled(worms("www11123")))
    choose(story, "aside 3")
    correction = Corrected(worms("www11122"))
    assert [str(event.choice) for _, event in story.undone_by(correction)] == ["aside 3"]
    story.add(correction)
    assert story.state.aside == ()
    assert story.state.lying == worms("www11122")


def test_correction_with_the_wrong_number_of_dice_is_refused_and_changes_nothing(story):
    story.add(Rolled(worms("www11123")))
    before = story.state
    with pytest.raises(IllegalRoll):
        story.add(Corrected(worms("www")))
    assert story.state == before


def test_correction_before_any_roll_is_refused(story):
    with pytest.raises(CannotUndo):
        story.add(Corrected(worms("www11122")))


def test_the_count_of_choices_only_grows(story):
    story.add(Rolled(worms("www11123")))
    assert story.choices_made(0) == 0
    choose(story, "aside worm")
    assert story.choices_made(0) == 1
    story.add(Undone(0))
    assert story.choices_made(0) == 2


@pytest.mark.parametrize(
    "entry",
    [
        Rolled(worms("www11123")),
        Rolled(worms("www11123"), nearest_first=True),
        Corrected(worms("w1112345")),
        Corrected(worms("w1112345"), nearest_first=True),
        Undone(1),
    ],
)
def test_entries_survive_the_log(entry, story):
    assert entry_of(Line(*text_of(entry), at=0.0), story.state) == entry


def test_a_choice_is_stored_as_its_text_and_found_among_what_is_legal(story):
    story.add(Rolled(worms("www11123")))
    entry = Chose(0, story.state.legal(0)[0])
    assert text_of(entry) == ("chose", 0, "aside 1")
    assert entry_of(Line("chose", 0, "aside 1", 0.0), story.state) == entry
