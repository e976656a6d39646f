"""What makes a fact the same fact when it is read again, whose message an entry is, and what is a press."""

from __future__ import annotations

from collections.abc import Iterable

from companion.journal.entries import Entry
from firmware_protocol.messages import MASKED, PRESSED


def uid_in(key: str | None) -> int:
    """Return the board's uid in the key of its message, which tells it also where the HELLO is lost; 0 without one."""
    try:
        return int((key or "").partition("/")[0], 16)
    except ValueError:
        return 0


def fact_key(kind: str, causes: Iterable[int]) -> str:
    """A fact that was read from evidence, or the answer that it counts for nothing (`ignored`): no two readings of the
    same evidence as the same kind."""
    return f"{kind}:{','.join(map(str, causes))}"


def is_press(entry: Entry) -> bool:
    """Return whether an entry is a press, a pull or a hit; an echo is none."""
    return entry.kind == "event" and entry.body["flags"] & (PRESSED | MASKED) == PRESSED
