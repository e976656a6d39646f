"""What is no batch is refused in a sentence, whatever bytes it is."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from companion.hub.ingest import LARGEST_BATCH, MOST_ENTRIES, NoBatch, read_batch
from companion.outbound.hub_batches import LARGEST_EVENT
from tests.hub.parts import Chain, event

CHAIN = Chain(random.Random(1), 600)


def said(**other: Any) -> bytes:
    return json.dumps({**json.loads(CHAIN.batch(0, 5)), **other}).encode()


def test_a_batch_reads_as_it_was_sent() -> None:
    batch = read_batch(CHAIN.batch(7, 20))
    assert [link.digest for link in batch.links] == CHAIN.digests[8:28]
    assert [link.commitment for link in batch.links] == CHAIN.commitments[7:27]
    assert [each.number for each in batch.events] == [n * 16 for n in range(9, 28, 3)]
    assert (batch.after, batch.total, batch.names) == (7, 600, {"s1": "Ann", "s2": "Bo"})


def test_a_name_that_needs_joiners_reaches_the_hub_as_it_is() -> None:
    assert read_batch(said(names={"s1": "علی\u200cرضا"})).names == {"s1": "علی\u200cرضا"}


def test_as_many_entries_as_may_be_are_read_and_one_more_is_refused() -> None:
    assert len(read_batch(CHAIN.batch(0, MOST_ENTRIES)).links) == MOST_ENTRIES
    with pytest.raises(NoBatch, match=f"at most {MOST_ENTRIES} entries"):
        read_batch(CHAIN.batch(0, MOST_ENTRIES + 1))


HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"{",
    "no text": b"\xff\xfe\x00",
    "a list": b"[]",
    "too deep": b"[" * 100_000,
    "too long": b" " * (LARGEST_BATCH + 1),
    "no entries": said(entries=None),
    "a number that is true": said(after=True),
    "a negative number": said(after=-1),
    "a number without end": said(total=10**30),
    "a fraction": said(total=5.0),
    "a short digest": said(digest="00"),
    "a digest in capitals": said(digest="AB" * 32),
    "a start that is none": said(digest="ab" * 32),
    "zeros behind an entry": said(after=3),
    "a commitment that is none": said(entries=["x" * 64]),
    "a commitment that is a number": said(entries=[7]),
    "a loss that goes back": said(entries=[{"to": 0, "digest": "ab" * 32}]),
    "a loss without a digest": said(entries=[{"to": 5}]),
    "events that are none": said(events={}),
    "an event that is a word": said(events=["over"]),
    "an event without a kind": said(events=[{"number": 1}]),
    "an event with half a sign": said(events=[event(1, "\ud800")]),
    "an event with a score of 4,300 digits": said(events=[event(10**4299, "") | {"number": 1}]),
    "an event of a kind with zeros": said(events=[{"number": 1, "kind": "a\0"}]),
    "an event of a kind that is a list": said(events=[{"number": 1, "kind": ["end"]}]),
    "an event of a long kind": said(events=[{"number": 1, "kind": "x" * 21}]),
    "an event without a number": said(events=[{"kind": "end"}]),
    "events in another order": said(events=[event(32, "b"), event(16, "a")]),
    "an event twice": said(events=[event(16, "a"), event(16, "a")]),
    "an event too long": said(events=[event(16, "x" * LARGEST_EVENT)]),
    "more events than may be": said(events=[event(n, "") for n in range(1, 8 * MOST_ENTRIES + 2)]),
    "names that are none": said(names=["Ann"]),
    "a name of no seat": said(names={"ann": "Ann"}),
    "an empty name": said(names={"s1": ""}),
    "a name without end": said(names={"s1": "A" * 101}),
    "a name that clears the screen": said(names={"s1": "A\x1b[2J"}),
    "a name of zeros": said(names={"s1": "A\0"}),
    "names of too many": said(names={f"s{n}": "A" for n in range(65)}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_batch_is_refused_in_one_sentence(kind: str) -> None:
    with pytest.raises(NoBatch) as refused:
        read_batch(HOSTILE[kind])
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value).strip()


@given(st.integers(0, 4000), st.binary(min_size=1, max_size=6))
def test_a_damaged_batch_is_refused_or_is_another_one_and_nothing_else_happens(
    at: int, damage: bytes
) -> None:
    content = CHAIN.batch(0, 30)
    at %= len(content)
    damaged = content[:at] + damage + content[at + len(damage) :]
    try:
        batch = read_batch(damaged)
    except NoBatch:
        return
    assert len(batch.links) <= MOST_ENTRIES
