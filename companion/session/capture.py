"""A session as a tape: every byte of the wire both ways, and what the table was told by hand, in one plain file.

CAPTURES.md beside this file describes it line by line.
"""

from __future__ import annotations

import hashlib
import json
import platform
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from companion import __version__
from companion.exits import CommandError, Exit
from companion.journal.entries import Entry, Layer
from companion.journal.fold import FoldOrder
from companion.link.tape import Did

FORMAT = 1
SUFFIX = ".capture"
# Some ten hours of a board that is hardly used, and four of a lively game.
LIMIT = 64_000_000
ENTRY, HAND, DRAWN, FULL, RESULT, SECRET = "e", "h", "d", "#", "=", "v"
KEPT = "kept"
"""What stands in a line whose secret part is kept back: its number among the lines `SECRET`."""
WIRE = (Did.HEARD, Did.SAID)
BOARD_KINDS = ("hello", "boot", "event", "state", "gap", "overrun", "clash")


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """One line: the host's monotonic time in ns, the mark, and what stands behind it (bytes as hexadecimal)."""

    ns: int
    mark: str
    text: str

    def data(self) -> bytes:
        """Return the bytes of a wire's line, the text of another one as UTF-8."""
        return bytes.fromhex(self.text) if self.mark in WIRE else self.text.encode()

    def json(self) -> dict[str, Any]:
        """Return what an entry, a hand or a result says."""
        value: dict[str, Any] = json.loads(self.text)
        return value


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
        try:
            # Each line at once: a capture of a crash is the one that is wanted most.
            self._file: TextIO | None = path.open("x", encoding="ascii", buffering=1)
        except FileExistsError as problem:
            raise CommandError(
                f"{path} exists already: name another file for the capture.", Exit.CANNOT_CREATE
            ) from problem
        except OSError as problem:
            sentence = f"The capture {path} cannot be made ({problem.strerror}): name another file."
            raise CommandError(sentence, Exit.CANNOT_CREATE) from problem

    def begin(
        self, session: Mapping[str, Any], entries: Iterable[Entry], jitter: int, wall: str, secret: Collection[str] = ()
    ) -> None:
        """Write what the session was when the capture began: the body of its first entry, and all later ones, but of
        the facts of `secret` kinds."""
        made_by = {"companion": __version__, "python": platform.python_version(), "system": platform.platform()}
        self._write(_json({"capture": FORMAT, "begun": wall, "jitter": jitter, **made_by, "session": session}))
        for entry in entries:
            said = _plain(entry)
            if entry.layer is Layer.FACT and entry.kind in secret:
                said |= {"body": {}, "actor": "", **self._kept({"body": said["body"], "actor": said["actor"]})}
            self._line(0, ENTRY, _json(said))

    def tape(self, mark: Did, now_ns: int, data: bytes) -> None:
        """Write what the link did."""
        self._line(now_ns, mark, data.hex() if mark in WIRE else data.decode(errors="replace"))

    def hand(self, now_ns: int, what: Mapping[str, Any], secret: Mapping[str, Any] | None = None) -> None:
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
            self.tell(f"The capture {self.path} ends here: {problem}. The session goes on and is saved as ever.")

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError:
                return  # the disk is full: what could be written is there


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _plain(entry: Entry) -> dict[str, Any]:
    fields = ("kind", "body", "actor", "causes", "after", "t_us", "key", "joined")
    return {"layer": str(entry.layer), **{field: getattr(entry, field) for field in fields}}


def read_header(file: TextIO, path: Path) -> dict[str, Any]:
    """Return the first line of a capture; raise `CommandError` for a file that is none."""
    try:
        header = json.loads(file.readline())
        if not isinstance(header, dict) or not isinstance(header["session"], dict):
            raise ValueError("it does not begin as a capture does")
        if header["capture"] != FORMAT:
            raise ValueError(f"it has format {header['capture']}, and this companion reads format {FORMAT}")
    except (ValueError, KeyError) as problem:
        why = "it does not begin as a capture does" if isinstance(problem, KeyError | json.JSONDecodeError) else problem
        raise CommandError(f"{path} is no capture of a session: {why}.", Exit.DATA) from problem
    return header


def read_lines(file: TextIO, path: Path) -> Iterator[CaptureLine]:
    """Yield the lines behind the header; raise `CommandError` at one that is damaged. A last line that was cut off, as
    by a crash, is left out."""
    for number, text in enumerate(file, 2):
        if not text.endswith("\n"):
            return
        ns, _, rest = text.rstrip("\n").partition(" ")
        mark, _, payload = rest.partition(" ")
        line = CaptureLine(int(ns) if ns.isdigit() else -1, mark, payload)
        if line.ns < 0 or mark not in _MARKS or not _fits(line):
            raise CommandError(f"{path} is damaged in line {number}: replay a copy that is whole.", Exit.DATA)
        yield line


_MARKS = frozenset({ENTRY, HAND, DRAWN, FULL, RESULT, SECRET, *map(str, Did)})


def _fits(line: CaptureLine) -> bool:
    try:
        if line.mark in (ENTRY, HAND, DRAWN, RESULT, SECRET):
            return isinstance(json.loads(line.text), dict)
        line.data()
    except ValueError:
        return False
    return True


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
    facts = [(fact.kind, fact.body, order.stands(fact.n)) for fact in (entries[n - 1] for n in order.facts)]
    return {"evidence": _digest(board), "facts": _digest(facts)}


def _digest(rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return {"count": len(rows), "sha256": hashlib.sha256(text.encode()).hexdigest()}
