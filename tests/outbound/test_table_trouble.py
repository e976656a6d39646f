"""A table tells its hub what is wrong there, and both say when their clocks differ."""

from __future__ import annotations

import pytest

from companion.outbound.table_trouble import apart


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3 * 365.25 * 86400, "3 years"),
        (-365.25 * 86400, "1 year"),
        (-86400 * 40, "40 days"),
        (3600.0, "1 hour"),
        (7300, "2 hours"),
        (240, "4 minutes"),
        (5, "less than a minute"),
    ],
)
def test_a_difference_of_clocks_is_told_in_the_largest_unit_that_fits(
    seconds: float, words: str
) -> None:
    assert apart(seconds) == words
