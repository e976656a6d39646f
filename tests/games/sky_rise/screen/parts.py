"""Table actions for tests of the Sky Rise screens, and the screen over the table."""

from __future__ import annotations

from typing import Any

from companion.dashboard.app import Dashboard
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.end_to_end.parts import wait_for

SUITS = ("hearts", "spades", "diamonds", "clubs", "royals")


def do(table: Table, kind: str, **body: Any) -> None:
    """Enter a fact; fail if it is refused."""
    table.enter(kind, body)
    notice = table.view().notice
    assert notice is None or not notice.refused, notice


def floor(table: Table, *suits: str) -> None:
    """Lay a floor, row by row, with these suits or with all of them in turn."""
    game = table.view().game
    laid = suits or SUITS[: len(game.colors)]
    for number, cell in enumerate(game.levels[-1].cells):
        do(table, "card", place=cell.place, suit=laid[number % len(laid)])


def pyramids(table: Table, *colors: str) -> None:
    """Place the first pyramids of a level, row by row."""
    for corner, color in zip(table.view().game.levels[-1].corners, colors, strict=False):
        do(table, "pyramid", place=corner.place, color=color)


def level(table: Table) -> None:
    """Build a whole level: each color three times, and opaque where the stock has no more."""
    floor(table)
    stack(table)


def stack(table: Table) -> None:
    """Place all pyramids of a level whose floor is laid."""
    number = table.view().game.level
    for corner in [corner.place for corner in table.view().game.levels[-1].corners]:
        view = table.view().game
        size = ("large", "medium", "small").index(view.size)
        free = [color.name for color in view.colors if color.stock[size]]
        do(table, "pyramid", place=corner, color=free[0] if free else "opaque")
    assert table.view().game.level == number + 1


def tower(table: Table) -> None:
    """Build three levels and a roof without antennas."""
    for _ in range(3):
        level(table)
    floor(table)
    while table.view().game.phase == "antennas":
        do(table, "pass")


def goals(table: Table, *dealt: tuple[str, str]) -> None:
    """Note the goals of the seats in order."""
    for seat, (nest, tree) in zip(table.view().setup.seats, dealt, strict=True):
        do(table, "goal_noted", seat=seat.id, nest=nest, tree=tree)


def saved(table: Table, entries: int) -> None:
    """Wait until this many entries are on the disk: screens show how many, so two of them differ until then."""
    wait_for(
        table,
        lambda view: (view.saved.text, view.saved.entries) == ("saved", entries),
        f"{entries} entries on the disk",
    )


async def shown(table: Table, size: tuple[int, int], *keys: str) -> str:
    """Return the screen over a table after these keys."""
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        assert app.crash is None
        text = screen_text(app)
    rows = text.split("\n")
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]
    return text
