"""A drill on the chip: what is reported is what was done, from the lamp's own pin to the trigger's."""

from __future__ import annotations

from companion.session.accessories import LAMP_ERROR_US
from tests.pico.conftest import Powered
from tests.pico.strings import do_strings

STRINGS = 8
"""A thousand of them: `python -m tests.benchmarks.drills`."""


def test_reactions_are_those_that_were_scripted_and_no_false_start_is_missed_or_invented(
    powered: Powered,
) -> None:
    totals = do_strings(powered(), STRINGS)
    assert len(totals.errors_us) + totals.false_starts == STRINGS
    assert totals.errors_us
    assert totals.false_starts
    assert max(map(abs, totals.errors_us)) <= LAMP_ERROR_US
    assert (totals.missed, totals.invented, totals.other) == (0, 0, [])
