"""The clauses of a game's rules by their ids, as its RULES.md words them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import Final

from companion.rules.registry import GAMES

_ID: Final = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
_HEAD: Final = re.compile(r"^- \*\*(?P<id>[A-Z]{2}-[A-Z]?\d+)\*\* (?P<text>.*)$")
_MARKS: Final = re.compile(r"\*\*|`|(?<!\w)\*(?=[\w(])|(?<=[\w.,:;)])\*(?!\w)")
GENERAL: Final = MappingProxyType(
    {
        "PAUSE": "While the game is paused its clock stands still: nobody draws, shoots or places until it goes on.",
        "FORMAT": "What is entered has to have the form that its kind of ruling is told in.",
        "SEATS": "Every seat has a name of its own that everybody can read.",
    }
)
"""What refuses in every game and stands in the rules of none."""


def cited(text: str) -> tuple[str, ...]:
    """Return the ids of the clauses that a sentence names, each once, in its order."""
    found = [*_ID.findall(text), *(name for name in GENERAL if re.search(rf"\({name}\)|^{name}\b", text))]
    return tuple(dict.fromkeys(found))


def clause(game_id: str, name: str) -> str | None:
    """Return the words of a clause without their markup; None where the rules have no such clause."""
    return _clauses(game_id).get(name) or GENERAL.get(name)


@cache
def _clauses(game_id: str) -> dict[str, str]:
    info = GAMES.get(game_id)
    rules = info.file("RULES.md") if info is not None else None
    return dict(_read(rules.read_text(encoding="utf-8"))) if rules is not None and rules.is_file() else {}


def _read(text: str) -> Iterator[tuple[str, str]]:
    """Each clause of a page of rules: an item of a list that begins with its id, and the lines indented below it."""
    name, words = "", [""]
    for line in [*text.splitlines(), ""]:
        head = _HEAD.match(line)
        if name and (head is not None or not line.startswith("  ")):
            yield name, _MARKS.sub("", " ".join(words))
            name = ""
        if head is not None:
            name, words = head["id"], [head["text"]]
        elif name:
            words.append(line.strip())
