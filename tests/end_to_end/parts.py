"""Shared parts of the end-to-end tests: a table with a real board, and waiting for its views."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import Entry, Layer
from companion.journal.journal import Journal
from companion.session.clocks import wall
from companion.session.key_meanings import GUARD_US, TOO_SOON
from companion.session.opening import begin, resume
from companion.session.table import Table
from companion.session.views import TableView
from firmware_protocol.messages import PRESSED
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import find_micropython

TIMEOUT_S = 20.0
# What the board publishes for its hit sensor, the largest.
STAMP_ERROR_US = 20
SEATS = ("red", "blue", "green")

needs_vm = pytest.mark.skipif(
    find_micropython() is None,
    reason="the MicroPython VM (the extra `virtual`) has no wheel for this machine",
)


def wait_for(table: Table, seen: Callable[[TableView], bool], wanted: str) -> TableView:
    """Return the first view in which `seen` holds; fail if there is none in time."""
    changed = threading.Event()
    leave = table.subscribe(changed.set)
    try:
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            changed.clear()
            view = table.view()
            if seen(view):
                return view
            left_s = deadline - time.monotonic()
            assert left_s > 0, f"waited {TIMEOUT_S} s to see {wanted}; the view: {view}"
            changed.wait(left_s)
    finally:
        leave()


def press_key(table: Table, action: str) -> None:
    """Press a key as people do: again if the board had only just changed its meaning."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        before = table.view().notice
        table.do(action)
        notice = table.view().notice
        if notice is None or notice == before or not notice.text.startswith(TOO_SOON):
            return
        threading.Event().wait(GUARD_US / 1e6)
    raise AssertionError(f"{action} was held back for {TIMEOUT_S} s: {table.view().notice}")


def live(view: TableView) -> bool:
    """Return whether presses count from now on: the link is reported live a moment before the board is armed."""
    return view.link.state == "live" and view.link.armed


@contextmanager
def at_table(
    path: Path, board: VirtualBoard | None, seats: tuple[str, ...] = SEATS
) -> Iterator[Table]:
    """Yield a session in `path`, begun or resumed, and live on `board`."""
    table = resume(path) if path.exists() else begin("panic-fire", seats, {}, path)
    try:
        if board is not None:
            table.board.connect(board.url)
            wait_for(table, live, "a live link to an armed board")
        yield table
    finally:
        table.close()


def record(path: Path) -> tuple[Entry, ...]:
    """Return all entries of a session on the disk."""
    journal = Journal.open(path, wall=wall)
    try:
        return tuple(journal.entries)
    finally:
        journal.close()


def presses(entries: tuple[Entry, ...], channel: str) -> list[int]:
    """Return the stamps of the presses recorded on a channel, in order."""
    found = [
        entry for entry in entries if entry.kind == "event" and entry.body["channel"] == channel
    ]
    return [entry.t_us or 0 for entry in found if entry.body["flags"] & PRESSED]


def facts(entries: tuple[Entry, ...], kind: str) -> list[Entry]:
    """Return the facts of one kind."""
    return [entry for entry in entries if entry.layer is Layer.FACT and entry.kind == kind]


def draws(view: TableView, seat: int) -> int:
    """Return how many draws of the open round the screen counts for a seat."""
    game: Any = view.game
    return int(game.seats[seat].draws)


def is_same_time(recorded_us: int, true_us: int) -> bool:
    """Return whether a stamp is the true time within the error that the board publishes."""
    return abs(recorded_us - true_us) <= STAMP_ERROR_US


def cut_off(board: VirtualBoard, folder: Path) -> None:
    """Begin a game with a board and end it as a power cut of the computer does: the board keeps what comes then."""
    table = begin("panic-fire", SEATS, {}, folder / "game.sqlite")
    table.board.connect(board.url)
    wait_for(table, live, "a live link to an armed board")
    table.close(clean=False)
