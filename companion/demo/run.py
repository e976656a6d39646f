"""A demo played: the steps of its players done on the virtual board, shown on the dashboard or as plain lines."""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from companion.dashboard.preferences import in_force
from companion.demo.anybody import anybody
from companion.demo.director import Director, script
from companion.demo.faults import RoughPerformance, Stage, TableWithFaults
from companion.demo.ledger import WitnessedBoard
from companion.demo.performance import Performance, Stuck
from companion.demo.steps import Troupe
from companion.demo.waiting import Stopped, Waiting
from companion.exits import CommandError, Exit
from companion.rules.registry import info_of
from companion.session.captured_table import captured
from companion.session.opening import begin
from companion.session.table import Table
from firmware_protocol.virtual.fault_script import ROUGH_RING
from firmware_protocol.virtual.hands import Hands
from firmware_protocol.virtual.runtime import VirtualBoardError

if TYPE_CHECKING:
    from companion.demo.chip import WitnessedPico

VIRTUAL, PICO = "virtual", "pico"
"""The boards that a demo is played on."""


def troupe_of(game: str) -> type[Troupe]:
    """Return who plays a game's demo: its own people, or any."""
    info = info_of(game)
    troupe: type[Troupe] = info.part(info.players) if info.players else anybody(game, info.seats)
    return troupe


def run_demo(
    game: str,
    *,
    seed: int,
    speed: float,
    plain: bool,
    faults: str | None = None,
    capture: Path | None = None,
    board: str = VIRTUAL,
) -> int:
    """Play one game, with the `faults` of a profile; return the exit code: 0 played to the end or left, 69 no such
    board here, 70 stuck, or a press is neither in the record once nor in what the record shows as missing."""
    if board == PICO and faults is not None:
        return _cannot_start("only the virtual board fails on purpose: leave out --faults or --board pico.", Exit.USAGE)
    troupe = troupe_of(game)
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-")))
            hands = stack.enter_context(_board(board, folder, seed, _ring(faults, plain)))
            look = in_force(argparse.Namespace(), [game]).look
            make = partial(Table if capture is None else captured(capture), keys=look["keys"])
            box = troupe.components()
            file, chance = folder / "demo.sqlite", Random(seed)
            us = partial(_us, hands.clock_ns)
            table = begin(
                game, troupe.seats, troupe.options, file, components=box, make=make, chance=chance, clock_us=us
            )
        except VirtualBoardError as problem:
            return _cannot_start(problem, Exit.UNAVAILABLE)
        except CommandError as problem:
            return _cannot_start(problem, problem.exit_code)
        except OSError as problem:
            return _cannot_start(f"no folder for its files can be made: {problem.strerror}.", Exit.CANNOT_CREATE)
        stack.callback(table.close)
        table.tell(f"demo, seed {seed}: the board's firmware runs under {_runtime(hands)}; nothing here is kept")
        director = Director(hands, script(faults, seed), seed) if isinstance(hands, WitnessedBoard) else None
        stage = Stage(table, hands, director, faults is not None)
        return _on_stage(stage, troupe(hands, table, Random(seed)), speed, None if plain else look)


def _board(which: str, folder: Path, seed: int, ring_size: int | None) -> WitnessedBoard | WitnessedPico:
    if which == PICO:
        if sys.platform == "win32":
            raise VirtualBoardError("the emulated Pico needs a pseudo-terminal, and Windows has none: take WSL.")
        from companion.demo.chip import pico

        return pico(folder / "port", seed)
    return WitnessedBoard.spawn(seed=seed, path=_port(folder), ring_size=ring_size)


def _us(clock_ns: Callable[[], int]) -> int:
    return clock_ns() // 1000


def _on_stage(stage: Stage, players: Troupe, speed: float, look: Mapping[str, Any] | None) -> int:
    """Play; `look` is what the dashboard is told of its looks, None for plain lines."""
    clock_ns, director = stage.board.clock_ns, stage.director
    waiting = Waiting(lambda: clock_ns() / 1e9)
    calm = director is None or (look is None and not stage.rough)  # a screen offers faults, too
    performance = (Performance if calm else RoughPerformance)(stage.table, players, speed, waiting)
    leave = stage.table.subscribe(waiting.wake)
    try:
        stage.table.connect(stage.board.url, clock_ns)
        if director is not None:
            director.start()
        code = _show_plain(stage, performance) if look is None else _show(stage, performance, look)
    finally:
        if director is not None:
            director.stop()
        leave()
    return max(code, stage.verdict(sys.stdout))


def _cannot_start(why: object, code: Exit) -> Exit:
    print(f"The demo cannot start: {why}", file=sys.stderr)
    return code


def _port(folder: Path) -> Path | None:
    """Where the board's port stands; on Windows there are no ptys, and the board chooses a URL."""
    return None if sys.platform == "win32" else folder / "port"


def _ring(faults: str | None, plain: bool) -> int | None:
    """A ring that can be overflowed, wherever that is in a script or on a menu."""
    return None if faults is None and plain else ROUGH_RING


def _runtime(board: Hands) -> str:
    return {"micropython": "the MicroPython VM", "cpython": "CPython"}.get(board.runtime, board.runtime)


def _show_plain(stage: Stage, performance: Performance) -> int:
    from companion.session.plain import printing

    with printing(stage.table, sys.stdout, gone=performance.waiting.end) as printer:
        try:
            performance.run()
        except Stopped:
            pass  # nobody reads any more, and `finish` says so
        except (Stuck, VirtualBoardError) as problem:
            print(problem, file=sys.stderr)
            return Exit.SOFTWARE
    printer.finish(stage.table.summary())
    return Exit.DONE


def _show(stage: Stage, performance: Performance, look: Mapping[str, Any]) -> int:
    from companion.dashboard.app import run_dashboard

    playing = threading.Thread(target=_play_behind, args=(stage.table, performance), name="players")
    playing.start()
    table = stage.table if stage.director is None else TableWithFaults(stage.table, stage.director)
    try:
        return run_dashboard(table, clock=performance.waiting.clock_s, **look)
    finally:
        performance.waiting.end()
        playing.join()


def _play_behind(table: Table, performance: Performance) -> None:
    try:
        performance.run()
    except Stopped:
        return
    except (Stuck, VirtualBoardError) as problem:
        table.tell(f"{problem} The players have left; play on with the keyboard, or leave with ^q.")
