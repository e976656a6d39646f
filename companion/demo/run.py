"""A demo played: the steps of its players done on the virtual board, shown on the dashboard or as plain lines."""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.dashboard.preferences import in_force
from companion.demo.anybody import anybody
from companion.demo.performance import Performance, Stopped, Stuck, Waiting
from companion.demo.steps import ScriptedPlayers
from companion.exits import CommandError, Exit
from companion.rules.registry import info_of
from companion.session.capture import captured
from companion.session.opening import begin
from companion.session.table import Table
from companion.session.terminal import shows_screens
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.hands import Hands
from firmware_protocol.virtual.runtime import VirtualBoardError


@dataclass(frozen=True, slots=True)
class DemoRun:
    """A demo that can begin: its table and board, who plays and how fast; `look` is what the dashboard is told of its
    looks, None for plain lines."""

    table: Table
    board: Hands
    players: ScriptedPlayers[Any]
    speed: float
    look: Mapping[str, Any] | None

    def waiting(self) -> Waiting:
        """How the players wait: by the board's clock, which an emulated chip has slower than the computer."""
        clock_ns = self.board.clock_ns
        return Waiting(lambda: clock_ns() / 1e9, self._lets_pass)

    def _lets_pass(self) -> float | None:
        self.table.tick()
        return self.table.next_look_s()


def scripted_players_of(game: str) -> type[ScriptedPlayers[Any]]:
    """Return who plays a game's demo: its own people, or any."""
    info = info_of(game)
    performers: type[ScriptedPlayers[Any]] = info.part(info.players) if info.players else anybody(game, info.seats)
    return performers


def virtual(folder: Path, seed: int) -> AbstractContextManager[Hands]:
    """Return the virtual board; without pseudo-terminals, as on Windows, it chooses a URL for its port."""
    return VirtualBoard.spawn(seed=seed, path=None if sys.platform == "win32" else folder / "port")


def pico(folder: Path, seed: int) -> AbstractContextManager[Hands]:
    """Return an emulated Pico; raise `VirtualBoardError` for what this computer lacks for it."""
    if sys.platform == "win32":
        raise VirtualBoardError("the emulated Pico needs a pseudo-terminal, and Windows has none: take WSL.")
    from companion.demo import chip

    return chip.pico(folder / "port", seed)


def command(args: argparse.Namespace) -> int:
    """`companion demo`; without a terminal in plain lines."""
    board = pico if args.board == "pico" else virtual
    plain = args.plain or not shows_screens()
    return run_demo(args.game, seed=args.seed, speed=args.speed, plain=plain, capture=args.capture, board=board)


def play(run: DemoRun) -> int:
    """Play to the end; return the exit code."""
    return perform(run, Performance(run.table, run.players, run.speed, run.waiting()), run.table)


def run_demo(
    game: str,
    *,
    seed: int,
    speed: float,
    plain: bool,
    capture: Path | None = None,
    board: Callable[[Path, int], AbstractContextManager[Hands]] = virtual,
    play: Callable[[DemoRun], int] = play,
) -> int:
    """Play one game on a `board` made in a folder, by a seed; return the exit code: 0 played to the end or left, 69 no
    such board here, 70 stuck."""
    performers = scripted_players_of(game)
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-")))
            hands = stack.enter_context(board(folder, seed))
            look = in_force(argparse.Namespace(), [game]).look
            make = partial(Table if capture is None else captured(capture), keys=look["keys"])
            box = performers.components()
            file, chance = folder / "demo.sqlite", Random(seed)
            us = partial(_us, hands.clock_ns)
            table = begin(
                game, performers.seats, performers.options, file, components=box, make=make, chance=chance, clock_us=us
            )
        except VirtualBoardError as problem:
            return _cannot_start(problem, Exit.UNAVAILABLE)
        except CommandError as problem:
            return _cannot_start(problem, problem.exit_code)
        except OSError as problem:
            return _cannot_start(f"no folder for its files can be made: {problem.strerror}.", Exit.CANNOT_CREATE)
        stack.callback(table.close)
        table.tell(f"demo, seed {seed}: the board's firmware runs under {_runtime(hands)}; nothing here is kept")
        return play(DemoRun(table, hands, performers(hands, table, Random(seed)), speed, None if plain else look))


def _us(clock_ns: Callable[[], int]) -> int:
    return clock_ns() // 1000


def _cannot_start(why: object, code: Exit) -> Exit:
    print(f"The demo cannot start: {why}", file=sys.stderr)
    return code


def _runtime(board: Hands) -> str:
    return {"micropython": "the MicroPython VM", "cpython": "CPython"}.get(board.runtime, board.runtime)


def perform(run: DemoRun, performance: Performance, shown: Any) -> int:
    """Plug the board in and let them play it; `shown` is the table as the dashboard has it. Return the exit code."""
    leave = run.table.subscribe(performance.waiting.wake)
    try:
        run.table.board.connect(run.board.url, run.board.clock_ns)
        return _told(run.table, performance) if run.look is None else _seen(shown, performance, run.look)
    finally:
        leave()


def _told(table: Table, performance: Performance) -> int:
    from companion.session.plain import printing

    with printing(table, sys.stdout, gone=performance.waiting.end) as printer:
        try:
            performance.run()
        except Stopped:
            pass  # nobody reads any more, and `finish` says so
        except (Stuck, VirtualBoardError) as problem:
            print(problem, file=sys.stderr)
            return Exit.SOFTWARE
    printer.finish(table.summary())
    return Exit.DONE


def _seen(shown: Any, performance: Performance, look: Mapping[str, Any]) -> int:
    from companion.dashboard.app import run_dashboard

    playing = threading.Thread(target=_play_behind, args=(performance,), name="players")
    playing.start()
    try:
        return run_dashboard(shown, clock=performance.waiting.clock_s, **look)
    finally:
        performance.waiting.end()
        playing.join()


def _play_behind(performance: Performance) -> None:
    try:
        performance.run()
    except Stopped:
        return
    except (Stuck, VirtualBoardError) as problem:
        performance.table.tell(f"{problem} The players have left; play on with the keyboard, or leave with ^q.")
