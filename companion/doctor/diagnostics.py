"""The last errors on disk, and a ZIP with all that helps to find a fault, without names and tokens."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from importlib import metadata
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from companion.doctor.finding import Finding

ERRORS = "errors.log"
_TOKEN = re.compile(r"(?<![\w.-])(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[\w.-]{16,}(?![\w.-])")
"""Long runs of letters and digits: cookies, seat tokens, keys."""
_PATCH = re.compile(r'"[0-9a-f]{64,}"')
"""Bits of the picture of somebody's table."""
_PIN_LINE = re.compile(r"^(\s*pin\s*=\s*)[\"'].*$", re.MULTILINE)


def keep_errors(state_dir: Path) -> logging.Handler:
    """Write warnings and errors of this process to the state folder too, at most two small files."""
    handler = RotatingFileHandler(
        state_dir / ERRORS, maxBytes=200_000, backupCount=1, encoding="utf-8", delay=True
    )
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    return handler


def pack(file: Path, findings: Sequence[Finding], state_dir: Path, config: Path | None = None) -> None:
    """Write the ZIP."""
    secrets = secrets_of(state_dir)
    texts = {
        "doctor.txt": "\n".join(map(str, findings)) + "\n",
        "doctor.json": json.dumps([asdict(finding) for finding in findings], indent=1, ensure_ascii=False),
        "packages.txt": "\n".join(
            sorted({f"{found.metadata['Name']} {found.version}" for found in metadata.distributions()})
        ),
    }
    for name in (ERRORS, f"{ERRORS}.1"):
        if (state_dir / name).is_file():
            texts[name] = (state_dir / name).read_text(encoding="utf-8", errors="replace")
    if (state_dir / "calibration.json").is_file():
        text = (state_dir / "calibration.json").read_text(encoding="utf-8", errors="replace")
        texts["calibration.json"] = _PATCH.sub('"(picture)"', text)
    if config is not None and config.is_file():
        text = config.read_text(encoding="utf-8", errors="replace")
        texts["companion.toml"] = _PIN_LINE.sub(r'\1"(left out)"', text)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            if name.startswith(("doctor", ERRORS)):
                text = _TOKEN.sub("(token)", text)
            archive.writestr(name, without(text, secrets))


def secrets_of(state_dir: Path) -> dict[str, str]:
    """Everything in the games that must not leave the house, each with the word that stands for it."""
    found: dict[str, str] = {str(Path.home()): "~"}
    database = state_dir / "companion.db"
    if not database.is_file():
        return found
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as games:
            for (lobby,) in games.execute("SELECT lobby FROM games"):
                for player in _players(json.loads(lobby)):
                    found |= {str(player.get("name")): "(name)", str(player.get("id")): "(token)"}
            kept = games.execute("SELECT value FROM kept WHERE name IN ('pin', 'secret')")
            found |= {str(value): "(left out)" for (value,) in kept}
    except (sqlite3.Error, ValueError):
        logging.getLogger(__name__).warning("The names in %s cannot be read", database)
    return {secret: word for secret, word in found.items() if len(secret) > 1}


def without(text: str, secrets: dict[str, str]) -> str:
    """The text with every secret, as a whole word, replaced; the longest first."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", secrets[secret], text, flags=re.IGNORECASE)
    return text


def _players(lobby: Any) -> Iterable[dict[str, Any]]:
    players = lobby.get("players", []) if isinstance(lobby, dict) else []
    return [player for player in players if isinstance(player, dict)]
