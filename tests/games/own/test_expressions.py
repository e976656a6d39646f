"""Expressions of files are exact arithmetic, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import pytest
from hypothesis import given, strategies as st

from companion.games.own.rules.expressions import (
    MOST_NODES,
    Expression,
    Names,
    NotAnExpression,
    NoValue,
    Value,
    ValueSource,
    evaluated,
    read_expression,
)

NAMES = Names(frozenset({"round"}), frozenset({"a", "b"}), frozenset({"a", "b"}))


class Table(ValueSource):
    """Three players, of whom each has a and b, and two rounds are over."""

    A: ClassVar[dict[str, int]] = {"x": 1, "y": 5, "z": 12}

    def value(self, name: str, seat: str) -> Value | Expression:
        values: dict[str, Value] = {"round": 3, "a": self.A.get(seat, 0), "b": Fraction(1, 2)}
        return values[name]

    def seats(self) -> Sequence[str]:
        return tuple(self.A)

    def team(self, seat: str) -> Sequence[str]:
        return (seat,)

    def used(self, name: str, seat: str) -> bool:
        return bool(name and seat)

    def rounds(self, name: str, seat: str) -> Sequence[Value]:
        return [10 * self.A[seat], self.A[seat]] if name == "a" else []


def worth(text: str, seat: str = "y") -> Value:
    return evaluated(read_expression(text, NAMES, for_seat=bool(seat)), Table(), seat)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("1/3 + 1/6", Fraction(1, 2)),
        ("7 // 2 + 7 % 2", 4),
        ("-a", -5),
        ("a if a > 3 else 0", 5),
        ("not a", 0),
        ("a == 5 and round == 3", 1),
        ("1 < a < 5 or round > 9", 0),
        ("-1 and 1", 1),
        ("1 and -1 and -1", 1),
        ("-1 and 0", 0),
        ("0 or -1", 1),
        ("-1 or 0", 1),
        ("0 or 0", 0),
        ("-a and -b", 1),
        ("not -a", 0),
        ("1 if -a else 2", 1),
        ("count(-a)", 3),
        ("sum(a)", 18),
        ("max(a) - min(a)", 11),
        ("count(a > 3)", 2),
        ("sum(a + b)", Fraction(39, 2)),
        ("total(a)", 55),
        ("best(a) - worst(a) + last(a)", 50),
        ("max(total(a))", 132),
        ("total(b) + last(b)", 0),
    ],
)
def test_an_expression_has_the_value_that_it_has_on_paper(text: str, value: Value) -> None:
    assert worth(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2 ** 9", "no powers"),
        ("0.5", "write 1/2"),
        ("a.b", "'.' has no meaning"),
        ("__import__('os')", "has no meaning"),
        ("[1]", "'[' has no meaning"),
        ("lambda", "not complete"),
        ("", "not complete"),
        ("c", "there is no 'c'"),
        ("total(a + b)", "takes a name"),
        ("total(round)", "not kept"),
        ("tootal(a)", "no function"),
        ("sum(a, b)", "one expression"),
        ("sum(a=b)", "one expression"),
        ("a b", "not complete"),
        ("1 if a", "not complete"),
        ("a in b", "more than arithmetic"),
        ("(a, b)", "more than arithmetic"),
        ("True", "more than arithmetic"),
        ("9" * 120, "too large"),
        ("+".join("a" * 150), "parts"),
        ("a" * 500, "characters"),
    ],
)
def test_what_is_no_arithmetic_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(
        NotAnExpression, match=why.replace("(", r"\(").replace("[", r"\[").replace(".", r"\.")
    ):
        read_expression(text, NAMES, for_seat=True)


def test_what_differs_by_player_has_no_value_for_the_table() -> None:
    with pytest.raises(NotAnExpression, match="another number for each player") as refused:
        read_expression("a > 3", NAMES, for_seat=False)
    assert "sum(a)" in refused.value.expected
    assert worth("max(a) > 3", "") == 1


@pytest.mark.parametrize("text", ["1 / 0", "a // (round - 3)", "a % 0", "*".join(["9" * 30] * 9)])
def test_what_cannot_be_worked_out_says_so(text: str) -> None:
    with pytest.raises(NoValue):
        worth(text)


def test_the_longest_evaluation_ends_within_its_time() -> None:
    nested = read_expression("sum(" * 60 + "a" + ")" * 60, NAMES, for_seat=True)
    begun = time.perf_counter()
    with pytest.raises(NoValue, match="steps"):
        evaluated(nested, Table(), "x")
    # on a machine that does other things, too; alone it is a hundredth of that
    assert time.perf_counter() - begun < 1


@given(st.text(alphabet="ab0129 ()+-*/%<>=!,", max_size=60))
def test_any_text_of_its_signs_is_read_or_refused_and_has_a_value_or_none(text: str) -> None:
    try:
        value = worth(text)
    except (NotAnExpression, NoValue):
        return
    assert isinstance(value, (int, Fraction))


SIGNS = ["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", ">", ">="]


@given(
    st.integers(-(2**60), 2**60),
    st.integers(1, 2**60),
    st.sampled_from(SIGNS),
)
def test_arithmetic_agrees_with_exact_numbers(left: int, right: int, by: str) -> None:
    exact = eval(f"Fraction({left}) {by} Fraction({right})")
    assert worth(f"{left} {by} {right}") == exact


@given(st.integers(1, MOST_NODES + 20))
def test_the_number_of_parts_is_bounded(parts: int) -> None:
    text = "-" * (parts - 1) + "1"
    if parts <= MOST_NODES - 1 and len(text) <= 180:
        assert abs(worth(text)) == 1
    elif parts > MOST_NODES:
        with pytest.raises(NotAnExpression):
            worth(text)
