"""Statistics of times, within a session and over many (DR-9)."""

from __future__ import annotations

import pytest

from companion.games.drills.panels import PANELS
from companion.games.drills.rules import facts as f
from companion.games.drills.rules.timing import first_at_plates, points, results, standings
from companion.rules.common import Pause, Unpause
from companion.rules.comparing import is_best, trend
from companion.rules.facts import Moment
from companion.rules.pauses import Span
from tests.games.drills.playing import after, at, lit, started, string, view, zero
from tests.games.drills.test_ending import of_version

S = 1_000_000


@pytest.mark.parametrize(
    ("us", "best"), [(199_796, True), (199_797, False), (200_000, False), (250_000, False)]
)
def test_the_best_so_far_is_better_by_both_errors_at_least(us: int, best: bool) -> None:
    assert is_best([Span(200_000, 102), Span(us, 102)]) is best


def test_a_trend_needs_six() -> None:
    times = [Span(us, 10) for us in (300, 200, 400, 100)]
    statistics = trend(times)
    assert statistics is not None
    assert (statistics.best.us, statistics.last.us, statistics.spread_us, statistics.better_us) == (
        100,
        100,
        300,
        None,
    )
    assert trend([]) is None


@pytest.mark.parametrize(
    ("late", "better"), [((200, 210, 190), 100), ((290, 310, 295), None), ((500, 510, 520), -210)]
)
def test_a_trend_compares_the_halves_and_says_nothing_within_the_errors(
    late: tuple[int, ...], better: int | None
) -> None:
    statistics = trend([Span(us, 10) for us in (300, 290, 310, *late)])
    assert statistics is not None
    assert statistics.better_us == better


def test_the_word_for_the_best_stands_with_the_string_that_had_it() -> None:
    state = after(
        started("Ada"),
        *string("ada", 0, 300_000),
        *string("ada", 10 * S, 250_000),
        *string("ada", 20 * S, 260_000),
    )
    assert [string.praise for string in view(state).strings] == ["", "the best so far", ""]


def test_the_page_says_what_the_times_are_counted_from() -> None:
    state = after(started("Ada"), *string("ada", 0, 300_000))
    _, last, _ = PANELS.tables(view(state))
    assert (
        "counted from",
        "the lamp; delays of lamp and sensor are not included",
    ) in last.rows


def tapped(us: int) -> Moment:
    return at(us, pm=400_000).model_copy(update={"tapped": True})


def test_a_string_with_a_tap_has_a_time_with_its_interval_and_no_statistics() -> None:
    shot = f.Shot(at=tapped(zero(0) + 300_000))
    state = after(started("Ada", strings="2"), *lit("ada", 0), shot)
    assert points(state, "ada") == 0
    assert results(state, "ada") == ()
    (row,) = view(state).strings
    assert row.ended == "0.3 s \u00b10.4 s, not measured"
    state = after(state, *string("ada", 10 * S, 250_000))
    assert points(state, "ada") == 1
    assert [span.us for span in results(state, "ada")] == [250_000]


def test_a_pause_that_was_tapped_leaves_the_string_unmeasured() -> None:
    begun, ended = tapped(zero(0) + 100_000), tapped(zero(0) + 5 * S)
    shot = f.Shot(at=at(zero(0) + 5 * S + 300_000))
    state = after(started("Ada"), *lit("ada", 0), Pause(at=begun), Unpause(at=ended), shot)
    assert results(state, "ada") == ()
    assert view(state).strings[0].ended.endswith("not measured")


def test_no_tap_is_a_false_start_because_of_its_time() -> None:
    """Less than 100 ms after the signal, a shot is a false start."""
    for moment, end in ((at, "false_start"), (tapped, "done")):
        shot = f.Shot(at=moment(zero(0) + 50_000))
        state = after(started("Ada"), *lit("ada", 0), shot)
        assert state.strings[-1].end == end


@pytest.mark.parametrize("version", [1, 2, 3])
def test_at_the_plates_nobody_beats_a_tap_nor_wins_by_one(version: int) -> None:
    state = of_version(started("Ada", "Bo", "Cy", drill="plates"), version)
    presses = (
        f.Plate(seat="ada", at=at(zero(0) + 300_000)),
        f.Plate(seat="bo", at=at(zero(0) + 500_000)),
        f.Plate(seat="cy", at=tapped(zero(0) + 5 * S)),
    )
    state = after(state, *lit("ada", 0), *presses)
    assert set(first_at_plates(state, state.strings[0])) >= {"ada", "cy"}
    assert standings(state) == {"ada": 0, "bo": 0, "cy": 0}
    assert view(state).strings[0].ended == "who was first is not measured"
