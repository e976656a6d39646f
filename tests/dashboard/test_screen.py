"""What a person reads on the main page, in three sizes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.game_screen import LEAVING
from companion.games.panic_fire.screen.seats import SeatsPart
from companion.session.views import LinkView, Notice, SavedView
from tests.dashboard.fakes import FakeTable, ManualClock, line, table_view
from tests.dashboard.screen import screen_text, shown
from tests.games.panic_fire.screen.views import SHOT, game_view, panic_fire_table, playing

SIZES = ((80, 24), (120, 40), (160, 50))
NAMES = ("Red", "Blue", "Green", "Yellow", "Purple")


@pytest.mark.parametrize("size", SIZES)
async def test_the_essentials_are_on_the_screen(size: tuple[int, int]) -> None:
    text = await shown(panic_fire_table(), size)
    for essential in (
        "Panic Fire   round 2 of 6",
        "since fire!",
        "keyboard only   saved",
        *(f" {name} " for name in NAMES),
        "> Round 2 is open: tap a zone to draw, pull the trigger to shoot (Space).",
        "Blue shot Red: Red is out (PF-12)",
        "42.278 s ±50 µs after fire!",
        "4.1 ms after the trigger",
        "peak 812",
        "31 to 35 cards left",
        "· Purple draws",
        "u undo: Purple draws",
        "  c fix",
        "? help",
    ):
        assert essential in text
    rows = text.split("\n")
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]


async def test_at_80x24_nothing_essential_is_cut_off_when_everything_goes_wrong_at_once() -> None:
    lost = LinkView(
        "lost - retrying", "The board is gone: plug it in again, nothing is lost so far.", False
    )
    bad = SavedView(
        "NOT SAVED, 3 waiting",
        False,
        "The disk is full: make room, the companion tries again by itself.",
    )
    tie = replace(SHOT, tie=True, open=True)
    table = panic_fire_table(
        link=lost, saved=bad, game=game_view(last_shot=tie, open_shots=(tie, tie))
    )
    long = "No dry pull or knock of this round, however hard one looks, can be made a shot. For a shot press Space."
    table.refuse(long)
    flat = " ".join((await shown(table, (80, 24))).split())
    for essential in (
        lost.sentence,
        lost.state,
        bad.problem,
        bad.text,
        long,
        "2 shots",
    ):
        assert essential in flat
    for essential in (
        "a tie with the shot",
        "at least 0:42",
        "★ Purple",
        "u undo",
        "? help",
        "> Round 2 is",
    ):
        assert essential in flat


async def test_a_header_without_room_leaves_out_what_its_clock_counts_from() -> None:
    saved = SavedView("NOT SAVED, 12345 waiting", False, "The disk is full.")
    header = (await shown(panic_fire_table(paused=True, saved=saved), (80, 24))).split("\n")[0]
    assert re.fullmatch(
        r" round 2 of 6   (at least )?\d:\d\d +PAUSED   \S.*   NOT SAVED, 12345 waiting ?", header
    ), header


async def test_a_refusal_is_shown_in_full_and_goes_with_the_next_key() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        table.refuse("No shot waits to be named. For a shot press Space. (PF-10)")
        await pilot.pause()
        assert "! No shot waits to be named. For a shot press Space." in screen_text(app)
        await pilot.press("1")
        await pilot.pause()
        assert "No shot waits" not in screen_text(app)
        table.refuse("No shot waits to be named. For a shot press Space. (PF-10)")
        await pilot.pause()
        assert "! No shot waits to be named" in screen_text(app)


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
        # a view so close behind the last one is painted with the next frame
        for _ in range(PAUSES):
            await pilot.pause()
            if "! not now" not in screen_text(app):
                break
        assert "! not now" not in screen_text(app)


async def test_a_refusal_that_another_answer_took_the_place_of_is_not_shown_again_on_a_page() -> (
    None
):
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        table.refuse("not now")
        await pilot.pause()
        await pilot.press("f9")
        await pilot.pause()
        assert "Sound is on." in screen_text(app)
        await pilot.press("v")
        await pilot.pause()
        assert "Statistics" in screen_text(app)
        assert "not now" not in screen_text(app)


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


async def test_a_name_with_control_codes_cannot_move_the_cursor() -> None:
    table = panic_fire_table(log=(line(1, "\x1b[2J\x1b[1;1Hboo [bold]draws[/bold]"),))
    text = await shown(table, (80, 24))
    assert "\x1b" not in text
    assert "boo [bold]draws[/bold]" in text


async def test_a_game_without_a_face_of_its_own_is_still_shown() -> None:
    text = await shown(FakeTable(), (80, 24))
    assert "◆ Red" in text
    assert "> Waiting for fire!" in text


@pytest.mark.parametrize("size", SIZES)
async def test_a_game_that_is_over_says_which_keys_show_its_result_and_leave(
    size: tuple[int, int],
) -> None:
    over = playing(game=game_view(phase="finished"), awaiting="Red is champion.", ended=True)
    text = await shown(FakeTable(over, panic_fire_table().actions), size)
    assert "> Red is champion. Esc shows the result, ^q quits." in text


async def test_a_key_that_has_nothing_to_undo_is_not_named() -> None:
    text = await shown(panic_fire_table(undo="", redo=""), (80, 24))
    assert "undo" not in text
    assert "redo" not in text
    text = await shown(panic_fire_table(undo="", redo="Green draws"), (80, 24))
    assert "undo" not in text
    assert " y redo: Green draws" in text


async def test_a_long_undo_leaves_room_to_name_what_redo_brings_back() -> None:
    table = panic_fire_table(
        undo="Blue shot Red: Red is out " * 5, redo="Green draws a card from a pile " * 5
    )
    undo = next(row for row in (await shown(table, (80, 24))).split("\n") if "u undo" in row)
    assert "u undo: Blue shot Red: Red is out" in undo
    assert "y redo: Green draws a card" in undo
    assert undo.count("…") == 2
    table = panic_fire_table(undo="Blue shot Red: Red is out (PF-12)", redo="Green draws")
    assert " u undo: Blue shot Red: Red is out (PF-12)   y redo: Green draws" in await shown(
        table, (80, 24)
    )


@pytest.mark.parametrize("key", ["l", "v", "b", "question_mark"])
async def test_the_link_and_the_record_are_told_on_every_page(key: str) -> None:
    bad = SavedView("NOT SAVED, 3 waiting", False, "The disk is full.")
    table = panic_fire_table(link=LinkView("lost", "Plug it in again.", False), saved=bad)
    text = await shown(table, (80, 24), key)
    assert "lost   NOT SAVED, 3 waiting" in text
    assert "At the table: Round 2 is open" in text
    assert "> Round 2 is open" not in text


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


async def test_a_view_that_comes_while_a_part_or_its_app_goes_is_no_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)):
        seats = app.screen.query_one(SeatsPart)
        seats.add_class(LEAVING)
        await seats.remove_children()
        seats.show(table.view())
        seats.remove_class(LEAVING)
        with monkeypatch.context() as ending:
            ending.setattr(Dashboard, "is_running", False)
            seats.show(table.view())
    assert app.crash is None


async def test_a_key_without_meaning_is_named_in_the_footer_and_a_notice_stays() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        table.refuse("No shot waits to be named. For a shot press Space. (PF-10)")
        await pilot.pause()
        before = screen_text(app).rstrip().split("\n")[-1]
        await pilot.press("f12")
        await pilot.pause()
        assert "F12 does nothing here." in screen_text(app)
        assert "! No shot waits to be named" in screen_text(app)
        await pilot.pause(1.2)
        assert screen_text(app).rstrip().split("\n")[-1] == before


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
@pytest.mark.parametrize("keys", [(), ("l",), ("b",)])
async def test_while_the_board_is_tested_every_screen_says_so(
    size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    sentence = "The board is being tested (Bo's tablet). Presses do not count."
    text = await shown(panic_fire_table(testing=sentence), size, *keys)
    assert "BOARD TEST" in text.split("\n")[0] + text.split("\n")[1]
    assert (sentence in text) == (not keys)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_what_was_undone_takes_two_rows_at_most_and_its_consequences_stay(
    size: tuple[int, int],
) -> None:
    undone = f"Undone: {', '.join(f'card-{number} of the deal' for number in range(30))}"
    after = "; 3 later entries make no sense now: see the log."
    table = FakeTable(table_view(notice=Notice(1, f"{undone}{after}", False, logged=len(undone))))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        said = app.screen.query_one("#notice")
        assert said.size.height == 2
        flat = " ".join(screen_text(app).split())
        assert re.search(r"Undone: card-0 .*( deal,| of| the| card-\d+) …; 3 later entries", flat)
        assert after[2:].removesuffix(".") in flat
        await pilot.resize_terminal(120, 24)
        await pilot.pause()
        assert said.size.height == 2


async def test_a_long_refusal_is_never_cut() -> None:
    words = " ".join(f"word-{number}" for number in range(40))
    table = FakeTable(table_view(notice=Notice(1, f"{words}.", True)))
    text = await shown(table, (80, 24))
    assert words in " ".join(text.split())


@pytest.mark.parametrize("key", ["", "question_mark", "v"])
async def test_a_title_ends_before_the_status_however_long_both_are(key: str) -> None:
    lost = LinkView("lost - retrying", "The board is gone.", False)
    saved = SavedView("NOT SAVED, 12345 waiting of a long evening", False, "The disk is full.")
    table = panic_fire_table(
        paused=True, link=lost, saved=saved, game=game_view(phase="table", fire=None)
    )
    text = await shown(table, (80, 24), *filter(None, [key]))
    (row,) = [row for row in text.split("\n") if "PAUSED" in row and "NOT SAVED" in row]
    assert " PAUSED   lost - retrying   NOT SAVED" in row
