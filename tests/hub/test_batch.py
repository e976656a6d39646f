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


def fields(**other: Any) -> bytes:
    return json.dumps({**json.loads(CHAIN.batch(0, 5)), **other}).encode()


def test_a_batch_reads_as_it_was_sent() -> None:
    batch = read_batch(CHAIN.batch(7, 20))
    assert [link.digest for link in batch.links] == CHAIN.digests[8:28]
    assert [link.commitment for link in batch.links] == CHAIN.commitments[7:27]
    assert [each.number for each in batch.events] == [n * 16 for n in range(9, 28, 3)]
    assert (batch.after, batch.total, batch.names) == (7, 600, {"s1": "Ann", "s2": "Bo"})


def test_a_name_that_needs_joiners_reaches_the_hub_as_it_is() -> None:
    assert read_batch(fields(names={"s1": "علی\u200cرضا"})).names == {"s1": "علی\u200cرضا"}


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
    "no entries": fields(entries=None),
    "a number that is true": fields(after=True),
    "a negative number": fields(after=-1),
    "a number without end": fields(total=10**30),
    "a fraction": fields(total=5.0),
    "a short digest": fields(digest="00"),
    "a digest in capitals": fields(digest="AB" * 32),
    "a start that is none": fields(digest="ab" * 32),
    "zeros behind an entry": fields(after=3),
    "a commitment that is none": fields(entries=["x" * 64]),
    "a commitment that is a number": fields(entries=[7]),
    "a loss that goes back": fields(entries=[{"to": 0, "digest": "ab" * 32}]),
    "a loss without a digest": fields(entries=[{"to": 5}]),
    "events that are none": fields(events={}),
    "an event that is a word": fields(events=["over"]),
    "an event without a kind": fields(events=[{"number": 1}]),
    "an event with half a sign": fields(events=[event(1, "\ud800")]),
    "an event with a score of 4,300 digits": fields(events=[event(10**4299, "") | {"number": 1}]),
    "an event of a kind with zeros": fields(events=[{"number": 1, "kind": "a\0"}]),
    "an event of a kind that is a list": fields(events=[{"number": 1, "kind": ["end"]}]),
    "an event of a long kind": fields(events=[{"number": 1, "kind": "x" * 21}]),
    "an event without a number": fields(events=[{"kind": "end"}]),
    "events in another order": fields(events=[event(32, "b"), event(16, "a")]),
    "an event twice": fields(events=[event(16, "a"), event(16, "a")]),
    "an event too long": fields(events=[event(16, "x" * LARGEST_EVENT)]),
    "more events than may be": fields(
        events=[event(n, "") for n in range(1, 8 * MOST_ENTRIES + 2)]
    ),
    "names that are none": fields(names=["Ann"]),
    "a name of no seat": fields(names={"ann": "Ann"}),
    "an empty name": fields(names={"s1": ""}),
    "a name without end": fields(names={"s1": "A" * 101}),
    "a name that clears the screen": fields(names={"s1": "A\x1b[2J"}),
    "a name of zeros": fields(names={"s1": "A\0"}),
    "names of too many": fields(names={f"s{n}": "A" for n in range(65)}),
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
