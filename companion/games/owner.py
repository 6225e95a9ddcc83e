"""What an owner writes down about a copy of a game: TOML text, and mistakes that name their line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeVar

from companion.games.core import IllegalOption

Where = tuple[str, ...]
"""The way to an entry: its table, then its key."""

_HEADER = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$")
_ENTRY = re.compile(r"\s*([\w.\"' -]+?)\s*=")
_AT_LINE = re.compile(r"(.*) \(at line (\d+), column \d+\)$", re.DOTALL)

T = TypeVar("T")


class CannotBe(IllegalOption):
    """Something that a game cannot have; `where` leads to the entry that says it."""

    def __init__(self, sentence: str, where: Where = ()) -> None:
        super().__init__(sentence)
        self.where = where


def from_toml(text: str, made: Callable[[dict[str, Any]], T]) -> T:
    """What `made` reads out of TOML text; every mistake in it is an error that opens with its line."""
    try:
        return made(tomllib.loads(text))
    except CannotBe as problem:
        line = line_of(text, problem.where)
        raise CannotBe(f"line {line}: {problem}", problem.where) from problem
    except (ValueError, RecursionError) as problem:  # no TOML, or thousands of digits or brackets
        at = _AT_LINE.match(str(problem))
        sentence, line = (at[1], int(at[2])) if at else (str(problem), text.count("\n") + 1)
        raise CannotBe(f"line {line}: {sentence[:1].lower()}{sentence[1:]}") from problem


def line_of(text: str, where: Where) -> int:
    """The line, counted from 1, that holds this entry, or else the nearest table around it."""
    lines: dict[Where, int] = {(): 1}
    table: Where = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = here = _keys(header[1])
        elif written := _ENTRY.match(line):
            here = (*table, *_keys(written[1]))
        else:
            continue
        for length in range(1, len(here) + 1):
            lines.setdefault(here[:length], number)
    return next(lines[where[:length]] for length in range(len(where), -1, -1) if where[:length] in lines)


def entry(entries: dict[str, Any], where: Where, kind: type[T], words: str) -> T:
    """The entry at the end of `where` in its own table, which must be there and of this kind."""
    if where[-1] not in entries:
        raise CannotBe(f"“{'.'.join(where)}” is missing: {words}", where)
    value = entries[where[-1]]
    if type(value) is not kind:
        raise CannotBe(f"“{'.'.join(where)}” must be {words}, not {value!r}", where)
    return value


def only(entries: dict[str, Any], names: tuple[str, ...], where: Where = ()) -> None:
    """Refuse an entry that nobody reads: most often a slip of the pen."""
    for name in entries:
        if name not in names:
            raise CannotBe(f"“{name}” is not known here: write {', '.join(names)}", (*where, name))


def _keys(text: str) -> Where:
    return tuple(key.strip().strip("\"'") for key in text.split("."))
