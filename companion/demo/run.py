"""A demo played: hands do the steps of its players on the virtual board, shown on the dashboard or as plain lines."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.dashboard.preferences import in_force
from companion.demo.capture import captured
from companion.demo.steps import DemoStep, ScriptedPlayers, anybody
from companion.errors import ErrorKind
from companion.paths import temporary_folder
from companion.rules.registry import info_of
from companion.session.opening import begin
from companion.session.table import Table
from companion.terminal import shows_screens
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.hands import Hands
from firmware_protocol.virtual.runtime import VirtualBoardError

# A clock that is slower than the computer's is looked at again and again.
LOOK_S = 0.002


class Stopped(Exception):
    """The audience has left."""


class Waiting:
    """Waits by `clock_s`, in seconds, which may be slower than the computer's. `end`, from any thread, ends every wait
    with `Stopped`. Meanwhile `lets_pass` has time pass for the table; it returns in how many seconds to call it again,
    None for when something has changed."""

    def __init__(
        self,
        clock_s: Callable[[], float] = time.monotonic,
        lets_pass: Callable[[], float | None] = lambda: None,
    ) -> None:
        self.clock_s = clock_s
        self._lets_pass = lets_pass
        self._ended = False
        self._changed = threading.Condition()

    def rest(self, seconds: float) -> None:
        """Let so much time pass."""
        self.sees(lambda: False, seconds)

    def sees(self, shown: Callable[[], bool], seconds: float) -> bool:
        """Wait until that holds, looking at it at each `wake`; return False when it does not within `seconds`."""
        until_s = self.clock_s() + seconds
        with self._changed:
            while not self._ended:
                if shown():
                    return True
                left_s, look_s = until_s - self.clock_s(), self._lets_pass()
                if left_s <= 0:
                    return False
                self._changed.wait(max(left_s if look_s is None else min(left_s, look_s), LOOK_S))
        raise Stopped

    def wake(self) -> None:
        """Look again: the view changed."""
        with self._changed:
            self._changed.notify_all()

    def end(self) -> None:
        """Let nobody wait any more."""
        self._ended = True
        self.wake()


STEP_TIMEOUT_S = 15.0


class Stuck(Exception):
    """The screen does not show what the players did."""


@dataclass(slots=True)
class Performance:
    """Runs the steps of its players: does one, waits until the screen shows it, rests. `speed` shortens the rests only,
    for hands and eyes are no faster. `look` is what the dashboard is told of its looks, None for plain lines."""

    players: ScriptedPlayers[Any]
    speed: float
    waiting: Waiting
    look: Mapping[str, Any] | None = None

    def run(self) -> None:
        """Play to the end; raise `Stuck` when the screen does not show what was done, `Stopped` when asked to."""
        if not self.waiting.sees(self._counts, STEP_TIMEOUT_S):
            raise self._stuck("the board is live")
        for step in self.players.steps():
            self._perform(step)
            self.waiting.rest(step.rest_s / self.speed)

    def _perform(self, step: DemoStep) -> None:
        self.waiting.rest(step.reads_s)
        step.do()
        self.waiting.rest(step.takes_s)
        if not self.waiting.sees(lambda: step.until(self.players.look()), STEP_TIMEOUT_S):
            raise self._stuck(step.wanted)

    def _counts(self) -> bool:
        link = self.players.table.view().link
        return link.state == "live" and link.armed

    def _stuck(self, wanted: str, timeout_s: float = STEP_TIMEOUT_S) -> Stuck:
        return Stuck(f"The demo is stuck: waited {timeout_s:.0f} s to see that {wanted}.")


def scripted_players_of(game: str) -> type[ScriptedPlayers[Any]]:
    """Return who plays a game's demo: its own people, or any."""
    info = info_of(game)
    performers: type[ScriptedPlayers[Any]] = (
        info.part(info.players) if info.players else anybody(game, info.seats)
    )
    return performers


def virtual(folder: Path, seed: int) -> AbstractContextManager[Hands]:
    """Return the virtual board; without pseudo-terminals, as on Windows, it chooses a URL for its port."""
    return VirtualBoard.spawn(seed=seed, path=None if sys.platform == "win32" else folder / "port")


def command(args: argparse.Namespace) -> ErrorKind | None:
    """`companion demo`; without a terminal in plain lines."""
    plain = args.plain or not shows_screens()
    return run_demo(args.game, seed=args.seed, speed=args.speed, plain=plain, capture=args.capture)


def perform(performance: Performance, shown: Any = None) -> ErrorKind | None:
    """Plug the board in and let them play it to the end; `shown` is what the dashboard shows where that is not the
    table itself. Return what it failed with, see `run_demo`."""
    board, table = performance.players.board, performance.players.table
    leave = table.subscribe(performance.waiting.wake)
    try:
        table.board.connect(board.url, board.clock_ns)
        if performance.look is None:
            return _in_lines(table, performance)
        return _on_screen(table if shown is None else shown, performance, performance.look)
    finally:
        leave()


def run_demo(
    game: str,
    *,
    seed: int,
    speed: float,
    plain: bool,
    capture: Path | None = None,
    board: Callable[[Path, int], AbstractContextManager[Hands]] = virtual,
    play: Callable[[Performance], ErrorKind | None] = perform,
) -> ErrorKind | None:
    """Play one game on a `board` made in a folder, by a seed; return None where it was played to the end or left,
    `SOFTWARE` where it is stuck. Raise `VirtualBoardError` where there is no such board here, or `CommandError`."""
    performers = scripted_players_of(game)
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("The demo"))
        hands = stack.enter_context(board(folder, seed))
        look = in_force(argparse.Namespace(), [game]).look
        make = partial(Table if capture is None else captured(capture), keys=look["keys"])
        box = performers.components()
        file, chance = folder / "demo.sqlite", Random(seed)
        seats, options, us = performers.seats, performers.options, lambda: hands.clock_ns() // 1000
        table = begin(
            game, seats, options, file, components=box, make=make, chance=chance, clock_us=us
        )
        stack.callback(table.close)
        runtime = {"micropython": "the MicroPython VM", "cpython": "CPython"}.get(
            hands.runtime, hands.runtime
        )
        table.tell(
            f"demo, seed {seed}: the board's firmware runs under {runtime}; nothing here is kept"
        )
        players = performers(hands, table, Random(seed))
        return play(Performance(players, speed, _waiting(hands, table), None if plain else look))


def _waiting(board: Hands, table: Table) -> Waiting:
    """How the players wait: by the board's clock, which an emulated chip has slower than the computer."""

    def lets_pass() -> float | None:
        table.tick()
        return table.next_look_s()

    return Waiting(lambda: board.clock_ns() / 1e9, lets_pass)


def _in_lines(table: Table, performance: Performance) -> ErrorKind | None:
    from companion.session.plain import printing

    with printing(table, sys.stdout, gone=performance.waiting.end) as printer:
        try:
            performance.run()
        except Stopped:
            pass  # nobody reads any more, and `finish` says so
        except (Stuck, VirtualBoardError) as problem:
            print(problem, file=sys.stderr)
            return ErrorKind.SOFTWARE
    printer.finish()
    return None


def _on_screen(shown: Any, performance: Performance, look: Mapping[str, Any]) -> ErrorKind | None:
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
        performance.players.table.tell(
            f"{problem} The players have left; play on with the keyboard, or leave with ^q."
        )
