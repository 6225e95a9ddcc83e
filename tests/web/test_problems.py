"""Refusals of the lower layers are said in the player's language, every one of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask_babel import force_locale

import companion
from companion.games.geizen import board
from companion.table import Refused
from companion.vision.reading import Sentence
from companion.web.problems import PATTERNS, problem_words
from companion.web.words import say
from tests.web.rig import room_of

SAID = (
    "IllegalEvent",
    "IllegalRoll",
    "IllegalChoice",
    "IllegalOption",
    "CannotBe",
    "NotADie",
    "MatNotFound",
    "BadCorners",
)
"""Errors whose sentence reaches a player."""
WHERE = ("dice.py", "games/**/*.py", "vision/calibration.py")
FOR_PROGRAMMERS = "is no event"
"""What only a mistake in the program can say."""


def texts_in(source: str) -> Iterator[str]:
    """Every sentence raised in a module, with a figure in each blank."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
            continue
        name = node.exc.func
        if not isinstance(name, ast.Name) or name.id not in SAID or not node.exc.args:
            continue
        match node.exc.args[0]:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr(values=parts):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts)


def all_texts() -> list[str]:
    folder = Path(companion.__file__).parent
    files = sorted(file for pattern in WHERE for file in folder.glob(pattern))
    texts = {text for file in files for text in texts_in(file.read_text(encoding="utf-8"))}
    return sorted(text for text in texts if FOR_PROGRAMMERS not in text)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    log, table, _, app = room_of(tmp_path)
    with app.test_request_context(headers={"Accept-Language": "nl"}), force_locale("nl"):
        yield app
    table.close()
    log.close()


def test_the_sentences_are_found() -> None:
    texts = all_texts()
    assert len(texts) > 25
    assert "a set is 7 cards, not 7" in texts


def test_every_refusal_is_said_in_dutch(app: Flask) -> None:
    # “7 has …” stands for “column 7 has …”, and “line 7: 7” for a line with a sentence of its own
    texts = [
        text.replace("7 has", "column 7 has").replace("7 needs", "column 7 needs") for text in all_texts()
    ]
    texts = [text if not text.startswith("7: 7 is 1") else f"column {text}" for text in texts]
    texts = [text.replace("due are 7, not 7", "due are worm, not worm:3") for text in texts]
    english = [text for text in texts if problem_words(text) == text and text != "line 7: 7"]
    assert english == []


def test_every_pattern_is_used() -> None:
    words = {
        text for file in ("owner.py", "geizen/board.py", "dicy_cards/cards.py") for text in _constants(file)
    }
    said = " | ".join([*all_texts(), *words])
    for pattern in PATTERNS:
        longest = max(re.split(r"%\(\w+\)s", pattern), key=len)
        assert longest.strip("“” ") in said, pattern


def _constants(name: str) -> Iterator[str]:
    source = (Path(companion.__file__).parent / "games" / name).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize(
    ("written", "line"),
    [("start = [25, 22", 1), ("[column.1\n", 1), ("chips = 130\nstart 3", 2), ('x = "a', 1), ("= 3", 1)],
)
def test_broken_toml_is_said_in_dutch(app: Flask, written: str, line: int) -> None:
    with pytest.raises(ValueError, match=r"^line ") as problem:
        board.Board.from_toml(written)
    assert problem_words(str(problem.value)).startswith(f"regel {line}: dit is niet te lezen")


def test_a_roll_that_does_not_fit_names_the_dice(app: Flask) -> None:
    refused = Refused(
        "that roll does not fit: %(problem)s", problem="due are worm, worm, worm, not worm:3, worm:worm"
    )
    said = say(refused.sentence)
    assert said == "die worp past niet: er horen 3× wormdobbelsteen te liggen, niet 3, worm"


@pytest.mark.parametrize(
    ("kind", "english", "dutch"),
    [
        ("colour", "The colour die does not lie flat.", "De kleurdobbelsteen ligt niet plat."),
        ("blue", "The blue die does not lie flat.", "De blauwe dobbelsteen ligt niet plat."),
        ("pip", "The white die does not lie flat.", "De witte dobbelsteen ligt niet plat."),
    ],
)
def test_a_die_is_named_once(app: Flask, kind: str, english: str, dutch: str) -> None:
    sentence = Sentence("The %(kind)s die does not lie flat.", (("kind", kind),))
    assert say(sentence) == dutch
    with force_locale("en"):
        assert say(sentence) == english
