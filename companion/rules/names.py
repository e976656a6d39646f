"""When two names are one person's."""

from __future__ import annotations

import unicodedata


def person_key(name: str) -> str:
    """Return what all spellings of a person's name have in common: capitals, blanks around it, and whether an accent is
    a character of its own make no other person (Unicode 3.13, canonical caseless matching, in NFC)."""
    if name.isascii():
        return name.strip().casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name.strip()).casefold())
