"""The screen of a session that another companion has open: everything is shown, no refused key
offered."""

from __future__ import annotations

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.registry import VERBS
from companion.session.views import LinkView, SavedView
from tests.dashboard.correcting import marshal_table, record
from tests.dashboard.fakes import SEATS, FakeTable
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import game_view, panic_fire_table

SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=["80x24", "160x50"])


def watched() -> FakeTable:
    table = marshal_table(record(3), undo="Purple draws")
    table.actions = ()
    return table


@SIZES
async def test_every_seat_is_shown_and_no_undo(size: tuple[int, int]) -> None:
    app = Dashboard(watched())
    async with app.run_test(size=size):
        text = screen_text(app)
        assert all(seat.name in text for seat in SEATS)
        assert "undo" not in text


async def test_the_keys_that_change_the_record_are_nowhere() -> None:
    table = watched()
    app = Dashboard(table)
    async with app.run_test(size=(80, 50)) as pilot:
        offered = {command.title for command in app.get_system_commands(app.screen)}
        assert not any(title.startswith(f"{verb.label}:") for verb in VERBS for title in offered)
        await pilot.press("question_mark")
        assert not any(verb.help[:40] in screen_text(app) for verb in VERBS)
        await pilot.press("l")
        assert "takes or brings it back" not in screen_text(app)
        await pilot.press("c")
        await app.workers.wait_for_complete()
        await pilot.pause()
        text = screen_text(app)
        assert "Log  " in text
        assert "Tab other side" in text
        assert "F2 change" not in text
        await pilot.press("x", "f2", "f3", "f4", "f5", "f6", "u")
        assert (table.put, table.done) == ([], [])
        assert len(app.screen_stack) == 2


async def test_somebody_who_joins_and_is_undone_comes_and_goes() -> None:
    table = watched()
    table.publish(game=game_view(3))
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        table.publish(game=game_view(4))
        await pilot.pause()
        assert SEATS[3].name in screen_text(app)
        table.publish(game=game_view(3))
        await pilot.pause()
        assert f"{SEATS[3].name}  " not in screen_text(app)


async def test_one_trouble_that_the_link_and_the_record_have_is_told_once() -> None:
    full = "Entries from 13 on are not saved, because the disk is full."
    unsaved = LinkView(
        "unsaved", f"The board keeps the events, for they cannot be saved: {full}", healthy=False
    )
    table = panic_fire_table(
        link=unsaved, saved=SavedView("NOT SAVED, 5 waiting", ok=False, problem=full)
    )
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)):
        assert screen_text(app).count(full) == 1
