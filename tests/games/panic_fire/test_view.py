"""Times, rates and who shot whom; unknown where the clock changed."""

from __future__ import annotations

from companion.rules.pauses import Span
from tests.games.panic_fire.playing import Record, at, begun

SECOND = 1_000_000


def test_the_first_shot_is_timed_from_fire_with_its_uncertainty() -> None:
    record = Record()
    record.do("fire", when=at(SECOND, pm=25))
    record.do("shot", when=at(4 * SECOND, pm=25))
    record.do("shot", when=at(5 * SECOND, pm=25))
    assert record.view.first_shot == Span(3 * SECOND, 50)


def test_no_interval_spans_two_clocks() -> None:
    record = begun()
    record.do("shot", when=at(4 * SECOND, clock="board-2"))
    assert record.view.first_shot is None
    assert record.view.gap


def test_the_longest_calm_is_the_longest_interval_without_anything() -> None:
    record = begun()
    for second in (1, 2, 7, 8):
        record.do("draw", when=at(second * SECOND), seat="red")
    assert record.view.longest_calm == Span(5 * SECOND, 0)
    assert not record.view.gap


def test_a_clock_change_is_a_gap_never_a_calm() -> None:
    record = begun()
    record.do("draw", when=at(2 * SECOND), seat="red")
    record.do("draw", when=at(90 * SECOND, clock="board-2"), seat="red")
    assert record.view.longest_calm == Span(2 * SECOND, 0)
    assert record.view.gap


def test_something_of_which_nobody_knows_the_moment_is_a_gap_too() -> None:
    record = begun()
    record.do("draw", when=at(SECOND), seat="red")
    assert not record.view.gap
    record.do("draw", seat="red")
    assert record.view.gap


def test_before_the_first_round_the_first_of_six_is_shown_and_who_deals_it() -> None:
    view = Record().view
    assert (view.phase, view.round, view.dealer, view.sudden_death) == ("ready", 1, "red", False)
    assert view.cards_text == "-"
    assert [seat.status for seat in view.seats] == ["in", "in", "in"]


def test_draws_per_minute_are_of_the_round_so_far_and_said_from_ten_draws_on() -> None:
    record = begun()
    for draw in range(1, 10):
        record.do("draw", when=at(2 * draw * SECOND), seat="red")
    assert [seat.draws_per_min for seat in record.view.seats] == [None, None, None]
    assert record.view.draws_per_min is None
    record.do("draw", when=at(30 * SECOND), seat="blue")
    assert [seat.draws_per_min for seat in record.view.seats] == [None, None, None]
    assert record.view.draws_per_min == 20.0
    record.do("draw", when=at(60 * SECOND), seat="red")
    assert [seat.draws_per_min for seat in record.view.seats] == [10.0, None, None]


def test_rates_are_unknown_across_clocks() -> None:
    record = begun()
    record.do("draw", when=at(10 * SECOND, clock="board-2"), seat="red")
    assert record.view.draws_per_min is None


def test_the_last_shot_shows_moment_lag_and_peak() -> None:
    record = begun()
    record.do("shot", when=at(3 * SECOND, pm=25), lag_us=2_100, peak=700)
    shot = record.view.last_shot
    assert shot is not None
    assert (shot.at, shot.lag_us, shot.peak, shot.open) == (at(3 * SECOND, pm=25), 2_100, 700, True)


def test_who_shot_whom_is_counted_over_the_whole_game() -> None:
    record = Record()
    record.win("red")
    record.win("red")
    record.win("blue")
    assert record.view.kill_matrix == ((0, 2, 2), (1, 0, 1), (0, 0, 0))
    assert [seat.kills for seat in record.view.seats] == [4, 2, 0]


def test_draws_of_the_game_add_up_over_the_rounds() -> None:
    record = Record("red blue")
    for _ in range(2):
        record.do("fire")
        record.do("draw", seat="red")
        record.shoot("red", "blue")
    assert (record.view.seats[0].draws, record.view.seats[0].draws_total) == (1, 2)
