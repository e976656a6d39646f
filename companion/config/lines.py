"""Where a value stands in a TOML file, which the reader of the library does not tell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator


def line_of(text: str, path: tuple[str, ...]) -> int:
    """Return the line, from 1, on which the value at `path` is given, or the table around it; 0 where none is found."""
    best, depth = 0, 0
    for number, given in _paths(text):
        common = _common(given, path)
        if common == len(path) or (common > depth and common == len(given)):
            best, depth = number, common
        if depth == len(path):
            break
    return best


def _paths(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the lines that name something, with the path of what they name."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.strip()
        if words.startswith("["):
            table = _named(words)
            yield number, table
            continue
        for place in (place for place, sign in enumerate(words) if sign == "="):
            key = _named(f"{words[:place]}=0")
            if key:
                yield number, (*table, *key)
                break


def _named(words: str) -> tuple[str, ...]:
    """The path of the one thing that a line of TOML names; empty where it names none."""
    try:
        found = tomllib.loads(words)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(found, dict) and found:
        name, found = next(iter(found.items()))
        path.append(name)
    return tuple(path)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))
