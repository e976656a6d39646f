"""Detects when an app without a terminal has finished its work.

Textual's pilot takes a process that used next to no processor time for 20 ms as finished. That wait
is most of the time of these tests, and on a busy machine it is wrong: a process that gets no
processor uses none either. Here the app is asked instead: the event loop has nothing scheduled, no
worker runs, nothing is left to lay out or paint, and each widget waits for its next message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sized
from time import monotonic
from typing import Any

from textual import app as textual_app, pilot as textual_pilot
from textual._context import active_app
from textual._queue import Queue
from textual.app import App
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.worker import WorkerState

SOON_S = 0.1
"""What a timer puts off by less belongs to what is going on."""

LONGEST_S = 5.0
"""Work that takes longer is not waited for; the test says what it misses."""

LEAST_TURNS = 1_000
"""Turns of the event loop that work has in any case: the clock goes on while a machine stands still."""


def install() -> None:
    """Make the pilot wait for this instead of for an idle process."""
    for module in (textual_app, textual_pilot):
        vars(module)["wait_for_idle"] = settled
    vars(textual_pilot)["Pilot"]._wait_for_screen = _screen_settled


async def _screen_settled(_pilot: textual_pilot.Pilot[Any], timeout: float = 30.0) -> bool:
    """Wait as the pilot does, by a message to each widget, but only to those with something to do."""
    await settled()
    return True


async def settled(_min_sleep: float = 0, _max_sleep: float = 0) -> None:
    """Return when the app has nothing to do, or after `LONGEST_S`."""
    app, ready = active_app.get(), vars(asyncio.get_running_loop())["_ready"]
    end = monotonic() + LONGEST_S
    turns = 0
    while (monotonic() < end or turns < LEAST_TURNS) and app.is_running:
        turns += 1
        await asyncio.sleep(0)
        if ready:
            continue
        if _waits_for_time(app):
            await asyncio.sleep(0.001)
        elif not _frame(app):
            if not any(map(_busy, _pumps(app))):
                return
            await asyncio.sleep(0.001)


def _waits_for_time(app: App[Any]) -> bool:
    """Return whether a worker runs, or a timer is due before anybody would notice."""
    if any(worker.state in (WorkerState.PENDING, WorkerState.RUNNING) for worker in app.workers):
        return True
    timers = [timer for pump in (app, *app.screen_stack) for timer in pump._timers]
    return app._resize_event is not None or any(
        timer._repeat == 0
        and timer._interval < SOON_S
        and timer._task is not None
        and not timer._task.done()
        for timer in timers
    )


def _frame(app: App[Any]) -> bool:
    """Lay out and paint now what the next frame would; return whether anything was due."""
    due = [
        screen
        for screen in app.screen_stack
        if screen.is_running and _due(screen, painted=screen is app.screen)
    ]
    for screen in due:
        screen._on_timer_update()
    return bool(due)


def _due(screen: Screen[Any], *, painted: bool) -> bool:
    """Return whether the screen waits for a frame; one that shows through another never finishes
    painting."""
    if not screen.is_current or screen.app._batch_count:
        return False
    if painted and (screen._repaint_required or screen._dirty_widgets):
        return True
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._recompose_required
        or screen._callbacks
    )


def _pumps(app: App[Any]) -> Iterator[MessagePump]:
    yield app
    for screen in app.screen_stack:
        yield screen
        yield from screen.walk_children()


def _busy(pump: MessagePump) -> bool:
    """Return whether the pump is starting, has a message, or is still handling one."""
    if pump._closed or pump._closing:
        return False
    queue: Queue[Any] = pump._message_queue
    back: Sized = queue.ready_event._waiters
    return not (pump._running and queue.empty() and back and not pump._next_callbacks)
