"""Statistics of times, within a session and over many (DR-9)."""

from __future__ import annotations

import pytest

from companion.games.drills.panels import PANELS
from companion.rules.comparing import is_best, trend
from companion.rules.pauses import Span
from tests.games.drills.playing import after, started, string, view

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
