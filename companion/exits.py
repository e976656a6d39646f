"""Exit codes. Those above 64 are from sysexits.h."""

from __future__ import annotations

from enum import IntEnum

from companion.errors import ErrorKind


class Exit(IntEnum):
    """Exit codes, as docs/integrator.md lists them."""

    DONE = 0
    USAGE = 2
    # a file, a setup or a transcript makes no sense, or a record lacks entries that were once saved
    DATA = 65
    NO_INPUT = 66  # the file does not exist or cannot be opened, or no session can be continued
    UNAVAILABLE = 69  # a board, an editor, a game or the page for phones cannot be used; doctor found a failure
    SOFTWARE = 70  # a bug in the program; the record is intact
    CANNOT_CREATE = 73  # a session file cannot be made, moved or deleted; another file or the output cannot be written
    NOT_SAVED = 74  # the last entries could not be saved
    BUSY = 75  # the session, or the hub's file, is open in another process
    HUNG_UP = 129  # the terminal is gone, with SIGHUP or without
    INTERRUPTED = 130  # Ctrl-C


def code_of(outcome: ErrorKind | int | None) -> int:
    """Return the exit code of a command's outcome: an error's kind, an exit code, or None for success."""
    if isinstance(outcome, ErrorKind):
        return Exit[outcome.name]
    return outcome or Exit.DONE
