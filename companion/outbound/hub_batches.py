"""Batches of the part of a record that a hub lacks: commitments to entries, and the public events without names.

HUB.md describes a batch. A commitment holds no text of its entry, so nothing hidden leaves the table; names are sent
beside the events, so the hub can forget one.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from companion.errors import CommandError
from companion.feed.events import Event, Player
from companion.feed.feed import FeedReading
from companion.journal.entries import Entry, is_lost
from companion.journal.record import FIRST_DIGEST, commitment
from companion.program import PROGRAM
from companion.rules.columns import capitalized, plural
from companion.rules.header import continues_of

MOST_ENTRIES: Final = 200
MOST_EVENTS: Final = 400
LARGEST_EVENT: Final = 64 << 10  # bytes
LARGEST_EVENTS: Final = 2 << 20  # bytes of events in one batch
NAME_MARK: Final = "\N{LEFT WHITE SQUARE BRACKET}{}\N{RIGHT WHITE SQUARE BRACKET}"
PACK: Final = "companion hub pack"
"""First words of a packed session's first line; the digest of its first entry follows."""
_NOT_SENT: Final = ("version", "session", "name")
_LOOKS: Final = ("name", "color", "glyph")  # of a player
_OF_SEATS: Final = ("id", "player", "players", "turn", "winners")  # fields that hold ids of seats
_SENTENCES: Final = ("text", "where", "decided")


class HubHead(NamedTuple):
    """A hub's progress with a record: the number and digest of its last entry, and the number of its last event."""

    n: int
    digest: bytes
    event: int


NOTHING: Final = HubHead(0, FIRST_DIGEST, 0)


class HubRefused(CommandError):
    """The hub refuses this session or has another record of it; the sentence says why. Retrying does not help, but
    somebody may."""


class OlderCopy(HubRefused):
    """The hub has more of this session than this file."""


class OtherEnd(HubRefused):
    """The hub has another end of this session than this file."""


CONTINUE: Final = f"{PROGRAM} hub continue"
"""Command that continues from what the hub shows."""


class EventAnonymizer:
    """Rewrites events: seats become places (`s1` for the first ever seen), and names become marks in every sentence."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}
        self._marks: dict[str, str] = {}  # name -> its mark in sentences
        # matches nothing until a name is known
        self._pattern = re.compile(r"(?!)")
        self.names: dict[str, str] = {}
        """Current name of each place."""

    def anonymized(self, event: Event) -> dict[str, Any]:
        """Return the event as the hub gets it."""
        self._learn(event.table.players)
        return self._without(event.model_dump(mode="json", exclude=set(_NOT_SENT)))

    def _learn(self, players: Sequence[Player]) -> None:
        known = len(self._marks)
        for player in players:
            place = self._place(player.id)
            self.names[place] = player.name
            self._marks.setdefault(player.name, NAME_MARK.format(place))
            self._marks.setdefault(capitalized(player.name), NAME_MARK.format(place.upper()))
        if len(self._marks) != known:  # longest first: one name may begin with another
            words = "|".join(re.escape(name) for name in sorted(self._marks, key=len, reverse=True))
            self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)")

    def _place(self, seat: str) -> str:
        return self._places.setdefault(seat, f"s{len(self._places) + 1}")

    def _without(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        if "glyph" in fields:  # a player
            fields = {name: value for name, value in fields.items() if name not in _LOOKS}
        return {name: self._field(name, value) for name, value in fields.items()}

    def _field(self, name: str, field_value: Any) -> Any:
        if isinstance(field_value, dict):
            if name == "scores":
                return {self._place(seat): score for seat, score in field_value.items()}
            return self._without(field_value)
        if isinstance(field_value, list):
            return [self._field(name, value) for value in field_value]
        if isinstance(field_value, str) and name in _OF_SEATS:
            return self._place(field_value)
        if isinstance(field_value, str) and name in _SENTENCES:
            return self._pattern.sub(lambda match: self._marks[match[0]], field_value)
        return field_value


class HubBatches:
    """Makes batches of a record that may grow. One thread uses it."""

    def __init__(
        self, entries: Sequence[Entry], saved: Callable[[], int], reading: FeedReading
    ) -> None:
        """`saved` returns how many of `entries` are on the disk; no more are sent. `reading` gives the events."""
        self._entries, self._saved, self._reading = entries, saved, reading
        self._anonymizer = EventAnonymizer()
        self._waiting: deque[tuple[dict[str, Any], int]] = deque()  # events and their sizes
        self._head = NOTHING
        self._names: Mapping[str, str] = {}  # names that the hub has
        self._continues = continues_of(entries[0].body)

    @property
    def lag(self) -> int:
        """Number of entries the hub lacks."""
        return self._saved() - self._head.n

    @property
    def sent(self) -> int:
        """Number of entries the hub has."""
        return self._head.n

    def begin(self, head: HubHead) -> None:
        """Continue after what the hub has; raise `HubRefused` if that is not of this record, and `JournalError` if old
        entries cannot be read now."""
        if head.n > self._saved():
            count = plural(head.n, "entry", "entries")
            raise OlderCopy(
                f"The hub has {count} of this session, and this file {self._saved()}: it is an older copy. "
                f"Nothing is sent. Look for the newer file; where it is lost: `{CONTINUE}`."
            )
        if head.n and self._entries[head.n - 1].digest != head.digest:
            raise OtherEnd(
                f"From entry {head.n} on at the latest the hub has another record of this session. Nothing is sent and "
                "nothing replaced; ask the organiser which of the two counts."
            )
        self._head = head

    def last_shared(self, head: HubHead) -> dict[str, Any]:
        """Return a batch without entries that ends at the last number both have, so a hub with that `head` sees this
        record's digest there; if the two differ, the hub notes it."""
        n = min(head.n, self._saved())
        batch = {"after": n, "digest": self._entries[n - 1].digest.hex(), "total": self._saved()}
        return batch | {"entries": [], "events": [], "names": {}}

    def stored(self, batch: Mapping[str, Any], head: HubHead) -> None:
        """Continue after a batch that the hub took; raise as `begin` does."""
        self.begin(head)
        # an empty field means that the names did not change
        self._names = batch["names"] or self._names

    def next(self) -> dict[str, Any] | None:
        """Return the next batch, or None if the hub has everything; raise `JournalError`. It stays the next one until
        `stored` is called."""
        for event in self._reading.take():
            batch = self._anonymizer.anonymized(event)
            length = len(json.dumps(batch, separators=(",", ":")))
            # the hub refuses a longer event, and the record goes on without it
            if length <= LARGEST_EVENT:
                self._waiting.append((batch, length))
        # the hub has these already, from an earlier run or a batch whose answer was lost
        while self._waiting and self._waiting[0][0]["number"] <= self._head.event:
            self._waiting.popleft()
        n, saved = self._head.n, self._saved()
        links: list[Any] = []
        while n < saved and len(links) < MOST_ENTRIES:
            link, n = self._link(n)
            links.append(link)
        events = self._events()
        names = dict(self._anonymizer.names)
        if names == self._names:
            if not links and not events:
                return None
            names = {}
        return self._batch(links, events, saved, names)

    def after(self, batch: Mapping[str, Any]) -> HubHead:
        """Return the hub's progress after it took this batch."""
        last, events = self._head.n, batch["events"]
        for _ in batch["entries"]:
            _, last = self._link(last)
        digest = FIRST_DIGEST
        if last:
            digest = self._entries[last - 1].digest
        last_event = self._head.event
        if events:
            last_event = events[-1]["number"]
        return HubHead(last, digest, last_event)

    def beat(self) -> dict[str, Any]:
        """Return an empty batch, which says that the table is there."""
        return self._batch([], [], self._saved(), {})

    def _batch(
        self, links: Sequence[Any], events: Sequence[Any], total: int, names: Mapping[str, str]
    ) -> dict[str, Any]:
        batch: dict[str, Any] = {
            "after": self._head.n,
            "digest": self._head.digest.hex(),
            "total": total,
        }
        batch |= {"entries": list(links), "events": list(events), "names": dict(names)}
        if self._head.n == 0 and self._continues:
            batch["continues"] = self._continues
        return batch

    def _link(self, n: int) -> tuple[Any, int]:
        """Return the link after entry `n`, and the number of the last entry it covers."""
        entry = self._entries[n]
        if is_lost(entry):
            last = min(int(entry.body["to"]), self._saved())
            return {"to": last, "digest": self._entries[last - 1].digest.hex()}, last
        entry_commitment = commitment(entry)
        if entry_commitment is None:
            raise HubRefused(
                "This session was begun by an older companion, whose record would betray hidden things. Begin a new "
                "one for the hub; this one goes on without."
            )
        return entry_commitment.hex(), entry.n

    def _events(self) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        size = 0
        for batch, length in self._waiting:
            size += length
            if len(events) == MOST_EVENTS or size > LARGEST_EVENTS:
                break
            events.append(batch)
        return events
