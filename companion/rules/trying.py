"""Facts tried on a game's rules before anybody enters them: which are allowed.

`rules` applies a fact to the state that is asked about; what comes of it is thrown away, what counts is whether it
raises `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.rules.game import Fact, Refused

Rules = Callable[[Fact], object]


def allowed(rules: Rules, candidates: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return those of the candidates that the rules allow, sorted by kind and body, each once."""
    kept = {fact for fact in candidates if _allows(rules, fact)}
    return tuple(sorted(kept, key=lambda fact: (fact.kind, fact.model_dump_json())))


def _allows(rules: Rules, fact: Fact) -> bool:
    try:
        rules(fact)
    except Refused:
        return False
    return True
