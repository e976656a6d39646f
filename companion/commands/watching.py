"""`companion watch`: a look at a session that another companion writes. It changes nothing and is in nobody's way."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from companion.exits import Exit
from companion.session.plain import printing
from companion.session.watching import Watcher


def watch(
    path: Path,
    out: TextIO,
    look: Mapping[str, Any] = MappingProxyType({}),
    *,
    plain: bool,
    anyway: bool = False,
    big: bool = False,
) -> int:
    """Show the session at `path` until the watcher leaves, in plain lines until it has ended; return the exit code.
    `look` is what the dashboard is told of its looks; `big`: an audience sees the big page."""
    watcher = Watcher(path, anyway=anyway)
    watcher.start()
    try:
        return _plain(watcher, out) if plain else _dashboard(watcher, path, look, big=big)
    finally:
        watcher.close()


def _plain(watcher: Watcher, out: TextIO) -> int:
    ended = threading.Event()
    watcher.subscribe(lambda: ended.set() if watcher.over else None)
    with printing(watcher, out, gone=ended.set) as printer:
        if not watcher.over:
            ended.wait()
    printer.finish(watcher.summary())
    return Exit.DONE


def _dashboard(watcher: Watcher, path: Path, look: Mapping[str, Any], *, big: bool) -> int:
    from companion.commands.after_game import after_game
    from companion.dashboard.app import run_dashboard

    with closing(after_game(path, look)) as after:
        return run_dashboard(watcher, offers=after.offers(rematch=False), big=big, **look)
