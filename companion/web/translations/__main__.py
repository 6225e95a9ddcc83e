"""Renew and compile every language: `python -m companion.web.translations`."""

from __future__ import annotations

import sys

from companion.web.translations.catalogues import renew

if __name__ == "__main__":
    missing = renew()
    for language, texts in missing.items():
        for text in texts:
            sys.stdout.write(f"{language}: not translated: {text}\n")
    sys.exit(1 if any(missing.values()) else 0)
