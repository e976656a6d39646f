"""What a person reads on the main page, in three sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.dashboard.app import Dashboard
from companion.games.panic_fire.screen.seats import SeatsPart
from companion.rules.game import Moment
from companion.session.views import LinkView, SavedView
from tests.dashboard.fakes import FakeTable, ManualClock, line
from tests.dashboard.panic_fire import BOARD, FIRE, SHOT, game_view, panic_fire_table, playing, seat_views
from tests.dashboard.screen import screen_text

SIZES = ((80, 24), (120, 40), (160, 50))
NAMES = ("Red", "Blue", "Green", "Yellow", "Purple")


async def shown(table: FakeTable, size: tuple[int, int], *keys: str) -> str:
    """Return the screen over `table` after the keys."""
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.pause()  # the log scrolls to its end once it is laid out
        assert app.crash is None
        return screen_text(app)


@pytest.mark.parametrize("size", SIZES)
async def test_the_essentials_are_on_the_screen(size: tuple[int, int]) -> None:
    text = await shown(panic_fire_table(), size)
    for essential in (
        "Panic Fire   round 2 of 6",
        "since fire!",
        "no board   saved, 1",
        *(f"{name[0]} {name}" for name in NAMES),
        "> Round 2 is open: tap a zone to draw, pull the trigger to shoot (Space).",
        "Blue shot Red: Red is out (PF-12)",
        "at 113.482 901 s ±25 µs",
        "lag 4.1 ms",
        "peak 812",
        "31 to 35 cards left",
        "· Purple draws",
        "u undo: Purple draws",
        "? help",
        "^q quit",
    ):
        assert essential in text
    rows = text.split("\n")
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]


async def test_a_narrow_screen_has_a_row_for_each_seat_with_its_keys() -> None:
    rows = [row.split() for row in (await shown(panic_fire_table(), (80, 24))).split("\n")]
    assert ["◆", "R", "Red", "OUT", "-", "0", "7", "+0:41.31", "1", "q", "a"] in rows
    assert ["▲", "G", "Green", "in", "Shield", "0", "9", "+0:41.31", "3", "e", "d"] in rows
    assert ["★", "P", "Purple", "in", "-", "0", "3", "?", "5", "t", "g"] in rows


async def test_a_wide_screen_has_a_card_for_each_seat_with_its_keys() -> None:
    text = await shown(panic_fire_table(), (120, 40))
    assert text.count("Bullets") == 5
    assert "Shield in play" in text
    for draw, name, shield in zip("12345", "qwert", "asdfg", strict=True):
        assert f"{draw} draw  {name} name" in text
        assert f"{shield} Shield" in text


@pytest.mark.parametrize("size", SIZES[:2])
@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_every_number_of_seats_fits(seats: int, size: tuple[int, int]) -> None:
    table = panic_fire_table(seats, game=game_view(seats, last_shot=None))
    text = await shown(table, size)
    assert all((f"{name[0]} {name}" in text) == (place < seats) for place, name in enumerate(NAMES))
    assert "not fired in this round" in text


async def test_a_screen_that_changes_its_size_changes_its_form() -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        for size, cards in (((160, 50), True), ((80, 24), False), ((120, 40), True), ((120, 24), False)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            text = screen_text(app)
            assert ("1 draw  q name" in text) == cards
            assert "^q quit" in text
            assert "u undo: Purple draws" in text


async def test_at_80x24_nothing_essential_is_cut_off_when_everything_goes_wrong_at_once() -> None:
    lost = LinkView("lost - retrying", "The board is gone: plug it in again, nothing is lost so far.", False)
    bad = SavedView("NOT SAVED, 3 waiting", False, "The disk is full: make room, the companion tries again by itself.")
    tie = replace(SHOT, tie=True, open=True)
    table = panic_fire_table(link=lost, saved=bad, game=game_view(last_shot=tie, open_shots=(tie, tie)))
    long = "there is no dry pull or knock in this round that could have been a shot; expected one of them first (PF-R3)"
    table.refuse(long)
    flat = " ".join((await shown(table, (80, 24))).split())
    for essential in (lost.sentence, lost.state, bad.problem, bad.text, long, "2 shots wait for names"):
        assert essential in flat
    for essential in ("a tie with the shot", "0:42+ since fire!", "P Purple", "u undo", "? help", "> Round 2 is"):
        assert essential in flat


async def test_a_refusal_is_shown_in_full_and_goes_with_the_next_key() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        table.refuse("no shot waits for a name; expected a shot (PF-10)")
        await pilot.pause()
        assert "! no shot waits for a name; expected a shot (PF-10)" in screen_text(app)
        await pilot.press("1")
        await pilot.pause()
        assert "no shot waits" not in screen_text(app)
        table.refuse("no shot waits for a name; expected a shot (PF-10)")
        await pilot.pause()
        assert "! no shot waits for a name" in screen_text(app)


PAUSES = 50


async def test_an_old_notice_goes_once_the_game_has_moved_on() -> None:
    clock = ManualClock()
    table = panic_fire_table()
    app = Dashboard(table, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        table.refuse("not now")
        await pilot.pause()
        clock.now += 60
        table.publish()
        await pilot.pause()
        assert "! not now" in screen_text(app)
        table.publish(log=(*table.current.log, line(20, "Green draws")))
        for _ in range(PAUSES):  # a view so close behind the last one is painted with the next frame
            await pilot.pause()
            if "! not now" not in screen_text(app):
                break
        assert "! not now" not in screen_text(app)


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
        app.screen.query_one("HeaderLine").tick()  # type: ignore[attr-defined]
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
    assert "2:05+ since fire!" in text


async def test_a_keyboard_game_says_what_nobody_can_know() -> None:
    shot = replace(SHOT, at=None, lag_us=None, peak=None)
    table = panic_fire_table(game=game_view(last_shot=shot, cards_left=None, cards_text="?"))
    text = await shown(table, (80, 24))
    assert "at a time nobody stamped" in text
    assert "? cards left" in text
    assert "lag" not in text


async def test_a_shot_by_key_without_a_board_claims_no_device_time() -> None:
    fire, at = Moment(us=1_000_000, clock="host-3"), Moment(us=3_500_000, clock="host-3")
    table = panic_fire_table(game=game_view(fire=fire, last_shot=replace(SHOT, at=at, lag_us=None, peak=None)))
    text = await shown(table, (80, 24))
    assert "by key   +0:02.50" in text
    assert "±" not in text


async def test_statistics_show_times_seats_and_who_put_out_whom() -> None:
    text = await shown(panic_fire_table(), (120, 40), "v")
    assert "fire! to the first shot   42.28 s ±50 µs" in text
    assert "longest calm              6.23 s ±50 µs" in text
    assert "The Cowboy's match number is not confirmed." in text
    blue = [row.split() for row in text.split("\n") if "● Blue" in row]
    assert blue == [["●", "Blue", "1", "1", "12", "20", "17.0"], ["●", "Blue", "1", ".", ".", ".", "."]]


async def test_the_log_page_has_every_line_in_full_even_on_a_narrow_screen() -> None:
    words = " ".join(f"word{n}" for n in range(30))
    table = panic_fire_table(log=(line(1, words), *(line(n, "Red draws") for n in range(2, 60))))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l")
        await pilot.pause()
        assert "20:15:59  · Red draws" in screen_text(app)
        await pilot.press("home")
        await pilot.pause()
        assert words in " ".join(screen_text(app).split())


async def test_details_say_how_good_the_boards_clock_is() -> None:
    link = LinkView("live", "The board answers.", True, uncertainty_us=112, rtt_us=1_450)
    text = await shown(panic_fire_table(link=link), (80, 24), "b")
    assert "Clock         ±112 µs to this computer" in text
    assert "Round trip    1.4 ms" in text


async def test_a_name_with_control_codes_cannot_move_the_cursor() -> None:
    table = panic_fire_table(log=(line(1, "\x1b[2J\x1b[1;1Hboo [bold]draws[/bold]"),))
    text = await shown(table, (80, 24))
    assert "\x1b" not in text
    assert "boo [bold]draws[/bold]" in text


async def test_a_game_without_a_face_of_its_own_is_still_shown() -> None:
    text = await shown(FakeTable(), (80, 24))
    assert "◆ Red" in text
    assert "> Waiting for fire!" in text


async def test_the_end_of_the_game_names_the_champion() -> None:
    seats = (replace(seat_views()[0], status="champion", bullets=4), *seat_views()[1:])
    table = FakeTable(playing(game=game_view(phase="finished", seats=seats), ended=True), panic_fire_table().actions)
    for size in SIZES:
        text = await shown(table, size)
        assert "CHAMPION" in text
        assert "the game is over" in text


@pytest.mark.parametrize("size", SIZES)
async def test_a_game_that_is_over_says_which_key_leaves(size: tuple[int, int]) -> None:
    over = playing(game=game_view(phase="finished"), awaiting="Red is champion (PF-18)", ended=True)
    text = await shown(FakeTable(over, panic_fire_table().actions), size)
    assert "> Red is champion (PF-18). ^q leaves, l shows the log." in text


async def test_a_long_undo_leaves_room_to_name_what_redo_brings_back() -> None:
    table = panic_fire_table(undo="Blue shot Red: Red is out " * 5, redo="Green draws a card from a pile " * 5)
    undo = next(row for row in (await shown(table, (80, 24))).split("\n") if "u undo" in row)
    assert "u undo: Blue shot Red: Red is out" in undo
    assert "y redo: Green draws a card" in undo
    assert undo.count("…") == 2
    table = panic_fire_table(undo="Blue shot Red: Red is out (PF-12)", redo="Green draws")
    assert " u undo: Blue shot Red: Red is out (PF-12)   y redo: Green draws" in await shown(table, (80, 24))


@pytest.mark.parametrize("key", ["l", "v", "b", "question_mark"])
async def test_the_link_and_the_record_are_told_on_every_page(key: str) -> None:
    bad = SavedView("NOT SAVED, 3 waiting", False, "The disk is full.")
    table = panic_fire_table(link=LinkView("lost", "Plug it in again.", False), saved=bad)
    text = await shown(table, (80, 24), key)
    assert "lost   NOT SAVED, 3 waiting" in text
    assert "> Round 2 is open" in text


async def test_the_words_of_help_go_on_below_themselves_on_a_narrow_screen() -> None:
    text = await shown(panic_fire_table(), (50, 60), "question_mark")
    rows = text.split("\n")
    assert all(len(row) <= 50 for row in rows)
    first = next(n for n, row in enumerate(rows) if "Name Red: first the target" in row)
    assert rows[first + 1].startswith(" " * rows[first].index("Name Red"))


async def test_a_page_fits_its_text_anew_when_the_screen_changes_its_size() -> None:
    words = " ".join(f"word{n}" for n in range(30))
    app = Dashboard(panic_fire_table(log=(line(1, words),)), clock=ManualClock())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("l")
        await pilot.resize_terminal(60, 24)
        await pilot.pause()
        rows = [row for row in screen_text(app).split("\n") if "word" in row]
    assert all(row.startswith(" " * 10) for row in rows[1:])
    assert len(rows) > 3


@pytest.mark.parametrize("size", [(20, 5), (60, 15), (250, 80)])
async def test_no_size_of_a_terminal_brings_the_dashboard_down(size: tuple[int, int]) -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        for key in ("l", "v", "b", "question_mark", "escape"):
            await pilot.press(key)
            await pilot.pause()
            assert len(screen_text(app).split("\n")) == size[1]
            assert len(screen_text(app).split("\n")) == size[1]
    assert app.crash is None


async def test_how_many_facts_about_the_box_are_open_and_what_that_costs_is_on_the_screen() -> None:
    table = panic_fire_table(game=game_view(last_shot=None))
    flat = " ".join((await shown(table, (80, 24))).split())
    assert "12 of 18 facts open; match numbers unknown:" in flat
    assert "whether a shot was legal is the table's word (PF-4); 1 more: v" in flat
    assert "12 of 18 facts open; match numbers" in await shown(panic_fire_table(), (160, 50))


async def test_a_view_that_comes_while_the_screen_is_taken_down_is_no_fault() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        seats = app.screen.query_one(SeatsPart)
        await seats.remove_children()
        seats.show(table.view())
        await pilot.pause()
    assert app.crash is None
