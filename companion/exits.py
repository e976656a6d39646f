"""How a command ends. Numbers above 64 are those of sysexits.h."""

from __future__ import annotations

from enum import IntEnum

from companion.errors import ErrorKind


class Exit(IntEnum):
    """The exit codes, as docs/integrator.md lists them."""

    DONE = 0
    USAGE = 2
    # a file, a setup or a transcript makes no sense, or a record lacks what was saved once
    DATA = 65
    NO_INPUT = 66  # there is no such file, or it cannot be opened; or no session to go on with
    UNAVAILABLE = 69  # a board, an editor, a game or the page for phones cannot be used; doctor found a failure
    SOFTWARE = 70  # a fault of the program; the record stands
    CANNOT_CREATE = 73  # a session file cannot be made, moved or deleted; another file or the output cannot be written
    NOT_SAVED = 74  # the last entries could not be saved
    BUSY = 75  # the session, or the hub's file, is open in another process
    HUNG_UP = 129  # the terminal is gone, with SIGHUP or without
    INTERRUPTED = 130  # Ctrl-C


def code_of(outcome: ErrorKind | int | None) -> int:
    """Return the exit code of what a command came to: an error of some kind, a code already, or nothing to tell."""
    if isinstance(outcome, ErrorKind):
        return Exit[outcome.name]
    return outcome or Exit.DONE
