"""Property: the same settings change nothing, and what other settings change can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings as tried, strategies as st

from companion.journal.entries import Control, Entry, Layer, is_control
from companion.link.evidence import Evidence
from companion.rules.gestures import GestureSettings
from companion.session.table import Table
from firmware_protocol.messages import Event, State
from tests.journal.folding import effective, undo_drafts
from tests.session.marshal.parts import USUAL, read, with_drafts
from tests.session.parts import GAME, MS, SEATS, MemoryJournal, first_entry, journal_of, table_on
from tests.session.test_crash import Booted, Key, Settled, Step, Stored, scripts, take
from tests.thorough import examples

OTHERS = st.builds(
    GestureSettings,
    hold_us=st.sampled_from((300, 600, 900)).map(lambda ms: ms * MS),
    window_us=st.sampled_from((3, 10, 30, 60, 100)).map(lambda ms: ms * MS),
    min_peak=st.sampled_from((None, 0, 901)),
)


def facts(entries: Sequence[Entry]) -> list[object]:
    return [(fact.kind, fact.causes, fact.body) for fact in effective(entries)]


# -- what people do to the record while it is played


@dataclass(frozen=True)
class Word:
    """A correction by hand: the `number`-th fact is taken back, brought back or amended, or a kind
    of step is set to another level."""

    verb: str
    number: int = 0
    value: str = ""


WORDS = st.one_of(
    st.builds(Word, st.just("take back"), st.integers(0, 9)),
    st.builds(Word, st.just("amend"), st.integers(0, 9), st.sampled_from(SEATS)),
    st.builds(
        Word,
        st.just("level"),
        st.integers(0, 3),
        st.sampled_from(("automatic", "proposed", "manual")),
    ),
    st.builds(
        Word, st.just("key"), value=st.sampled_from(("table.accept", "table.dismiss", "table.undo"))
    ),
)


@st.composite
def sessions(draw: st.DrawFn) -> list[Step | Word]:
    """Draw evidence, keys and corrections in any order; the session may end with pressed buttons
    and open windows."""
    steps: list[Step | Word] = list(draw(scripts()))
    for word in draw(st.lists(WORDS, max_size=5)):
        steps.insert(draw(st.integers(1, len(steps))), word)
    return steps[: len(steps) - draw(st.integers(0, 2))]


def played(steps: Sequence[Step | Word]) -> list[Entry]:
    with journal_of([first_entry()], MemoryJournal) as journal:
        table = table_on(journal)
        for step in steps:
            if isinstance(step, Word):
                speak(table, journal.entries, step)
            else:
                take(table, step)
        return list(journal.entries)


def speak(table: Table, entries: Sequence[Entry], word: Word) -> None:
    facts = [
        entry
        for entry in entries
        if entry.layer is Layer.FACT and (word.verb != "amend" or "seat" in entry.body)
    ]
    fact = facts[word.number % len(facts)] if facts else None
    if word.verb == "level":
        table.set_level(GAME.steps[word.number].name, word.value)
    elif word.verb == "key":
        table.do(word.value)
    elif word.verb == "take back" and fact is not None:
        table.take_back(fact.n)
    elif fact is not None:
        table.amend(fact.n, {**fact.body, "seat": word.value})


ALL_HEALTH = [HealthCheck.too_slow, HealthCheck.data_too_large]


@tried(max_examples=examples(40, 400), suppress_health_check=ALL_HEALTH)
@given(sessions())
def test_read_again_with_the_same_settings_nothing_changes(steps: list[Step | Word]) -> None:
    same = read(played(steps), USUAL)
    assert (same.changes, same.drafts, same.broken) == ((), (), {})
    assert same.before == same.after


@tried(max_examples=examples(40, 400), suppress_health_check=ALL_HEALTH)
@given(sessions(), OTHERS)
def test_what_is_accepted_is_what_is_read_again_and_it_can_be_read_back_or_undone(
    steps: list[Step | Word], settings: GestureSettings
) -> None:
    entries = played(steps)
    other = read(entries, settings)
    accepted = with_drafts(entries, other.drafts)
    again = read(accepted, settings)
    assert (again.changes, again.drafts, again.before) == ((), (), other.after)
    read_back = read(accepted, USUAL)
    assert facts(with_drafts(accepted, read_back.drafts)) == facts(entries)
    assert read_back.after == other.before
    undone = with_drafts(accepted, undo_drafts(accepted)) if other.drafts else accepted
    assert facts(undone) == facts(entries)
    assert facts(with_drafts(undone, read(undone, settings).drafts)) == facts(accepted)


def test_a_proposal_that_was_accepted_too_late_stays_what_the_table_made_of_it() -> None:
    press = Stored((pressed(1, State(1, 0, 10_000_000)), pressed(2, Event(2, 1, 10_000_000, 0, 0))))
    after = Stored((pressed(3, Event(2, 0, 10_750_000, 0, 0)),))
    steps: list[Step | Word] = [
        Booted(81),
        Word("level", 0, "proposed"),
        press,
        Settled(81, 10_749_999),
    ]
    steps += [
        Key("panic-fire.fire"),
        Word("key", value="table.accept"),
        after,
        Settled(81, 20_000_000),
    ]
    entries = played(steps)
    assert [entry.kind for entry in entries if is_control(entry, Control.IGNORED)]
    same = read(entries, USUAL)
    assert (same.changes, same.drafts, same.broken) == ((), (), {})


def test_a_proposal_that_waited_while_something_came_and_went_is_read_as_it_was() -> None:
    press = Stored((pressed(1, State(1, 0, 10_000_000)), pressed(2, Event(2, 1, 10_000_000, 0, 0))))
    tap = ((3, 0, 10_750_000), (4, 1, 10_770_000), (5, 0, 10_890_000))
    draw = Stored(tuple(pressed(seq, Event(2, flags, us, 0, 0)) for seq, flags, us in tap))
    steps: list[Step | Word] = [
        Booted(81),
        Word("level", 0, "proposed"),
        press,
        Settled(81, 10_749_999),
    ]
    steps += [
        Key("panic-fire.fire"),
        draw,
        Settled(81, 10_909_999),
        Key("table.undo"),
        Key("table.undo"),
    ]
    entries = played([*steps, Word("key", value="table.accept")])
    assert (entries[-1].kind, entries[-1].causes) == ("fire", (5,))
    same = read(entries, USUAL)
    assert (same.changes, same.drafts, same.broken) == ((), (), {})


def pressed(seq: int, message: State | Event) -> Evidence:
    return Evidence(723533, 81, seq, message, 0)
