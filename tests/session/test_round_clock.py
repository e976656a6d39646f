"""The clock of the round in the public feed, through pauses and breaks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.feed.events import Event, RoundClockNow
from companion.feed.feed import Feed
from companion.journal.entries import UNDO, Control, Draft, Entry, Layer
from companion.journal.record import FIRST_DIGEST, seal
from companion.rules.header import header
from companion.rules.registry import open_game
from tests.games.panic_fire.playing import setup

BEGAN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
BOARD, OTHER_BOARD = "board-5f3a", "board-1c01"


class Evening:
    """A record of Panic Fire, each entry so many seconds after eight in the evening."""

    def __init__(self) -> None:
        self._setup = setup("red blue green")
        self.entries: list[Entry] = []
        self.add(0, Draft(Layer.CONTROL, Control.SESSION, header(self._setup, "evening")))

    def add(self, wall_s: float, draft: Draft) -> None:
        wall = (BEGAN + timedelta(seconds=wall_s)).isoformat(timespec="milliseconds")
        before = self.entries[-1].digest if self.entries else FIRST_DIGEST
        self.entries.append(seal(draft, len(self.entries) + 1, wall, before, bytes(16))[0])

    def fact(
        self, wall_s: float, kind: str, board_s: float, clock: str = BOARD, **body: object
    ) -> None:
        at = {"us": round(board_s * 1e6), "pm": 20, "clock": clock}
        self.add(wall_s, Draft(Layer.FACT, kind, {"at": at, **body}))

    def undo(self, wall_s: float, entry: int) -> None:
        self.add(wall_s, Draft(Layer.CONTROL, Control.VOID, {"entry": entry, "reason": UNDO}))

    def read(self) -> list[tuple[str, RoundClockNow | None]]:
        """Return the kind of each event, and its clock."""
        return [(event.kind, event.table.clock) for event in self.events()]

    def events(self) -> list[Event]:
        return list(
            Feed(open_game("panic-fire"), self._setup, self.entries).take(len(self.entries))
        )


def runs(ran_s: float) -> RoundClockNow:
    return RoundClockNow(ran_s=ran_s, runs=True)


def stands(ran_s: float) -> RoundClockNow:
    return RoundClockNow(ran_s=ran_s, runs=False)


@pytest.fixture
def evening() -> Evening:
    made = Evening()
    made.fact(10, "fire", 100)
    return made


def test_it_counts_from_fire_by_the_boards_own_stamps(evening: Evening) -> None:
    evening.fact(13.25, "draw", 103, seat="red")  # a quarter of a second later in the record
    assert evening.read() == [("session", None), ("round", runs(0)), ("draw", runs(3))]


def test_it_stands_still_in_a_pause_and_goes_on_where_it_was(evening: Evening) -> None:
    evening.fact(15, "pause", 105)
    evening.fact(45, "unpause", 135)
    evening.fact(47, "draw", 137, seat="red")
    assert [clock for _, clock in evening.read()][2:] == [stands(5), runs(5), runs(7)]


def test_what_is_recorded_in_a_pause_has_the_time_at_which_it_stands(evening: Evening) -> None:
    evening.fact(15, "pause", 105)
    evening.undo(40, 2)
    evening.add(41, Draft(Layer.CONTROL, Control.VOID, {"entry": 4, "reason": "redo"}))
    assert evening.read()[-1] == ("correction", stands(5))


def test_a_round_that_never_began_has_no_clock(evening: Evening) -> None:
    evening.undo(12, 2)
    assert evening.read()[-1] == ("correction", None)


def test_a_fire_that_was_missed_is_counted_from_when_it_was(evening: Evening) -> None:
    evening.undo(12, 2)
    evening.fact(30, "fire", 120)
    evening.add(
        50,
        Draft(
            Layer.FACT,
            "draw",
            {"at": {"us": 125_000_000, "pm": 20, "clock": BOARD}, "seat": "red"},
            after=4,
        ),
    )
    assert evening.read()[-1] == ("correction", runs(20)), (
        "what was put in late says nothing of what time it is"
    )


def test_after_a_break_nobody_knows_until_the_boards_clock_speaks_again(evening: Evening) -> None:
    evening.add(600, Draft(Layer.CONTROL, Control.RESUMED, {"doubts": []}))
    evening.fact(610, "draw", 700, seat="red")
    assert [clock for _, clock in evening.read()][2:] == [None, runs(600)]


def test_a_board_that_lost_power_has_another_clock_with_no_interval_to_the_first(
    evening: Evening,
) -> None:
    evening.fact(20, "draw", 3, OTHER_BOARD, seat="red")
    kind, clock = evening.read()[-1]
    assert (kind, clock) == ("draw", runs(10)), "by the wall clock, from what the first one told"


def test_a_wall_clock_that_is_set_back_never_makes_it_run_below_nothing(evening: Evening) -> None:
    evening.undo(5, 2)
    evening.add(4, Draft(Layer.CONTROL, Control.VOID, {"entry": 3, "reason": "redo"}))
    assert evening.read()[-1] == ("correction", runs(0))


def test_no_clock_runs_once_the_game_is_over(evening: Evening) -> None:
    evening.fact(12, "abandon", 102, reason="the last train")
    assert [clock for _, clock in evening.read()][-1] is None
