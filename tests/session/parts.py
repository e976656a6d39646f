"""A table without a port: evidence as a board would send it, and a journal with or without a disk."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.errors import JournalError
from companion.journal.journal import Journal
from companion.journal.pages import Entries
from companion.journal.record import FIRST_DIGEST, StoredEntry, seal, unseal
from companion.link.evidence import Evidence
from companion.rules.facts import Setup
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.session.table import Table
from companion.session.views import TableView
from firmware_protocol.messages import (
    ARMED,
    BELOW_THRESHOLD,
    GLITCH,
    MASKED,
    MUTED,
    PRESSED,
    ROLE_HIT,
    ROLE_TRIGGER,
    ROLE_ZONE,
    UNMUTED,
    Channel,
    Event,
    Gap,
    Hello,
    Overrun,
    State,
)

MS = 1_000
UID = 0xB0A4D
BOOT = 0x51
SEATS = ("red", "blue", "green")
GAME = open_game("panic-fire")
CHANNELS = ("trigger", "hit", "zone-1", "zone-2", "zone-3")
WALL = "2025-01-31T20:00:00+00:00"
RESUMED = Draft(Layer.CONTROL, Control.RESUMED, {"doubts": []})


class NoDisk:
    """A store that makes rows durable at once, so that a test can play thousands of sessions."""

    path = Path("nowhere.sqlite")
    log_is_long = False

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = list(entries)
        self._keys = {entry.key: entry.n for entry in entries}
        self.problem: JournalError | None = None
        """What reading it fails with."""

    def write(self, rows: Sequence[StoredEntry]) -> None:
        """Accept all rows."""
        self._entries += (unseal(row.record, row.digest) for row in rows)
        self._keys.update((row.key, row.n) for row in rows)

    def is_intact(self) -> bool:
        """Return True."""
        return True

    def read(self, first: int, last: int) -> list[Entry]:
        """Return the entries with these numbers."""
        if self.problem is not None:
            raise self.problem
        return self._entries[first - 1 : last]

    def find(self, key: str) -> int | None:
        """Return the number of the entry with that key."""
        if self.problem is not None:
            raise self.problem
        return self._keys.get(key)

    def close(self) -> None:
        """Do nothing."""


class MemoryJournal(Journal):
    """A record without a disk to wait for."""

    def wait(self, n: int, timeout: float | None = None) -> None:
        """Return at once."""

    def close(self, timeout: float = 5.0) -> None:
        """Do nothing: there is nothing to save."""

    def _write_all(self) -> None:
        """Do nothing: waking the writer's thread takes longer than most sessions."""


def setup(**options: str) -> Setup:
    return Setup("panic-fire", 3, seats_from_names(SEATS), options)


def first_entry(**options: str) -> Entry:
    body = header(setup(**options), "evening")
    return seal(Draft(Layer.CONTROL, Control.SESSION, body), 1, WALL, FIRST_DIGEST, bytes(16))[0]


def journal_of(entries: Sequence[Entry], kind: type[Journal] = Journal) -> Journal:
    """Return a record that already has `entries` and keeps new ones in memory."""
    store: Any = NoDisk(entries)
    return kind(store, Entries(store.read, entries), wall=lambda: WALL, retry_s=0.001)


def table_on(journal: Journal, **options: str) -> Table:
    ticks = itertools.count(step=1_000_000)  # no two keys within the stamp error of each other
    return Table(GAME, journal, setup(**options), host_us=lambda: next(ticks))


def hello(next_seq: int = 1, stamp_error_us: int = 100, uid: int = UID) -> Hello:
    gun = (Channel(0, ROLE_TRIGGER, 0, 0), Channel(1, ROLE_HIT, 0, 0))
    zones = (Channel(place + 1, ROLE_ZONE, place, 0) for place in (1, 2, 3))
    return Hello(
        1, 0, uid, 0, 0, 0, 1024, 1, next_seq, stamp_error_us, "1.0", "bench", (*gun, *zones)
    )


class Board:
    """Numbers the messages of a board."""

    def __init__(self, boot_id: int = BOOT) -> None:
        self.boot_id = boot_id
        self.seq = 0

    def armed(self, us: int = 0) -> Evidence:
        return self._numbered(State(ARMED, 0, us))

    def gap(self, count: int, us: int) -> Evidence:
        first = self.seq + 1
        self.seq += count
        return self._numbered(Gap(first, count, us - 10, us))

    def muted(self, channel: str, first_us: int, last_us: int, count: int = 90) -> Evidence:
        return self._numbered(Overrun(MUTED + CHANNELS.index(channel), count, first_us, last_us))

    def heard_again(
        self, channel: str, first_us: int, last_us: int, levels: int = 0
    ) -> list[Evidence]:
        back = Overrun(UNMUTED + CHANNELS.index(channel), 1, first_us, last_us)
        return [self._numbered(back), self._numbered(State(0, levels, last_us))]

    def press(self, channel: str, us: int) -> Evidence:
        return self.edge(channel, PRESSED, us)

    def release(self, channel: str, us: int, *, glitch: bool = False) -> Evidence:
        return self.edge(channel, GLITCH if glitch else 0, us)

    def hit(
        self, us: int, peak: int = 900, *, weak: bool = False, masked: bool = False
    ) -> Evidence:
        flags = PRESSED | (BELOW_THRESHOLD if weak else 0) | (MASKED if masked else 0)
        return self.edge("hit", flags, us, peak)

    def edge(self, channel: str, flags: int, us: int, peak: int = 0) -> Evidence:
        return self._numbered(Event(CHANNELS.index(channel), flags, us, 0, peak))

    def _numbered(self, message: Event | State | Gap | Overrun) -> Evidence:
        self.seq += 1
        return Evidence(UID, self.boot_id, self.seq, message, read_ns=0)


DEADLINE_S = 10.0


def resumed(journal: Journal) -> Table:
    """Return the table of a second run of the companion on the same record."""
    journal.append(RESUMED)
    return table_on(journal)


def settle(table: Table, us: int = 10_000 * MS, boot_id: int = BOOT) -> None:
    table.board.on_watermark(boot_id, us)


def facts(journal: Journal) -> list[Entry]:
    return [entry for entry in journal.entries if entry.layer is Layer.FACT]


def of_kind(journal: Journal, kind: str) -> list[Entry]:
    return [entry for entry in journal.entries if entry.kind == kind]


def reasons(journal: Journal) -> list[str]:
    return [entry.body["reason"] for entry in of_kind(journal, Control.IGNORED)]


def texts(view: TableView) -> list[str]:
    return [line.text for line in view.log]


def tap(board: Board, channel: str, us: int) -> list[Evidence]:
    return [board.press(channel, us), board.release(channel, us + 100 * MS)]


def fire(table: Table) -> None:
    table.do("panic-fire.fire")
