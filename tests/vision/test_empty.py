"""Tables without dice, crowded with things that are none: nothing there may be sure to be a roll."""

from __future__ import annotations

import pytest

from companion.dice import Die, Roll
from companion.vision.reader import Reader
from companion.vision.reading import Image, Reading, Spotted
from companion.vision.train.empty import bare_table, sure_of_nothing
from companion.vision.trust import ALONE, may_be_sure, passes

TABLES = 10


def test_no_empty_table_gives_a_sure_roll_however_few_dice_are_due() -> None:
    told = sure_of_nothing(Reader(), TABLES)
    assert {name: seen.rolls for name, seen in told.items() if seen.rolls} == {}


@pytest.mark.parametrize("table", [740, 761])
def test_a_letter_tile_that_passes_for_a_die_at_first_does_not_from_closer_by(table: int) -> None:
    reader, image = Reader(), bare_table(table)
    tile = max(reader.noted(image, None), key=lambda each: each.signs.chance)
    assert may_be_sure(tile.signs) and passes(tile.signs, ALONE) and tile.spot.state == "flat"
    assert not tile.plain
    assert reader.read(image, None).roll is None and reader.read(image, ("pip",)).roll is None


@pytest.mark.parametrize("table", [58, 724, 812])
def test_a_dot_that_passes_for_a_one_is_no_sure_one_where_nothing_vouches_for_it(table: int) -> None:
    reader, image = Reader(), bare_table(table)
    assert "1" in {spot.die.face for spot in reader.read(image, ("pip",)).dice}
    assert not any(spot.sure for due in (None, ("pip",)) for spot in reader.read(image, due).dice)


class _Credulous:
    """A reader that is sure of one die on every table, if just one is due."""

    def read(self, image: Image, due: tuple[str, ...] | None, lying: Roll = ()) -> Reading:
        die = Die((due or ("pip",))[0], "1")
        sure = due is not None and len(due) == 1
        return Reading((Spotted(die, (0, 0, 9, 9), 0.9, sure=sure),), (die,) if sure else None, ())


def test_what_a_reader_makes_up_is_counted() -> None:
    told = sure_of_nothing(_Credulous(), 2)
    assert (told["one worm die"].rolls, told["one worm die"].sure) == (2, 2)
    assert (told["clever"].rolls, told["clever"].sure, told["clever"].pictures) == (0, 0, 2)


def test_tables_are_read_from_the_first_asked_for_on() -> None:
    looked_at: list[Image] = []

    class Notes(_Credulous):
        def read(self, image: Image, due: tuple[str, ...] | None, lying: Roll = ()) -> Reading:
            looked_at.append(image)
            return super().read(image, due, lying)

    sure_of_nothing(Notes(), 2, first=3)
    assert (looked_at[0] == bare_table(3)).all() and (looked_at[-1] == bare_table(4)).all()


def test_the_tables_differ_and_come_again() -> None:
    first = bare_table(1)
    assert (first == bare_table(1)).all() and not (first == bare_table(2)).all()
