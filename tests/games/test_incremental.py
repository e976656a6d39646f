"""Figures of a growing sequence: extending known figures gives the same as counting from the beginning."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from companion.rules import incremental
from companion.rules.incremental import Incremental, shared_prefix


def _joined(about: str, before: str, part: str) -> str:
    return f"{before}{part}{about}"


def slowly(about: str, parts: Sequence[str]) -> str:
    """Return the figure, counted anew."""
    found = ""
    for part in parts:
        found = _joined(about, found, part)
    return found


parts = st.lists(st.sampled_from("abc"), max_size=12)
abouts = st.sampled_from(["x", "y"])


@given(asked=st.lists(st.tuples(abouts, parts), max_size=20))
def test_whatever_was_asked_before_a_figure_is_that_of_its_own_sequence(
    asked: list[tuple[str, list[str]]],
) -> None:
    known: Incremental[str, str, str] = Incremental("", _joined)
    for about, sequence in asked:
        assert known(about, tuple(sequence)) == slowly(about, sequence)


@given(cut=st.lists(st.integers(0, 40), min_size=1, max_size=20))
def test_a_sequence_that_is_cut_and_grows_again_counts_as_often_as_it_is_asked(
    cut: list[int],
) -> None:
    known: Incremental[str, str, str] = Incremental("", _joined)
    sequence: tuple[str, ...] = ("first",)
    for place, keep in enumerate(cut):
        sequence = (*sequence[: max(1, keep)], str(place))
        assert known("x", sequence) == slowly("x", sequence)


def test_only_what_is_new_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = list[int]()

    def step(_about: None, before: int, part: int) -> int:
        counted.append(part)
        return before + part

    known: Incremental[None, int, int] = Incremental(0, step)
    first = 1_000_001  # an object of its own, as the parts of a state are
    sequence: tuple[int, ...] = (first,)
    for part in range(2, 200):
        sequence = (*sequence, part)
        assert known(None, sequence) == sum(sequence)
    assert len(counted) == len(sequence)
    assert known(None, sequence[:-10]) == sum(sequence[:-10])
    assert len(counted) == len(sequence), "an undo counts nothing"
    assert known(None, sequence[:20]) == sum(sequence[:20])
    assert len(counted) == len(sequence) + 20, (
        "one of more parts than are remembered counts them again"
    )


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


@given(one=parts, other=parts)
def test_what_two_sequences_begin_with(one: list[str], other: list[str]) -> None:
    same = shared_prefix(tuple(one), tuple(other))
    assert one[:same] == other[:same]
    assert one[same : same + 1] != other[same : same + 1] or same == min(len(one), len(other))
