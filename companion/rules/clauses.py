"""The ids of clauses in sentences: the log has them, what a person is asked or answered has not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_CLAUSE = r"(?:[A-Z]{2,}-[A-Z]?\d+|SEATS|PAUSE|FORMAT|OPTION|RULES|KEY|BOARD|ENDED)"
_CLAUSES: Final = re.compile(rf" \({_CLAUSE}(?:, [^()]*)?\)")


def without_clauses(text: str) -> str:
    """Return a sentence without the ids of clauses in brackets: `Ada is out (PF-10)` as `Ada is out`."""
    return _CLAUSES.sub("", text)


def begins_with_one(names: Iterable[str], text: str) -> bool:
    """Return whether a sentence begins with one of these names, and not with a word that begins like it."""
    return any(name and re.match(rf"{re.escape(name)}(?!\w)", text) for name in names)


def spoken(text: str, *, named: bool = False) -> str:
    """Return a sentence of the log as one to be said: a full stop last, no clause, and a capital first, unless it
    begins with a name (`named`, or one with a `_`), which stays as it is spelled."""
    said = without_clauses(text)
    begun = said if named or "_" in said.partition(" ")[0] else f"{said[:1].upper()}{said[1:]}"
    return f"{begun}." if said and not said.endswith((".", "?", "!")) else begun
