"""The hidden entries of a record: secret facts, and entries about them."""

from __future__ import annotations

from collections.abc import Collection

from companion.journal.entries import Control, Entry, Layer, is_control, is_lost

# Kinds that refer to other entries and may describe them in free text.
_ABOUT_OTHERS = (Control.VOID, Control.REMARK, Control.CONSENT)


class HiddenEntries:
    """Finds the entries to hide: facts of these `kinds`, and corrections, remarks and consents about
    them.

    With `lost`, corrections, remarks and consents about lost entries are hidden, too: a lost entry
    may have been such a fact.
    """

    def __init__(self, kinds: Collection[str], *, lost: bool = True) -> None:
        self._kinds, self._lost = kinds, lost
        self.found: set[int] = set()
        """The numbers of the hidden entries so far."""
        self._withheld: set[int] = set()  # those of `found`, and with `lost` those of lost entries

    def add(self, entry: Entry) -> bool:
        """Add the next entry; return whether it is hidden."""
        if entry.layer is Layer.FACT:
            hidden = entry.kind in self._kinds
        elif is_control(entry, *_ABOUT_OTHERS):
            targets = (entry.body.get("entry"), *entry.body.get("entries", ()))
            hidden = any(n in self._withheld for n in targets)
        else:
            hidden = False
        if hidden:
            self.found.add(entry.n)
        if hidden or (self._lost and is_lost(entry)):
            self._withheld.add(entry.n)
        return hidden
