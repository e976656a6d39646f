"""Plain text in columns."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from companion.rules.columns import clean, fit, unit_for, width, wrap

any_text = st.text(alphabet=st.characters(codec=None))


@given(any_text, st.integers(4, 90))
def test_a_cell_is_as_wide_as_it_should_be(text: str, columns: int) -> None:
    assert width(fit(text, columns)) == columns


@given(any_text, st.integers(20, 90))
def test_wrapped_lines_fit_and_lose_nothing(text: str, columns: int) -> None:
    lines = wrap(text, columns, "  ")
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())


@pytest.mark.parametrize(
    ("unit", "of_one"),
    [
        ("points", "point"),
        ("Bullet cards", "Bullet card"),
        ("gold", "gold"),
        *((unit, unit) for unit in ("chess", "bonus", "penalties", "boxes", "matches", "lives")),
    ],
)
def test_a_score_of_one_has_its_unit_in_the_singular_and_never_a_wrong_word(
    unit: str, of_one: str
) -> None:
    assert (unit_for("1", unit), unit_for("2", unit), unit_for("0", unit)) == (of_one, unit, unit)


def test_wide_letters_count_two_columns_and_marks_none() -> None:
    assert width("東京") == 4
    assert width("e\u0301") == 1
    assert wrap("東" * 50, 80, "  ") == ["東" * 40, "  " + "東" * 10]


# What may be in a name, but for the signs that Unicode 16 made wide: Python's tables are older than the library's.
NEWLY_WIDE = (
    range(0x2630, 0x2638),
    range(0x268A, 0x2690),
    range(0x4DC0, 0x4E00),
    range(0x1D300, 0x1D380),
)


def test_a_text_is_as_wide_as_the_terminal_library_lays_it_out() -> None:
    others = []
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if unicodedata.category(sign) in ("Cc", "Cf", "Cn", "Co", "Cs") or clean(sign) != sign:
            continue
        if any(code in newly_wide for newly_wide in NEWLY_WIDE):
            continue
        if width(sign) != cell_len(sign):
            others.append(f"{code:x} {sign}")
    assert others == []


@pytest.mark.parametrize(
    "text",
    [
        "\N{HEAVY BLACK HEART}\ufe0f",
        "1\ufe0f\u20e3",
        "\U0001f44d\U0001f3fd",  # a hand with its color
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family of three
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # a rainbow on a flag
        "\U0001f1e8\U0001f1ed",  # a country's flag
        "\u1100\u1161\u11a8",  # a syllable of three letters
        "\u0915\u093e",  # a consonant and its vowel
    ],
)
def test_signs_of_several_characters_are_as_wide_as_the_terminal_library_lays_them_out(
    text: str,
) -> None:
    assert width(f"Ann {text} B") == cell_len(f"Ann {text} B")


def test_what_is_cut_says_so() -> None:
    assert fit("Wolfeschlegelstein", 8) == "Wolfesc…"


def test_no_control_code_and_no_turn_of_direction_gets_through() -> None:
    assert clean("a\x1b[2Jb\u202ec\n") == "a [2Jb c "
