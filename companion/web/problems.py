"""What is wrong with an option, in the reader's language; the games say it in English, figures and all."""

from __future__ import annotations

import re

from flask_babel import gettext


def N_(text: str) -> str:  # noqa: N802 - the name by which sentences are found
    """A sentence to be translated when it is said."""
    return text


PATTERNS = [
    N_("a set is %(hand)s cards, not %(count)s"),
    N_("there is no card %(number)s: the cards are 1 to %(most)s"),
    N_("card %(number)s is there twice: nobody has two of a card"),
    N_("“%(text)s” is no set of cards: write glacial, or five numbers such as 1,4,5,9,12"),
    N_("“%(entry)s” must be a list of five card numbers, not %(value)s"),
    N_("“%(entry)s” is missing: %(words)s"),
    N_("“%(entry)s” is not known here: write %(names)s"),
    N_("“%(entry)s” must be %(words)s, not %(value)s"),
    N_("“start” must be a list of four numbers, not %(value)s"),
    N_("a board has five columns, not %(count)s"),
    N_("the start chips are four numbers, for 2, 3, 4 and 5 players"),
    N_("a game has 1 to 999 chips, not %(count)s"),
    N_("%(players)s players start with %(count)s chips: each needs one"),
    N_("%(players)s players with %(count)s chips each are more than the %(all)s of the game"),
    N_("column %(column)s has a space %(space)s: write green, yellow or red"),
    N_("column %(column)s has %(count)s spaces; it needs 2 to %(most)s"),
    N_("column %(column)s needs one red space, the last"),
    N_("column %(column)s: %(key)s is 1 to %(most)s, not %(number)s"),
    N_("with %(seats)s players the start player is a seat from 0 to %(last)s"),
    N_("%(game)s is for %(least)s to %(most)s players, not %(count)s"),
    N_("a list of colours"),
    N_("a list of four numbers"),
    N_("a list of five card numbers"),
    N_("a number"),
    N_("a table [column.1] to [column.5]"),
    N_("a table with spaces, first and arrow"),
]
"""Every sentence about options that a game may say, its figures as blanks."""

_LINE = re.compile(r"line (\d+): (.*)", re.DOTALL)


def problem_words(text: str) -> str:
    """A game's sentence in the reader's language; one that is not known stays as it is."""
    if at := _LINE.fullmatch(text):
        return str(gettext("line %(number)s: %(problem)s", number=at[1], problem=problem_words(at[2])))
    for english in PATTERNS:
        pattern = re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.+?)", re.escape(english))
        if found := re.fullmatch(pattern, text, re.DOTALL):
            blanks = found.groupdict()
            if "words" in blanks:
                blanks["words"] = problem_words(blanks["words"])
            return str(gettext(english)) % blanks
    return text
