"""Plain text in columns."""

from __future__ import annotations

from hypothesis import given, strategies as st

from companion.rules.columns import clean, fit, width, wrap

any_text = st.text(alphabet=st.characters(codec=None))


@given(any_text, st.integers(4, 90))
def test_a_cell_is_as_wide_as_it_should_be(text: str, columns: int) -> None:
    assert width(fit(text, columns)) == columns


@given(any_text, st.integers(20, 90))
def test_wrapped_lines_fit_and_lose_nothing(text: str, columns: int) -> None:
    lines = wrap(text, columns, "  ")
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())


def test_wide_letters_count_two_columns_and_marks_none() -> None:
    assert width("東京") == 4
    assert width("e\u0301") == 1
    assert wrap("東" * 50, 80, "  ") == ["東" * 40, "  " + "東" * 10]


def test_what_is_cut_says_so() -> None:
    assert fit("Wolfeschlegelstein", 8) == "Wolfesc~"


def test_no_control_code_and_no_turn_of_direction_gets_through() -> None:
    assert clean("a\x1b[2Jb\u202ec\n") == "a [2Jb c "
