"""The program run in this process, as by a person without a terminal."""

from __future__ import annotations

import contextlib
import io
import signal
import sys

from companion.cli import main
from companion.exits import Exit

HANGS_S = 10
CONTROLS = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))) - {
    "\n"
}


class Ran:
    """What a command printed, and how it ended; a command that hangs fails."""

    def __init__(self, *arguments: str, typed: str = "") -> None:
        out, err = io.StringIO(), io.StringIO()
        before = signal.signal(signal.SIGALRM, self._hangs)
        signal.alarm(HANGS_S)
        keys, sys.stdin = sys.stdin, io.StringIO(typed)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    self.code = main(list(arguments))
                except SystemExit as end:
                    self.code = int(end.code or 0)
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
            sys.stdin = keys
        self.out, self.err = out.getvalue(), err.getvalue()
        assert self.code != Exit.SOFTWARE, f"{arguments}: {self.err}"
        assert "Traceback" not in self.err
        assert not CONTROLS & set(self.out + self.err), arguments

    @staticmethod
    def _hangs(*_: object) -> None:
        raise AssertionError("it hangs")
