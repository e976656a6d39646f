"""The pauses of a clock, to the microsecond: what lies in one, and what an interval loses to them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, Span, between, end_pause, is_paused_at, paused_between


def at(us: int, clock: str = "board-1", pm: int = 0) -> Moment:
    return Moment(us=us, clock=clock, pm=pm)


ONE = ((at(100), at(200)),)


@pytest.mark.parametrize(("us", "still"), [(99, False), (100, True), (199, True), (200, False)])
def test_a_pause_begins_with_its_first_moment_and_ends_before_its_last(
    us: int, still: bool
) -> None:
    assert is_paused_at(ONE, False, at(us)) is still


@pytest.mark.parametrize(("us", "still"), [(299, False), (300, True), (10_000, True)])
def test_a_pause_that_lasts_holds_what_was_stamped_from_its_beginning_on(
    us: int, still: bool
) -> None:
    assert is_paused_at((*ONE, (at(300), None)), True, at(us)) is still


def test_while_the_clock_stands_still_a_moment_that_nobody_can_compare_counts_as_in_the_pause() -> (
    None
):
    pauses = ((at(300), None),)
    assert is_paused_at(pauses, True, None)
    assert is_paused_at(pauses, True, at(1, clock="board-2"))
    assert is_paused_at(((None, None),), True, at(1))


def test_once_it_runs_a_moment_that_nobody_can_compare_counts_as_outside() -> None:
    assert not is_paused_at(ONE, False, None)
    assert not is_paused_at(ONE, False, at(150, clock="board-2"))
    assert not is_paused_at(((at(100), None),), False, at(150))
    assert not is_paused_at(((None, at(200)),), False, at(150))


def test_the_first_of_several_pauses_counts_while_the_last_one_lasts() -> None:
    assert is_paused_at((*ONE, (at(300), None)), True, at(150))


def test_a_pause_ends_where_it_is_said_and_those_before_stay() -> None:
    assert end_pause((*ONE, (at(300), None)), at(310)) == (*ONE, (at(300), at(310)))
    assert end_pause(((None, None),), at(5)) == ((None, at(5)),)


@pytest.mark.parametrize(
    ("earlier", "later", "us"),
    [
        (0, 100, 0), (0, 101, 1), (0, 150, 50), (0, 200, 100), (0, 300, 100),
        (100, 200, 100), (150, 160, 10), (150, 300, 50), (199, 300, 1), (200, 300, 0),
    ],
)  # fmt: skip
def test_an_interval_loses_what_it_shares_with_a_pause(earlier: int, later: int, us: int) -> None:
    assert paused_between(ONE, False, at(earlier), at(later)) == Span(us, 0)


def test_several_pauses_and_their_errors_add_up() -> None:
    pauses = (
        (at(100, pm=1), at(200, pm=2)),
        (at(300, pm=4), at(450, pm=8)),
        (at(900, pm=16), at(950, pm=32)),
    )
    assert paused_between(pauses, False, at(0), at(500)) == Span(250, 15)


@pytest.mark.parametrize(("later", "us"), [(300, 0), (301, 1), (400, 100)])
def test_a_pause_that_lasts_takes_the_rest_of_an_interval(later: int, us: int) -> None:
    expected = Span(us, 7 if us else 0)
    assert paused_between(((at(300, pm=3), None),), True, at(0), at(later, pm=4)) == expected


@pytest.mark.parametrize("tapped", range(4))
def test_an_interval_that_rests_on_one_tap_is_not_measured(tapped: int) -> None:
    moments = [at(us) for us in (0, 100, 200, 300)]
    moments[tapped] = moments[tapped].model_copy(update={"tapped": True})
    earlier, begun, end, later = moments
    assert between(earlier, later, ((begun, end),)) == Span(200, 0, tapped=True)


def test_only_the_last_pause_can_last() -> None:
    assert paused_between(((at(100), None), (at(300), None)), True, at(0), at(400)) is None


@pytest.mark.parametrize(
    "pause",
    [
        (None, at(200)),
        (at(100), None),
        (at(100, clock="board-2"), at(200)),
        (at(100), at(200, clock="board-2")),
        (at(100, clock="board-2"), at(200, clock="board-2")),
    ],
)
def test_nobody_knows_what_a_pause_took_that_cannot_be_compared(
    pause: tuple[Moment | None, Moment | None],
) -> None:
    assert paused_between((pause,), False, at(0), at(300)) is None


def test_a_pause_of_unknown_beginning_that_was_over_before_takes_nothing() -> None:
    assert paused_between(((None, at(200)),), False, at(200), at(300)) == Span(0, 0)
    assert paused_between(((at(300), None),), False, at(200), at(300)) == Span(0, 0)


def test_a_pause_that_lasts_and_began_at_an_unknown_moment_leaves_the_interval_unknown_or_alone() -> (
    None
):
    """One that nobody can place is not known to have begun before the end of the interval."""
    assert paused_between(((None, None),), True, at(0), at(300)) == Span(0, 0)
    assert paused_between(((at(100, clock="board-2"), None),), True, at(0), at(300)) == Span(0, 0)


moments = st.none() | st.builds(
    at, st.integers(0, 60), st.sampled_from(["board-1", "board-1", "board-2"])
)
paused_or_not = st.lists(st.tuples(moments, moments), max_size=8).map(tuple)


def reaches(one: Moment | None, other: Moment | None) -> bool:
    return one is not None and other is not None and one.clock == other.clock and one.us <= other.us


def one_by_one(pauses: Pauses, paused: bool, earlier: Moment, later: Moment) -> Span | None:
    """Return the interval minus its pauses, looking at each pause."""
    total = 0
    for place, (begun, end) in enumerate(pauses):
        runs = paused and place == len(pauses) - 1
        if reaches(later, begun) or reaches(end, earlier) or (runs and not reaches(begun, later)):
            continue
        end = later if runs else end
        if begun is None or end is None or not begun.clock == end.clock == later.clock:
            return None
        total += min(end.us, later.us) - max(begun.us, earlier.us)
    return Span(total, 0)


def holds(pauses: Pauses, paused: bool, moment: Moment) -> bool:
    """Return True if a moment is in one of the pauses, looking at each pause."""
    for begun, end in pauses[:-1] if paused else pauses:
        compared = end is not None and end.clock == moment.clock
        if reaches(begun, moment) and compared and not reaches(end, moment):
            return True
    begun = pauses[-1][0] if paused else None
    before = reaches(moment, begun) and not reaches(begun, moment)
    return paused and not before


@given(
    asked=st.lists(
        st.tuples(paused_or_not, st.booleans(), st.integers(0, 60), st.integers(0, 60)), max_size=5
    )
)
def test_the_pauses_that_are_passed_over_are_those_that_change_nothing(
    asked: list[tuple[Pauses, bool, int, int]],
) -> None:
    for pauses, paused, earlier, later in asked:
        runs = paused and bool(pauses)
        expected = one_by_one(pauses, runs, at(earlier), at(later))
        assert paused_between(pauses, runs, at(earlier), at(later)) == expected
        assert is_paused_at(pauses, runs, at(later)) == holds(pauses, runs, at(later))
