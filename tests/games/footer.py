"""The footer's keys that the rules do not refuse at a moment."""

from __future__ import annotations

from typing import Any

from companion.rules.facts import Fact, Refused
from companion.rules.game import Game


def footer_now(game: Game[Any], state: Any) -> frozenset[str]:
    """Return the ids of the footer's actions that work now."""
    offered = (action.id for action in game.actions(game.common(state).setup) if action.footer)
    return frozenset(action for action in offered if _works(game, state, action))


def _works(game: Game[Any], state: Any, action_id: str) -> bool:
    try:
        fact = game.pressed(state, action_id)
        if isinstance(fact, Fact):
            game.advance(state, fact, 1)
    except Refused as why:
        return why.hidden
    return True
