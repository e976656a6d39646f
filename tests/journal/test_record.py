"""Entries as text, and chains of entries with gaps."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.errors import SessionDamagedError
from companion.journal.record import (
    DEEPEST,
    FIRST_DIGEST,
    LostEntries,
    Row,
    check_draft,
    decode,
    gap_that_ends_with,
    quick_decode,
    read_chain,
    row_of,
    seal,
    unseal,
)
from tests.journal.support import evidence, fact, sealed
from tests.journal.test_fold import void
from tests.thorough import examples

WALL = "2025-01-31T20:00:00+00:00"


def with_gap(**more: Any) -> tuple[list[Entry], LostEntries]:
    """Return a record of eight entries, and the gap that replaces entries 3 to 5."""
    entries = sealed([fact(number) for number in range(7)])
    return entries, LostEntries(3, 5, entries[4].digest, WALL, "a test took them")._replace(**more)


def test_under_each_lost_number_stands_who_says_so_why_and_when_and_the_last_keeps_the_chain() -> (
    None
):
    entries, gap = with_gap()
    read = list(read_chain([*map(row_of, entries[:2]), gap, *map(row_of, entries[5:])]))

    assert [*read[:2], *read[5:]] == [*entries[:2], *entries[5:]]
    for n, lost in enumerate(read[2:5], start=3):
        assert (lost.n, lost.layer, lost.kind) == (n, Layer.CONTROL, Control.LOST)
        assert lost.body == {"from": 3, "to": 5, "why": "a test took them"}
        assert (lost.actor, lost.wall) == ("companion", WALL)
    assert [lost.digest for lost in read[2:5]] == [b"", b"", entries[4].digest]


def test_a_gap_is_found_again_in_the_last_entry_that_stands_for_it() -> None:
    entries, gap = with_gap()
    read = read_chain([*map(row_of, entries[:2]), gap, *map(row_of, entries[5:])])

    assert [gap_that_ends_with(entry) for entry in read] == [
        None,
        None,
        None,
        None,
        gap,
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    "nonsense",
    [
        {"first": "3"}, {"first": 4}, {"first": None}, {"last": None}, {"last": 2}, {"last": 5.0},
        {"digest": "text"}, {"digest": None}, {"wall": None}, {"wall": 5}, {"why": b"bytes"}, {"why": None},
    ],
    ids=str,
)  # fmt: skip
def test_a_gap_that_makes_no_sense_is_damage(nonsense: dict[str, Any]) -> None:
    entries, gap = with_gap(**nonsense)

    with pytest.raises(SessionDamagedError, match="lost entry 3 makes no sense"):
        list(read_chain([*map(row_of, entries[:2]), gap, *map(row_of, entries[5:])]))


def test_as_many_numbers_may_be_lost_as_is_said_wherever_they_stand() -> None:
    entries, gap = with_gap()
    behind = entries[1]
    rows: list[Row] = [gap, *map(row_of, entries[5:])]

    assert len(list(read_chain(rows, behind.n, behind.digest, most_lost=3))) == 6
    with pytest.raises(SessionDamagedError, match="are said to be lost"):
        list(read_chain(rows, behind.n, behind.digest, most_lost=2))


def nested(levels: int, inner: Any) -> Any:
    for turn in range(levels):
        inner = [inner] if turn % 2 else {"in": inner}
    return inner


@pytest.mark.parametrize("value", [5, "text", [], {}], ids=str)
def test_a_body_is_as_deep_as_is_said_and_no_deeper(value: Any) -> None:
    room = DEEPEST - 1 - (value in ([], {}))  # the body itself is a level
    body = {"x": nested(room, value)}
    assert seal(Draft(Layer.FACT, "f", body), 1, WALL, FIRST_DIGEST, bytes(16))[0].body == body

    with pytest.raises(ValueError, match=f"deeper than {DEEPEST} levels"):
        seal(
            Draft(Layer.FACT, "f", {"x": nested(room + 1, value)}), 1, WALL, FIRST_DIGEST, bytes(16)
        )


def test_an_entry_without_what_its_kind_must_hold_is_no_entry() -> None:
    with pytest.raises(ValueError, match="void needs entry of type int"):
        seal(
            Draft(Layer.CONTROL, Control.VOID, {"reason": "undo"}), 2, WALL, FIRST_DIGEST, bytes(16)
        )


def test_what_was_said_of_an_entry_stands_after_that_entry_is_lost() -> None:
    entries, gap = with_gap()
    read = list(read_chain([*map(row_of, entries[:2]), gap, *map(row_of, entries[5:])]))

    check_draft(void(4), 9, lambda n: read[n - 1])
    check_draft(fact(joined=True), 6, lambda n: read[n - 1])


def test_a_fact_is_joined_to_the_very_entry_before_it() -> None:
    entries = sealed([fact(), evidence(), fact()])

    check_draft(fact(joined=True), 5, lambda n: entries[n - 1])
    with pytest.raises(ValueError, match="not mark to press"):
        check_draft(fact(joined=True), 4, lambda n: entries[n - 1])


@pytest.mark.parametrize("target", [0, 3, "2", None])
def test_a_void_names_an_earlier_entry(target: Any) -> None:
    entries = sealed([fact()])

    with pytest.raises(ValueError, match=f"names an earlier entry, not {target!r}"):
        check_draft(void(target), 3, lambda n: entries[n - 1])


def altered(**fields: Any) -> bytes:
    """Return the text of the second entry of a record, a fact, with other values in these fields."""
    entry = sealed([fact()])[1]
    return json.dumps({**json.loads(row_of(entry).record), **fields}).encode("ascii")


def test_an_entry_is_read_from_its_text() -> None:
    assert unseal(altered(t_us=-(1 << 64)), b"").t_us == -(1 << 64)
    assert unseal(altered(t_us=1 << 64, causes=[1]), b"").causes == (1,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": "2"}, {"n": True}, {"body": []}, {"body": None}, {"wall": 5}, {"wall": "2025-01-31T20:00:00"},
        {"wall": "0001-01-01T00:00:00+00:00"}, {"key": 5}, {"t_us": "5"}, {"t_us": 5.0}, {"t_us": (1 << 64) + 1},
        {"t_us": -(1 << 64) - 1}, {"after": 2}, {"after": 0}, {"after": 1.0}, {"joined": 1}, {"causes": [2]},
        {"causes": [0]}, {"causes": ["1"]}, {"layer": "rumour"},
        {"SALT": None}, {"SALT": ""}, {"SALT": "0" * 31}, {"SALT": 7},
    ],
    ids=str,
)  # fmt: skip
def test_a_field_of_another_type_or_out_of_its_range_is_no_entry(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(an entry of other values|no entry)"):
        unseal(altered(**wrong), b"")


TEXT = rb'{"actor":"\u00e9\ud83d\ude00","body":{"a":[1,-2.5e3,true,null],"b":{"c":"x"}},"n":10000}'
JSON_BYTES = st.sampled_from(b'{}[]",:\\u0123456789eE+-.ntrueNaIfils \x00\x0b\x80')


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Draw the text of an entry with up to four bytes overwritten, preferably by JSON's own
    characters."""
    text = bytearray(TEXT)
    for _ in range(draw(st.integers(0, 4))):
        text[draw(st.integers(0, len(text) - 1))] = draw(JSON_BYTES)
    return bytes(text)


def read_with(read: Callable[[bytes], Any], record: bytes) -> str:
    """Return what is decoded, including types and order, or that nothing is."""
    try:
        return repr(read(record))  # of NaN, too, which does not equal itself
    except (ValueError, RecursionError):
        return "nothing"


@given(record=damaged())
@settings(max_examples=examples(500, 50_000))
@example(record=rb'"\ud800"')
@example(record='"\u00e9"'.encode())
@example(record=b"\xef\xbb\xbf1")
@example(record=b'{"a":1,"a":2}')
@example(record=b"[NaN,-Infinity,1e999,1e-400,-0,-0.0,18446744073709551616]")
@example(record=b"1" * 5000)
@example(record=b"[" * 33 + b"]" * 33)
@example(record=b"[" * 34 + b"]" * 34)
@example(record=b"[" * 500 + b"]" * 500)
@example(record=b"[" * 100_000)
def test_a_long_record_is_read_quickly_and_says_the_same(record: bytes) -> None:
    assert read_with(quick_decode(), record) == read_with(decode, record)


def test_only_facts_and_voids_are_taken_back_and_who_tries_more_is_told_what_it_is() -> None:
    entries = sealed([evidence()])

    with pytest.raises(ValueError, match=r"entry 2 is evidence .* can be taken back"):
        check_draft(void(2), 3, lambda n: entries[n - 1])
