"""Every sentence is in every language, and what the pages read is what the catalogues say."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from companion.web.translations.catalogues import as_mo, as_po, catalogue, files, found, renewed, untranslated


@pytest.mark.parametrize("path", files(), ids=lambda path: path.parent.parent.name)
def test_a_language_is_whole_and_fresh(path: Path) -> None:
    renew = "run python -m companion.web.translations and fill in what it names"
    catalog = renewed(path, found())
    assert untranslated(catalog) == [], renew
    assert path.read_bytes() == as_po(catalog), renew
    assert path.with_suffix(".mo").read_bytes() == as_mo(catalogue(path)), renew


@pytest.mark.parametrize("path", files(), ids=lambda path: path.parent.parent.name)
def test_blanks_are_kept(path: Path) -> None:
    for message in catalogue(path):
        if message.id:
            assert [str(error) for error in message.check()] == [], message.id


def test_sentences_of_the_lower_layers_are_found() -> None:
    texts = {message.id for message in found()}
    assert "no throw is due now" in texts
    assert "somebody has already built on that choice: the host can take back everything since" in texts
    assert "The %(kind)s die does not lie flat." in texts


def test_the_minute_of_compiling_is_not_in_the_compiled_words() -> None:
    early, late = (Catalog(locale="nl", creation_date=datetime(2020, 1, day, tzinfo=UTC)) for day in (1, 2))
    assert as_mo(early) == as_mo(late)
