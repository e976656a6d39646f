"""`companion watch`: show a session that another companion writes, without changing or delaying it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from companion.exits import Exit, code_of
from companion.journal.errors import JournalError
from companion.journal.folder import SUFFIX, sessions_dir
from companion.journal.sessions import head_of
from companion.session.game_watch import hang_reported
from companion.session.plain import printing
from companion.session.watching import Watcher

LOOK_S = 1.0  # seconds between looks for a rematch


def watch(
    path: Path,
    out: TextIO,
    look: Mapping[str, Any] = MappingProxyType({}),
    *,
    plain: bool,
    anyway: bool = False,
    big: bool = False,
) -> int:
    """Show the session at `path` until the watcher leaves, or in plain lines until it ends; return the exit code.
    `look` has the dashboard's options of looks. With `big`, show the big page for an audience, also of each rematch."""
    if big and not plain:
        return _audience(path, look, anyway=anyway)
    with closing(_watcher(path, anyway=anyway)) as watcher:
        watcher.start()
        if plain:
            return _plain(watcher, out)
        from companion.commands.after_game import AfterGame
        from companion.dashboard.app import run_dashboard

        offers = AfterGame(path).offers(rematch=False)
        return code_of(run_dashboard(watcher, offers=offers, **look))


def _watcher(path: Path, *, anyway: bool) -> Watcher:
    """Read the session. A game by others that hangs in its record is reported, because no screen would come."""
    with hang_reported():
        return Watcher(path, anyway=anyway)


def _plain(watcher: Watcher, out: TextIO) -> int:
    ended = threading.Event()
    # subscribed before the check below, so that an end in between is not missed
    watcher.subscribe(lambda: ended.set() if watcher.over else None)
    with hang_reported(), printing(watcher, out, gone=ended.set) as printer:
        if not watcher.over:
            ended.wait()
    printer.finish()
    return Exit.DONE


def _audience(path: Path, look: Mapping[str, Any], *, anyway: bool) -> int:
    """Show the big page of the session, and of each rematch after it, until the watcher leaves."""
    from companion.commands.after_game import AfterGame
    from companion.dashboard.app import Dashboard

    following: Path | None = path
    code: int = Exit.DONE
    while following is not None:
        with closing(_watcher(following, anyway=anyway)) as watcher:
            watcher.start()
            app = Dashboard(
                watcher, offers=AfterGame(following).offers(rematch=False), big=True, **look
            )
            with closing(RematchFinder(following, partial(app.call_later, app.exit))) as finder:
                app.run()
        following, code = finder.found, code_of(app.ended_by)
    return code


class RematchFinder:
    """Looks for a rematch of the session at `path` that begins after now, in a thread until closed, and calls `then`
    when there is one."""

    def __init__(self, path: Path, then: Callable[[], object], folder: Path | None = None) -> None:
        self.found: Path | None = None  # session of the rematch
        self._then = then
        self._folder = sessions_dir() if folder is None else folder
        self._first = head_of(path).first.digest.hex()
        # sessions that are there already are no rematches of a game still running
        self._known = set(self._sessions())
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rematch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._closing.set()
        self._thread.join()

    def look(self) -> None:
        """Look once. A session without its first entry is looked at again next time."""
        for path in set(self._sessions()) - self._known:
            with suppress(JournalError):
                if head_of(path).first.body.get("rematch_of") == self._first:
                    self.found = path
                self._known.add(path)

    def _run(self) -> None:
        while not self._closing.wait(LOOK_S):
            self.look()
            if self.found is not None:
                with suppress(RuntimeError):  # the app's loop is not running yet, or has ended
                    self._then()

    def _sessions(self) -> Iterator[Path]:
        return self._folder.glob(f"*{SUFFIX}")
