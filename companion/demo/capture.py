"""A session as a tape: every byte of the wire both ways, and what people do at the table, in one plain file.

CAPTURES.md beside this file describes it line by line.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TextIO

from companion import __version__
from companion.errors import CommandError, ErrorKind, writing
from companion.journal.disk import discard, open_private
from companion.journal.entries import Entry, Layer, fields_of
from companion.journal.fold import FoldOrder
from companion.journal.journal import Journal
from companion.link.dispatcher import TapeEvent
from companion.link.status import LinkLog
from companion.rules.facts import Moment, Setup, secret_kinds
from companion.rules.game import Game, Orders
from companion.session.board_side import ActionObserver
from companion.session.clocks import wall
from companion.session.table import Table, TooSoon

FORMAT = 1
SUFFIX = ".capture"
# Some ten hours of a board that is hardly used, and four of a lively game.
LIMIT = 64_000_000
ENTRY, HAND, DRAWN, FULL, RESULT, SECRET = "e", "h", "d", "#", "=", "v"
KEPT = "kept"
"""What stands in a line whose secret part is kept back: its number among the lines `SECRET`."""
WIRE = (TapeEvent.HEARD, TapeEvent.SAID)
BOARD_KINDS = ("hello", "boot", "event", "state", "gap", "overrun", "clash")


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """One line: the host's monotonic time in ns, the mark, and what stands behind it, as it is written there and as it
    is meant: bytes (of a text, its UTF-8), or the JSON object of an entry, a hand or a result."""

    ns: int
    mark: str
    text: str
    said: Any


class Capture:
    """A capture being written. It never costs a session anything: what cannot be written, or would make the file larger
    than `limit` bytes, ends the capture, and `tell` is given one sentence. What one seat alone may know is kept in
    memory until the end, and written only if the game is over then."""

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        """Make the file; raise `CommandError` when that cannot be."""
        self.path = path
        self.tell: Callable[[str], object] = lambda _: None
        self._lock = threading.Lock()
        self._room = limit
        self._secrets: list[Mapping[str, Any]] = []
        with writing(path, "; name another file for the capture."):
            # Each line at once: a capture of a crash is the one that is wanted most.
            self._file: TextIO | None = os.fdopen(
                open_private(path), "w", encoding="ascii", buffering=1
            )

    def begin(
        self,
        session: Mapping[str, Any],
        entries: Iterable[Entry],
        jitter: int,
        wall: str,
        secret: Collection[str] = (),
    ) -> None:
        """Write what the session was when the capture began: the body of its first entry, and all later ones, but of
        the facts of `secret` kinds."""
        made_by = {
            "companion": __version__,
            "python": platform.python_version(),
            "system": platform.platform(),
        }
        self._write(
            _json(
                {"capture": FORMAT, "begun": wall, "jitter": jitter, **made_by, "session": session}
            )
        )
        for entry in entries:
            said = fields_of(entry)
            if entry.layer is Layer.FACT and entry.kind in secret:
                said |= {
                    "body": {},
                    "actor": "",
                    **self._kept({"body": said["body"], "actor": said["actor"]}),
                }
            self._line(0, ENTRY, _json(said))

    def tape(self, mark: TapeEvent, now_ns: int, data: bytes) -> None:
        """Write what the link did."""
        self._line(now_ns, mark, data.hex() if mark in WIRE else data.decode(errors="replace"))

    def hand(
        self, now_ns: int, what: Mapping[str, Any], secret: Mapping[str, Any] | None = None
    ) -> None:
        """Write what somebody did at the table, and keep back what of it is `secret`."""
        self._line(now_ns, HAND, _json(what if secret is None else {**what, **self._kept(secret)}))

    def _kept(self, secret: Mapping[str, Any]) -> dict[str, int]:
        self._secrets.append(secret)
        return {KEPT: len(self._secrets)}

    def drawn(self, now_ns: int, order: Sequence[int]) -> None:
        """Write an order that chance gave the game."""
        self._line(now_ns, DRAWN, _json({"order": list(order)}))

    def end(self, result: Mapping[str, Any] | None, *, over: bool = False) -> None:
        """Write what the session came to, and close the file; further calls do nothing. What was kept back is written
        if the game is `over`; else the result says nothing of the facts, which it is a part of."""
        for number, secret in enumerate(self._secrets if over else (), start=1):
            self._line(0, SECRET, _json({KEPT: number, **secret}))
        if result is not None and self._secrets and not over:
            result = {"evidence": result["evidence"]}
        self._secrets.clear()
        if result is not None:
            self._line(0, RESULT, _json(result))
        with self._lock:
            self._close()

    def _line(self, ns: int, mark: str, text: str) -> None:
        self._write(f"{ns} {mark} {text}" if text.isascii() else f"{ns} {mark} {text!a}")

    def _write(self, line: str) -> None:
        problem = ""
        with self._lock:
            if self._file is None:
                return
            self._room -= len(line) + 1
            try:
                if self._room < 0:
                    problem = "it is as large as it may become"
                    self._file.write(f"0 {FULL} {problem}\n")
                else:
                    self._file.write(f"{line}\n")
            except OSError as error:
                problem = str(error.strerror)
            if problem:
                self._close()
        if problem:
            self.tell(
                f"The capture {self.path} ends here: {problem}. The session goes on and is saved as ever."
            )

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # the disk is full: what could be written is there
                file.close()


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def read_header(file: TextIO, path: Path) -> dict[str, Any]:
    """Return the first line of a capture; raise `CommandError` for a file that is none."""
    header: Any = None
    with suppress(ValueError):
        header = json.loads(file.readline())
    why = "it does not begin as a capture does"
    if isinstance(header, dict) and isinstance(header.get("session"), dict) and "capture" in header:
        if header["capture"] == FORMAT:
            return header
        why = f"it has format {header['capture']}, and this companion reads format {FORMAT}"
    raise CommandError(f"{path} is no capture of a session: {why}.", ErrorKind.DATA)


def read_lines(file: TextIO, path: Path) -> Iterator[CaptureLine]:
    """Yield the lines behind the header; raise `CommandError` at one that is damaged. A last line that was cut off, as
    by a crash, is left out."""
    for number, text in enumerate(file, 2):
        if not text.endswith("\n"):
            return
        ns, _, rest = text.rstrip("\n").partition(" ")
        mark, _, payload = rest.partition(" ")
        try:
            if not ns.isdecimal():
                raise ValueError(ns)
            line = CaptureLine(int(ns), mark, payload, _said(mark, payload))
        except ValueError:
            raise CommandError(
                f"{path} is damaged in line {number}: replay a copy that is whole.", ErrorKind.DATA
            ) from None
        yield line


_TEXTS = frozenset((FULL, *map(str, TapeEvent)))


def _said(mark: str, text: str) -> Any:
    if mark in WIRE:
        return bytes.fromhex(text)
    if mark in _TEXTS:
        return text.encode()
    said = json.loads(text) if mark in (ENTRY, HAND, DRAWN, RESULT, SECRET) else None
    if not isinstance(said, dict):
        raise ValueError(mark)
    return said


def result_of(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return what a record comes to, for a comparison: how many pieces of the board's evidence and how many standing
    facts there are, and a digest (SHA-256) of each."""
    order = FoldOrder()
    for entry in entries:
        order.add(entry)
    board = [
        (entry.kind, entry.t_us, entry.key, entry.body)
        for entry in entries
        if entry.layer is Layer.EVIDENCE and entry.kind in BOARD_KINDS
    ]
    facts = [
        (fact.kind, fact.body, order.stands(fact.n))
        for fact in (entries[n - 1] for n in order.facts)
    ]
    return {"evidence": _digest(board), "facts": _digest(facts)}


def _digest(rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return {"count": len(rows), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def captured(path: Path) -> Callable[..., Table]:
    """Return what makes a table whose session is captured at `path`; raise `CommandError` when there can be no such
    file, so that no session is begun without it. The file is there once the table is: where no session can be begun,
    none is left behind."""
    Capture(path).end(None)
    discard(path)
    return lambda *table, **options: captured_table(Capture(path), *table, **options)


def captured_table(
    capture: Capture,
    game: Game[Any],
    journal: Journal,
    setup: Setup,
    *,
    host_us: Callable[[], int],
    **options: Any,
) -> Table:
    """Return a table, see `Table`, that writes to `capture` what is done at it by hand, each with how much of the
    board's word came before, and lets its link write what it does."""
    recorder = _Recorder(capture, journal, host_us)
    if game.orders is not None:
        game = game.shuffled_by(partial(recorder.drawn, game.orders))
    table = Table(game, journal, setup, host_us=host_us, observer=recorder, **options)
    recorder.begin(table)
    return table


class _Recorder(ActionObserver):
    """Writes what people do to a capture. What the guard of the keys held back was not done and is not written."""

    def __init__(self, capture: Capture, journal: Journal, host_us: Callable[[], int]) -> None:
        self._capture = capture
        self._journal = journal
        self._host_us = host_us
        self._table: Table
        self._moments: list[Moment] = []
        self._kinds: frozenset[str] = frozenset()

    def begin(self, table: Table) -> None:
        self._table = table
        jitter = secrets.randbits(32)
        table.board.options = {
            "tape": self._capture.tape,
            "jitter": Random(jitter).random,
            "log": LinkLog(self._capture.path.with_name(f"{self._capture.path.name}.log")),
        }
        self._capture.tell = table.tell
        self._kinds = secret_kinds(table.game.facts)
        first, *later = self._journal.entries
        self._capture.begin(first.body, later, jitter, wall(), () if self._over() else self._kinds)

    @contextmanager
    def observe(self, what: str, *args: Any, **named: Any) -> Iterator[None]:
        self._moments.clear()
        heard, held = self._table.board.heard, False
        try:
            yield
        except TooSoon:
            held = True
            raise
        finally:
            if not held:
                said = {
                    "what": what,
                    **({"args": args} if args else {}),
                    **({"named": named} if named else {}),
                }
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
        if what == "correct":
            return any(self._secret_change(change) for change in args[0])
        return (what == "note" and not args[1]["propose"]) or (
            what in ("enter", "insert") and args[0] in self._kinds
        )

    def _secret_change(self, change: Mapping[str, Any]) -> bool:
        kind = change.get("kind")
        return kind in self._kinds if kind else self._secret("amend", (change["entry"],))

    def stamped(self, now: Moment) -> Moment:
        self._moments.append(now)
        return now

    def _over(self) -> bool:
        return self._table.look(lambda record: record.game.ended(record.state))

    def closed(self) -> None:
        self._capture.end(result_of(self._journal.entries), over=self._over())

    def drawn(self, draw: Orders, size: int) -> Sequence[int]:
        """Draw an order for the game, and write it down: chance cannot be done again."""
        order = draw(size)
        self._capture.drawn(self._host_us() * 1000, order)
        return order
