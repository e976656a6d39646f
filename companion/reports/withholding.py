"""What a record keeps back while its game is not over: what is hidden, and all that was said about it.

The state of the game stays as it is, for of a state reports show what the table may see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from companion.journal.entries import Entry
from companion.journal.fold import FoldOrder
from companion.rules.columns import plural
from companion.rules.game import Game
from companion.session.hidden_entries import HiddenEntries

WITHHELD = "withheld"
"""The field of the header of an export that says how many entries it lacks."""


def secret_entries(entries: Sequence[Entry], game: Game[Any]) -> frozenset[int]:
    """Return the numbers of the secret facts, and of the corrections, remarks and consents that are about them, or
    about lost entries, which may have been secret."""
    hidden = HiddenEntries(game)
    for entry in entries:
        hidden.add(entry)
    return frozenset(hidden.found)


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
