"""Results of a string, clause by clause (DR-1 to DR-8)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from companion.games.drills.rules import facts as f
from companion.games.drills.rules.game import GAME
from companion.games.drills.rules.model import State
from companion.games.drills.rules.options import NUMBERS
from companion.games.drills.rules.timing import first_at_plates, results
from companion.rules.actions import with_keys, without_keys
from companion.rules.common import Pause, SeatLeaves, Unpause
from companion.rules.facts import Fact, Refused
from companion.rules.pauses import Span
from tests.games.drills.playing import (
    DELAY_MS,
    LAMP_PM,
    after,
    at,
    lit,
    started,
    string,
    view,
    zero,
)

FLOOR_US = 1000 * next(number.default for number in NUMBERS if number.name == "floor_ms")
S = 1_000_000


@pytest.mark.parametrize("version", [0, GAME.rules_version + 1])
def test_drills_of_another_version_are_refused(version: int) -> None:
    with pytest.raises(Refused, match=f"recorded under version {version} of the rules"):
        GAME.start(replace(started().setup, rules_version=version))


def test_a_reaction_is_counted_from_the_lamps_stamp_with_the_errors_of_both() -> None:
    state = after(started(), *string("ada", 10 * S, 231_400))
    assert results(state, "ada") == (Span(231_400, LAMP_PM + 2),)
    assert GAME.standings(state) == {"ada": 1, "bo": 0}


@pytest.mark.parametrize(
    ("us", "early"), [(-5, True), (0, True), (FLOOR_US - 1, True), (FLOOR_US, False)]
)
def test_before_the_lamp_or_faster_than_anybody_can_is_a_false_start(us: int, early: bool) -> None:
    state = after(started(), *string("ada", 10 * S, us))
    assert (state.strings[-1].end == "false_start") is early
    assert bool(results(state, "ada")) is not early
    assert state.counted("ada") == 1, "it was a string all the same"


@given(st.lists(st.integers(-2_400_000, 2_000_000), min_size=1, max_size=5))
def test_no_false_start_is_missed_and_none_invented(reactions: list[int]) -> None:
    """The shot may be read before or after the signal's message."""
    state = started("Ada", strings="0")
    for number, us in enumerate(reactions):
        ready, delay, signal = lit("ada", number * 10 * S)
        shot = f.Shot(at=at(zero(number * 10 * S) + us))
        early = us < -701  # the delay ends 700 us before the lamp is lit
        state = after(state, ready, delay, *([shot] if early else [signal, shot]))
        assert (state.strings[-1].end == "false_start") is (us < FLOOR_US)


def test_where_the_signals_word_is_lost_and_the_delay_was_over_nobody_can_say() -> None:
    ready, delay, _ = lit("ada", 10 * S)
    state = after(started(), ready, delay, f.Shot(at=at(10 * S + DELAY_MS * 1000 + 200_000)))
    assert state.strings[-1].end == "unsure"
    assert state.counted("ada") == 0
    assert state.still_to_come[0] == "ada"


DELAY_PM, SHOT_PM = 3, 5
OVER_US = DELAY_MS * 1000 + DELAY_PM + SHOT_PM
"""This long after it was drawn, the delay is certainly over."""


def waiting(*facts: Fact, drill: str = "reaction") -> State:
    """Return the state with Ada ready and the delay drawn, then these facts; no signal was reported before them."""
    delay = f.Delay(ms=DELAY_MS, at=at(10 * S, DELAY_PM))
    return after(started(drill=drill), f.Ready(seat="ada", at=at(10 * S)), delay, *facts)


@pytest.mark.parametrize(
    ("us", "end"),
    [
        (DELAY_MS * 1000 - 1, "false_start"),
        (DELAY_MS * 1000, "false_start"),
        (OVER_US - 1, "false_start"),
        (OVER_US, "unsure"),
        (OVER_US + 1, "unsure"),
    ],
)
def test_dr4_nobody_can_say_only_once_the_delay_is_over_by_the_errors_of_both_moments(
    us: int, end: str
) -> None:
    string = waiting(f.Shot(at=at(10 * S + us, SHOT_PM))).strings[-1]
    assert (string.end, string.early) == (end, "ada" if end == "false_start" else None)
    string = waiting(f.Plate(seat="bo", at=at(10 * S + us, SHOT_PM)), drill="plates").strings[-1]
    assert (string.end, string.early) == (end, "bo" if end == "false_start" else None)


@pytest.mark.parametrize(
    ("us", "end"), [(OVER_US + 18 - 1, "false_start"), (OVER_US + 18, "unsure")]
)
def test_dr4_a_pause_in_the_delay_is_left_out_and_its_errors_widen_the_margin(
    us: int, end: str
) -> None:
    pause = Pause(at=at(11 * S, 7)), Unpause(at=at(15 * S, 11))
    assert waiting(*pause, f.Shot(at=at(14 * S + us, SHOT_PM))).strings[-1].end == end


def test_dr4_a_shot_that_no_clock_compares_with_the_delay_was_too_early() -> None:
    for moment in (None, at(90 * S, clock="board-2")):
        assert waiting(f.Shot(at=moment)).strings[-1].end == "false_start"
    undrawn = after(started(), f.Ready(seat="ada", at=at(10 * S)), f.Shot(at=at(90 * S)))
    assert undrawn.strings[-1].end == "false_start"


def test_who_had_fewest_strings_is_next_and_a_stopped_one_counts_for_nobody() -> None:
    state = after(started(), *string("ada", 10 * S, 200_000))
    assert state.still_to_come == ("bo", "ada")
    state = after(state, *lit("bo", 20 * S), f.Stop(reason="the door bell"))
    assert state.still_to_come == ("bo", "ada")


def test_everybody_has_so_many_strings_then_it_is_over_and_the_least_median_settles_a_tie() -> None:
    state = started(strings="1")
    state = after(state, *string("ada", 10 * S, 250_000), *string("bo", 20 * S, 240_000))
    assert GAME.over(state)
    assert GAME.result is not None
    assert GAME.result(state).winners == ("bo",)
    assert "fastest median, 0.240 s" in GAME.result(state).tie_break
    with pytest.raises(Refused, match="all strings"):
        after(state, f.Ready(seat="ada"))


def test_closer_than_the_errors_they_share_it() -> None:
    state = after(
        started(strings="1"), *string("ada", 10 * S, 250_000), *string("bo", 20 * S, 250_150)
    )
    assert GAME.result is not None
    assert GAME.result(state).winners == ("ada", "bo")


def test_par_is_kept_on_the_line_and_not_behind_it() -> None:
    state = started("Ada", drill="par", par_ms="300")
    line = 300_000 + LAMP_PM + 2
    state = after(state, *string("ada", 10 * S, line), *string("ada", 20 * S, line + 1))
    assert [string.ended for string in view(state).strings] == ["within par", "slower than par"]
    assert GAME.standings(state) == {"ada": 1}


def test_splits_are_from_shot_to_shot_and_the_lamps_error_is_in_none() -> None:
    state = after(
        started("Ada", drill="splits", shots="3"), *string("ada", 10 * S, 300_000, 520_000, 740_001)
    )
    assert view(state).last.splits == (Span(220_000, 4), Span(220_001, 4))
    assert results(state, "ada") == (Span(220_000, 2),)


def test_a_string_against_the_clock_ends_with_its_last_shot() -> None:
    state = started("Ada", drill="string", shots="2")
    state = after(state, *string("ada", 10 * S, 300_000))
    assert with_keys(GAME.awaiting(state), board=True) == "Ada, fire now."
    assert with_keys(GAME.awaiting(state)) == "Ada, fire now: press Space."
    assert without_keys(GAME.awaiting(state)) == "Ada, fire now."
    state = after(state, f.Shot(at=at(zero(10 * S) + 900_000)))
    assert results(state, "ada") == (Span(900_000, LAMP_PM + 2),)


@pytest.mark.parametrize(
    ("apart_us", "first"), [(0, ("ada", "bo")), (3, ("ada", "bo")), (4, ("ada",))]
)
def test_at_the_plates_a_tie_is_what_the_stamps_cannot_tell_apart(
    apart_us: int, first: tuple[str, ...]
) -> None:
    state = after(started(drill="plates"), *lit("ada", 10 * S))
    for seat, us in (("bo", 200_000 + apart_us), ("ada", 200_000)):
        state = after(state, f.Plate(seat=seat, at=at(zero(10 * S) + us)))
    assert first_at_plates(state, state.strings[-1]) == first
    assert GAME.standings(state)["ada"] == (first == ("ada",))


def test_at_the_plates_a_string_comes_to_the_time_of_who_was_first() -> None:
    state = after(started(drill="plates"), *lit("ada", 10 * S))
    for seat, us in (("bo", 200_000), ("ada", 300_000)):
        state = after(state, f.Plate(seat=seat, at=at(zero(10 * S) + us)))
    assert (view(state).last.result.us, view(state).last.ended) == (200_000, "Bo was first")


def test_a_press_too_early_ends_the_string_for_all() -> None:
    state = after(
        started(drill="plates"), *lit("ada", 10 * S), f.Plate(seat="bo", at=at(zero(10 * S) + 5))
    )
    assert (state.strings[-1].end, state.strings[-1].early) == ("false_start", "bo")
    last = view(state).last
    assert last.ended == last.says(last.ended) == "false start: Bo was too early"


def test_what_is_said_of_a_string_names_its_player_once_and_is_one_sentence() -> None:
    stopped = view(after(started(), *lit("ada", 10 * S), f.Stop())).last
    assert stopped.says(stopped.ended) == "Ada: stopped, does not count"
    early = view(after(started(), *lit("ada", 10 * S), f.Shot(at=at(zero(10 * S) + 5)))).last
    assert early.says(early.ended) == "false start: Ada was too early"


def test_a_pause_is_in_no_time_and_nothing_counts_in_it() -> None:
    begun = zero(10 * S)
    state = after(started("Ada"), *lit("ada", 10 * S), Pause(at=at(begun + 100_000)))
    with pytest.raises(Refused, match="paused"):
        after(state, f.Shot(at=at(begun + 150_000)))
    state = after(state, Unpause(at=at(begun + 5_100_000)), f.Shot(at=at(begun + 5_300_000)))
    assert [span.us for span in results(state, "ada")] == [300_000]


def test_nobody_leaves_in_the_middle_of_the_own_string() -> None:
    with pytest.raises(Refused, match="under way"):
        after(started(), *lit("ada", 10 * S), SeatLeaves(seat="ada"))


@pytest.mark.parametrize(
    ("names", "options", "why"),
    [
        (("Ada",), {"drill": "plates"}, "two or more"),
        (("Ada",), {"least_delay_ms": "5001"}, "longer than the most"),
        (("Ada",), {"least_delay_ms": "599"}, "still be lit"),
        (("Ada",), {"drill": "splits", "shots": "1"}, "no splits"),
        (("Ada",), {"shots": "0"}, "no shots"),
    ],
)
def test_what_cannot_be_a_drill_is_refused_at_the_start(
    names: tuple[str, ...], options: dict[str, str], why: str
) -> None:
    with pytest.raises(Refused, match=why):
        started(*names, **options)
