"""`companion demo`: scripted players play a whole game of Panic Fire on the virtual board.

The players are hands, not rules: they press, hold, pull and knock on the virtual board, look at the table's view as
people look at the screen, and touch the keyboard for what only the table knows. What the companion makes of it is its
own.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from companion.exits import CommandError, Exit
from companion.games.panic_fire.view import PanicFireView
from companion.opening import begin
from companion.table import Table
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError

SEATS = ("Red", "Blue", "Green")
HOLD_MS = 700  # longer than the hold time of 600 ms, as a person holds
LIFT_S = 0.03  # until the finger is off and the contact has settled
PATIENCE_S = 15.0

See = Callable[[PanicFireView], bool]


@dataclass(frozen=True, slots=True)
class Step:
    """What the players do next and how long their hands need for it, what they then wait to see on the screen, and how
    long they rest after it."""

    do: Callable[[], object]
    until: See
    wanted: str
    rest_s: float
    takes_s: float = 0.2


class Stopped(Exception):  # noqa: N818  somebody left the demo: nothing failed
    """The audience has left."""


class Stuck(Exception):  # noqa: N818  read as a sentence by the user
    """The screen does not show what the players did."""


@dataclass(slots=True)
class Players:
    """Three people with a toy gun: a script of steps for a whole game, another one for each seed."""

    board: VirtualBoard
    table: Table
    random: Random

    def steps(self) -> Iterator[Step]:
        """Yield steps until there is a champion."""
        while self.look().phase != "finished":
            yield self._hold(self.random.randrange(len(SEATS)), lambda view: view.phase == "open", "the round is open")
            yield from self._opening()
            while self.look().phase == "open":
                yield from self._draws(self.random.randint(1, 4))
                yield from self._noise()
                yield from self._shooting()

    def look(self) -> PanicFireView:
        """The screen, as everybody at the table sees it."""
        view: PanicFireView = self.table.view().game
        return view

    def _opening(self) -> Iterator[Step]:
        if self.random.random() < 0.5:
            seat = self._somebody()
            yield self._key(f"shield.{seat + 1}", lambda view: view.seats[seat].shield, "the Shield is in play")

    def _draws(self, count: int) -> Iterator[Step]:
        for _ in range(count):
            yield self._draw(self._somebody(), self.random.uniform(40, 160))

    def _draw(self, seat: int, hold_ms: float) -> Step:
        before = self.look().seats[seat].draws
        return Step(
            lambda: self.board.press(_zone(seat), hold_ms),
            lambda view: view.seats[seat].draws > before,
            f"{SEATS[seat]}'s draw is counted",
            self.random.uniform(0.1, 1.2),
            takes_s=hold_ms / 1000 + LIFT_S,
        )

    def _noise(self) -> Iterator[Step]:
        """Somebody pulls without a hit, drops the gun, or brushes it."""
        entries = len(self.table.view().log)
        noise = self.random.choice([None, None, self.board.dry_pull, self.board.knock, self._brush])
        if noise is not None:
            yield Step(noise, lambda _: len(self.table.view().log) > entries, "the gun's noise is logged", 0.5)

    def _brush(self) -> int:
        return self.board.knock(None)

    def _shooting(self) -> Iterator[Step]:
        """Somebody shoots somebody; they say whether it was legal, and name the target and the shooter."""
        shooter, target = self.random.sample(self._in(), 2)
        lag_ms = self.random.uniform(-3, 9)
        before = self._silent_pulls()
        yield Step(
            lambda: self.board.shot(lag_ms=lag_ms),
            lambda view: _shot_is_open(view) or self._silent_pulls() > before,
            "the shot is open, or a dry pull in its place",
            0.3,
        )
        if not _shot_is_open(self.look()):
            yield self._key("promote", _shot_is_open, "what looked like a dry pull is a shot")
        said = self.random.choices(["illegal", "match", None], [3, 7, 10])[0]
        if said is not None:
            yield self._key(said, _shot_is_open, "the shot still waits for its names")
        yield self._hold(target, _target_is_named, "the target is named")
        if self.random.random() < 0.2:
            yield self._key("mend", lambda view: not _target_is_named(view), "the target is taken back")
            yield self._hold(target, _target_is_named, "the target is named again")
        yield self._hold(shooter, lambda view: not view.open_shots, "the shooter is named")
        if self.random.random() < 0.15 and self._is_out(target):
            yield self._key("hand", lambda view: view.seats[target].status != "out", "the hand Shield counts")

    def _silent_pulls(self) -> int:
        """How many pulls and knocks the log shows that were no shots."""
        return sum(line.text.startswith(("dry pull", "knock")) for line in self.table.view().log)

    def _is_out(self, seat: int) -> bool:
        return self.look().seats[seat].status == "out"

    def _somebody(self) -> int:
        return self.random.choice(self._in())

    def _in(self) -> list[int]:
        return [place for place, seat in enumerate(self.look().seats) if seat.status == "in"]

    def _hold(self, seat: int, until: See, wanted: str) -> Step:
        rest_s = self.random.uniform(0.4, 1.5)
        return Step(lambda: self.board.press(_zone(seat), HOLD_MS), until, wanted, rest_s, HOLD_MS / 1000 + LIFT_S)

    def _key(self, word: str, until: See, wanted: str) -> Step:
        return Step(lambda: self.table.do(f"panic-fire.{word}"), until, wanted, self.random.uniform(0.3, 0.8))


def _shot_is_open(view: PanicFireView) -> bool:
    return bool(view.open_shots)


def _target_is_named(view: PanicFireView) -> bool:
    return bool(view.open_shots) and view.open_shots[0].target is not None


def _zone(seat: int) -> str:
    return f"zone-{seat + 1}"


@dataclass(slots=True)
class Performance:
    """Runs the steps: does one, waits until the screen shows it, rests. `speed` shortens the rests only."""

    table: Table
    players: Players
    speed: float
    stop: threading.Event
    changed: threading.Condition

    def run(self) -> None:
        """Play to the end; raise `Stuck` when the screen does not show what was done, `Stopped` when asked to."""
        self._wait_for(lambda: self.table.view().link.state == "live", "the board is live")
        for step in self.players.steps():
            step.do()
            self._rest(step.takes_s)
            self._wait_for(partial(self._shows, step), step.wanted)
            self._rest(step.rest_s / self.speed)

    def _shows(self, step: Step) -> bool:
        return step.until(self.players.look())

    def _rest(self, seconds: float) -> None:
        if self.stop.wait(seconds):
            raise Stopped

    def end(self) -> None:
        """Make `run` stop at once; from any thread."""
        self.stop.set()
        self.wake()

    def wake(self) -> None:
        """Look again: the view changed."""
        with self.changed:
            self.changed.notify_all()

    def _wait_for(self, seen: Callable[[], bool], wanted: str) -> None:
        with self.changed:
            if not self.changed.wait_for(lambda: self.stop.is_set() or seen(), PATIENCE_S):
                raise Stuck(f"The demo is stuck: waited {PATIENCE_S:.0f} s to see that {wanted}.")
        if self.stop.is_set():
            raise Stopped


def run_demo(*, seed: int, speed: float, plain: bool) -> int:
    """Play one game; return the exit code: 0 played to the end or left, 69 no virtual board, 70 stuck."""
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-")))
            board = stack.enter_context(VirtualBoard.spawn(seed=seed, path=_port(folder)))
            table = begin("panic-fire", SEATS, {}, folder / "demo.sqlite")
        except VirtualBoardError as problem:
            return _cannot_start(problem, Exit.UNAVAILABLE)
        except CommandError as problem:
            return _cannot_start(problem, problem.exit_code)
        except OSError as problem:
            return _cannot_start(f"no folder for its files can be made: {problem.strerror}.", Exit.CANNOT_CREATE)
        stack.callback(table.close)
        table.tell(f"demo, seed {seed}: the board's firmware runs under {_runtime(board)}; nothing here is kept")
        performance = _perform(stack, table, Players(board, table, Random(seed)), speed)
        table.connect(board.url)
        return _show_plain(table, performance) if plain else _show(table, performance)


def _cannot_start(why: object, code: Exit) -> Exit:
    print(f"The demo cannot start: {why}", file=sys.stderr)
    return code


def _port(folder: Path) -> Path | None:
    """Where the board's port stands; on Windows there are no ptys, and the board chooses a URL."""
    return None if sys.platform == "win32" else folder / "port"


def _runtime(board: VirtualBoard) -> str:
    return {"micropython": "the MicroPython VM", "cpython": "CPython"}.get(board.runtime, board.runtime)


def _perform(stack: ExitStack, table: Table, players: Players, speed: float) -> Performance:
    performance = Performance(table, players, speed, threading.Event(), threading.Condition())
    stack.callback(table.subscribe(performance.wake))
    return performance


def _show_plain(table: Table, performance: Performance) -> int:
    from companion.plain import printing

    with printing(table, sys.stdout, gone=performance.end) as printer:
        try:
            performance.run()
        except Stopped:
            pass  # nobody reads any more, and `finish` says so
        except Stuck as problem:
            print(problem, file=sys.stderr)
            return Exit.SOFTWARE
    printer.finish(table.summary())
    return Exit.DONE


def _show(table: Table, performance: Performance) -> int:
    from companion.dashboard.app import run_dashboard

    playing = threading.Thread(target=_play_behind, args=(table, performance), name="players")
    playing.start()
    try:
        return run_dashboard(table)
    finally:
        performance.end()
        playing.join()


def _play_behind(table: Table, performance: Performance) -> None:
    try:
        performance.run()
    except Stopped:
        return
    except (Stuck, VirtualBoardError) as problem:
        table.tell(f"{problem} The players have left; play on with the keyboard, or leave with ^q.")
