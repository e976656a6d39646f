"""The table as plain lines: for pipes, for `--plain`, and where there is no terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event
from typing import Protocol, TextIO

from companion.views import LineKind, LogLine, Notice, TableView

MARKS = {
    LineKind.FACT: "·",
    LineKind.IGNORED: "-",
    LineKind.VOIDED: "x",
    LineKind.BROKEN: "!",
    LineKind.BOARD: "=",
    LineKind.RECORD: "#",
}
"""One sign for each kind of line; color only repeats what the sign says."""

MEANINGS = {
    LineKind.FACT: "ruling",
    LineKind.IGNORED: "no consequence",
    LineKind.VOIDED: "taken back",
    LineKind.BROKEN: "makes no sense any more",
    LineKind.BOARD: "board",
    LineKind.RECORD: "record",
}

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def printable(text: str) -> str:
    """Return `text` without control codes: a name or a board's message must not move anybody's cursor."""
    return _CONTROLS.sub(" ", text)


class Watched(Protocol):
    """A table that can be looked at."""

    def view(self) -> TableView:
        """Return the immutable view that stands now."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` from any thread whenever the view has changed; return what ends that."""


class LinePrinter:
    """Prints each line of a table's log once, in order, and again (`now: ...`) when it came to say something else.

    Printing happens in `run`, never in the table's threads, so that a slow pipe holds up nobody. Use it as a context
    manager.
    """

    def __init__(self, table: Watched, out: TextIO) -> None:
        self._table = table
        self._out = out
        self._printed: dict[int, LogLine] = {}
        self._log: tuple[LogLine, ...] = ()
        self._noticed = 0
        self._woken = Event()
        self._stopped = False
        self._unsubscribe = table.subscribe(self._woken.set)

    def __enter__(self) -> LinePrinter:
        return self

    def __exit__(self, *_: object) -> None:
        self._unsubscribe()

    def run(self) -> None:
        """Print until the session has ended, `stop` was called or nobody reads any more; what stood by then is printed.

        A stream that fails ends the run quietly; `finish` raises its `OSError`, in the caller's thread.
        """
        with suppress(OSError):
            self._run()

    def _run(self) -> None:
        while True:
            self._woken.clear()
            stopped = self._stopped
            if self.print_new().ended or stopped:
                return
            self._woken.wait()

    def stop(self) -> None:
        """Make `run` return after it printed what stands; from any thread."""
        self._stopped = True
        self._woken.set()

    def print_new(self) -> TableView:
        """Print what changed since the last call; return the view it was read from."""
        view = self._table.view()
        if view.log is not self._log:
            for line in view.log:
                self._line(line)
            self._log = view.log
        self._notice(view.notice)
        return view

    def finish(self, result: Iterable[str]) -> None:
        """Print what is new, then the result, one line each; raise `OSError` when the stream fails (a closed pipe)."""
        self.print_new()
        for line in result:
            self._write(line)

    def _line(self, line: LogLine) -> None:
        before = self._printed.get(line.n)
        self._printed[line.n] = line
        if before is None or _news(line, before):
            self._write(f"{line.time} {MARKS[line.kind]} {_worded(line, before)}")

    def _notice(self, notice: Notice | None) -> None:
        if notice is None or notice.number <= self._noticed:
            return
        self._noticed = notice.number
        self._write(f"         {'?' if notice.refused else ' '} {notice.text}")

    def _write(self, text: str) -> None:
        encoding = self._out.encoding or "utf-8"
        self._out.write(printable(text).encode(encoding, "replace").decode(encoding) + "\n")
        self._out.flush()


def _news(line: LogLine, before: LogLine) -> bool:
    """A line taken back or brought back is told by the record's own line, which follows; a new meaning is told here."""
    return line != before and (line.kind is LineKind.BROKEN or (line.kind is before.kind and line.text != before.text))


def _worded(line: LogLine, before: LogLine | None) -> str:
    if line.kind is LineKind.VOIDED:
        return f"taken back: {line.text}"
    return line.text if before is None else f"now: {line.text}"
