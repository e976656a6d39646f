"""Helpers for the start screens: an app to press keys in, and what was chosen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

from textual.pilot import Pilot

from companion.config.schema import Preferences
from companion.dashboard.start.app import StartApp
from companion.dashboard.start.choices import Choice, NewGame, Past, Search
from companion.dashboard.textual.key_queue import ENTER_AFTER_NUMBER_S
from companion.link.finder import BoardSearch

NO_BOARD = BoardSearch(None, "No USB serial port found: plug the board in, or name its port.")
BOARD = BoardSearch("/dev/ttyACM0", "Board 00c0ffee found at /dev/ttyACM0.")


def unhurried() -> Callable[[], float]:
    """Return a clock on which people look at each screen before they press a key."""
    seconds = count(start=0.0, step=ENTER_AFTER_NUMBER_S)
    return lambda: next(seconds)


def search(result: BoardSearch | None) -> Search:
    """Return a search that has already found `result`, or with None one that goes on until stopped."""
    stopped = threading.Event()

    def find(stopping: Any) -> BoardSearch:
        while not stopping() and not stopped.wait(0.01):
            pass
        return NO_BOARD

    made = Search((lambda _: result) if result is not None else find)
    if result is not None:
        made.start()
        made.stop()
    return made


def start(
    *past: Past,
    found: Search | BoardSearch = NO_BOARD,
    game: NewGame | None = None,
    notice: str = "",
    unread: str = "",
    clock: Callable[[], float] | None = None,
    **wanted: Any,
) -> StartApp:
    looking = found if isinstance(found, Search) else search(found)
    return StartApp(
        past,
        Preferences(**wanted),
        looking,
        game=game,
        notice=notice,
        unread=unread,
        clock=clock or unhurried(),
    )


async def press(pilot: Pilot[Choice], *keys: str) -> None:
    """Press keys one at a time, as people do."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def type_names(pilot: Pilot[Choice], *names: str) -> None:
    for name in names:
        await press(pilot, *name, "tab")


def chosen(app: StartApp) -> NewGame:
    assert isinstance(app.return_value, NewGame)
    return app.return_value
