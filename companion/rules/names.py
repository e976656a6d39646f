"""Names of people: lists of them, and whether two names are the same person's."""

from __future__ import annotations

import re
import unicodedata

_BETWEEN_NAMES = re.compile(r"[\n\r,;\t]")


def person_key(name: str) -> str:
    """Return a key that is equal for all spellings of a person's name.

    Letter case, surrounding spaces and the encoding of accents do not matter (canonical caseless matching of Unicode,
    section 3.13; in NFC).
    """
    if name.isascii():
        return name.strip().casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name.strip()).casefold())


def plain_blanks(text: str) -> str:
    """Return `text` with an ordinary space for each blank of other keyboards, such as the one that does not break."""
    return "".join(" " if unicodedata.category(sign) == "Zs" else sign for sign in text)


def split_names(text: str) -> list[str]:
    """Return the names in a list that was typed or copied from a spreadsheet, stripped.

    Nothing between two separators is an empty name.
    """
    return [name.strip() for name in _BETWEEN_NAMES.split(text)]
