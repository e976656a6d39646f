"""Lists of names, and when two names are one person's."""

from __future__ import annotations

import re
import unicodedata

_BETWEEN_NAMES = re.compile(r"[\n\r,;\t]")


def person_key(name: str) -> str:
    """Return what all spellings of a person's name have in common: capitals, blanks around it, and whether an accent is
    a character of its own make no other person (Unicode 3.13, canonical caseless matching, in NFC)."""
    if name.isascii():
        return name.strip().casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name.strip()).casefold())


def split_names(text: str) -> list[str]:
    """Return the names of a list that somebody wrote or copied from a spreadsheet, without blanks around; one is empty
    where nothing stands between two separators."""
    return [name.strip() for name in _BETWEEN_NAMES.split(text)]
