from __future__ import annotations

import gc

import pytest
from hypothesis import given, settings, strategies as st

from companion.journal.entries import Draft, Entry
from companion.journal.timeline import SPACING, Timeline
from tests.journal.folding import effective
from tests.journal.support import fact, numbers, sealed
from tests.journal.test_fold import void
from tests.thorough import examples

State = tuple[int, ...]


class TooMany(Exception):
    pass


class Rules:
    """Rules whose state is the numbers applied; a negative fact is refused unless as many came
    before. Counts applications."""

    def __init__(self) -> None:
        self.applied = 0

    def __call__(self, state: State, entry: Entry) -> State:
        self.applied += 1
        needed = -entry.body["i"]
        if len(state) < needed:
            raise TooMany(f"{needed} facts must go before")
        return (*state, entry.n)


def timeline(*drafts: Draft) -> Timeline[State]:
    made: Timeline[State] = Timeline((), Rules(), TooMany)
    made.extend(sealed(drafts))
    return made


def test_a_timeline_is_the_fold_of_what_counts() -> None:
    drafts = [fact(), fact(), fact(), void(3), fact(after=2), void(6), void(7)]
    assert timeline(*drafts).state == (2, 6, 4)
    assert timeline(*drafts).state == tuple(numbers(effective(sealed(drafts))))


@pytest.mark.parametrize("count", [SPACING - 1, SPACING, SPACING + 1, 3 * SPACING, 100])
def test_adding_one_by_one_is_the_same_as_adding_all_at_once(count: int) -> None:
    drafts = [*(fact() for _ in range(count)), void(2), fact(after=count // 2), void(count), fact()]
    single: Timeline[State] = Timeline((), Rules(), TooMany)
    for entry in sealed(drafts):
        single.add(entry)
    assert single.state == timeline(*drafts).state == tuple(numbers(effective(sealed(drafts))))


def test_a_fact_that_no_longer_makes_sense_is_kept_marked_and_skipped() -> None:
    made = timeline(fact(), fact(), fact(-2), fact())
    assert made.problems == {}
    entries = sealed([fact(), fact(), fact(-2), fact(), void(2)])
    made.add(entries[-1])
    assert made.state == (3, 5)
    assert str(made.problems[4]) == "2 facts must go before"
    assert made.problems[4].__traceback__ is None


def test_a_problem_goes_away_with_its_reason() -> None:
    made = timeline(fact(), fact(-1), void(2))
    assert set(made.problems) == {3}
    made.add(sealed([fact(), fact(-1), void(2), void(4)])[-1])
    assert made.problems == {}
    assert made.state == (2, 3)


def test_a_problem_that_is_taken_back_is_no_problem() -> None:
    assert timeline(fact(-5), void(2)).problems == {}


def test_a_fault_of_the_rules_is_not_taken_for_a_refusal() -> None:
    made: Timeline[State] = Timeline((), Rules(), TooMany)
    with pytest.raises(KeyError):
        made.extend(sealed([Draft(fact().layer, "no body")]))


def test_an_undo_applies_no_more_facts_than_lie_between_two_checkpoints() -> None:
    rules = Rules()
    made: Timeline[State] = Timeline((), rules, TooMany)
    drafts = [fact() for _ in range(500)]
    entries = sealed(drafts)
    made.extend(entries)
    for _ in range(2 * SPACING):
        drafts.extend(made.steps.undo_drafts())
        rules.applied = 0
        made.add(sealed(drafts)[-1])
        assert rules.applied <= SPACING
    assert len(made.state) == 500 - 2 * SPACING


def test_what_is_brought_back_step_by_step_is_applied_once_more_with_the_fact_before_it() -> None:
    rules = Rules()
    made: Timeline[State] = Timeline((), rules, TooMany)
    drafts = [fact() for _ in range(3 * SPACING)]
    made.extend(sealed(drafts))
    for _ in range(2 * SPACING):
        drafts.extend(made.steps.undo_drafts())
        made.add(sealed(drafts)[-1])
    for _ in range(2 * SPACING):
        drafts.extend(made.steps.redo_drafts())
        rules.applied = 0
        made.add(sealed(drafts)[-1])
        assert rules.applied <= 2
    assert made.state == timeline(*drafts[: 3 * SPACING]).state


def test_a_live_fact_is_applied_once() -> None:
    rules = Rules()
    made: Timeline[State] = Timeline((), rules, TooMany)
    for entry in sealed([fact() for _ in range(4 * SPACING)]):
        made.add(entry)
    assert rules.applied == 4 * SPACING


def test_undo_and_redo_go_through_the_timeline() -> None:
    drafts = [fact(), fact()]
    made = timeline(*drafts)
    assert made.steps.undo_target == 3
    drafts.extend(made.steps.undo_drafts())
    made.add(sealed(drafts)[-1])
    assert list(made.state) == [2]
    assert not made.order.stands(3)
    assert made.steps.redo_target == 3
    drafts.extend(made.steps.redo_drafts())
    made.add(sealed(drafts)[-1])
    assert list(made.state) == [2, 3]


def test_the_state_before_an_entry_is_what_it_meets() -> None:
    made = timeline(*(fact() for _ in range(100)), fact(after=50), void(70))
    assert made.state_before(2) == ()
    assert made.state_before(102) == tuple(range(2, 51))
    assert made.state_before(51) == (*range(2, 51), 102)
    assert made.state_before(70) == (*range(2, 51), 102, *range(51, 70))
    assert made.state_before(1) == ()
    assert made.state_before(103) == made.state
    assert [made.order.index_of(n) for n in (1, 2, 50, 102, 51, 70)] == [0, 0, 48, 49, 50, 69]


def test_the_voids_of_an_entry_are_told_whether_they_stand_or_not() -> None:
    made = timeline(fact(), fact(), void(2), void(4), void(2), void(3))
    assert made.order.voids_of(2) == (4, 6)
    assert made.order.voids_of(4) == (5,)
    assert made.order.voids_of(1) == ()


def test_what_entries_to_come_would_refuse_is_told_without_taking_them_in() -> None:
    drafts = [fact(), fact(), fact(-2), fact(-9)]
    made = timeline(*drafts)
    coming = sealed([*drafts, void(3), fact(-7)])[5:]
    assert made.refused_with(coming) == {4, 7}
    assert (made.state, list(made.problems)) == ((2, 3, 4), [5])
    made.extend(coming)
    assert sorted(made.problems) == [4, 5, 7]


@pytest.mark.parametrize("gone", [2, 5, 13, 14])
def test_a_look_back_does_not_remember_what_was_taken_back_since(gone: int) -> None:
    made = timeline(*(fact() for _ in range(20)))
    assert made.state_before(15) == tuple(range(2, 15))
    made.add(sealed([*(fact() for _ in range(20)), void(gone)])[-1])
    assert made.state_before(15) == tuple(n for n in range(2, 15) if n != gone)
    assert made.state_before(16) == tuple(n for n in range(2, 16) if n != gone)


places = st.integers(0, 10_000)
edits = st.one_of(
    st.tuples(st.just("facts"), st.integers(1, 40)),
    st.tuples(st.just("behind"), places),
    st.tuples(st.just("void"), places),
    st.tuples(st.just("look"), places),
)


@settings(max_examples=examples(60, 3_000))
@given(st.lists(edits, max_size=25))
def test_looks_back_between_any_corrections_are_those_of_a_fold_from_the_beginning(
    done: list[tuple[str, int]],
) -> None:
    made: Timeline[State] = Timeline((), Rules(), TooMany)
    drafts = [fact(), fact()]
    made.extend(sealed(drafts))
    facts = [2, 3]
    for action, number in done:
        known = len(drafts) + 1
        if action == "look":
            n = number % known + 1
            assert made.state_before(n) == timeline(*drafts).state_before(n)
            assert made.state_after(n) == timeline(*drafts).state_after(n)
            continue
        if action == "void":
            drafts.append(void(facts[number % len(facts)]))
        else:
            count = number if action == "facts" else 1
            drafts += [fact(after=None if action == "facts" else number % known + 1)] * count
            facts += range(known + 1, known + count + 1)
        made.extend(sealed(drafts)[known:])
        assert made.state == timeline(*drafts).state


def test_the_history_shows_also_what_was_taken_back_each_with_the_state_before_it() -> None:
    made = timeline(fact(), fact(), fact(after=2), void(3), fact())
    assert [(entry.n, before) for entry, before in made.history()] == [
        (2, ()),
        (4, (2,)),
        (3, (2, 4)),
        (6, (2, 4)),
    ]


def test_a_big_fold_leaves_the_garbage_collector_as_it_was() -> None:
    timeline(fact())
    assert gc.isenabled()
    gc.disable()
    try:
        timeline(fact())
        assert not gc.isenabled()
    finally:
        gc.enable()
