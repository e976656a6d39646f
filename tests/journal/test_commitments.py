"""The chain without the texts shows that the record is whole, and nothing of what the texts say."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal.entries import Draft, Layer
from companion.journal.record import (
    FIRST_DIGEST,
    chain,
    commitment,
    link,
    new_salt,
    row_of,
    seal,
    unseal,
)
from companion.journal.store import read_entries
from tests.journal.support import fact, sealed

KEPT = Path(__file__).parents[1] / "fixtures" / "journal"
WALL = "2025-01-31T20:00:00+00:00"
HANDS = tuple(f"{first} {second}" for first, second in itertools.combinations(range(1, 25), 2))
"""What a seat may have taken of 24 cards: two of them."""


def taken(hand: str, n: int = 2) -> Draft:
    return Draft(Layer.FACT, "takes", {"cards": hand}, actor="ann")


def guessed(digest_of: Callable[[bytes, bytes], bytes], digest: bytes, before: bytes) -> list[str]:
    """Return the hands that match a digest, guessed by somebody who knows everything else in the
    record."""
    entry = seal(taken(HANDS[0]), 2, WALL, before, bytes(16))[0]
    text = row_of(entry._replace(salt="")).record.decode()
    tries = {hand: text.replace(f'"{HANDS[0]}"', f'"{hand}"').encode() for hand in HANDS}
    return [hand for hand, record in tries.items() if digest_of(before, record) == digest]


def test_who_knows_all_else_does_not_learn_two_cards_of_24_from_the_chain() -> None:
    hand = HANDS[200]
    unsalted = hashlib.sha256(FIRST_DIGEST + b"").digest()
    entry = seal(taken(hand), 2, WALL, unsalted, new_salt())[0]
    shown_digest = commitment(entry)
    assert shown_digest is not None
    for digest_of in (chain, lambda _, record: hashlib.sha256(record).digest()):
        assert (
            guessed(digest_of, entry.digest, unsalted)
            == guessed(digest_of, shown_digest, unsalted)
            == []
        )
    # The guess itself is a good one: of a record without salt it finds the hand.
    bare = row_of(entry._replace(salt="")).record
    assert guessed(chain, chain(unsalted, bare), unsalted) == [hand]


def test_two_entries_that_say_the_same_show_nothing_in_common() -> None:
    digests = {
        commitment(seal(taken(HANDS[0]), 2, WALL, FIRST_DIGEST, new_salt())[0]) for _ in range(20)
    }
    assert len(digests) == 20


def test_the_chain_can_be_checked_by_commitments_alone() -> None:
    digest = FIRST_DIGEST
    for entry in sealed([fact(number) for number in range(9)]):
        text_digest = commitment(entry)
        assert text_digest is not None
        digest = link(digest, text_digest)
        assert digest == entry.digest


def test_an_entry_without_salt_has_no_commitment_that_could_be_shown() -> None:
    assert {commitment(entry) for entry in read_entries(KEPT / "v1.sqlite")} == {None}
    assert commitment(read_entries(KEPT / "v3.sqlite")[0]) is not None


def test_an_entry_read_again_has_the_text_and_the_salt_it_was_made_with() -> None:
    entry, row = seal(fact(7), 2, WALL, FIRST_DIGEST, bytes(range(16)))
    assert entry.salt == bytes(range(16)).hex()
    assert row_of(unseal(row.record, row.digest)) == row
    assert row.record.startswith(b'{"SALT":"000102')


def test_a_salt_of_another_length_is_refused_before_anything_is_recorded() -> None:
    with pytest.raises(ValueError, match="16 bytes, not 4"):
        seal(fact(), 2, WALL, FIRST_DIGEST, b"1234")
