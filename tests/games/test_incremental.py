"""Incremental figures of a growing tuple are equal to those computed from the beginning."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from companion.rules import incremental
from companion.rules.incremental import Incremental, shared_prefix


def _joined(about: str, before: str, part: str) -> str:
    return f"{before}{part}{about}"


def recomputed(about: str, parts: Sequence[str]) -> str:
    """Return the figure computed from the beginning."""
    figure = ""
    for part in parts:
        figure = _joined(about, figure, part)
    return figure


parts = st.lists(st.sampled_from("abc"), max_size=12)
abouts = st.sampled_from(["x", "y"])


@given(asked=st.lists(st.tuples(abouts, parts), max_size=20))
def test_whatever_was_asked_before_a_figure_is_that_of_its_own_sequence(
    asked: list[tuple[str, list[str]]],
) -> None:
    known: Incremental[str, str, str] = Incremental("", _joined)
    for about, sequence in asked:
        assert known(about, tuple(sequence)) == recomputed(about, sequence)


@given(cut=st.lists(st.integers(0, 40), min_size=1, max_size=20))
def test_a_sequence_that_is_cut_and_grows_again_counts_as_often_as_it_is_asked(
    cut: list[int],
) -> None:
    known: Incremental[str, str, str] = Incremental("", _joined)
    sequence: tuple[str, ...] = ("first",)
    for place, keep in enumerate(cut):
        sequence = (*sequence[: max(1, keep)], str(place))
        assert known("x", sequence) == recomputed("x", sequence)


def test_only_what_is_new_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = list[int]()

    def step(_about: None, before: int, part: int) -> int:
        counted.append(part)
        return before + part

    known: Incremental[None, int, int] = Incremental(0, step)
    first = (
        1_000_001  # not a small int, which Python shares: parts of a state are objects of their own
    )
    sequence: tuple[int, ...] = (first,)
    for part in range(2, 200):
        sequence = (*sequence, part)
        assert known(None, sequence) == sum(sequence)
    assert len(counted) == len(sequence)
    assert known(None, sequence[:-10]) == sum(sequence[:-10])
    assert len(counted) == len(sequence), "an undo counts nothing"
    assert known(None, sequence[:20]) == sum(sequence[:20])
    assert len(counted) == len(sequence) + 20, "a longer undo than is remembered counts them again"


def test_a_figure_that_does_not_hold_for_something_else_is_counted_again() -> None:
    known: Incremental[int, int, int] = Incremental(
        0, lambda about, before, part: before + about * part, lambda *_: False
    )
    sequence = (1_000_003, 2, 3)
    assert known(2, sequence) == 2 * sum(sequence)
    assert known(3, sequence) == 3 * sum(sequence)


def test_of_many_sequences_no_more_than_a_few_are_remembered() -> None:
    known: Incremental[None, str, str] = Incremental("", lambda _, before, part: before + part)
    for number in range(5 * incremental.MAX_SEQUENCES):
        assert known(None, (f"sequence {number}", "b")) == f"sequence {number}b"
    assert len(known._known) <= incremental.MAX_SEQUENCES


@given(first=parts, second=parts)
def test_what_two_sequences_begin_with(first: list[str], second: list[str]) -> None:
    shared = shared_prefix(tuple(first), tuple(second))
    assert first[:shared] == second[:shared]
    if shared < min(len(first), len(second)):
        assert first[shared] != second[shared]
