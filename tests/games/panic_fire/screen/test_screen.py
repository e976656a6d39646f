"""Panic Fire on the screen: seats with their keys, the round and its clock, statistics."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.widgets.lines import HeaderLine
from companion.games.panic_fire.screen.gun import gun
from companion.rules.facts import Moment
from tests.dashboard.fakes import FakeTable, ManualClock
from tests.dashboard.screen import screen_text, shown
from tests.games.panic_fire.screen.views import (
    BOARD,
    FIRE,
    SHOT,
    game_view,
    panic_fire_table,
    playing,
    seat_views,
)

SIZES = ((80, 24), (120, 40), (160, 50))
NAMES = ("Red", "Blue", "Green", "Yellow", "Purple")


async def test_a_narrow_screen_has_a_row_for_each_seat_with_its_keys() -> None:
    rows = [row.split() for row in (await shown(panic_fire_table(), (80, 24))).split("\n")]
    assert ["◆", "Red", "OUT", "-", "0", "7", "41.310", "s", "│", "1", "q", "a"] in rows
    assert ["▲", "Green", "in", "Shield", "0", "9", "41.310", "s", "│", "3", "e", "d"] in rows
    assert ["★", "Purple", "in", "-", "0", "3", "?", "│", "5", "t", "g"] in rows


async def test_a_wide_screen_has_a_card_for_each_seat_with_its_keys() -> None:
    text = await shown(panic_fire_table(), (120, 40))
    assert len(re.findall(r"\bBullets?\b", text)) == 5
    assert "Shield in play" in text
    for draw, name, shield in zip("12345", "qwert", "asdfg", strict=True):
        assert f"keys {draw} draw" in text
        assert f"{name} name" in text
        assert f"{shield} Shield" in text


@pytest.mark.parametrize("size", SIZES[:2])
@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_every_number_of_seats_fits(seats: int, size: tuple[int, int]) -> None:
    table = panic_fire_table(seats, game=game_view(seats, last_shot=None))
    text = await shown(table, size)
    seated = [bool(re.search(f"[●▲■◆★] (. )?{name} ", text)) for name in NAMES]
    assert seated == [place < seats for place in range(len(NAMES))]
    assert "not fired in this round" in text


async def test_a_screen_that_changes_its_size_changes_its_form() -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        for size, cards in (
            ((160, 50), True),
            ((80, 24), False),
            ((120, 40), True),
            ((120, 24), False),
        ):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            text = screen_text(app)
            assert ("keys 1 draw" in text) == cards
            assert " c fix" in text
            assert "u undo: Purple draws" in text


async def test_the_clock_counts_from_fire_and_stops_with_the_round() -> None:
    clock = ManualClock()
    table = panic_fire_table(game=game_view(phase="ready", fire=None, last_shot=None))
    app = Dashboard(table, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "since fire!" not in screen_text(app)
        table.publish(game=game_view(phase="open"))
        await pilot.pause()
        assert "0:00 since fire!" in screen_text(app)
        clock.now += 61.9
        app.screen.query_one(HeaderLine).on_resize()
        await pilot.pause()
        assert "1:01 since fire!" in screen_text(app)
        table.publish(game=game_view(phase="over"))
        await pilot.pause()
        assert "round 2 of 6 is over" in screen_text(app)
        assert "since fire!" not in screen_text(app)


async def test_a_resumed_round_counts_on_from_its_last_known_moment() -> None:
    seats = tuple(replace(seat, last_draw=None) for seat in seat_views())
    later = replace(SHOT, at=Moment(us=FIRE.us + 125_000_000, clock=BOARD))
    text = await shown(panic_fire_table(game=game_view(last_shot=later, seats=seats)), (80, 24))
    assert "at least 2:05 since fire!" in text


async def test_a_keyboard_game_says_what_nobody_can_know() -> None:
    shot = replace(SHOT, at=None, lag_us=None, peak=None)
    table = panic_fire_table(game=game_view(last_shot=shot, cards_left=None, cards_text="?"))
    text = await shown(table, (80, 24))
    assert "time unknown" in text
    assert "cards left: unknown" in text
    assert "lag" not in text


async def test_a_shot_by_key_claims_no_more_than_a_finger_can() -> None:
    fire, at = Moment(us=1_000_000, clock="host-3"), Moment(us=3_500_000, clock="host-3")
    table = panic_fire_table(
        game=game_view(fire=fire, last_shot=replace(SHOT, at=at, lag_us=None, peak=None))
    )
    text = await shown(table, (80, 24))
    assert "by key   2.5 s ±0.1 s after fire!" in text
    assert "µs" not in text


async def test_an_earlier_shot_whose_match_nobody_said_has_a_line_with_the_keys_that_add_it() -> (
    None
):
    table = panic_fire_table(game=game_view(unsaid_matches=("Red shot Blue",)))
    for size in SIZES:
        assert "Match  not said: Red shot Blue (c, then F3" in await shown(table, size)
    assert "match not said Red shot Blue" in " ".join((await shown(table, (80, 24), "v")).split())


async def test_a_shot_by_tap_says_that_nobody_measured_it() -> None:
    at = Moment(us=FIRE.us + 2_500_000, pm=400_000, clock=BOARD, tapped=True)
    shot = replace(SHOT, at=at, lag_us=None, peak=None)
    text = await shown(panic_fire_table(game=game_view(last_shot=shot)), (80, 24))
    assert "by tap   2.5 s ±0.4 s after fire!, not measured" in text


async def test_statistics_show_times_seats_and_who_put_out_whom() -> None:
    text = await shown(panic_fire_table(), (120, 40), "v")
    assert "fire! to the first shot  42.278 s ±50 µs" in text
    assert "longest pause            6.230 s ±50 µs" in text
    assert "The Cowboy's match number is not confirmed." in text
    deals, *blue = [row.split() for row in text.split("\n") if "● Blue" in row]
    assert deals == ["deals", "●", "Blue"]
    assert blue == [
        ["●", "Blue", "1", "1", "12", "20", "17.0"],
        ["●", "Blue", "1", ".", ".", ".", "."],
    ]


async def test_the_end_of_the_game_names_the_champion() -> None:
    seats = (replace(seat_views()[0], status="champion", bullets=4), *seat_views()[1:])
    table = FakeTable(
        playing(game=game_view(phase="finished", seats=seats), ended=True),
        panic_fire_table().actions,
    )
    for size in SIZES:
        text = await shown(table, size)
        assert "CHAMPION" in text
        assert "the game is over" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tie": True}, "! a tie with the shot before: o decides which was first"),
        ({"ruled": True}, "a tie with the shot before: the two shots count as measured"),
        (
            {"ruled": True, "order": "swapped"},
            "a tie with the shot before: the later of the two shots counts first",
        ),
    ],
)
def test_the_line_of_the_gun_says_which_of_two_tied_shots_counts_first(
    changes: dict[str, Any], said: str
) -> None:
    rows = gun(game_view(last_shot=replace(SHOT, **changes)), 80, "o")
    assert rows[-1].plain == said


@pytest.mark.parametrize("name", ["Al", "Clementine", "Bartholomew the Second"])
@pytest.mark.parametrize(
    ("status", "says"), [("in", "in, deals"), ("out", "OUT, deals"), ("winner", "WINS deals")]
)
async def test_a_narrow_screen_says_who_deals_beside_any_name(
    status: Any, says: str, name: str
) -> None:
    first, *others = seat_views()
    seats = (replace(first, status=status, name=name), *others)
    table = panic_fire_table(game=game_view(seats=seats, dealer=first.id))
    text = await shown(table, (80, 24))
    (row,) = [row for row in text.split("\n") if "deals" in row]
    assert re.search(rf" ◆ {name[:6]}.* {says}  ?\S", row)
