"""The evidence read again with other settings: what changes, what stays, and that it can be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from companion.gestures import Settings
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.fold import effective, undo_drafts
from companion.rereading import Rereading, reread
from tests.table.parts import GAME, MS, journal_of, setup
from tests.table.test_crash import Step, play, scripts

USUAL = Settings()
OTHERS = st.builds(
    Settings,
    hold_us=st.sampled_from((300, 600, 900)).map(lambda ms: ms * MS),
    window_us=st.sampled_from((3, 10, 30, 60, 100)).map(lambda ms: ms * MS),
    min_peak=st.sampled_from((None, 0, 901)),
)


def read(entries: Sequence[Entry], settings: Settings) -> Rereading:
    return reread(GAME, setup(), entries, settings)


def with_drafts(entries: Sequence[Entry], drafts: Sequence[Draft]) -> list[Entry]:
    with journal_of(entries) as journal:
        journal.append(*drafts)
        return list(journal.entries)


def facts(entries: Sequence[Entry]) -> list[object]:
    return [(fact.kind, fact.causes, fact.body) for fact in effective(entries)]


@examples(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(scripts())
def test_read_again_with_the_same_settings_nothing_changes(steps: list[Step]) -> None:
    same = read(play(steps).entries, USUAL)
    assert (same.changes, same.drafts, same.broken) == ((), (), {})
    assert same.before == same.after


@examples(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(scripts(), OTHERS)
def test_what_was_accepted_is_what_is_read_again_and_can_be_read_back_or_taken_back(
    steps: list[Step], settings: Settings
) -> None:
    entries = play(steps).entries
    other = read(entries, settings)
    accepted = with_drafts(entries, other.drafts)
    again = read(accepted, settings)
    assert (again.changes, again.drafts, again.before) == ((), (), other.after)
    read_back = read(accepted, USUAL)
    assert facts(with_drafts(accepted, read_back.drafts)) == facts(entries)
    assert read_back.after == other.before
    undone = with_drafts(accepted, undo_drafts(accepted)) if other.drafts else accepted
    assert facts(undone) == facts(entries)
    once_more = with_drafts(undone, read(undone, settings).drafts)
    assert facts(once_more) == facts(accepted)
