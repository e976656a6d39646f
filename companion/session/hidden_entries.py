"""Which entries of a record are hidden: the secret facts, and what was said about them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.journal.entries import Control, Entry, Layer, is_lost
from companion.rules.game import Game, secret_kinds

# What names other entries and may speak of them in free words.
_ABOUT_OTHERS = frozenset({Control.VOID, Control.REMARK, Control.CONSENT})


class HiddenEntries:
    """The numbers of the secret facts, and of the corrections, remarks and consents that are about them, or about lost
    entries, which may have been secret."""

    def __init__(self, game: Game[Any]) -> None:
        self._kinds = secret_kinds(game.facts)
        self._lost: set[int] = set()
        self.found: set[int] = set()
        """All of them so far."""

    def add(self, entry: Entry) -> bool:
        """Take in the next entry; return whether it is hidden."""
        if is_lost(entry):
            self._lost.add(entry.n)
            return False
        if entry.layer is Layer.FACT:
            hidden = entry.kind in self._kinds
        else:
            about_others = entry.layer is Layer.CONTROL and entry.kind in _ABOUT_OTHERS
            hidden = about_others and (_names(entry.body, self.found) or _names(entry.body, self._lost))
        if hidden:
            self.found.add(entry.n)
        return hidden


def _names(body: Mapping[str, Any], entries: Collection[int]) -> bool:
    return any(n in entries for n in (body.get("entry"), *body.get("entries", ())))
