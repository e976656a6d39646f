"""The texts of a game's clauses, from the game's own page of rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from companion.rules.facts import Fact
from companion.rules.registry import GAMES

_ID: Final = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")  # a clause's id, such as PF-12 or SF-T2
_MARKS: Final = re.compile(r"\*\*|`|(?<!\w)\*(?=[\w(])|(?<=[\w.,:;!)])\*(?!\w)")
# A remark in brackets that names a fact, an option or a clause, which is for developers and the page of reasons.
_FOR_DEVELOPERS: Final = re.compile(r" ?\([^()]*(?:`|\b[A-Z]{2}-[A-Z]?\d+)[^()]*\)")
GENERAL: Final = {
    "PAUSE": "While the game is paused its clock is stopped and nobody can play.",
    "FORMAT": "An entry must have the form that its kind needs.",
    "SEATS": "Every player needs a different, readable name.",
}
"""Reasons for refusals in every game, which no game's rules contain."""


@lru_cache(maxsize=1_000)  # pages ask for the newest lines of the log at each change
def cited(text: str) -> tuple[str, ...]:
    """Return the ids of the clauses that a sentence names, without repeats, in order."""
    names = [
        *_ID.findall(text),
        *(name for name in GENERAL if re.search(rf"\({name}\)|^{name}\b", text)),
    ]
    return tuple(dict.fromkeys(names))


@cache
def clauses(game_id: str) -> Mapping[str, str]:
    """Return the text of each clause of a game's rules without its markup, by id."""
    info = GAMES.get(game_id)
    own = {} if info is None else info.clauses()
    return GENERAL | {name: without_marks(text) for name, text in own.items()}


@cache
def cited_by_kind(game_id: str, fact: type[Fact] | None) -> tuple[str, ...]:
    """Return the ids of the clauses that a kind of fact rests on: those that its description names, else those of the
    game's page of rules that name it; none for an unknown kind."""
    if fact is None:
        return ()
    named = cited(fact.__doc__ or "")
    if named:
        return named
    info = GAMES.get(game_id)
    own = {} if info is None else info.clauses()
    marked = f"`{fact.model_fields['kind'].default}`"
    return tuple(name for name, text in own.items() if marked in text)


def without_marks(text: str) -> str:
    """Return a text without its marks of Markdown."""
    return _MARKS.sub("", text)


def plain_words(text: str) -> str:
    """Return a text of the rules for players: without marks, and without brackets that name facts or clauses."""
    return without_marks(_FOR_DEVELOPERS.sub("", text)).replace("_", " ")
