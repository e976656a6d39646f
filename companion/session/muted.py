"""Inputs that the board has muted because they are noisy: which they are now, and what the record says of them. Pure.

The board tells both ends in an OVERRUN with a source of its own (PROTOCOL.md, *Noise*).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.journal.entries import Entry, Layer
from companion.rules.columns import plural
from companion.rules.gestures import HIT
from firmware_protocol import messages as wire
from firmware_protocol.channels import called

MUTED = "muted"
HEARD_AGAIN = "heard again"
TESTED = "test"
"""The source of an `overrun` that tells when the pin of the hit sensor was tested, and not read."""
SOURCES = {wire.EDGES: "edges", wire.SAMPLES: "samples", wire.TESTED: TESTED}
PROMISED = "promised_us"
"""The field of an `overrun` that mutes: up to where all that happened had been told and decided when it came."""
ONSET_US = 125_000
"""The board looks for a noise in so much of the past (RECENT_US): what a channel did meanwhile may be its beginning."""
_CHANNELS = wire.UNMUTED - wire.MUTED
_UNNAMED = "source "


@dataclass(frozen=True, slots=True)
class Muting:
    """One end of the time in which a channel is muted, by the board's clock.

    Where it `begins`, `count` edges from `first_us` to `last_us` were noise, and from there on nothing is known of the
    channel. Else it was muted from `first_us` to `last_us`, and counts again from there on. `promised_us` is up to
    where everything was decided when that was said; None where nobody recorded it.
    """

    channel: str
    begins: bool
    count: int
    first_us: int
    last_us: int
    promised_us: int | None = None

    @property
    def from_us(self) -> int:
        """From when on nothing of the channel is believed: what was decided before stays as it is, in any reading."""
        if self.promised_us is None:
            return self.first_us
        return max(self.promised_us + 1, self.first_us - ONSET_US)

    @property
    def name(self) -> str:
        """How people call the input."""
        return called(self.channel)

    @property
    def sentence(self) -> str:
        """What happened, why, and what to do."""
        said = f"{self.name[0].upper()}{self.name[1:]}"
        return (
            f"{said} is {self.what}."
            if not self.begins
            else f"{said} is {self.what}. Check its wire."
        )

    @property
    def what(self) -> str:
        """What it is now, and why: `muted: 900 edges in 50 ms`, `heard again`."""
        if not self.begins:
            return HEARD_AGAIN
        ms = max(1, round((self.last_us - self.first_us) / 1000))
        return f"{MUTED}: {plural(self.count, 'edge')} in {ms} ms"

    @property
    def logged(self) -> str:
        """The same as a line of the log, which begins with a small letter."""
        if not self.begins:
            return f"{self.name} is {self.what} after {(self.last_us - self.first_us) / 1e6:.1f} s"
        return f"{self.name} is {self.what}. Check its wire"


def source_fields(source: int, channels: Mapping[int, str]) -> dict[str, str]:
    """Return what an `overrun` entry says of its source: what was lost, or what became of which channel."""
    kinds = {wire.MUTED: MUTED, wire.UNMUTED: HEARD_AGAIN}
    number = source % _CHANNELS
    kind = kinds.get(source - number)
    if kind is None:
        return {"source": SOURCES.get(source, f"{_UNNAMED}{source}")}
    return {"source": kind, "channel": channels.get(number, f"channel-{number}")}


def muting_in(message: wire.Overrun, channels: Mapping[int, str]) -> Muting | None:
    """Return what an OVERRUN says of a muted channel; None for what was lost."""
    said = source_fields(message.source, channels)
    if "channel" not in said:
        return None
    return Muting(
        said["channel"], said["source"] == MUTED, message.count, message.first_us, message.last_us
    )


def named_source(body: Mapping[str, Any], channels: Mapping[str, str]) -> dict[str, str]:
    """Return the same of the body of an `overrun`: a companion that knew nothing of muted inputs recorded the number of
    the source alone. `channels` are those of the board's HELLO, by their numbers as text."""
    said = str(body["source"])
    number = said.removeprefix(_UNNAMED)
    if number == said or not (number.isascii() and number.isdigit()):
        return {"source": said, "channel": str(body.get("channel") or "unknown channel")}
    known = {int(key): name for key, name in channels.items() if key.isascii() and key.isdigit()}
    return source_fields(int(number), known)


def muting_of(entry: Entry, channels: Mapping[str, str]) -> Muting | None:
    """Return what an entry says of a muted channel; None for any other entry. `channels`: see `named_source`."""
    if entry.layer is not Layer.EVIDENCE or entry.kind != "overrun":
        return None
    source = named_source(entry.body, channels)
    if source["source"] not in (MUTED, HEARD_AGAIN):
        return None
    begins = source["source"] == MUTED
    promised_us = entry.body.get(PROMISED)
    return Muting(
        source["channel"],
        begins,
        entry.body["count"],
        entry.body["first_us"],
        entry.t_us or 0,
        promised_us if type(promised_us) is int else None,
    )


class MutedInputs:
    """The channels that are muted now; reads a record entry by entry."""

    def __init__(self) -> None:
        self.now: tuple[Muting, ...] = ()
        """The muted channels, the first that was muted first."""
        self.channels: Mapping[str, str] = {}
        """The channels of the board that spoke last, by their numbers as text."""
        self._boot_id: int | None = None

    def read(self, entries: Iterable[Entry]) -> None:
        """Take in the next entries of the record."""
        for entry in entries:
            if entry.layer is Layer.EVIDENCE:
                self._read(entry)

    def _read(self, entry: Entry) -> None:
        if entry.kind in ("hello", "boot"):
            if entry.body["boot"] != self._boot_id:
                self._boot_id, self.now = entry.body["boot"], ()
            self.channels = entry.body.get("channels", self.channels)
        elif entry.kind == "overrun":
            muting = muting_of(entry, self.channels)
            if muting is not None and entry.body["boot"] == self._boot_id:
                self._note(muting)
        elif entry.kind == "event" and self.now and entry.body["channel"] != HIT:
            # Its UNMUTED was refused by a full ring. Hits are read from samples too, and these are never muted.
            self.now = tuple(one for one in self.now if not _heard_in(one, entry))

    def _note(self, muting: Muting) -> None:
        others = tuple(one for one in self.now if one.channel != muting.channel)
        self.now = (*others, muting) if muting.begins else others


def _heard_in(muted: Muting, event: Entry) -> bool:
    return muted.channel == event.body["channel"] and (event.t_us or 0) > muted.last_us
