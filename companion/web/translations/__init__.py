"""The languages of the pages: English in the code, every other in `<language>/LC_MESSAGES/messages.po`.

`python -m companion.web.translations` finds the sentences in the code and renews and compiles every language;
a new language is a folder with an empty `messages.po`.
"""

from __future__ import annotations

from pathlib import Path

from flask import current_app, request

FOLDER = Path(__file__).parent
LANGUAGES: dict[str, str] = {"nl": "Nederlands", "en": "English"} | {
    path.parent.parent.name: path.parent.parent.name
    for path in sorted(FOLDER.glob("*/LC_MESSAGES/messages.po"))
    if path.parent.parent.name not in ("nl", "en")
}
COOKIE = "companion_language"


def best_language() -> str:
    """The language chosen here before, else the phone's best, else the table's."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    table: str = current_app.extensions["companion"].language
    return request.accept_languages.best_match(list(LANGUAGES), table) or table
