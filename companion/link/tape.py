"""What a link did, in the order in which it did it, for whoever wants to do it again."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Did(StrEnum):
    """What one line of a tape is; the character is what stands in a file."""

    OPENED = "o"  # a port was opened; the text is its name
    HEARD = "<"  # bytes were read
    SAID = ">"  # bytes were written
    STORED = "s"  # what was received is durable
    UNSAVED = "!"  # the journal could not store it
    POLLED = "."  # time passed, and something came of it
    SLEPT = "w"  # the computer woke up
    CONFIGURED = "k"  # from here on the session has these settings for its board; the text is their numbers
    CUED = "c"  # a cue was asked for; the text is output and ms
    NOTED = "n"  # something about the port was noticed; the text says what
    CLOSING = "l"  # the end began: the board is asked for its last word
    STANDBY = "z"  # the clean end was asked for
    ENDED = "x"  # the port is of no more use; the text says why


Tape = Callable[[Did, int, bytes], object]
"""Takes a mark, the host's monotonic time in ns, and bytes: those of the wire, or a text in UTF-8."""


def no_tape(_mark: Did, _now_ns: int, _data: bytes) -> None:
    """Record nothing."""
