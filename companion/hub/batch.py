"""What a table sends its hub, read from bytes that anybody may have made. HUB.md describes it."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from companion.journal.record import FIRST_DIGEST, link
from companion.outbound.hub_batches import LARGEST_EVENT

MOST_ENTRIES: Final = 500
"""Of one batch."""
LARGEST_BATCH: Final = 4 << 20
"""Bytes of a whole batch."""
LARGEST_NUMBER: Final = 1 << 30
LONGEST_NAME: Final = 100
MOST_NAMES: Final = 64
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_KIND: Final = re.compile(r"[a-z]{1,20}")
_SEAT: Final = re.compile(r"s[0-9]{1,2}")


class NoBatch(ValueError):  # noqa: N818  an answer to whoever sent it
    """These bytes are no batch; the sentence says why."""


class Link(NamedTuple):
    """An entry as its hub knows it: number, commitment (None: lost, with those before it back to the last link) and
    digest."""

    n: int
    commitment: bytes | None
    digest: bytes


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event of the public feed: its number, its kind, and its JSON with seats by their place."""

    number: int
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Links behind entry `after`, whose digest is `digest`; events; `total` entries that the table has; the names of
    seats."""

    after: int
    digest: bytes
    links: tuple[Link, ...]
    events: tuple[ToldEvent, ...]
    total: int
    names: Mapping[str, str]
    title: str
    """What the game is called, where an event says it."""


def read_batch(content: bytes) -> Batch:
    """Return the batch in `content`; raise `NoBatch`."""
    if len(content) > LARGEST_BATCH:
        raise NoBatch(f"A batch has at most {LARGEST_BATCH} bytes, and this one {len(content)}: send fewer entries.")
    try:
        said = json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise NoBatch(f"A batch is JSON, and this is none ({problem}).") from problem
    if not isinstance(said, dict):
        raise NoBatch("A batch is an object of JSON.")
    after, digest = _number(said, "after"), _digest(said.get("digest"))
    if (after == 0) != (digest == FIRST_DIGEST):
        raise NoBatch("Behind entry 0 the digest is 32 zeros, and behind no other.")
    entries = said.get("entries")
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        raise NoBatch(f"A batch has a list of at most {MOST_ENTRIES} entries.")
    links = tuple(_links(entries, after, digest))
    return Batch(after, digest, links, _events(said), _number(said, "total"), _names(said), _title(said))


def _links(entries: list[Any], n: int, digest: bytes) -> Iterator[Link]:
    for entry in entries:
        if isinstance(entry, dict):
            lost = _number(entry, "to")
            if lost <= n:
                raise NoBatch(f"Entries up to {lost} are said to be lost behind entry {n}.")
            n, digest = lost, _digest(entry.get("digest"))
            yield Link(n, None, digest)
        else:
            commitment = _digest(entry)
            n, digest = n + 1, link(digest, commitment)
            yield Link(n, commitment, digest)


def unpacked(content: bytes, most: int) -> bytes | None:
    """Return what was packed with gzip; None where it is longer than `most` bytes, of which no more is unpacked. Raise
    `NoBatch` where it is no gzip, or not all of it."""
    reading = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        said = reading.decompress(content, most + 1)
    except zlib.error:
        raise NoBatch("A batch that is said to be packed with gzip is packed with gzip.") from None
    if len(said) > most:
        return None
    if not reading.eof or reading.unused_data:
        raise NoBatch("A packed batch is whole, and nothing stands behind it.")
    return said


def _events(said: Mapping[str, Any]) -> tuple[ToldEvent, ...]:
    events = said.get("events", [])
    if not isinstance(events, list) or len(events) > 8 * MOST_ENTRIES:
        raise NoBatch(f"A batch has a list of at most {8 * MOST_ENTRIES} events.")
    told, before = [], 0
    for event in events:
        if not isinstance(event, dict) or not _KIND.fullmatch(str(event.get("kind"))):
            raise NoBatch("An event is an object of JSON with a kind.")
        number = _number(event, "number")
        if number <= before:
            raise NoBatch(f"Event {number} stands behind event {before}.")
        before = number
        body = json.dumps(event, separators=(",", ":"))
        if len(body) > LARGEST_EVENT:
            raise NoBatch(f"Event {number} has more than {LARGEST_EVENT} bytes.")
        told.append(ToldEvent(number, event["kind"], body))
    return tuple(told)


def _title(said: Mapping[str, Any]) -> str:
    titles = (event["title"] for event in said.get("events", ()) if isinstance(event.get("title"), str))
    return next((title[:LONGEST_NAME] for title in titles if title.isprintable()), "")


def _names(said: Mapping[str, Any]) -> dict[str, str]:
    names = said.get("names", {})
    if not isinstance(names, dict) or len(names) > MOST_NAMES:
        raise NoBatch(f"Names are an object of at most {MOST_NAMES} seats.")
    for seat, name in names.items():
        if not _SEAT.fullmatch(seat) or not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
            raise NoBatch(f"A name has 1 to {LONGEST_NAME} characters, for a seat s1 to s99.")
        if "\0" in name or not name.isprintable():
            raise NoBatch("A name can be shown.")
    return names


def _number(said: Mapping[str, Any], name: str) -> int:
    number = said.get(name)
    if type(number) is not int or not 0 <= number <= LARGEST_NUMBER:
        raise NoBatch(f"{name} is a whole number from 0 to {LARGEST_NUMBER}.")
    return number


def _digest(text: object) -> bytes:
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise NoBatch("A digest has 64 digits of hexadecimal, in small letters.")
    return bytes.fromhex(text)
