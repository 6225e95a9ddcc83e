"""One thing the doctor found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do; a `problem` keeps the table from running."""

    what: str
    level: Level
    text: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.level:<8} {self.what}: {self.text}{f' – {self.advice}' if self.advice else ''}"


def cannot_run(findings: Iterable[Finding]) -> bool:
    """Whether the table cannot run."""
    return any(finding.level == "problem" for finding in findings)
