"""How fast the dashboard is beside a bare Textual app of the same run; run as `python -m tests.benchmarks.dashboard`.

Each figure is taken in a process of its own, the app without a terminal, so that none warms up the other.
"""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

LONG = 10_000
SIZE = (120, 40)
SETTLE_S = 5.0
"""Until a table that was just begun is idle: the link asks a board more often while something happens."""
IDLE_S = 10.0
RATES = (20, 1_000)
EVENTS = {20: 60, 1_000: 2_000}
BURST, BURST_S = 2_000, 3.0
MANY, SAMPLES = 100_000, 5
"""Events for the figure of memory, and how often it is read on the way: what grows, grows from sample to sample. The
newest entries are kept at hand, so the first sample has more to tell than those behind it."""
TAPS = 10  # that a board hands over at once
WALL = "2024-05-01T20:15:00+00:00"
DEADLINE_S = 30.0
REPORT = "RESULT "


# -- what is measured: the dashboard, or a bare app with one label


def bare() -> Any:
    """Return an app that shows one label; `?` covers it with another or removes that."""
    from textual.app import App, ComposeResult
    from textual.screen import Screen
    from textual.widgets import Static

    class Page(Screen[None]):
        def compose(self) -> ComposeResult:
            yield Static("a page")

    class Bare(App[None]):
        BINDINGS = [("question_mark", "page", "page")]  # noqa: RUF012  textual's own declaration

        def compose(self) -> ComposeResult:
            yield Static("-1")

        def change(self, number: int) -> None:
            self.screen_stack[0].query_one(Static).update(str(number))

        def action_page(self) -> None:
            if isinstance(self.screen, Page):
                self.pop_screen()
            else:
                self.push_screen(Page())

    return Bare()


def record(folder: Path, entries: int) -> Path:
    """Write a session of `count` entries: draws of one long round, stamped by a board."""
    from companion.journal.entries import Draft, Layer
    from companion.journal.journal import Journal
    from companion.rules.header import header

    path = folder / "long.sqlite"
    with Journal.create(path, header(_setup(), "long"), wall=lambda: WALL) as journal:
        at = {"us": 1_000_000, "pm": 25, "clock": "board-1"}
        drafts = [Draft(Layer.FACT, "fire", {"at": at})]
        for n in range(entries - 2):
            body = {
                "seat": ("red", "blue", "green")[n % 3],
                "at": at | {"us": 2_000_000 + n * 400_000},
            }
            drafts.append(Draft(Layer.FACT, "draw", body))
        journal.append(*drafts)
    return path


def _setup() -> Any:
    from companion.rules.facts import Setup
    from companion.rules.registry import open_game
    from companion.rules.seats import seats_from_names

    return Setup(
        "panic-fire",
        open_game("panic-fire").rules_version,
        seats_from_names(["Red", "Blue", "Green"]),
    )


@contextmanager
def dashboard(path: Path) -> Iterator[tuple[Any, Any]]:
    """Open the dashboard over the session at `path`, with its table."""
    from companion.dashboard.app import Dashboard
    from companion.session.opening import resume

    table = resume(path)
    try:
        yield Dashboard(table), table
    finally:
        table.close()


# -- one figure, in a process of its own


async def idle(app: Any) -> dict[str, float]:
    """Return the percentage of a core used while nothing happens, and the megabytes of memory."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await asyncio.sleep(SETTLE_S)
        gc.collect()
        cpu = time.process_time()
        await asyncio.sleep(IDLE_S)
        return {"percent": (time.process_time() - cpu) / IDLE_S * 100, "mb": _resident_mb()}


async def growth(app: Any, change: Callable[[int], None], step: int = 1) -> dict[str, Any]:
    """Return the megabytes of memory before and after each fifth of many events, made `step` at a time while the app
    runs."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        sizes = [_settled_mb()]
        for sample in range(SAMPLES):
            for n in range(sample * MANY // SAMPLES, (sample + 1) * MANY // SAMPLES, step):
                change(n)
                if n % 100 == 0:
                    await asyncio.sleep(0)
            await pilot.pause()
            sizes.append(_settled_mb())
        return {"mb": sizes}


def _settled_mb() -> float:
    gc.collect()
    return _resident_mb()


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20


async def latency(
    app: Any, change: Callable[[int], None], painted: Callable[[], int], rate: int
) -> dict[str, Any]:
    """Return the milliseconds from each of many changes, made by another thread, to the screen that shows it."""
    count = EVENTS[rate]
    made: list[float] = []
    frames: list[float] = []

    def work() -> None:
        start = time.perf_counter()
        for n in range(count):
            time.sleep(max(0.0, start + n / rate - time.perf_counter()))
            made.append(time.perf_counter())
            change(n)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        thread = threading.Thread(target=work)
        base, deadline = painted(), time.monotonic() + DEADLINE_S
        thread.start()
        while len(frames) < count and time.monotonic() < deadline:
            await asyncio.sleep(0)
            have = painted() - base
            frames += [time.perf_counter()] * (have - len(frames))
        await asyncio.to_thread(thread.join)
    return {
        "ms": [(after - before) * 1000 for before, after in zip(made, frames, strict=False)],
        "lost": count - len(frames),
    }


async def burst(app: Any, change: Callable[[int], None]) -> dict[str, Any]:
    """Return the milliseconds from a key to its page, while another thread makes 2,000 changes a second."""
    from textual.widgets import Static

    done = threading.Event()

    def work() -> None:
        start, n = time.perf_counter(), 0
        while not done.is_set():
            time.sleep(max(0.0, start + n / BURST - time.perf_counter()))
            change(n)
            n += 1

    waits: list[float] = []
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        thread = threading.Thread(target=work)
        thread.start()
        end = time.monotonic() + BURST_S
        while time.monotonic() < end:
            screen, begun = app.screen, time.perf_counter()
            app.simulate_key("question_mark")
            while (
                app.screen is screen or not app.screen.query(Static)
            ) and time.monotonic() < end + DEADLINE_S:
                await asyncio.sleep(0)
            waits.append((time.perf_counter() - begun) * 1000)
        done.set()
        await asyncio.to_thread(thread.join)  # its last change may wait for the loop
    return {"ms": waits}


def measure(label: str, which: str, path: Path) -> dict[str, Any]:
    """Measure one figure of one of the two apps."""
    if which == "bare":
        app = bare()
        return asyncio.run(_of(label, app, lambda n: app.call_from_thread(app.change, n), None))
    with dashboard(path) as (app, table):
        if label == "board":
            return _with_board(app, table)
        if label == "heard":
            return asyncio.run(growth(app, _taps(table), 2 * TAPS))
        return asyncio.run(_of(label, app, lambda n: _draw(table, n), table))


def _with_board(app: Any, table: Any) -> dict[str, Any]:
    """Measure the idle app with the virtual board connected; the board's own process does not count."""
    from firmware_protocol.virtual.client import VirtualBoard

    with VirtualBoard.spawn() as board:
        table.board.connect(board.url)
        deadline = time.monotonic() + DEADLINE_S
        while table.view().link.state != "live" and time.monotonic() < deadline:
            time.sleep(0.05)
        return {**asyncio.run(idle(app)), "state": table.view().link.state}


def _draw(table: Any, n: int) -> None:
    table.enter("draw", {"seat": ("red", "blue", "green")[n % 3]})


def _taps(table: Any) -> Callable[[int], None]:
    """Return a function that makes a board send some taps: each press becomes a draw, each release nothing."""
    from companion.session.recognizer import CONFIRM_US
    from tests.session.parts import BOOT, Board, hello, tap

    board, second_us = Board(), 1_000_000
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0)])

    def hear(n: int) -> None:
        taps = [
            tap(board, f"zone-{at % 3 + 1}", at * second_us) for at in range(n + 1, n + TAPS + 1)
        ]
        table.board.store([edge for each in taps for edge in each])
        table.board.on_watermark(BOOT, (n + TAPS) * second_us + CONFIRM_US)

    return hear


async def _of(label: str, app: Any, change: Callable[[int], None], table: Any) -> dict[str, Any]:
    if label == "idle":
        return await idle(app)
    if label == "growth":
        return await growth(app, change if table is not None else app.change)
    if label == "burst":
        return await burst(app, change)
    return await latency(app, change, _painted(app, table), int(label))


def _painted(app: Any, table: Any) -> Callable[[], int]:
    """Return the number of changes on the screen: by the label, or by the newest entry painted."""
    from textual.widgets import Static

    from companion.dashboard.screens.log import RunningLog

    if table is None:
        return lambda: int(str(app.query_one(Static).content)) + 1
    return lambda: app.screen.query_one(RunningLog)._lines[-1].n


# -- the table


def run(label: str, which: str, path: Path) -> dict[str, Any]:
    """Measure one figure in a new process."""
    command = [sys.executable, "-m", "tests.benchmarks.dashboard", label, which, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    line = next(line for line in done.stdout.splitlines() if line.startswith(REPORT))
    result: dict[str, Any] = json.loads(line.removeprefix(REPORT))
    return result


def both(label: str, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Measure one figure of the dashboard, then of the bare app."""
    return run(label, "dashboard", path), run(label, "bare", path)


def _folder(parent: str, name: str) -> Path:
    """Return a folder; its session is made only once."""
    folder = Path(parent) / name
    folder.mkdir()
    return folder


def table_of_figures() -> None:
    """Print all figures, each with the bare app's."""
    from tests.benchmarks.figures import Figure, heading, show

    with TemporaryDirectory() as folder:
        path = record(Path(folder), LONG)
        heading()
        for label, name in (
            ("20", "to paint, 20 changes/s"),
            ("1000", "to paint, 1,000 changes/s"),
            ("burst", "key to page, 2,000 changes/s"),
        ):
            short = record(_folder(folder, label), 300)
            ours, theirs = both(label, short)
            show(Figure("bare Textual app", theirs["ms"]), Figure(name, ours["ms"]))
        ours, theirs = both("idle", path)
        board = run("board", "dashboard", record(_folder(folder, "board"), 300))
        heard = run("heard", "dashboard", record(_folder(folder, "heard"), 300))
        grown = (*both("growth", record(_folder(folder, "growth"), 300)), heard)
    print()
    for name, key in (("idle CPU, percent of a core", "percent"), ("memory, MB", "mb")):
        print(f"{name:<42} {ours[key]:9.2f} {'':>9}   {'bare Textual app':<30} {theirs[key]:9.2f}")
        print(f"{name + ', board ' + board['state']:<42} {board[key]:9.2f}")
    for name, one in zip(
        ("dashboard", "bare Textual app", "dashboard, by a board"), grown, strict=True
    ):
        steps = " ".join(f"{mb:.1f}" for mb in one["mb"])
        slope = (one["mb"][-1] - one["mb"][1]) / (MANY * (SAMPLES - 1) / SAMPLES) * 1e6
        print(
            f"memory over {MANY:,} events, {name}: {steps} MB; {slope:.0f} MB for each 1,000,000 more"
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(REPORT + json.dumps(measure(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
    else:
        table_of_figures()
