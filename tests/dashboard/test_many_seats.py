"""Many seats on a small screen: they get less room, the prompt and the keys never do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from companion.dashboard.app import Dashboard
from companion.dashboard.widgets.seats import columns
from companion.display.panels import SeatLine
from companion.rules.facts import Setup
from companion.rules.registry import GAMES
from companion.rules.seats import seats_from_names
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import FakeTable, ManualClock, table_view
from tests.dashboard.screen import screen_text
from tests.games.own.files import IDS, learned

FORTY = 40


@pytest.fixture(autouse=True)
def own_games() -> Iterator[None]:
    with learned():
        yield


def seated(game: str, folder: Path) -> Table:
    """Return a table of the most seats that can play."""
    names = [f"Somebody {place}" for place in range(1, GAMES[game].seats[-1] + 1)]
    return begin(game, names, {}, folder / "evening.sqlite", without_board=True)


def come_and_go(table: Table, seats: int) -> bool:
    """Have people leave and join until `total` have had a seat; return whether the game allows it."""
    while len(table.view().setup.seats) < seats:
        before = table.view().setup.seats
        first = next(seat.id for seat in before if seat.id not in table.view().left)
        table.enter("seat_leaves", {"seat": first})
        table.enter("seat_joins", {"name": f"Newcomer {len(before)}"})
        if table.view().setup.seats == before:
            return False
    return True


def has_prompt_and_keys(text: str, awaiting: str) -> bool:
    """Return whether the whole prompt and the essential keys are on the screen."""
    flat = " ".join(text.split())
    return f"> {' '.join(awaiting.split())}" in flat and "? help" in flat and "^q quit" in flat


@pytest.mark.parametrize("size", [(80, 24), (110, 32), (160, 50)])
@pytest.mark.parametrize("game", [*GAMES, *IDS])
async def test_as_many_as_can_play_leave_room_for_prompt_and_keys(
    game: str, size: tuple[int, int], tmp_path: Path
) -> None:
    with closing(seated(game, tmp_path)) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pilot.pause()
            assert has_prompt_and_keys(screen_text(app), table.view().awaiting), screen_text(app)
    assert app.crash is None


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
@pytest.mark.parametrize("game", [*GAMES, *IDS])
async def test_forty_who_came_and_went_leave_room_for_prompt_and_keys(
    game: str, size: tuple[int, int], tmp_path: Path
) -> None:
    with closing(seated(game, tmp_path)) as table:
        if not come_and_go(table, FORTY):
            notice = table.view().notice
            assert notice is not None
            assert "seats are taken" in notice.text
            return
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pilot.pause()
            text = screen_text(app)
            assert has_prompt_and_keys(text, table.view().awaiting), text
            for seat in table.view().setup.seats[-GAMES[game].seats[-1] :]:
                assert seat.name in text, "who plays goes before who left"
            assert re.search(r"and \d+ more", text)
            await pilot.press("f8")
            await pilot.pause()
            text = screen_text(app)
            assert f"> {table.view().awaiting.split()[0]}" in text
            assert "Esc back to the table" in text
            assert table.view().setup.seats[-1].name.split()[0] in text
            assert re.search(r"and \d+ more", text)
    assert app.crash is None


@pytest.mark.parametrize("size", [(80, 24), (60, 24), (160, 50)])
@pytest.mark.parametrize("count", [12, 20, FORTY, 200])
async def test_however_many_play_prompt_and_keys_stay(count: int, size: tuple[int, int]) -> None:
    seats = seats_from_names([f"Player number {place}" for place in range(1, count + 1)])
    view = table_view(
        setup=Setup("names-only", 1, seats), standings={seat.id: 100 for seat in seats}
    )
    table = FakeTable(current=view)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert has_prompt_and_keys(screen_text(app), view.awaiting), screen_text(app)
        assert f"{seats[0].glyph} Player n" in screen_text(app)
        long = (
            "Who has won? Type a letter of the name, then press Enter, or the arrow keys to choose. "
            * 3
        )
        table.publish(awaiting=long)
        await pilot.pause()
        await pilot.pause()
        assert has_prompt_and_keys(screen_text(app), long), screen_text(app)
        table.publish(setup=replace(view.setup, seats=seats[:3]))
        await pilot.pause()
        await pilot.pause()
        assert all(seat.name in screen_text(app) for seat in seats[:3])
    assert app.crash is None


def lines(count: int, turn: int | None, idle: int) -> list[SeatLine]:
    seats = seats_from_names([f"Nr {place}" for place in range(1, count + 1)])
    return [
        SeatLine(*seat.look, str(place), turn=place == turn, idle=place < idle)
        for place, seat in enumerate(seats)
    ]


@given(st.integers(1, 120), st.integers(20, 200), st.integers(1, 30), st.data())
def test_columns_fit_their_room_and_count_whom_they_leave_out(
    count: int, width: int, rows: int, data: st.DataObject
) -> None:
    turn = data.draw(st.none() | st.integers(0, count - 1))
    made = columns(lines(count, turn, data.draw(st.integers(0, count))), width, rows).plain
    assert len(made.split("\n")) <= rows
    assert all(cell_len(row) <= width for row in made.split("\n"))
    named = len(re.findall(r"Nr \d+", made))
    more = re.search(r"and (\d+) more", made)
    assert named + (int(more[1]) if more else 0) == count
    if turn is not None and named:
        assert re.search(rf"> . Nr {turn + 1} ", made)
