"""The running clock of the header."""

from __future__ import annotations

import pytest

from companion.dashboard.widgets.elapsed import Elapsed
from companion.dashboard.widgets.lines import clock_words
from companion.games.own.screen import OwnScreen
from companion.rules.facts import Moment
from tests.dashboard.fakes import ManualClock

S = 1_000_000


def at(seconds: float, clock: str = "board-1") -> Moment:
    return Moment(us=round(seconds * S), clock=clock)


class Watched:
    """A clock that watches a round that begins at 100 s of the board."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.elapsed = Elapsed(self.clock)
        self.elapsed.watch(None, None)

    def seen(self, seconds: float | None) -> None:
        assert self.elapsed.seconds() == (None if seconds is None else pytest.approx(seconds))


@pytest.fixture
def round_begun() -> Watched:
    watched = Watched()
    watched.elapsed.watch(at(100), None)
    return watched


def test_it_counts_from_when_the_round_was_seen_to_begin(round_begun: Watched) -> None:
    round_begun.clock.now += 41
    round_begun.seen(41)
    round_begun.elapsed.watch(None, None)
    round_begun.seen(None)


def test_the_clock_of_a_games_file_is_said_to_be_gone_so_that_nobody_takes_it_for_what_is_left(
    round_begun: Watched,
) -> None:
    round_begun.clock.now += 3
    assert clock_words(round_begun.elapsed, OwnScreen.since) == "0:03 gone"


def test_a_beginning_that_was_seen_late_is_put_right_by_what_happens_next(
    round_begun: Watched,
) -> None:
    round_begun.clock.now += 2
    round_begun.elapsed.watch(at(100), at(102.6))
    round_begun.seen(2.6)
    round_begun.clock.now += 1
    round_begun.elapsed.watch(at(100), at(102.7))
    round_begun.seen(3.6)


def test_a_round_that_had_begun_before_is_at_least_so_long_until_something_happens() -> None:
    clock = ManualClock()
    elapsed = Elapsed(clock)
    elapsed.watch(at(100), at(130))
    clock.now += 5
    assert elapsed.at_least
    assert elapsed.seconds() == pytest.approx(35)
    elapsed.watch(at(100), at(190))
    assert not elapsed.at_least
    assert elapsed.seconds() == pytest.approx(90)


def test_a_round_that_had_begun_before_and_tells_no_later_moment_is_at_least_so_long() -> None:
    clock = ManualClock()
    elapsed = Elapsed(clock)
    elapsed.watch(at(100), None)
    clock.now += 5
    assert elapsed.at_least
    assert elapsed.seconds() == pytest.approx(5)


def test_a_round_that_is_opened_again_counts_on(round_begun: Watched) -> None:
    round_begun.clock.now += 20
    round_begun.elapsed.watch(None, at(119))
    round_begun.clock.now += 5
    round_begun.elapsed.watch(at(100), at(110))
    round_begun.seen(25)


def test_a_round_that_is_opened_again_after_the_next_one_had_begun_counts_on(
    round_begun: Watched,
) -> None:
    clock, elapsed = round_begun.clock, round_begun.elapsed
    clock.now += 20
    elapsed.watch(None, at(119))
    clock.now += 10
    elapsed.watch(at(130), None)
    round_begun.seen(0)
    clock.now += 3
    elapsed.watch(None, at(119))
    elapsed.watch(at(100), at(110))
    round_begun.seen(33)
    elapsed.watch(at(130), None)
    round_begun.seen(3)


def test_an_earlier_round_that_it_never_saw_counts_on_from_what_happened_in_it(
    round_begun: Watched,
) -> None:
    round_begun.elapsed.watch(at(40), at(58))
    assert round_begun.elapsed.at_least
    round_begun.clock.now += 1
    round_begun.seen(19)


def test_it_stands_still_in_a_pause_and_goes_on_without_it(round_begun: Watched) -> None:
    clock, elapsed = round_begun.clock, round_begun.elapsed
    clock.now += 10.1
    elapsed.watch(at(100), None, ((at(110), None),), paused=True)
    clock.now += 60
    round_begun.seen(10)
    elapsed.watch(at(100), at(170), ((at(110), at(170)),))
    round_begun.seen(10.1)
    clock.now += 5
    round_begun.seen(15.1)


def test_it_says_when_another_second_is_full_unless_it_stands_still(round_begun: Watched) -> None:
    clock, elapsed = round_begun.clock, round_begun.elapsed
    clock.now += 10.25
    assert elapsed.left_s() == pytest.approx(0.75)
    elapsed.watch(at(100), None, ((at(110), None),), paused=True)
    assert elapsed.left_s() is None
    elapsed.watch(None, None)
    assert elapsed.left_s() is None


def test_a_pause_that_is_taken_back_counts_again(round_begun: Watched) -> None:
    round_begun.clock.now += 10
    round_begun.elapsed.watch(at(100), None, ((at(110), None),), paused=True)
    round_begun.clock.now += 20
    round_begun.elapsed.watch(at(100), None)
    round_begun.seen(30)


@pytest.mark.parametrize("begun", [None, at(7, "host-1")], ids=["no moment", "another clock"])
def test_a_pause_of_unknown_beginning_stands_still_from_when_it_is_seen(
    round_begun: Watched, begun: Moment | None
) -> None:
    round_begun.clock.now += 10
    round_begun.elapsed.watch(at(100), None, ((begun, None),), paused=True)
    round_begun.clock.now += 20
    round_begun.seen(10)
    round_begun.elapsed.watch(at(100), None, ((begun, at(130)),))
    round_begun.seen(None)


def test_a_dashboard_opened_in_a_pause_shows_the_clock_at_its_beginning() -> None:
    clock = ManualClock()
    elapsed = Elapsed(clock)
    elapsed.watch(at(100), at(140), ((at(140), None),), paused=True)
    clock.now += 30
    assert elapsed.seconds() == pytest.approx(40)


def test_a_new_round_knows_nothing_of_the_pauses_before(round_begun: Watched) -> None:
    round_begun.elapsed.watch(at(100), None, ((None, None),), paused=True)
    round_begun.elapsed.watch(at(300), None)
    round_begun.clock.now += 4
    round_begun.seen(4)
