"""Finds every sentence in the code and the templates, and keeps the catalogues of all languages in step."""

from __future__ import annotations

import ast
import io
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.games.clever.sheet import STARS
from companion.games.dicy_cards.cards import CARDS, PRESETS
from companion.games.keer_op_keer_2.sheet import LOWEST_RATING, RATINGS
from companion.web.translations import FOLDER

COMPANION = FOLDER.parent.parent
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""Stands in the compiled words instead of the minute they were compiled in: the same words, the same file."""
METHODS = [("web/templates/**.html", "jinja2"), ("**.py", "python")]
OPTIONS = {"web/templates/**.html": {"trimmed": "true", "silent": "false"}}
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "lazy_gettext": None,
    "lazy_pgettext": ((1, "c"), 2),
    "P_": ((1, "c"), 2),
    # sentences that lower layers write in English and the pages translate
    "Refused": None,
    "NotYours": None,
    "Malformed": None,
    "WrongPin": None,
    "CannotUndo": None,
    "Sentence": None,
    "CameraLost": None,
}
PARTS = (
    *("yellow", "blue", "green", "orange", "purple", "foxes"),
    *("start", "placed", "collected", "arrows", "loan"),
    *("colours", "columns", "rows", "hearts", "exclamation marks", "special dice", "stars", "unused throws"),
)
TIES = ("highest tile", "highest area", "shared", "active cards", "exclamation marks")
FACTS = (
    *("camera", "picture", "frames a second", "stillness", "last reading", "load of the eye", "temperature"),
    *("something moves", "all lies still", "no sensor here"),
)
BY_NAME = (
    *FACTS,
    *("greedy", "random"),
    *(card.name for card in CARDS.values()),
    *PRESETS.values(),
    *PARTS,
    *TIES,
    *(words for _, words in (*STARS, *RATINGS)),
    LOWEST_RATING,
)
"""Words that the games and bots hand over as values."""


def found() -> Catalog:
    """Every sentence there is, untranslated."""
    catalog = Catalog(project="companion", charset="utf-8")
    entries = extract_from_dir(
        COMPANION,
        method_map=METHODS,
        options_map=OPTIONS,
        keywords=KEYWORDS,
        directory_filter=lambda folder: Path(folder).name not in ("train", "world", "static", "__pycache__"),
    )
    for path, _line, message, comments, context in entries:
        catalog.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    for module in sorted(COMPANION.glob("**/*.py")):
        for text in _named_sentences(module.read_text(encoding="utf-8")):
            catalog.add(text, locations=[(str(module.relative_to(COMPANION)), 0)])
    for text in BY_NAME:
        catalog.add(text)
    return catalog


def _named_sentences(source: str) -> list[str]:
    """Sentences kept under a name, such as `COCKED = "The die …"`, in modules that build a `Sentence`."""
    if "Sentence(" not in source:
        return []
    return [
        node.value.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and " " in node.value.value
    ]


def catalogue(path: Path) -> Catalog:
    """The catalogue in a file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, charset="utf-8")


def renewed(path: Path, template: Catalog) -> Catalog:
    """A language's catalogue with exactly the sentences that are there now; nothing is guessed."""
    catalog = catalogue(path)
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    return catalog


def as_po(catalog: Catalog) -> bytes:
    """A catalogue as its file holds it: no dates or line numbers, so that it changes only with a sentence."""
    out = io.BytesIO()
    write_po(out, catalog, omit_header=True, sort_output=True, include_lineno=False, width=100)
    header = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Language: {catalog.locale_identifier}\\n"\n"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    return header.encode() + out.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """A catalogue as the pages read it."""
    catalog.creation_date = NO_TIME
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def untranslated(catalog: Catalog) -> list[str]:
    """The sentences that have no words in this language yet."""
    return [str(message.id) for message in catalog if message.id and not _said(message.string)]


def _said(string: object) -> bool:
    return all(string) if isinstance(string, tuple | list) else bool(string)


def files() -> list[Path]:
    """The catalogues of all languages."""
    return sorted(FOLDER.glob("*/LC_MESSAGES/messages.po"))


def renew() -> dict[str, list[str]]:
    """Write every catalogue anew and compile it; what is not translated, by language."""
    template, missing = found(), {}
    for path in files():
        catalog = renewed(path, template)
        path.write_bytes(as_po(catalog))
        path.with_suffix(".mo").write_bytes(as_mo(catalogue(path)))
        missing[path.parent.parent.name] = untranslated(catalog)
    return missing
