"""The text of a data file as plain values; what is no TOML, too large, too deep or too long is refused in our words.

Nothing is parsed before the text is known to be small, plain and shallow: the library's parser
recurses with the depth of a text, and copies with the number of names in a line.
"""

from __future__ import annotations

import re
from typing import Any, Final

from companion.rules.plain_toml import NotToml, read_toml

MOST_BYTES: Final = 1 << 16
MOST_DEPTH: Final = 8
SMALL: Final = "a number from -1000000 to 1000000"
_DIGITS: Final = re.compile(r"(?:0[xob])?[0-9A-Fa-f_]{80,}")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_STRING: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
"""A string or a comment. Up to two quotes that belong to the string may come before a closing triple quote."""


class FileFault(ValueError):
    """A fault in the file of a game: where it is, why, and what is expected instead.

    A `why` that is about the place itself begins with `is`.
    """

    def __init__(self, path: tuple[str, ...], why: str, expected: str) -> None:
        where = short(".".join(path))
        if where:
            joint = " " if why.startswith("is ") else ": "
            why = f"{where}{joint}{why}"
        super().__init__(f"{why}; expected {expected}.")
        self.path = path
        """The names that lead to it: `counters`, `taken`, `least`."""


def short(text: str, most: int = 80) -> str:
    """Return at most `most` characters of a text for a message, unprintable ones replaced."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in text)
    if len(plain) <= most:
        return plain
    return f"{plain[:most]}..."


def data_of(text: str) -> dict[str, Any]:
    """Return the values of a text; raise `FileFault`."""
    if len(text.encode()) > MOST_BYTES:
        raise FileFault((), f"the file has more than {MOST_BYTES // 1024} KiB", "a game in less")
    control = _CONTROL.search(text)
    if control is not None:
        line = text[: control.start()].count("\n") + 1
        raise FileFault((), f"line {line} has a control character", "plain text")
    _require_plain(text)
    try:
        return read_toml(text)
    except NotToml as problem:
        if problem.path:
            raise FileFault(problem.path, "is a number of too many digits", SMALL) from None
        raise FileFault((), str(problem), "NAME = VALUE, or [TABLE]") from None


def _require_plain(text: str) -> None:
    """Raise `FileFault` for a line that names too much, nests too deep, or has a number of too many digits."""
    # strings and comments are dropped, but not their lines, so that the numbers of lines stay right
    bare = _STRING.sub(lambda match: '""' + "\n" * match[0].count("\n"), text)
    depth = 0
    for number, line in enumerate(bare.split("\n"), start=1):
        if line.count(".") > 2 * MOST_DEPTH or line.count("=") > 4 * MOST_DEPTH:
            raise FileFault((), f"line {number} names too much at once", "a name or a few a line")
        for match in _DIGITS.finditer(line):
            if match[0][:1].isdecimal():
                raise FileFault((), f"line {number} has a number of too many digits", SMALL)
        for sign in line:
            if sign in "[{":
                depth += 1
            elif sign in "]}":
                depth -= 1
            if depth > MOST_DEPTH:
                expected = f"at most {MOST_DEPTH} brackets in each other"
                raise FileFault((), f"line {number} is too deep", expected)
