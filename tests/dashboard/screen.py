"""The screen as text, so that tests compare what a person reads."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from rich.segment import Segment
from textual._context import visible_screen_stack
from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip

from companion.dashboard.app import Dashboard
from companion.dashboard.source import TableLike
from tests.dashboard.fakes import ManualClock

PATIENCE_S = 20.0


def screen_text(app: App[Any]) -> str:
    """Return the screen as it is now, one line per row, without trailing blanks."""
    filters = app._filters
    # Those of the terminal library change colors only, at half the price of a screen.
    app._filters = [
        line_filter
        for line_filter in filters
        if not type(line_filter).__module__.startswith("textual.")
    ]
    try:
        return "\n".join(strip.text.rstrip() for strip in _strips(app))
    finally:
        app._filters = filters


def screen_rows(app: App[Any]) -> Iterator[list[Segment]]:
    """Yield the segments of each row, with the app's filters applied (such as for NO_COLOR)."""
    return map(list, _strips(app))


async def shown(table: TableLike, size: tuple[int, int], *keys: str) -> str:
    """Return the screen over `table` after the keys."""
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.pause()  # the log scrolls to its end once it is laid out
        assert app.crash is None
        return screen_text(app)


def form_text(app: App[Any]) -> str:
    """Return what is inside the border of the open form, "" without one; a page may be beside it."""
    boxes = app.screen.query("#form")
    if not boxes:
        return ""
    inside = boxes.first().region.shrink((1, 1, 1, 1))
    rows = _strips(app)[inside.y : inside.bottom]
    return "\n".join(row.crop(inside.x, inside.right).text.rstrip() for row in rows)


async def until(pilot: Pilot[Any], app: App[Any], *texts: str) -> str:
    """Wait for a screen that contains all `texts`, wherever lines break, and return it.

    A text may break across lines of the screen or of the form on it.
    """
    wanted = [" ".join(text.split()) for text in texts]
    screen = screen_text(app)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not _all_in((screen, form_text(app)), wanted):
                await pilot.pause()
                screen = screen_text(app)
    except TimeoutError:
        raise AssertionError(f"waited for {texts}; the screen:\n{screen}") from None
    return screen


def _all_in(screens: Sequence[str], wanted: Sequence[str]) -> bool:
    flat = [" ".join(screen.split()) for screen in screens]
    return all(any(text in screen for screen in flat) for text in wanted)


def _strips(app: App[Any]) -> list[Strip]:
    visible_screen_stack.set(app._background_screens)  # what shows through a form
    return app.screen._compositor.render_strips()
