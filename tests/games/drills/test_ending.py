"""The end of a session of drills: times first, then what decided, in a sentence (DR-8, DR-9)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.drills.rules import facts as f
from companion.games.drills.rules.game import GAME
from companion.games.drills.rules.model import State
from companion.games.drills.rules.timing import trend
from companion.rules.common import SeatLeaves
from companion.rules.outcome import Ending, ending_of
from companion.rules.pauses import Span
from companion.rules.spans import KEY_ERROR_US
from tests.games.drills.playing import after, at, lit, started, string, zero

S = 1_000_000


def taking_turns(state: State, **us: tuple[int, ...]) -> State:
    """Give each player one string after the other with these times; a time before the lamp is a false start."""
    place = 0
    for times in zip(*us.values(), strict=True):
        for seat, one in zip(us, times, strict=True):
            place += 10 * S
            state = after(state, *string(seat, place, one))
    return state


def ended(state: State) -> Ending:
    ending = ending_of(GAME, state, "points")
    assert ending is not None
    return ending


def of_version(state: State, version: int) -> State:
    return GAME.start(replace(state.setup, rules_version=version))


EVEN = {"ada": (200_000, 220_000, 500_000, 400_000), "bo": (210_000, 230_000, 240_000, 600_000)}
"""Ada has the faster of the middle two, Bo the faster mean of these two."""


@pytest.mark.parametrize(
    ("version", "winner", "medians"),
    [(1, "ada", (220_000, 230_000)), (2, "ada", (220_000, 230_000)), (3, "bo", (310_000, 235_000))],
)
def test_dr9_the_median_of_an_even_count_is_the_mean_of_two_and_older_sessions_keep_theirs(
    version: int, winner: str, medians: tuple[int, int]
) -> None:
    state = taking_turns(of_version(started(strings="4"), version), **EVEN)
    assert ended(state).winners == (winner,)
    told = [trend(state, seat) for seat in EVEN]
    assert tuple(one.median for one in told if one is not None) == tuple(
        Span(us, 102) for us in medians
    )


@pytest.mark.parametrize(("version", "first"), [(2, ("ada", "bo")), (3, ("ada",))])
def test_dr8_medians_as_far_apart_as_their_errors_have_an_order(
    version: int, first: tuple[str, ...]
) -> None:
    begun = of_version(started(strings="1"), version)
    assert ended(taking_turns(begun, ada=(250_000,), bo=(250_204,))).winners == first
    assert ended(taking_turns(begun, ada=(250_000,), bo=(250_203,))).winners == ("ada", "bo")


@pytest.mark.parametrize(("version", "first"), [(2, ("ada",)), (3, ("ada", "bo"))])
def test_dr8_medians_by_key_are_a_tie_within_their_tenths_of_a_second(
    version: int, first: tuple[str, ...]
) -> None:
    state = of_version(started(strings="1"), version)
    for seat, from_us, us in (
        ("ada", 10 * S, 250_000),
        ("bo", 20 * S, 250_000 + 2 * KEY_ERROR_US - 1),
    ):
        moments = (at(from_us, 0), at(from_us, 0), at(zero(from_us), 0), at(zero(from_us) + us, 0))
        ready, delay, signal, shot = moments
        state = after(
            state, f.Ready(seat=seat, at=ready), f.Delay(ms=2500, at=delay), f.Signal(at=signal)
        )
        state = after(state, f.Shot(at=shot))
    assert ended(state).winners == first


@pytest.mark.parametrize(("version", "first"), [(1, ()), (2, ()), (3, ("ada",))])
def test_dr6_presses_as_far_apart_as_their_errors_have_an_order(
    version: int, first: tuple[str, ...]
) -> None:
    state = after(of_version(started(drill="plates", strings="1"), version), *lit("ada", 10 * S))
    for seat, us in (("ada", 200_000), ("bo", 200_004)):
        state = after(state, f.Plate(seat=seat, at=at(zero(10 * S) + us)))
    assert tuple(seat for seat, won in GAME.standings(state).items() if won) == first


def test_the_end_gives_the_best_the_median_and_all_shots_first() -> None:
    state = taking_turns(
        started(strings="3"), ada=(300_000, -5, 250_000), bo=(210_000, 230_000, 220_000)
    )
    times = ended(state).times
    assert times is not None
    assert times.heads == ("best s", "median s")
    assert times.rows == {"ada": ("0.250", "0.275"), "bo": ("0.210", "0.220")}
    assert times.all_times == {"ada": "0.300, false start, 0.250", "bo": "0.210, 0.230, 0.220"}


def test_where_points_decided_a_sentence_says_them() -> None:
    state = taking_turns(started(strings="2"), ada=(300_000, -5), bo=(310_000, 320_000))
    assert ended(state).headline == "Bo wins"
    assert ended(state).decided == "Points decided: 2 clean strings for Bo, 1 for Ada."


def test_where_times_decided_no_points_are_told() -> None:
    state = taking_turns(started(strings="2"), ada=(300_000, 320_000), bo=(310_000, 320_000))
    assert ended(state).headline == "Ada wins"
    assert (
        ended(state).decided == "Ada and Bo are level; Ada has the fastest median, 0.310 s ±102 µs."
    )


def test_a_victory_that_is_shared_says_which_medians_are_a_tie() -> None:
    state = taking_turns(
        started("Ada", "Bo", "Cleo", strings="1"), ada=(300_000,), bo=(300_100,), cleo=(300_150,)
    )
    assert ended(state).headline == "Ada, Bo and Cleo share the victory"
    medians = "0.300 s ±102 µs, 0.300 s ±102 µs and 0.300 s ±102 µs"
    assert (
        ended(state).decided
        == f"Ada, Bo and Cleo are level, and their medians are a tie: {medians}."
    )
    state = taking_turns(
        started("Ada", "Bo", "Cleo", strings="1"), ada=(300_000,), bo=(300_100,), cleo=(400_150,)
    )
    assert ended(state).decided == (
        "Ada, Bo and Cleo are level; the fastest medians are a tie: "
        "Ada and Bo with 0.300 s ±102 µs and 0.300 s ±102 µs."
    )


def test_who_has_no_time_is_level_and_that_is_said() -> None:
    state = taking_turns(started(strings="1"), ada=(-5,), bo=(-5,))
    assert ended(state).winners == ("ada", "bo")
    assert ended(state).decided == "Ada and Bo are level, and not all of them have a time."
    times = ended(state).times
    assert times is not None
    assert (times.rows["ada"], times.all_times["ada"]) == (("-", "-"), "false start")


def test_who_is_alone_reads_the_times_and_nothing_of_points() -> None:
    state = after(started("Ada", strings="1"), *string("ada", 10 * S, 231_400))
    assert (ended(state).headline, ended(state).decided) == ("Ada finished", "")


def test_a_player_who_left_has_the_times_and_no_part_in_what_decided() -> None:
    state = after(
        started(strings="2"), *string("ada", 10 * S, 231_400), *string("bo", 20 * S, 200_000)
    )
    state = after(state, SeatLeaves(seat="bo"), *string("ada", 30 * S, 231_400))
    assert (ended(state).headline, ended(state).decided) == ("Ada wins", "")
    times = ended(state).times
    assert times is not None
    assert times.all_times["bo"] == "0.200"


def test_of_a_string_of_several_shots_each_one_is_there() -> None:
    state = started("Ada", drill="string", shots="2", strings="2")
    state = after(
        state, *string("ada", 10 * S, 300_000, 900_000), *string("ada", 20 * S, 310_000, 800_000)
    )
    times = ended(state).times
    assert times is not None
    assert times.all_times["ada"] == "0.300 0.900; 0.310 0.800"
    assert times.rows["ada"] == ("0.800", "0.850")


def test_at_the_plates_the_time_of_each_press_is_there_and_a_false_start_is_of_who_made_it() -> (
    None
):
    state = after(
        started(drill="plates", strings="2"),
        *lit("ada", 10 * S),
        f.Plate(seat="bo", at=at(zero(10 * S))),
    )
    state = after(state, *lit("ada", 20 * S))
    for seat, us in (("ada", 200_000), ("bo", 300_000)):
        state = after(state, f.Plate(seat=seat, at=at(zero(20 * S) + us)))
    times = ended(state).times
    assert times is not None
    assert times.all_times == {"ada": "0.200", "bo": "false start, 0.300"}
    assert ended(state).decided == "Points decided: 1 win for Ada, 0 for Bo."
