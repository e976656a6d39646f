"""A session as a tape: every byte of the wire in both directions, and every action at the table, in one plain file.

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
# Some ten hours of a quiet board, or four of a lively game.
LIMIT = 64_000_000
ENTRY, ACTION, DRAWN, FULL, RESULT, SECRET = "e", "h", "d", "#", "=", "v"
KEPT = "kept"
"""The field of a line whose secret part is kept back: the number of the `SECRET` line that has it."""
WIRE = (TapeEvent.READ, TapeEvent.WRITTEN)
BOARD_KINDS = ("hello", "boot", "event", "state", "gap", "overrun", "clash")


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """One line: the host's monotonic time in ns, the mark, and the rest, as text and parsed.

    `value` is bytes (those of the wire, or a text in UTF-8), or the JSON object of an entry, an action or a result.
    """

    ns: int
    mark: str
    text: str
    value: Any


class Capture:
    """A capture being written, which never costs a session anything.

    If a line cannot be written, or would make the file larger than `limit` bytes, the capture ends and `tell` gets one
    sentence. Anything that only one seat may know is kept in memory until the end, and written only if the game is over
    then.
    """

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        """Create the file; raise `CommandError` if that is impossible."""
        self.path = path
        self.tell: Callable[[str], object] = lambda _: None
        self._lock = threading.Lock()
        self._room = limit
        self._secrets: list[Mapping[str, Any]] = []
        with writing(path, "; name another file for the capture."):
            # Line-buffered: the capture that matters most is that of a crash.
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
        """Write the session as it was when the capture began: the body of its first entry, and all later entries.

        Facts of `secret` kinds are kept back.
        """
        versions = {
            "companion": __version__,
            "python": platform.python_version(),
            "system": platform.platform(),
        }
        header = {"capture": FORMAT, "begun": wall, "jitter": jitter}
        self._write(_json({**header, **versions, "session": session}))
        for entry in entries:
            fields = fields_of(entry)
            if entry.layer is Layer.FACT and entry.kind in secret:
                kept = self._keep_secret({"body": fields["body"], "actor": fields["actor"]})
                fields |= {"body": {}, "actor": "", **kept}
            self._line(0, ENTRY, _json(fields))

    def tape(self, mark: TapeEvent, now_ns: int, data: bytes) -> None:
        """Write a line of the link's tape."""
        if mark in WIRE:
            self._line(now_ns, mark, data.hex())
        else:
            self._line(now_ns, mark, data.decode(errors="replace"))

    def action(
        self, now_ns: int, action: Mapping[str, Any], secret: Mapping[str, Any] | None = None
    ) -> None:
        """Write an action at the table, keeping back its `secret` part."""
        if secret is not None:
            action = {**action, **self._keep_secret(secret)}
        self._line(now_ns, ACTION, _json(action))

    def _keep_secret(self, secret: Mapping[str, Any]) -> dict[str, int]:
        self._secrets.append(secret)
        return {KEPT: len(self._secrets)}

    def drawn(self, now_ns: int, order: Sequence[int]) -> None:
        """Write an order that chance gave the game."""
        self._line(now_ns, DRAWN, _json({"order": list(order)}))

    def end(self, result: Mapping[str, Any] | None, *, is_over: bool = False) -> None:
        """Write the result and close the file; later calls do nothing.

        Secrets are written if `is_over`. Otherwise the result leaves out the facts, of which they are a part.
        """
        if is_over:
            for number, secret in enumerate(self._secrets, start=1):
                self._line(0, SECRET, _json({KEPT: number, **secret}))
        elif result is not None and self._secrets:
            result = {"evidence": result["evidence"]}
        self._secrets.clear()
        if result is not None:
            self._line(0, RESULT, _json(result))
        with self._lock:
            self._close()

    def _line(self, ns: int, mark: str, text: str) -> None:
        if not text.isascii():
            text = ascii(text)
        self._write(f"{ns} {mark} {text}")

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
                f"The capture {self.path} ends here: {problem}. The session continues and is saved as usual."
            )

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # a full disk: the lines before are in the file
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
    """Yield the lines after the header; raise `CommandError` at a damaged one.

    A last line that was cut off, as by a crash, is left out.
    """
    for number, text in enumerate(file, 2):
        if not text.endswith("\n"):
            return
        ns, _, rest = text.rstrip("\n").partition(" ")
        mark, _, payload = rest.partition(" ")
        try:
            if not ns.isdecimal():
                raise ValueError(ns)
            line = CaptureLine(int(ns), mark, payload, _parsed(mark, payload))
        except ValueError:
            raise CommandError(
                f"{path} is damaged in line {number}: replay a copy that is whole.", ErrorKind.DATA
            ) from None
        yield line


_TEXTS = frozenset((FULL, *map(str, TapeEvent)))


def _parsed(mark: str, text: str) -> Any:
    if mark in WIRE:
        return bytes.fromhex(text)
    if mark in _TEXTS:
        return text.encode()
    if mark not in (ENTRY, ACTION, DRAWN, RESULT, SECRET):
        raise ValueError(mark)
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError(mark)
    return value


def result_of(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return a record's result for a comparison.

    That is the number of the board's pieces of evidence and of the facts, each with a SHA-256 digest.
    """
    order = FoldOrder()
    for entry in entries:
        order.add(entry)
    board = []
    for entry in entries:
        if entry.layer is Layer.EVIDENCE and entry.kind in BOARD_KINDS:
            board.append((entry.kind, entry.t_us, entry.key, entry.body))
    facts = []
    for number in order.facts:
        fact = entries[number - 1]
        facts.append((fact.kind, fact.body, order.stands(number)))
    return {"evidence": _digest(board), "facts": _digest(facts)}


def _digest(rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return {"count": len(rows), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def captured(path: Path) -> Callable[..., Table]:
    """Return a factory of tables whose session is captured at `path`; raise `CommandError` if there can be no such
    file.

    The file is created twice: now, so that no session begins without its capture, and again with the table, so that a
    session that cannot begin leaves none behind.
    """
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
    """Return a `Table` that writes to `capture` every action at it, with the amount of evidence before that, and its
    link's tape."""
    recorder = _Recorder(capture, journal, host_us)
    if game.orders is not None:
        game = game.shuffled_by(partial(recorder.drawn, game.orders))
    table = Table(game, journal, setup, host_us=host_us, observer=recorder, **options)
    recorder.begin(table)
    return table


class _Recorder(ActionObserver):
    """Writes people's actions to a capture. An action that the keys' guard held back did not happen and is not
    written."""

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
        # In a game that is over, nothing is secret any more.
        secret = frozenset[str]() if self._over() else self._kinds
        self._capture.begin(first.body, later, jitter, wall(), secret)

    @contextmanager
    def observe(self, what: str, *args: Any, **named: Any) -> Iterator[None]:
        self._moments.clear()
        heard, was_held_back = self._table.board.heard, False
        try:
            yield
        except TooSoon:
            was_held_back = True
            raise
        finally:
            if not was_held_back:
                action: dict[str, Any] = {"what": what}
                if args:
                    action["args"] = args
                if named:
                    action["named"] = named
                context = {
                    "heard": heard,
                    "now": [moment.model_dump() for moment in self._moments],
                }
                if self._may_be_secret(what, args):
                    self._capture.action(self._host_us() * 1000, context, action)
                else:
                    self._capture.action(self._host_us() * 1000, {**context, **action})

    def _may_be_secret(self, what: str, args: tuple[Any, ...]) -> bool:
        """Return whether one seat alone may know of the action."""
        if what == "amend":
            entries = self._journal.entries
            return 0 < args[0] <= len(entries) and entries[args[0] - 1].kind in self._kinds
        if what == "correct":
            return any(self._is_secret_change(change) for change in args[0])
        if what == "note":
            is_public = args[1]["propose"] or args[1]["enter"]  # shown to the whole table
            return not is_public
        return what in ("enter", "insert") and args[0] in self._kinds

    def _is_secret_change(self, change: Mapping[str, Any]) -> bool:
        kind = change.get("kind")
        if kind:
            return kind in self._kinds
        return self._may_be_secret("amend", (change["entry"],))

    def stamped(self, now: Moment) -> Moment:
        self._moments.append(now)
        return now

    def _over(self) -> bool:
        return self._table.look(lambda record: record.game.ended(record.state))

    def closed(self) -> None:
        self._capture.end(result_of(self._journal.entries), is_over=self._over())

    def drawn(self, draw: Orders, size: int) -> Sequence[int]:
        """Draw an order for the game and write it: chance cannot be repeated."""
        order = draw(size)
        self._capture.drawn(self._host_us() * 1000, order)
        return order
