"""Whether players may propose from their phones, or enter their own numbers and draws there, and the
table's answer to the last proposal of each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from companion.journal.entries import Control, Entry
from companion.rules.facts import SeatId

WAITS = ""
RECORDED = "recorded"
LEFT = "the game was closed before anybody answered"


@dataclass(frozen=True, slots=True)
class Said:
    """A proposal: its entry, and the answer: `WAITS`, `RECORDED`, or the recorded reason why it did
    not count."""

    entry: int
    answer: str = WAITS


class PhoneAnswers:
    """Follows a record: it is given its facts and controls in order."""

    def __init__(self) -> None:
        self.wanted = False
        """Whether the table accepts proposals from phones."""
        self.entries_allowed: bool | None = None
        """Whether the table lets players enter their own numbers and draws on their phones; None if
        it has not said."""
        self.last: dict[SeatId, Said] = {}
        """The last proposal of each seat that made one."""

    def fact(self, entry: Entry) -> None:
        """Read a fact of the record."""
        if self.last and entry.causes:
            self._answered(entry.causes, RECORDED)

    def control(self, entry: Entry) -> None:
        """Read a control entry of the record."""
        match entry.kind:
            case Control.PHONES:
                self.wanted = entry.body["propose"]
            case Control.ENTRIES_ALLOWED:
                self.entries_allowed = entry.body["enter"]
            case Control.PROPOSED:
                self.last[entry.body["seat"]] = Said(entry.n)
            case Control.IGNORED:
                self._answered(entry.causes, entry.body["reason"])
            case Control.RESUMED:
                self._answered([proposal.entry for proposal in self.last.values()], LEFT)

    def _answered(self, entries: Collection[int], answer: str) -> None:
        for seat, proposal in self.last.items():
            if proposal.answer == WAITS and proposal.entry in entries:
                self.last[seat] = replace(proposal, answer=answer)
