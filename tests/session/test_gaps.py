"""A session can be continued whatever part of its record is lost."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings, strategies as st

from companion.journal.entries import Control, Entry, Layer, is_lost
from companion.rules.gestures import GestureSettings
from tests.session.parts import RESUMED, journal_of, table_on
from tests.session.test_crash import ACTIONS, Step, play, scripts, take
from tests.thorough import examples


def with_gaps(entries: Sequence[Entry], lost: Sequence[int]) -> list[Entry]:
    """Return the record as a repair leaves it that found all but the `lost` entries."""
    record = list(entries)
    for n in lost:
        before, last = record[n - 2], n
        while last + 1 in lost:
            last += 1
        first = before.body["from"] if is_lost(before) else n
        body = {"from": first, "to": last, "why": "a test took it"}
        record[n - 1] = Entry(
            n,
            Layer.CONTROL,
            Control.LOST,
            body,
            "companion",
            (),
            None,
            None,
            None,
            before.wall,
            b"",
        )
    return record


@settings(
    max_examples=examples(40, 1_000),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(scripts(), st.data())
def test_a_record_with_any_gaps_is_resumed_looked_at_and_played_on(
    steps: list[Step], data: st.DataObject
) -> None:
    entries = play(steps).entries
    lost = data.draw(st.lists(st.integers(2, len(entries)), unique=True).map(sorted))
    with journal_of(with_gaps(entries, lost)) as journal:
        journal.append(RESUMED)
        table = table_on(journal)
        assert {n for n in lost if n - 1 not in lost} <= {line.n for line in table.view().log}
        table.inspection.marshal()
        table.inspection.score_history()
        table.inspection.reread(GestureSettings())
        for n in range(1, len(entries) + 1):
            table.take_back(n)
        for action in data.draw(st.lists(st.sampled_from(ACTIONS), max_size=10)):
            table.do(action)
        for step in steps[-3:]:
            take(table, step)
        new = journal.entries[len(entries) :]
        assert not any(entry.kind == Control.VOID and entry.body["entry"] in lost for entry in new)
