"""The log page: a cursor that chooses a line, and the key that takes it back."""

from __future__ import annotations

import pytest
from textual.app import App
from textual.widgets import Static

from companion.dashboard.app import Dashboard
from companion.session.views import LineKind, LogLine
from tests.dashboard.fakes import FakeTable, ManualClock, line, table_view
from tests.dashboard.screen import screen_text

SIZES = [(80, 24), (160, 50)]


def long_log(count: int = 200) -> tuple[LogLine, ...]:
    return tuple(line(n, f"ruling {n}") for n in range(1, count + 1))


def page_of(log: tuple[LogLine, ...]) -> tuple[FakeTable, Dashboard]:
    table = FakeTable(table_view(log=log))
    return table, Dashboard(table, clock=ManualClock())


def under_cursor(app: App[None]) -> list[str]:
    """Return the text after the cursor's mark, wherever it is on the page."""
    rows = [row for row in screen_text(app).split("\n") if row.startswith("  > 20:15:")]
    return [row.split("· ")[1].rstrip("▁▂▃▄▅▆▇█ ") for row in rows]


@pytest.mark.parametrize("size", SIZES)
async def test_the_keys_move_a_cursor_that_stays_in_sight(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    _, app = page_of(long_log())
    async with app.run_test(size=size) as pilot:
        for keys, chosen in (
            ("up", 200),
            ("up up up", 198),
            ("up up up down down", 200),
            ("up up down down up", 200),
            ("home", 1),
            ("home up", 1),
            ("home down", 2),
            ("home end up", 200),
        ):
            await pilot.press("l", *keys.split())
            await pilot.pause()
            assert under_cursor(app) == [f"ruling {chosen}"], keys
            await pilot.press("escape")


@pytest.mark.parametrize("size", SIZES)
async def test_the_page_keys_move_the_cursor_by_a_screen(size: tuple[int, int]) -> None:
    table, app = page_of(long_log())
    async with app.run_test(size=size) as pilot:
        await pilot.press(
            "l",
            "home",
            "pagedown",
            "x",
            "pageup",
            "x",
            "end",
            "pageup",
            "x",
            *["pagedown"] * 2,
            "x",
        )
        await pilot.pause()
        height = app.screen.query_one("Scroll").size.height
    assert table.taken_back == [1 + height, 1, 200 - height, 200]


async def test_x_takes_back_the_line_under_the_cursor_also_when_newer_ones_have_come() -> None:
    table, app = page_of(long_log(5))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "up", "up")
        table.publish(log=long_log(9))
        await pilot.press("x")
        await pilot.pause()
        assert under_cursor(app) == ["ruling 4"]
    assert table.taken_back == [4]
    assert table.done == []


@pytest.mark.parametrize("keys", [("home", "end"), ("up", "down"), ("up", "up", "down", "down")])
async def test_end_or_going_on_below_the_newest_line_follows_the_log_again(
    keys: tuple[str, ...],
) -> None:
    table, app = page_of(long_log())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", *keys)
        assert under_cursor(app) == []
        table.publish(log=long_log(240))
        await pilot.pause()
        assert "ruling 240" in screen_text(app)
        await pilot.press("x")
        await pilot.pause()
        assert "on no line" in screen_text(app)
    assert table.taken_back == []


async def test_a_click_into_the_log_leaves_the_cursor_its_keys() -> None:
    table, app = page_of(long_log(5))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l")
        await pilot.click("#text")
        await pilot.press("up", "x")
    assert table.taken_back == [5]


async def test_without_a_chosen_line_x_says_how_to_choose_one() -> None:
    table, app = page_of(long_log(5))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "x")
        await pilot.pause()
        assert "! The cursor is on no line yet: choose one with the arrow keys" in screen_text(app)
        await pilot.press("up", "x")
        await pilot.pause()
        assert "on no line" not in screen_text(app)
    assert table.taken_back == [5]


@pytest.mark.parametrize("keys", [("x",), ("v", "x"), ("question_mark", "x")])
async def test_elsewhere_x_says_where_it_works_and_takes_nothing_back(
    keys: tuple[str, ...],
) -> None:
    table, app = page_of(long_log(5))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
        table.publish()
        await pilot.pause()
        assert "! x works in the log: l opens it, the arrow keys choose the line" in screen_text(
            app
        )
        await pilot.press("f")
        await pilot.pause()
        assert "x works in the log" not in screen_text(app)
    assert table.taken_back == []


async def test_the_answer_of_the_table_is_read_on_the_log_page() -> None:
    table, app = page_of(long_log(5))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "up", "x")
        table.refuse("what the board said stays")
        await pilot.pause()
        assert "! what the board said stays" in screen_text(app)


async def test_a_line_of_several_rows_has_one_mark_and_is_shown_whole() -> None:
    words = " ".join(f"word{n}" for n in range(30))
    _, app = page_of(
        (line(1, words, LineKind.BROKEN), *(line(n, "Red draws") for n in range(2, 60)))
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "home")
        await pilot.pause()
        text = screen_text(app)
    assert words in " ".join(text.split())
    assert text.count("> 20:15") == 1


async def test_a_line_that_has_left_the_log_is_not_chosen_any_more() -> None:
    table, app = page_of(long_log(5))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "home")
        table.publish(log=long_log(9)[3:])
        await pilot.pause()
        await pilot.press("x")
        await pilot.pause()
        assert "on no line" in screen_text(app)
    assert table.taken_back == []


async def test_the_keys_of_a_line_are_offered_once_the_cursor_is_on_one() -> None:
    table, app = page_of(long_log(5))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l")
        await pilot.pause()
        assert "Enter why" not in screen_text(app)
        assert "x delete or restore" not in screen_text(app)
        await pilot.press("up")
        await pilot.pause()
        assert "Enter why   x delete or restore" in screen_text(app)
        await pilot.press("end")
        await pilot.pause()
        assert "Enter why" not in screen_text(app)
    assert table.taken_back == []


@pytest.mark.parametrize("size", SIZES)
async def test_the_line_that_says_the_keys_of_the_page_is_whole(size: tuple[int, int]) -> None:
    _, app = page_of(())
    async with app.run_test(size=size) as pilot:
        await pilot.press("l", "up", "pageup", "home", "x")
        await pilot.pause()
        assert str(app.screen.query_one("#close", Static).render()) in screen_text(app)
    assert app.crash is None


def marks(app: App[None]) -> list[str]:
    """Return the texts after the marks of matching lines."""
    rows = [row for row in screen_text(app).split("\n") if row.startswith("  * 20:15:")]
    return [row.split("· ")[1].rstrip("▁▂▃▄▅▆▇█ ") for row in rows]


async def test_a_word_typed_behind_a_slash_marks_its_lines_and_goes_from_one_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    log = tuple(
        line(n, f"{'Blue' if n % 3 == 0 else 'Red'} draws, number {n}") for n in range(1, 10)
    )
    table, app = page_of(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "slash", *"BLUE", "enter")
        await pilot.pause()
        assert under_cursor(app) == ["Blue draws, number 9"]
        assert marks(app) == ["Blue draws, number 3", "Blue draws, number 6"]
        assert "/BLUE   3 of 3   n next   N previous   Esc ends the search" in screen_text(app)
        for key, number in (("N", 6), ("N", 3), ("N", 9), ("n", 3), ("n", 6)):
            await pilot.press(key)
            await pilot.pause()
            assert under_cursor(app) == [f"Blue draws, number {number}"]
        await pilot.press("escape")
        await pilot.pause()
        assert marks(app) == []
        assert "/ search" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "/ search" not in screen_text(app)
    assert table.done == []


async def test_a_line_that_comes_in_while_the_log_is_searched_is_marked_and_moves_no_cursor() -> (
    None
):
    table, app = page_of(long_log(9))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "slash", *"ruling 1", "enter")
        table.publish(log=(*long_log(9), line(10, "ruling 10")))
        await pilot.pause()
        assert under_cursor(app) == ["ruling 1"]
        assert marks(app) == ["ruling 10"]
        assert "1 of 2" in screen_text(app)


async def test_a_word_that_stands_nowhere_is_said_and_leaving_the_line_forgets_it() -> None:
    _, app = page_of(long_log(9))
    async with app.run_test(size=(60, 15)) as pilot:
        await pilot.press("l", "slash", *"quux[")
        await pilot.press("enter")
        await pilot.pause()
        assert "/quux[   not in the log" in screen_text(app)
        await pilot.press("slash", *"ruling 2", "escape")
        await pilot.pause()
        assert "/ search" in screen_text(app)
        assert marks(app) == []
