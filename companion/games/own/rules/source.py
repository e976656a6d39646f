"""The text of a data file as plain values: what is no TOML, too large, too deep or too long is refused in our words.

Nothing is parsed before the text is known to be small, plain and shallow: the reader of the library recurses with the
depth of a text, and copies with the number of names in a line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from companion.games.own.rules.expressions import quoted

MOST_BYTES: Final = 1 << 16
MOST_DEPTH: Final = 8
_LARGEST: Final = 1 << 63
"""What a whole number in TOML stays below; the library reads larger ones as well."""
_DIGITS: Final = re.compile(r"(?:0[xob])?[0-9A-Fa-f_]{80,}")
_STRING: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
"""A text in quotes, or a comment. A triple quote may follow one or two quotes that are the text's own."""
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
}
"""What the library says first, and what we say instead."""


class FileFault(ValueError):  # noqa: N818  an answer to whoever wrote the file
    """What is wrong with the file of a game, in words: where, why, and what is expected instead. What is said of the
    place itself begins with `is`."""

    def __init__(self, path: tuple[str, ...], why: str, expected: str) -> None:
        where = short(".".join(path))
        joint = "" if not where else " " if why.startswith("is ") else ": "
        super().__init__(f"{where}{joint}{why}; expected {expected}.")
        self.path = path
        """The names that lead to it: `counters`, `taken`, `least`."""


def short(text: str, most: int = 80) -> str:
    """Return what a message repeats of a text: without what cannot be printed, and of at most so many characters."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in text)
    return plain if len(plain) <= most else f"{plain[:most]}..."


def said(value: object) -> str:
    """Return a value of a file as its writer would say it: `true`, `'four'`, `a list of 3`."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return quoted(value)
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a table"
    return "a date or a time"


def data_of(text: str) -> dict[str, Any]:
    """Return the values of a text; raise `FileFault`."""
    if len(text.encode()) > MOST_BYTES:
        raise FileFault((), f"the file has more than {MOST_BYTES // 1024} KiB", "a game in less")
    control = next((sign for sign in text if sign < " " and sign not in "\n\t\r"), None)
    if control is not None:
        line = text[: text.index(control)].count("\n") + 1
        raise FileFault((), f"line {line} has a control character", "plain text")
    _require_plain(text)
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as problem:
        raise FileFault((), _no_toml(str(problem)), "NAME = VALUE, or [TABLE]") from None
    _require_small(data, ())
    return data


def _require_plain(text: str) -> None:
    """Raise `FileFault` for a line that names too much, goes too deep, or has a number of too many digits."""
    bare, deepest = _STRING.sub(lambda found: '""' + "\n" * found[0].count("\n"), text), 0
    for number, line in enumerate(bare.split("\n"), start=1):
        if line.count(".") > 2 * MOST_DEPTH or line.count("=") > 4 * MOST_DEPTH:
            raise FileFault((), f"line {number} names too much at once", "a name or a few a line")
        if any(found[0][:1].isdecimal() for found in _DIGITS.finditer(line)):
            raise FileFault((), f"line {number} has a number of too many digits", "a number from -1000000 to 1000000")
        for sign in line:
            deepest += (sign in "[{") - (sign in "]}")
            if deepest > MOST_DEPTH:
                raise FileFault((), f"line {number} is too deep", f"at most {MOST_DEPTH} brackets in each other")


def _no_toml(problem: str) -> str:
    """What is no TOML, in our words where the library's are known."""
    place = _PLACE.search(problem)
    where = "" if place is None else f" in line {place[1]}" if place[1] else " at its end"
    why = next((ours for theirs, ours in _IN_OUR_WORDS.items() if problem.startswith(theirs)), "")
    return f"this is no TOML{where}{f': {why}' if why else ''}"


def _require_small(value: object, path: tuple[str, ...]) -> None:
    """Raise `FileFault` for a whole number of more than 64 bits, wherever it stands."""
    if isinstance(value, int) and abs(value) >= _LARGEST:
        raise FileFault(path, "is a number of too many digits", "a number from -1000000 to 1000000")
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        _require_small(each, (*path, name) if isinstance(name, str) else path)
