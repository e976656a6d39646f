"""The names of keys: as the terminal library spells them, and as people write them."""

from __future__ import annotations

import unicodedata

_NAMED = (
    "escape enter tab space backspace delete insert home end pageup pagedown up down left right "
    + " ".join(f"f{number}" for number in range(1, 25))
).split()
_PEOPLE = {"esc": "escape", "del": "delete", "bksp": "backspace", "ins": "insert", "return": "enter"}
# The library's own words for signs that Unicode names at length.
_SHORT = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_MODIFIERS = ("ctrl", "shift", "alt")


def key_of(word: str) -> str | None:
    """Return the library's name of the key that `word` means: `question_mark` for `?`, `ctrl+q` for `^q`, `f2` for
    `F2`; None where it means none."""
    if len(word) == 1:
        return _character(word)
    if len(word) == 2 and word.startswith("^"):
        return f"ctrl+{word[1].lower()}"
    *modifiers, last = word.split("+")
    if any(modifier.lower() not in _MODIFIERS for modifier in modifiers):
        return None
    name = _character(last) if len(last) == 1 else _name(last)
    if modifiers and name is not None:
        name = name.lower()
    return None if name is None else "+".join([*(modifier.lower() for modifier in modifiers), name])


def _name(word: str) -> str | None:
    small = word.lower()
    small = _PEOPLE.get(small, small)
    if small in _NAMED:
        return small
    try:
        character = unicodedata.lookup(small.replace("_", " "))
    except KeyError:
        return small if small in _SHORT.values() else None
    return _character(character) if character.isascii() else None  # Unicode names everything, wheels too


def _character(character: str) -> str | None:
    if character == " ":
        return "space"
    if not character.isprintable():
        return None
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _SHORT.get(name, name)
