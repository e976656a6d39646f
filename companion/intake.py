"""The way of evidence: from what the link hands over to entries of the record, and from entries to gestures.

Gestures are read from the record, never from the link: what a resumed session sees is what the live one saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.gestures import Edge, Gesture, Recognizer, Settings, Unread
from companion.journal.entries import Draft, Entry, Layer
from companion.link.evidence import Evidence
from firmware_protocol.messages import (
    ARMED,
    BELOW_THRESHOLD,
    GLITCH,
    MASKED,
    PRESSED,
    Event,
    Hello,
    State,
)

BOARD = "board"
RESET_REASONS = {0: "power on", 1: "watchdog", 2: "an exception", 3: "request"}


def clock_name(boot_id: int) -> str:
    """The name of one boot's clock in moments: `board-5f3a`."""
    return f"board-{boot_id:04x}"


def hello_draft(hello: Hello, boot_id: int) -> Draft:
    """Who the board is and how its channels are called; one entry for each boot."""
    body = {
        "uid": f"{hello.uid:016x}",
        "boot": boot_id,
        "board": hello.board,
        "firmware": hello.firmware,
        "protocol": f"{hello.major}.{hello.minor}",
        "reset": RESET_REASONS.get(hello.reset_reason, f"reason {hello.reset_reason}"),
        "stamp_error_us": hello.stamp_error_us,
        "channels": {str(channel.id): channel.name for channel in hello.channels},
    }
    return Draft(Layer.EVIDENCE, "hello", body, BOARD, key=f"{hello.uid:x}/{boot_id:04x}/hello")


def boot_draft(previous: int, boot_id: int) -> Draft:
    """The board came back with another boot id: what happened in between is unknown."""
    body = {"previous": previous, "boot": boot_id}
    return Draft(Layer.EVIDENCE, "boot", body, BOARD, key=f"boot/{previous:04x}/{boot_id:04x}")


def evidence_draft(evidence: Evidence, channels: Mapping[int, str]) -> Draft:
    """One numbered message of the board as it goes into the record; its key is the board's uid, boot id and seq."""
    message = evidence.message
    body: dict[str, Any] = {"boot": evidence.boot_id, "seq": evidence.seq}
    if isinstance(message, Event):
        kind, t_us = "event", message.t_us
        body["channel"] = channels.get(message.channel, f"channel-{message.channel}")
        body |= {"flags": message.flags, "bounces": message.bounces, "peak": message.peak}
    elif isinstance(message, State):
        kind, t_us = "state", message.t_us
        body |= {"flags": message.flags, "levels": message.levels}
    else:
        kind, t_us = "gap", message.last_us
        body |= {"first_seq": message.first_seq, "count": message.count, "first_us": message.first_us}
    return Draft(Layer.EVIDENCE, kind, body, BOARD, t_us=t_us, key=evidence_key(evidence))


def evidence_key(evidence: Evidence) -> str:
    """What makes a message of a board unique for ever."""
    return f"{evidence.uid:x}/{evidence.boot_id:04x}/{evidence.seq}"


@dataclass(slots=True)
class Intake:
    """Turns evidence entries into gestures, one recognizer for each boot of the board.

    Events stamped before the session first armed the board stay evidence and are never read. `consumed` are the entries
    that facts of a resumed session already rest on.
    """

    settings: Settings = field(default_factory=Settings)
    consumed: set[int] = field(default_factory=set)
    unread_before_arming: int = 0
    _stamp_error_us: int = 0
    _armed: bool = False
    _armed_from: dict[int, int] = field(default_factory=dict)
    _waiting: list[Entry] = field(default_factory=list)
    _recognizers: dict[int, Recognizer] = field(default_factory=dict)

    def take(self, entries: Iterable[Entry]) -> Iterator[Unread]:
        """Take evidence entries in; yield what can never be read because the board lost power before it was decided."""
        for entry in entries:
            if entry.kind == "hello":
                self._stamp_error_us = entry.body["stamp_error_us"]
            elif entry.kind == "boot":
                yield from self._power_lost(entry)
            elif entry.kind == "state" and entry.body["flags"] & ARMED:
                self._arm(entry)
            elif entry.kind == "event":
                self._waiting.append(entry)
            if self._armed:
                self._feed_waiting()

    def advance(self, boot_id: int, settled_us: int, hold_means: Callable[[str], bool]) -> Iterator[Gesture | Unread]:
        """Yield what is decided up to the watermark of that boot; see `Recognizer.advance`."""
        recognizer = self._recognizers.get(boot_id)
        if recognizer is not None:
            yield from recognizer.advance(settled_us, hold_means)

    def _arm(self, entry: Entry) -> None:
        if not self._armed:
            self._armed = True
            self._armed_from[entry.body["boot"]] = entry.t_us or 0

    def _feed_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for entry in waiting:
            boot_id, t_us = entry.body["boot"], entry.t_us or 0
            if t_us < self._armed_from.get(boot_id, 0):
                self.unread_before_arming += 1
            elif entry.n not in self.consumed:
                self._recognizer(boot_id).feed(edge(entry))

    def _recognizer(self, boot_id: int) -> Recognizer:
        if boot_id not in self._recognizers:
            self._recognizers[boot_id] = Recognizer(clock_name(boot_id), self._stamp_error_us, self.settings)
        return self._recognizers[boot_id]

    def _power_lost(self, entry: Entry) -> Iterator[Unread]:
        recognizer = self._recognizers.pop(entry.body["previous"], None)
        if recognizer is not None:
            yield from recognizer.close("the board lost power before it was decided")


def edge(entry: Entry) -> Edge:
    """Read an `event` entry as an edge."""
    flags = entry.body["flags"]
    return Edge(
        entry.n,
        entry.body["channel"],
        bool(flags & PRESSED),
        entry.t_us or 0,
        peak=entry.body["peak"],
        masked=bool(flags & MASKED),
        below_threshold=bool(flags & BELOW_THRESHOLD),
        glitch=bool(flags & GLITCH),
    )
