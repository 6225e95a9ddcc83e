"""What a lower layer says is wrong, in the reader's language; it says it in English, figures and all."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from flask_babel import gettext

from companion.web.dice_names import counted_words, dice_words, face_words, which_words


def N_(text: str) -> str:  # noqa: N802 - the name by which sentences are found
    """A sentence to be translated when it is said."""
    return text


PATTERNS = [
    # options of a game, and what an owner wrote down about a copy
    N_("a set is %(hand)s cards, not %(count)s"),
    N_("there is no card %(number)s: the cards are 1 to %(most)s"),
    N_("card %(number)s is there twice: nobody has two of a card"),
    N_("“%(text)s” is no set of cards: write glacial, or five numbers such as 1,4,5,9,12"),
    N_("“%(entry)s” must be a list of five card numbers, not %(value)s"),
    N_("“%(entry)s” is missing: %(words)s"),
    N_("“%(entry)s” is not known here: write %(names)s"),
    N_("“start” must be a list of four numbers, not %(value)s"),
    N_("“%(entry)s” must be %(words)s, not %(value)s"),
    N_("a board has five columns, not %(count)s"),
    N_("the start chips are four numbers, for 2, 3, 4 and 5 players"),
    N_("a game has 1 to 999 chips, not %(count)s"),
    N_("%(players)s players start with %(count)s chips: each needs one"),
    N_("%(players)s players with %(count)s chips each are more than the %(all)s of the game"),
    N_("column %(column)s has a space %(space)s: write green, yellow or red"),
    N_("column %(column)s has a space “%(space)s”: write g, y or r"),
    N_("column %(column)s has %(count)s spaces; it needs 2 to %(most)s"),
    N_("column %(column)s needs one red space, the last"),
    N_("column %(column)s: %(key)s is 1 to %(most)s, not %(number)s"),
    N_("%(key)s: is there twice"),
    N_("“%(word)s” is no column; one is written 2gggr:1"),
    N_("chips: takes one number"),
    N_("with %(seats)s players the start player is a seat from 0 to %(last)s"),
    N_("%(game)s is for %(least)s to %(most)s players, not %(count)s"),
    N_("%(game)s has no option “%(name)s”; its options are: %(names)s"),
    N_("option “%(name)s” takes %(allowed)s, not “%(value)s”"),
    N_("a list of colours"),
    N_("a list of four numbers"),
    N_("a list of five card numbers"),
    N_("a number"),
    N_("a table [column.1] to [column.5]"),
    N_("a table with spaces, first and arrow"),
    # rolls and choices
    N_("no throw is due now"),
    N_("the game is over"),
    N_("due are %(kinds)s, not %(dice)s"),
    N_("“%(text)s” is not open to seat %(seat)s now"),
    N_("“%(text)s” is no die: its kind must be one of %(kinds)s"),
    N_("“%(text)s” is no die: a %(kind)s die shows %(faces)s"),
    # the mat and the corners of the zone
    N_(
        "Only %(count)s of the mat's four corner markers can be seen: three are needed. "
        "Keep the corners free, light them evenly, and let the camera see the whole sheet."
    ),
    N_("The mat's markers do not fit together: lay the sheet flat and try again."),
    N_("Tap the four corners of the roll zone: %(count)s were tapped."),
    N_("These four corners enclose no zone: tap the corners of the field where the dice fall."),
]
"""Every sentence that a game, the dice or the calibration may say, its figures as blanks."""

_LINE = re.compile(r"line (\d+): (.*)", re.DOTALL)


def problem_words(text: str) -> str:
    """A lower layer's sentence in the reader's language; one that is not known stays as it is."""
    if at := _LINE.fullmatch(text):
        # what TOML itself finds wrong has no end of wordings, all of them in English
        said = _known(at[2]) or gettext("this cannot be read: look for a missing quote, bracket or “=”")
        return str(gettext("line %(number)s: %(problem)s", number=at[1], problem=said))
    return _known(text) or text


def _known(text: str) -> str:
    for english in PATTERNS:
        if found := _pattern(english).fullmatch(text):
            blanks = {name: _WORDS.get(name, str)(value) for name, value in found.groupdict().items()}
            return str(gettext(english)) % blanks
    return ""


@cache
def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.*?)", re.escape(english)), re.DOTALL)


_WORDS: dict[str, Callable[[str], str]] = {
    "words": problem_words,
    "kind": which_words,
    "kinds": lambda text: counted_words(text.split(", ")),
    "faces": lambda text: ", ".join(map(face_words, text.split(", "))),
    "dice": lambda text: dice_words(text.split(", ") if text else ()) or "–",
}
"""How the blanks that hold words of their own are said."""
