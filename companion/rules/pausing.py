"""Which kinds of facts a game refuses while it is paused, so that nothing offers them meanwhile.

Games do not declare this. So each kind is tried with what its form names as an example, and with what was possible
before the pause: the refusals of a pause have a clause of their own.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from companion.rules.common import PAUSE, Common
from companion.rules.facts import Fact, Refused
from companion.rules.form_fields import example
from companion.rules.forms import fields_of
from companion.rules.game import Game
from companion.rules.typed_facts import from_words


def stopped_kinds(game: Game[Any], state: Any, kinds: Collection[str]) -> frozenset[str]:
    """Return those of `kinds` that the pause refuses now; none while the game is running."""
    common = game.common(state)
    if not (kinds and common.paused):
        return frozenset()
    possible = _possible_without(game, state)
    stopped = set()
    for kind in kinds:
        facts = [*possible.get(kind, ()), *_example(game, kind, common)]
        if any(_is_stopped(game, state, fact) for fact in facts):
            stopped.add(kind)
    return frozenset(stopped)


def _possible_without(game: Game[Any], state: Any) -> Mapping[str, list[Fact]]:
    """Return a fact of each kind that would be possible if the game went on."""
    possible: dict[str, list[Fact]] = {}
    with suppress(Refused):
        running = game.advance(state, game.parse("unpause", {}), 1)
        for fact in game.candidates(running):
            possible.setdefault(fact.kind, [fact])
    return possible


def _example(game: Game[Any], kind: str, common: Common) -> Iterator[Fact]:
    """Yield a fact with the examples of its form, unless they make none."""
    setup = common.setup
    words = [
        f"{asked.name}={example(asked)}"
        for asked in fields_of(game.facts[kind], setup)
        if asked.required
    ]
    with suppress(Refused):
        yield game.parse(*from_words(game, setup, shlex.join([kind, *words])))


def _is_stopped(game: Game[Any], state: Any, fact: Fact) -> bool:
    try:
        game.advance(state, fact, 1)
    except Refused as refusal:
        return refusal.clause == PAUSE
    return False
