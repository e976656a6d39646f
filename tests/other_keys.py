"""Replacement keys for every action of a game, and a search for default keys that a text still names."""

from __future__ import annotations

import re

from companion.dashboard import keymap
from companion.rules.actions import KeyMap

FIRST = 0x2460
"""Circled numbers and letters: no text of ours has one, and no action has its key there."""
_KEY = r"(?:[b-hj-z?]|F\d\d?|\^[a-z]|Space|Enter)"
_NAMED = re.compile(
    rf"(?:: |\b[Pp]ress |\btype |\bby |\bkey |\bbehind |\(){_KEY}(?= or | when | if | enters|: (?!the P)|[,;.)]| \(|$)"
    rf"|\bor {_KEY}(?=: | \()"
    r"|\b(?:press |type |key |region, |a turn slot: )\d"
)


def other_keys(game_id: str) -> KeyMap:
    """Return a new key for each action of a game, which none of them has by default; arrows stay, because no sentence
    names them."""
    actions = enumerate(keymap.actions_of(game_id))
    arrows = {"up", "down", "left", "right"}
    return {
        action.id: (chr(FIRST + n),)
        for n, action in actions
        if action.keys and action.keys[0] not in arrows
    }


def delivered(text: str) -> list[str]:
    """Return the place where a text names a default key."""
    return [found[0] for found in _NAMED.finditer(text)]
