"""What a record keeps back while its game is not over: what is hidden, and all that was said about it.

The state of the game stays as it is, for of a state reports show what the table may see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from companion.journal.entries import Control, Entry, Layer, is_lost
from companion.journal.fold import FoldOrder
from companion.rules.columns import plural
from companion.rules.game import Game

WITHHELD = "withheld"
"""The field of the header of an export that says how many entries it lacks."""
# What names other entries and may speak of them in free words.
_ABOUT_OTHERS = frozenset({Control.VOID, Control.REMARK, Control.CONSENT})


def secret_entries(entries: Sequence[Entry], game: Game[Any]) -> frozenset[int]:
    """Return the numbers of the secret facts, and of the corrections, remarks and consents that are about them, or
    about lost entries, which may have been secret."""
    found: set[int] = set()
    lost: set[int] = set()
    for entry in entries:
        if is_lost(entry):
            lost.add(entry.n)
            continue
        if entry.layer is Layer.FACT:
            secret = entry.kind in game.facts and game.facts[entry.kind].secret
        else:
            secret = entry.layer is Layer.CONTROL and entry.kind in _ABOUT_OTHERS and _names(entry.body, found | lost)
        if secret:
            found.add(entry.n)
    return frozenset(found)


def _names(body: Mapping[str, Any], entries: Collection[int]) -> bool:
    return any(n in entries for n in (body.get("entry"), *body.get("entries", ())))


def without(entries: Sequence[Entry], secret: Collection[int]) -> tuple[Entry, ...]:
    """Return the entries without these. What stood behind one that is gone stands behind what went before it, and what
    was one step with it is a step of its own, so that the rest folds as it did; numbers stay."""
    return tuple(_without(entries, secret)) if secret else tuple(entries)


def _without(entries: Sequence[Entry], secret: Collection[int]) -> Iterator[Entry]:
    order = FoldOrder()
    for entry in entries:
        if entry.n not in secret:
            after = entry.after if entry.after not in secret else _before(order, entries, secret, entry.after or 0)
            yield entry._replace(after=after, joined=entry.joined and entry.n - 1 not in secret)
        order.add(entry)


def _before(order: FoldOrder, entries: Sequence[Entry], secret: Collection[int], n: int) -> int:
    """The entry behind which a fact stands that was put behind entry `n`, one of those that are gone: what is left of
    the facts before it; or `n` itself, whose number stays free, where it began a place of its own."""
    while n in secret and entries[n - 1].after is not None:
        index = order.index_of(n)
        n = order.facts[index - 1] if index else 1
    return n


def sentence(count: int) -> str:
    """Return what an export says of so many entries that it lacks; empty for none."""
    if not count:
        return ""
    many = plural(count, "entry is", "entries are")
    return f"{many} withheld, hidden until the game is over: an export after its end has them"
