"""Which sessions were tests and no games of the table's."""

from __future__ import annotations

import re

from companion.reports.record import Record
from companion.rules.components import box_of

_NAMED = re.compile(r"\btests?\b", re.IGNORECASE)
_MAP = ("map", "example")  # the house rule of a game that has its example as an option


def why_trial(record: Record, virtual_uid: int | None) -> str:
    """Return why the session is no game to count: its name has the word test, it was played on the virtual board (of
    the number `virtual_uid`, None where this user has none), or with a made-up box. Empty for any other."""
    if _NAMED.search(record.name):
        return "its name says test"
    if virtual_uid is not None and any(
        entry.kind == "hello" and entry.body.get("uid") == f"{virtual_uid:016x}" for entry in record.entries
    ):
        return "it was played on the virtual board"
    option, example = _MAP
    if record.begun.options.get(option) == example or any(row.status == example for row in box_of(record.begun).rows):
        return "its box is made up"
    return ""
