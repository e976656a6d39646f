"""Figures of a long session: those that are carried on equal those counted from all strings, even after late
pauses or a new board."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.drills.panels import races
from companion.games.drills.rules import facts as f
from companion.games.drills.rules.fold import apply
from companion.games.drills.rules.model import State, String
from companion.games.drills.rules.result import result
from companion.games.drills.rules.timing import (
    first_at_plates,
    result as of_string,
    results,
    standings,
    within_par,
)
from companion.rules.common import Pause, ScoreSet, SeatJoins, SeatLeaves, Unpause
from companion.rules.ending import scores_after
from companion.rules.facts import Fact, Moment, Refused
from tests.games.drills.playing import after, at, started, string, view
from tests.thorough import examples

DRILLS = ("reaction", "par", "splits", "string", "plates")
STEPS = (
    "string",
    "string",
    "string",
    "pause",
    "unpause",
    "score",
    "joins",
    "leaves",
    "undo",
    "stop",
)

steps = st.lists(
    st.tuples(
        st.sampled_from(STEPS),
        st.sampled_from(["ada", "bo"]),
        # how much later than what came before: a pause may be told late
        st.integers(-2_000_000, 1_000_000),
        st.sampled_from([*["board-1"] * 6, "board-2", ""]),
        st.integers(1, 12),
    ),
    min_size=3,
    max_size=30,
)


def facts_of(step: str, seat: str, when: Moment | None, number: int) -> tuple[Fact, ...]:
    """Return the facts of a step, or the first `number` of a string."""
    if step == "string":
        times = [
            None if when is None else at(when.us + us, clock=when.clock)
            for us in range(0, 1_200_000, 200_000)
        ]
        shots = [f.Shot(at=times[place]) for place in (3, 4)]
        plates = [
            f.Plate(seat=player, at=times[place])
            for player, place in (("ada", 3), ("bo", 3 + number % 2))
        ]
        begun = (
            f.Ready(seat=seat, at=times[0]),
            f.Delay(ms=2500, at=times[0]),
            f.Signal(by="lamp", at=times[1]),
        )
        return (*begun, *shots, *plates)[:number]
    made: dict[str, Fact] = {
        "stop": f.Stop(at=when),
        "pause": Pause(at=when),
        "unpause": Unpause(at=when),
        "score": ScoreSet(seat=seat, score=number, reason="miscounted"),
        "joins": SeatJoins(name=f"Guest {number}"),
        "leaves": SeatLeaves(seat=seat),
    }
    return (made[step],)


def brings_point(state: State, string: String, seat: str) -> bool:
    """Return True if a string scores for a player by DR-8."""
    if state.drill == "plates":
        return first_at_plates(state, string) == (seat,)
    clean = string.end == "done" and seat in string.players
    return clean and (state.drill != "par" or within_par(state, string, seat))


def compared(state: State) -> None:
    """Assert that the figures of a state equal those counted from all its strings."""
    seats = [seat.id for seat in state.setup.seats]
    for seat in seats:
        spans = (of_string(state, string, seat) for string in state.strings)
        assert results(state, seat) == tuple(span for span in spans if span is not None)
        counted = [string for string in state.strings if string.end in ("done", "false_start")]
        assert state.counted(seat) == sum(seat in string.players for string in counted)
    points = {
        seat: sum(brings_point(state, string, seat) for string in state.strings) for seat in seats
    }
    assert standings(state) == {seat: points[seat] + state.common.added(seat) for seat in seats}
    gains = [
        (str(number), {seat: int(brings_point(state, string, seat)) for seat in seats})
        for number, string in enumerate(state.strings, start=1)
        if string.end in ("done", "false_start")
    ]
    assert result(state).after == scores_after(gains, standings(state))


@pytest.mark.parametrize("drill", DRILLS)
@settings(max_examples=examples(60, 1000))
@given(steps=steps)
def test_the_figures_of_a_session_are_those_of_all_its_strings(
    drill: str, steps: list[tuple[Any, ...]]
) -> None:
    states, us = [started("Ada", "Bo", drill=drill, strings="0", shots="2")], 5_000_000
    for step, seat, later, clock, number in steps:
        if step == "undo":
            del states[max(1, len(states) - number) :]
            continue
        when = at(us + later, clock=clock) if clock else None
        for fact in facts_of(step, seat, when, number):
            with suppress(Refused):
                states.append(apply(states[-1], fact, len(states) + 1))
                compared(states[-1])
        us += 1_500_000
        # one of the states before, as an undo comes back to it
        compared(states[-number % len(states)])
    compared(states[0])


def asked(*facts: Fact) -> State:
    """Return the state after these facts, comparing its figures after each of them."""
    state = started("Ada", "Bo", drill="splits", strings="0", shots="2")
    for number, fact in enumerate(facts, start=2):
        state = apply(state, fact, number)
        compared(state)
    return state


def test_a_pause_that_is_told_late_comes_off_a_string_that_was_done_before() -> None:
    string = facts_of("string", "ada", at(1_000_000, clock="board-1"), 5)
    state = asked(
        *string,
        Pause(at=at(1_700_000, clock="board-1")),
        Unpause(at=at(1_750_000, clock="board-1")),
    )
    assert [span.us for span in results(state, "ada")] == [150_000]


def test_a_pause_by_another_board_leaves_the_times_of_the_board_before_unknown() -> None:
    one = facts_of("string", "ada", at(9_000_000, clock="board-1"), 5)
    other = facts_of("string", "ada", at(1_000_000, clock="board-2"), 5)
    pause = (Pause(at=at(20_000_000, clock="board-1")), Unpause(at=at(20_000_001, clock="board-1")))
    state = asked(*one, *other)
    assert len(results(state, "ada")) == 2
    state = asked(*one, *other, *pause)
    assert len(results(state, "ada")) == 1


def test_the_newest_times_of_each_player_are_bars_of_one_scale() -> None:
    assert races(view(started())) == ()
    state = after(
        started(), *string("ada", 0, 400_000), *string("bo", 60_000_000, 800_000),
        *string("ada", 120_000_000, 200_000),
    )  # fmt: skip
    (race,) = races(view(state))
    assert [(lane.player.name, lane.part, lane.end) for lane in race.lanes] == [
        ("Ada", 0.5, "0.400 s"),
        ("Ada", 0.25, "0.200 s"),
        ("Bo", 1.0, "0.800 s"),
    ]
