"""TOML text as plain values, and errors in words that the author of the file knows."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final

_LARGEST: Final = 1 << 63
"""Whole numbers in TOML have 64 bits. tomllib also reads larger ones, and Python refuses to print one of thousands of
digits."""
MOST_QUOTED: Final = 80
"""Characters of a text in a message."""
MOST_LISTED: Final = 3
"""Values of a list in a message."""
_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_IN_OUR_WORDS: Final[Mapping[str, str]] = {
    "Cannot overwrite a value": "a name is given twice",
    "Cannot declare": "a table is named twice",
    "Cannot mutate": "a table is named twice",
    "Duplicate inline table key": "a name is given twice",
    "Expected '=' after a key": "a name is not followed by =",
    "Expected ']' at the end of a table declaration": "a table's name has no ]",
    "Expected ']]'": "a table's name has no ]]",
    "Expected newline or end of document": "something stands behind the end of a line's value",
    "Unclosed array": "a list has no ]",
    "Unclosed inline table": "a table has no }",
    "Unterminated string": "a text has no closing quote",
    'Expected "': "a text has no closing quote",
    "Unescaped '\\'": "a \\ in a text begins nothing; write \\\\ for it",
    "Escaped character": "a \\ in a text begins nothing; write \\\\ for it",
    "Invalid hex value": "a \\ in a text begins nothing; write \\\\ for it",
    "Invalid date or datetime": "a date is none",
    "Invalid value": "a name has no value; words need quotes",
    "Invalid initial character": "a name begins with a character that needs quotes",
    "Invalid statement": "a line does not begin with a name",
    "Found invalid character": "a character cannot stand there",
    "Illegal character": "a character cannot stand there",
    "Exceeds the limit": "a number has too many digits",
    "maximum recursion": "lists stand in lists too deep",
}
"""The beginnings of tomllib's messages, with ours."""


class NotToml(ValueError):
    """A text is not TOML, or a number in it, at `path`, has more than 64 bits.

    `str()` says what is wrong, and where: `this is no TOML: a name is given twice (line 3)`.
    """

    def __init__(self, why: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.path = path


def read_toml(text: str) -> dict[str, Any]:
    """Return the values of a text; raise `NotToml`."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        # Not only TOMLDecodeError: a number of thousands of digits raises a plain ValueError.
        raise NotToml(_explained(str(problem))) from None
    _require_small(data, ())
    return data


def _explained(problem: str) -> str:
    """Return tomllib's message in our words if we know it, with the place."""
    text = "this is no TOML"
    for theirs, ours in _IN_OUR_WORDS.items():
        if problem.startswith(theirs):
            text = f"{text}: {ours}"
            break
    place = _PLACE.search(problem)
    if place is None:
        return text
    if place[1]:
        return f"{text} (line {place[1]})"
    return f"{text} (at its end)"


def _require_small(value: object, path: tuple[str, ...]) -> None:
    """Raise `NotToml` for a whole number of more than 64 bits anywhere in a value."""
    if isinstance(value, int) and abs(value) >= _LARGEST:
        raise NotToml(f"{'.'.join(path)} is a number of too many digits", path)
    if isinstance(value, dict):
        for name, item in value.items():
            _require_small(item, (*path, name))
    elif isinstance(value, list):
        for item in value:
            _require_small(item, path)


def as_written(value: object) -> str:
    """Return a value as its author would write it, for a message: `true`, `'four'`, `[1, 2]`, `a list of 9`."""
    match value:
        case bool():  # before int, of which it is a subclass
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return quoted(value)
        case list():
            is_nested = any(isinstance(item, list | dict) for item in value)
            if is_nested or len(value) > MOST_LISTED:
                return f"a list of {len(value)}"
            return f"[{', '.join(map(as_written, value))}]"
        case dict():
            return "a table"
    return "a date or a time"


def quoted(text: str) -> str:
    """Return a text in quotes, for a message: shortened, with `?` for characters that cannot be printed."""
    shown = ""
    for character in text[:MOST_QUOTED]:
        shown += character if character.isprintable() else "?"
    return f"'{shown}...'" if len(text) > MOST_QUOTED else f"'{shown}'"


def line_of(text: str, path: tuple[str, ...]) -> int:
    """Return the line, from 1, of the value at `path`, or of the innermost table around it; 0 if there is none.

    tomllib does not report lines, so this reads the text line by line.
    """
    best, depth = 0, 0
    for number, named in _paths(text):
        if named[: len(path)] == path:
            return number
        if len(named) > depth and path[: len(named)] == named:
            best, depth = number, len(named)
    return best


def _paths(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the lines that name something, with the path of what they name."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if line.startswith("["):
            table = _named(line)
            yield number, table
            continue
        for place, character in enumerate(line):
            if character != "=":
                continue
            key = _named(f"{line[:place]}=0")
            if key:  # else this = is in a name in quotes, or the line continues a text
                yield number, (*table, *key)
                break


def _named(line: str) -> tuple[str, ...]:
    """Return the path of the only thing that a line of TOML names; empty if it names nothing."""
    try:
        value = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(value, dict) and value:
        name, value = next(iter(value.items()))
        path.append(name)
    return tuple(path)
