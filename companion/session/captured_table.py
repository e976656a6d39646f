"""A table whose session is captured: what people do at it is written beside what the link does."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.journal.journal import Journal
from companion.link.statistics import LinkLog
from companion.rules.game import Game, Moment, Orders, Setup, secret_kinds
from companion.session.board_side import Witness
from companion.session.capture import Capture, result_of
from companion.session.clocks import wall
from companion.session.table import Table, TooSoon


def captured(path: Path) -> Callable[..., Table]:
    """Return what makes a table whose session is captured at `path`; raise `CommandError` when there can be no such
    file, so that no session is begun without it."""
    return partial(captured_table, Capture(path))


def captured_table(
    capture: Capture, game: Game[Any], journal: Journal, setup: Setup, *, host_us: Callable[[], int], **options: Any
) -> Table:
    """Return a table, see `Table`, that writes to `capture` what is done at it by hand, each with how much of the
    board's word came before, and lets its link write what it does."""
    recorder = _Recorder(capture, journal, host_us)
    if game.orders is not None:
        game = game.shuffled_by(partial(recorder.drawn, game.orders))
    table = Table(game, journal, setup, host_us=host_us, witness=recorder, **options)
    recorder.begin(table)
    return table


class _Recorder(Witness):
    """Writes what people do to a capture. What the guard of the keys held back was not done and is not written."""

    def __init__(self, capture: Capture, journal: Journal, host_us: Callable[[], int]) -> None:
        self._capture = capture
        self._journal = journal
        self._host_us = host_us
        self._heard: Callable[[], int] = lambda: 0
        self._moments: list[Moment] = []
        self._kinds: frozenset[str] = frozenset()
        self._over: Callable[[], bool] = lambda: False

    def begin(self, table: Table) -> None:
        """Write the head of the capture, and have the table's link write to it."""
        self._heard = lambda: table.board.heard
        jitter = secrets.randbits(32)
        table.board.options = {
            "tape": self._capture.tape,
            "jitter": Random(jitter).random,
            "log": LinkLog(self._capture.path.with_name(f"{self._capture.path.name}.log")),
        }
        self._capture.tell = table.tell
        self._kinds = secret_kinds(table.game.facts)
        self._over = lambda: table.look(lambda record: record.game.ended(record.state))
        first, *later = self._journal.entries
        self._capture.begin(first.body, later, jitter, wall(), () if self._over() else self._kinds)

    @contextmanager
    def hand(self, what: str, *args: Any, **named: Any) -> Iterator[None]:
        """Write what was done, with how much of the board's word had come before."""
        self._moments.clear()
        heard, held = self._heard(), False
        try:
            yield
        except TooSoon:
            held = True
            raise
        finally:
            if not held:
                said = {"what": what, **({"args": args} if args else {}), **({"named": named} if named else {})}
                at = {"heard": heard, "now": [moment.model_dump() for moment in self._moments]}
                if self._secret(what, args):
                    self._capture.hand(self._host_us() * 1000, at, said)
                else:
                    self._capture.hand(self._host_us() * 1000, {**at, **said})

    def _secret(self, what: str, args: tuple[Any, ...]) -> bool:
        """Whether what is done may be for one seat alone to know."""
        if what == "amend":
            entries = self._journal.entries
            return 0 < args[0] <= len(entries) and entries[args[0] - 1].kind in self._kinds
        return (what == "note" and not args[1]["propose"]) or (what in ("enter", "insert") and args[0] in self._kinds)

    def stamped(self, now: Moment) -> Moment:
        """Remember the moment for what is being done."""
        self._moments.append(now)
        return now

    def closed(self) -> None:
        """End the capture with what the session came to."""
        self._capture.end(result_of(self._journal.entries), over=self._over())

    def drawn(self, draw: Orders, size: int) -> Sequence[int]:
        """Draw an order for the game, and write it down: chance cannot be done again."""
        order = draw(size)
        self._capture.drawn(self._host_us() * 1000, order)
        return order
