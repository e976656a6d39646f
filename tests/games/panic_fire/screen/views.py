"""Hand-made views of Panic Fire."""

from __future__ import annotations

from typing import Any

from companion.games.panic_fire.rules.keys import actions
from companion.games.panic_fire.rules.view import PanicFireView, SeatView, ShotView
from companion.rules.facts import Moment, Setup
from companion.rules.pauses import Span
from companion.session.views import LineKind, TableView
from tests.dashboard.fakes import REDO, SEATS, UNDO, FakeTable, line, table_view

BOARD = "board-5f3a"
FIRE = Moment(us=71_204_118, pm=25, clock=BOARD)
SHOT = ShotView(
    entry=14,
    fired=True,
    at=Moment(us=113_482_901, pm=25, clock=BOARD),
    cause="shot",
    lag_us=4_120,
    peak=812,
    target="red",
    shooter="blue",
    open=False,
    tie=False,
    verdict="Blue shot Red: Red is out (PF-12)",
)
LOG = (
    line(1, "the session starts", LineKind.RECORD),
    line(2, "board pico (a41f90), firmware 1.0, reset by power", LineKind.BOARD),
    line(3, "fire! round 2 of 6 begins"),
    line(7, "Green draws"),
    line(9, "not counted: dry pull, no hit within 30 ms (PF-R3)", LineKind.IGNORED),
    line(11, "Yellow has a Shield in play (PF-6)", LineKind.VOIDED),
    line(12, "taken back: Yellow has a Shield in play (PF-6)", LineKind.RECORD),
    line(14, "the gun fired, hit +4.1 ms after the trigger"),
    line(16, "Red was shot at"),
    line(18, "Blue shot Red: Red is out (PF-12)"),
    line(19, "Purple draws"),
)


def setup(seats: int = 5) -> Setup:
    return Setup("panic-fire", 2, SEATS[:seats])


def seat_view(place: int, **changes: Any) -> SeatView:
    seat = SEATS[place]
    fields: dict[str, Any] = {
        "status": "in",
        "shield": False,
        "bullets": 0,
        "draws": 0,
        "draws_total": 0,
        "last_draw": None,
        "draws_per_min": None,
        "kills": 0,
    }
    return SeatView(seat.id, seat.name, seat.color, seat.glyph, seat.initial, **(fields | changes))


def seat_views(seats: int = 5) -> tuple[SeatView, ...]:
    drawn = Moment(us=112_514_300, pm=25, clock=BOARD)
    every = (
        seat_view(0, status="out", draws=7, draws_total=19, last_draw=drawn, draws_per_min=9.9),
        seat_view(
            1, bullets=1, draws=12, draws_total=20, last_draw=drawn, draws_per_min=17.0, kills=1
        ),
        seat_view(2, shield=True, draws=9, draws_total=18, last_draw=drawn, draws_per_min=12.8),
        seat_view(3, draws=0),
        seat_view(
            4, draws=3, draws_total=11, last_draw=Moment(us=5, clock="host-1"), draws_per_min=4.3
        ),
    )
    return every[:seats]


def game_view(count: int = 5, **changes: Any) -> PanicFireView:
    fields: dict[str, Any] = {
        "phase": "open",
        "round": 2,
        "sudden_death": False,
        "fire": FIRE,
        "dealer": "blue",
        "seats": seat_views(count),
        "open_shots": (),
        "last_shot": SHOT,
        "cards_left": (31, 35),
        "cards_text": "31-35",
        "first_shot": Span(42_278_783, 50),
        "longest_calm": Span(6_230_118, 50),
        "gap": False,
        "draws_per_min": 43.9,
        "kill_matrix": tuple(
            tuple(1 if (i, j) == (1, 0) else 0 for j in range(count)) for i in range(count)
        ),
        "notes": ("The Cowboy's match number is not confirmed.",),
    }
    return PanicFireView(**(fields | changes))


def playing(seats: int = 5, **changes: Any) -> TableView:
    fields: dict[str, Any] = {
        "setup": setup(seats),
        "game": game_view(seats),
        "awaiting": "Round 2 is open: tap a zone to draw, pull the trigger to shoot (Space).",
        "log": LOG,
        "undo": "Purple draws",
        "works": lambda action_id: action_id != "panic-fire.fire",
    }
    return table_view(**(fields | changes))


def panic_fire_table(seats: int = 5, **changes: Any) -> FakeTable:
    return FakeTable(playing(seats, **changes), (*actions(setup(seats)), UNDO, REDO))
