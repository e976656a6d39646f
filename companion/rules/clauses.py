"""Clause ids in sentences: the log shows them, a question or an answer to a person does not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_CLAUSE = r"(?:[A-Z]{2,}-[A-Z]?\d+|SEATS|PAUSE|FORMAT|OPTION|RULES|KEY|BOARD|ENDED)"
_CLAUSES: Final = re.compile(rf" \({_CLAUSE}(?:, [^()]*)?\)")
_REFUSED_BY: Final = re.compile(rf"^{_CLAUSE}: ")


def without_clauses(text: str) -> str:
    """Remove clause ids in brackets: `Ada is out (PF-10)` becomes `Ada is out`."""
    return _CLAUSES.sub("", text)


def without_clause_of_refusal(text: str) -> str:
    """Remove the clause before a refusal, and the choices after it: `PF-9: Blue is out; expected Red`."""
    return _REFUSED_BY.sub("", text).partition("; expected ")[0]


def begins_with_one(names: Iterable[str], text: str) -> bool:
    """Return whether a sentence begins with one of these names as a whole word."""
    return any(name and re.match(rf"{re.escape(name)}(?!\w)", text) for name in names)


def spoken(text: str, *, named: bool = False) -> str:
    """Return a sentence of the log for a person: without clauses, with a capital letter and a full stop.

    A name at the beginning is left as it is spelled: if the caller says so (`named`), or if it has a `_`.
    """
    sentence = without_clauses(text)
    if not named and "_" not in sentence.partition(" ")[0]:
        sentence = f"{sentence[:1].upper()}{sentence[1:]}"
    if sentence and not sentence.endswith((".", "?", "!")):
        sentence += "."
    return sentence
