"""A table whose session is captured: what people do at it is written beside what the link does."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.journal.journal import Journal
from companion.link.statistics import LinkLog
from companion.rules.actions import OWN_KEYS, KeyMap
from companion.rules.game import Game, Moment, Orders, Setup
from companion.session.capture import Capture, result_of
from companion.session.clocks import wall
from companion.session.key_debounce import KeyDebounce
from companion.session.key_meanings import KeyContext
from companion.session.projection import EntryObserver
from companion.session.rereading import Rereading
from companion.session.table import Table


def captured(path: Path) -> Callable[..., Table]:
    """Return what makes a table whose session is captured at `path`; raise `CommandError` when there can be no such
    file, so that no session is begun without it."""
    return partial(CapturedTable, capture=Capture(path))


class _WatchedGuard(KeyDebounce[KeyContext]):
    """A guard that remembers whether it held the last key back."""

    held = False

    def holds(self, now_us: int, now: KeyContext, meaning: Callable[[KeyContext], object]) -> bool:
        self.held = super().holds(now_us, now, meaning)
        return self.held


class CapturedTable(Table):
    """A table that writes to `capture` what is done at it by hand, each with how much of the board's word came before,
    and lets its link write what it does. What the guard of the keys held back was not done and is not written."""

    def __init__(
        self,
        game: Game[Any],
        journal: Journal,
        setup: Setup,
        *,
        host_us: Callable[[], int],
        capture: Capture,
        keys: KeyMap = OWN_KEYS,
        typed: bool = False,
        beside: tuple[EntryObserver, ...] = (),
    ) -> None:
        if game.orders is not None:
            game = game.shuffled_by(partial(self._drawn, game.orders))
        super().__init__(game, journal, setup, host_us=host_us, keys=keys, typed=typed, beside=beside)
        self._capture = capture
        self._guard = self._watched = _WatchedGuard()
        self._doing = threading.local()
        self._moments: list[Moment] = []
        jitter = secrets.randbits(32)
        self.board.options = {
            "tape": capture.tape,
            "jitter": Random(jitter).random,
            "log": LinkLog(capture.path.with_name(f"{capture.path.name}.log")),
        }
        capture.tell = self.tell
        capture.begin(journal.entries[0].body, journal.entries[1:], jitter, wall())

    def do(self, action_id: str) -> None:
        """See `Table.do`."""
        with self._as("do", action_id):
            super().do(action_id)

    def take_back(self, n: int, why: str = "", who: str = "") -> None:
        """See `Table.take_back`."""
        with self._as("take_back", n, why, who):
            super().take_back(n, why, who)

    def enter(self, kind: str, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """See `Table.enter`."""
        with self._as("enter", kind, dict(body), why=why, who=who):
            super().enter(kind, body, why=why, who=who)

    def amend(self, n: int, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """See `Table.amend`."""
        with self._as("amend", n, dict(body), why=why, who=who):
            super().amend(n, body, why=why, who=who)

    def insert(self, kind: str, body: Mapping[str, Any], *, after: int, why: str = "", who: str = "") -> None:
        """See `Table.insert`."""
        with self._as("insert", kind, dict(body), after=after, why=why, who=who):
            super().insert(kind, body, after=after, why=why, who=who)

    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None:
        """See `Table.accept`."""
        with self._as("accept", asdict(rereading.settings), why=why, who=who):
            super().accept(rereading, why=why, who=who)

    def set_level(self, step: str, level: str) -> None:
        """See `Table.set_level`."""
        with self._as("set_level", step, str(level)):
            super().set_level(step, level)

    def set_board(self, fields: Mapping[str, int], *, why: str = "", who: str = "") -> None:
        """See `Table.set_board`."""
        with self._as("set_board", dict(fields), why=why, who=who):
            super().set_board(fields, why=why, who=who)

    def tick(self) -> None:
        """See `Table.tick`."""
        with self._lock:
            if not self._parts.closed and self._interpreter.expired():
                self._moments.clear()
                self._write({"what": "expire"}, self.board.heard)
        super().tick()

    def close(self) -> None:
        """See `Table.close`; the capture ends with what the session came to."""
        super().close()
        self._capture.end(result_of(self._journal.entries))

    @contextmanager
    def _as(self, what: str, *args: Any, **named: Any) -> Iterator[None]:
        self._doing.said = {"what": what, "args": args, **({"named": named} if named else {})}
        yield

    def _by_hand(self, what: Callable[[], object]) -> None:
        super()._by_hand(partial(self._written, what, self._doing.said))

    def _written(self, what: Callable[[], object], said: Mapping[str, Any]) -> None:
        """Called while the table is locked, so that nothing of the board comes between."""
        self._watched.held = False
        self._moments.clear()
        heard = self.board.heard
        try:
            what()
        finally:
            if not self._watched.held:
                self._write(said, heard)

    def _write(self, said: Mapping[str, Any], heard: int) -> None:
        now = [moment.model_dump() for moment in self._moments]
        self._capture.hand(self._host_us() * 1000, {"heard": heard, **said, "now": now})

    def _drawn(self, draw: Orders, size: int) -> Sequence[int]:
        """Draw an order for the game, and write it down: chance cannot be done again."""
        order = draw(size)
        self._capture.drawn(self._host_us() * 1000, order)
        return order

    def _now(self) -> Moment:
        moment = super()._now()
        self._moments.append(moment)
        return moment
