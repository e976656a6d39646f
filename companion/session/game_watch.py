"""Detects code of a foreign game that hangs, and stops it on request.

A function of a game that loops forever blocks the thread that called it. A Python loop lets other
threads run every few milliseconds, so one of them can inspect the stacks: a function of the game
that is there at each look for some seconds hangs. The game's functions are not wrapped, so a call
costs nothing extra, and every part of a game is covered: rules, panels, screen, report, players,
and their import.

A game is stopped only by a person, or by a command that nobody waits at: an exception is raised in
its thread, and the question to the game stays unanswered. The time it took never decides an answer.
A loop inside one call into C cannot be stopped in this way, and one that keeps the interpreter lock
(a backtracking regular expression) cannot be seen from this process.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import PurePath
from types import FrameType
from typing import Any, ClassVar, Final, NoReturn

from companion.errors import CommandError, ErrorKind, end_process
from companion.rules.columns import clean
from companion.rules.game_info import GameInfo
from companion.rules.registry import games_of_others

HANGS_S: Final = 3.0
"""Seconds after which a call into a game counts as hanging; no rule of a game takes a tenth of a
second."""
LEFT_OUT_S: Final = 10.0
"""Seconds after which a command that nobody waits at stops a call into a game, and continues
without its answer."""
LOOK_S: Final = 0.25
"""Seconds between two looks at the stacks; a look takes about 50 microseconds."""
GONE_S: Final = 1.0
"""Seconds after which a function not seen again counts as returned. A generator is on the stack
only while it runs, so it is missing at some looks."""
ENGINE: Final = "companion.rules.game"
"""The module that calls a game's rules; a function of it that hangs loops over what the game
returns."""


@dataclass(frozen=True, slots=True)
class Hanging:
    """A hanging call into a foreign game: its thread, a number unique among this run's current
    calls, the game's title and package, and the place in its code."""

    thread: int
    call: int
    title: str
    package: str
    place: str

    @property
    def sentence(self) -> str:
        """The game that hangs, and where."""
        return f"{self.title}, from the package {self.package}, hangs in {self.place}."


class GameStopped(CommandError):
    """Code of a foreign game hung and was stopped; `str()` says whose and where. Raised in the
    game's own code by `GameWatch.stop`."""

    kind = ErrorKind.UNAVAILABLE
    hanging: ClassVar[Hanging]
    skips: ClassVar[bool] = False
    """Whether a person wants to continue without the game's answer."""

    def __init__(self) -> None:
        super().__init__(self.hanging.sentence)


class _GameAborted(BaseException):
    """Stops a game that catches every `Exception`; `aborted_as_stopped` turns it into `GameStopped`
    outside the game's code."""

    hanging: ClassVar[Hanging]
    skips: ClassVar[bool] = False


SWALLOWED: Final = 4
"""After how many ignored `GameStopped` a game is aborted."""


@contextmanager
def aborted_as_stopped() -> Iterator[None]:
    """Raise `GameStopped` if the block was left by `_GameAborted`."""
    try:
        yield
    except _GameAborted as aborted:
        raise _exception(GameStopped, aborted.hanging, skips=aborted.skips)() from None


def _exception(kind: type[Any], hanging: Hanging, *, skips: bool) -> type[Any]:
    """Return a subclass of `kind` that carries the call: the interpreter takes a class, not an
    instance, and creates the instance in the other thread."""
    return type(kind.__name__, (kind,), {"hanging": hanging, "skips": skips})


@dataclass(slots=True)
class _Seen:
    first_s: float
    last_s: float


Stacks = Callable[[], Mapping[int, FrameType]]


class GameWatch:
    """Inspects the stacks regularly; `look` returns what hangs. Used by one thread at a time."""

    def __init__(
        self,
        hangs_s: float = HANGS_S,
        *,
        games: Callable[[], Sequence[GameInfo]] = games_of_others,
        stacks: Stacks = sys._current_frames,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.hangs_s = hangs_s
        self._games = games
        self._stacks = stacks
        self._clock = clock
        self._seen: dict[int, dict[FrameType, _Seen]] = {}  # by thread
        self._stops: dict[int, int] = {}  # by call, how often it was stopped

    def look(self) -> tuple[Hanging, ...]:
        """Return the calls that have not returned for `hangs_s` seconds."""
        games = self._games()
        if not games:
            return ()
        now_s = self._clock()
        own = threading.get_ident()
        stacks = self._stacks()
        self._seen = {thread: seen for thread, seen in self._seen.items() if thread in stacks}
        hanging_calls = (
            self._look_at(thread, frame, games, now_s)
            for thread, frame in stacks.items()
            if thread != own
        )
        return tuple(hanging for hanging in hanging_calls if hanging is not None)

    def _look_at(
        self, thread: int, frame: FrameType, games: Sequence[GameInfo], now_s: float
    ) -> Hanging | None:
        stack = _within_a_game(frame, games)
        before = self._seen.get(thread, {})
        seen = {
            function: seen_function
            for function, seen_function in before.items()
            if now_s - seen_function.last_s <= GONE_S
        }
        for function, _ in stack:
            seen_function = seen.setdefault(function, _Seen(now_s, now_s))
            seen_function.last_s = now_s
        self._seen[thread] = seen
        lasting = [
            (function, game)
            for function, game in stack
            if now_s - seen[function].first_s >= self.hangs_s
        ]
        if not lasting:
            return None
        # Name the innermost function of the game that hangs, or where the game is now if only the
        # engine's function, which calls it again and again, was there all the time.
        in_game = [(function, game) for function, game in lasting if game is not None]
        where, game = in_game[-1] if in_game else stack[-1]
        assert game is not None, "the innermost function is the game's"
        return Hanging(
            thread, id(lasting[0][0]), clean(game.title), game.package, _place(where, game)
        )

    def stop(self, hanging: Hanging, *, skips: bool = False) -> bool:
        """Raise `GameStopped` in that thread if it runs a game's code now; return whether it does."""
        frame = self._stacks().get(hanging.thread)
        if frame is None or not _within_a_game(frame, self._games()):
            return False
        import ctypes  # needed in hardly any run

        self._stops[hanging.call] = stops = self._stops.get(hanging.call, 0) + 1
        base = _GameAborted if stops > SWALLOWED else GameStopped
        kind = _exception(base, hanging, skips=skips)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(hanging.thread), ctypes.py_object(kind)
        )
        return True


def _within_a_game(
    frame: FrameType, games: Sequence[GameInfo]
) -> list[tuple[FrameType, GameInfo | None]]:
    """Return the functions of a stack, outermost first, that belong to a game, each with the game,
    and below them those of `ENGINE`; none if no game's code runs."""
    functions: list[tuple[FrameType, GameInfo | None]] = []
    caller: FrameType | None = frame
    while caller is not None:
        name = caller.f_globals.get("__name__", "")
        info = _game_of(name, games)
        if info is not None or (name == ENGINE and functions):
            functions.append((caller, info))
        caller = caller.f_back
    functions.reverse()
    return functions


def _game_of(module: str, games: Sequence[GameInfo]) -> GameInfo | None:
    for info in games:
        if module == info.package or module.startswith(f"{info.package}."):
            return info
    return None


def _place(frame: FrameType, game: GameInfo) -> str:
    """Return the file within the game's package, the line, and the function."""
    within = frame.f_globals["__name__"].removeprefix(game.package).split(".")[1:-1]
    file = "/".join((*within, PurePath(frame.f_code.co_filename).name))
    return clean(f"{file}, line {frame.f_lineno} ({frame.f_code.co_name})")


@contextmanager
def watched(watch: GameWatch, take: Callable[[tuple[Hanging, ...]], object]) -> Iterator[None]:
    """Inspect the stacks in a thread of its own during the block, and call `take` with what hangs."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(LOOK_S):
            take(watch.look())

    thread = threading.Thread(target=run, name="game watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def stopped_after(seconds: float = LEFT_OUT_S) -> Iterator[None]:
    """Stop a call into a foreign game that takes longer than `seconds` during the block, which then
    raises `GameStopped`."""
    watch = GameWatch(seconds)

    def stop(hanging: tuple[Hanging, ...]) -> None:
        for call in hanging:
            watch.stop(call)

    with watched(watch, stop), aborted_as_stopped():
        yield


def end_at_once(sentence: str) -> NoReturn:
    """End the process from any thread, whatever the others do, with a sentence on the error stream."""
    with suppress(OSError):
        os.write(2, f"{sentence}\n".encode())
    end_process(ErrorKind.UNAVAILABLE)


@contextmanager
def notified(say: Callable[[str], object]) -> Iterator[None]:
    """Call `say` once with whose game hangs and where, while a person waits during the block."""
    threads: list[int] = []

    def tell(hanging: tuple[Hanging, ...]) -> None:
        if hanging and not threads:
            threads.append(hanging[0].thread)
            say(hanging[0].sentence)

    with watched(GameWatch(), tell):
        yield


def hang_reported(
    advice: str = "Ctrl-C ends it; the session is kept.",
) -> AbstractContextManager[None]:
    """Print whose game hangs and where to the error stream, with `advice`, while a person can only
    wait or end the program."""
    return notified(lambda sentence: print(sentence, advice, file=sys.stderr))
