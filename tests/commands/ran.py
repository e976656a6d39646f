"""The program run in this process, as by a person without a terminal."""

from __future__ import annotations

import contextlib
import io
import sys
from functools import cache

from companion import cli
from companion.exits import Exit

# hundreds of commands are run, and making it takes longer than most of them
cli.parser = cache(cli.parser)
CONTROLS = frozenset(
    map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
) - {"\n"}


class Ran:
    """The output of a command line, and how it ended."""

    def __init__(self, *arguments: str, typed: str = "") -> None:
        out, err = io.StringIO(), io.StringIO()
        keys, sys.stdin = sys.stdin, io.StringIO(typed)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    self.code = cli.main(list(arguments))
                except SystemExit as end:
                    self.code = int(end.code or 0)
        finally:
            sys.stdin = keys
        self.out, self.err = out.getvalue(), err.getvalue()
        assert self.code != Exit.SOFTWARE, f"{arguments}: {self.err}"
        assert "Traceback" not in self.err
        assert not CONTROLS & set(self.out + self.err), arguments
