"""Sentences on devices that a session cannot use, and limits on foreign text.

Foreign bytes are made harmless, and neither a firmware in a loop nor a faulty clock can fill the record.
"""

from __future__ import annotations

from companion.link.evidence import Numbered
from companion.link.status import Counters
from companion.rules.columns import plural
from firmware_protocol.messages import PROTOCOL_MAJOR, PROTOCOL_MINOR


def other_version(major: int, minor: int) -> str:
    """Return the sentence for a HELLO of another major version: both versions, and what to do."""
    theirs, ours = f"{major}.{minor}", f"{PROTOCOL_MAJOR}.{PROTOCOL_MINOR}"
    other = "an older"
    if major > PROTOCOL_MAJOR:
        other = "a newer"
    return (
        f"The board speaks protocol {theirs}, this companion {ours}: "
        f"put this companion's firmware on the board, or use {other} companion."
    )


def other_board(uid: int, expected_uid: int) -> str:
    """Return the sentence for a good board that is not the session's."""
    return (
        f"This is board {uid:016x}, not the session's ({expected_uid:016x}). "
        "Plug that one in, or this one anew to be asked about it."
    )


PROMPT = "MicroPython's prompt (>>>) answers, not the table's firmware"
PLUG_IN_AGAIN = "Let go of the trigger, then plug the board in again."
FIRMWARE_ENDED = f"The board's firmware has ended: {PROMPT}. {PLUG_IN_AGAIN}"
AT_PROMPT = f"{PROMPT}. {PLUG_IN_AGAIN} If the prompt is still there, install the firmware."


def no_board(sample: bytes, echoes: bool, known: bool = False) -> str:
    """Return the sentence for a device that never said HELLO.

    `sample` is the beginning of what it sent; `known` means that it was a board before.
    """
    if known and not sample:
        return "The board does not answer any more: unplug it and plug it in again."
    if echoes:
        behavior = "it only echoes what is sent to it"
    elif sample:
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in sample)
        behavior = f"it says {text!r}"
    else:
        behavior = "it says nothing"
    return f"This device is no table board ({behavior}): choose another port, or install the firmware on it."


def missing(first: int, last: int, *, withheld: bool = False) -> str:
    """Return the sentence for numbers that can no longer arrive.

    The board says that they were acknowledged, though not by this session; or, `withheld`, that it has them, and never
    sends them.
    """
    numbers = f"number {last}" if first == last else f"numbers {first} to {last}"
    if withheld:
        return f"The board says that it has its {numbers}, but does not send them: what happened there is unknown."
    return (
        f"The board no longer has its {numbers}: acknowledged, but not by this session; "
        "another program may have read the board."
    )


def clash(kept: Numbered, other: Numbered, seq: int) -> str:
    """Return the sentence for two different frames with one identity."""
    return f"The board sent two different frames as number {seq}: {kept!r} stands, {other!r} is kept beside it."


CONFIG_IGNORED = (
    "The board did not take the session's settings and goes on with its own; check its firmware."
)


def printable(data: bytes) -> str:
    """Return foreign bytes as one harmless line: control characters, which a terminal could obey, become `?`."""
    text = data.decode("utf-8", "replace").strip()
    return "".join(char if char.isprintable() else "?" for char in text)


_S = 1_000_000_000
# A firmware logs a handful of lines at its start and one when something is wrong; a traceback of MicroPython has ten.
LINES_A_SECOND = 20
# 2,000 lines are 200 KB of record.
LINES_A_RUN = 2_000
LAST_LINE = (
    f"The board says: That was line {LINES_A_RUN:,}: what it says from now on is counted, not kept."
)


class LogLimit:
    """Limits the log lines of one connection; `counters` counts those kept and not kept over the link's whole run."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._second_ns = 0
        self._in_second = 0
        self._unkept = 0

    def take(self, text: str, read_ns: int) -> list[str]:
        """Return the sentences for this line; empty if there were too many."""
        if read_ns - self._second_ns >= _S:
            self._second_ns, self._in_second = read_ns, 0
        if self._in_second >= LINES_A_SECOND or self._counters.logs >= LINES_A_RUN:
            self._unkept += 1
            self._counters.unkept_logs += 1
            return []
        self._in_second += 1
        self._counters.logs += 1
        line = f"The board says: {text}"
        if self._unkept:
            lines = plural(self._unkept, "line before it was", "lines before it were")
            line += f" ({lines} too many to keep)"
            self._unkept = 0
        if self._counters.logs == LINES_A_RUN:
            return [line, LAST_LINE]
        return [line]


EVERY_NS = 60_000_000_000
JUMPED = "The clocks of board and computer jumped against each other; they are matched anew."


class Jumps:
    """The clock jumps of one connection; the link's counters count all of them."""

    def __init__(self) -> None:
        self._reported_ns: int | None = None
        self._unreported = 0

    def take(self, now_ns: int) -> list[str]:
        """Return the sentences for this jump; empty if one was reported less than a minute ago."""
        if self._reported_ns is not None and now_ns - self._reported_ns < EVERY_NS:
            self._unreported += 1
            return []
        count, self._reported_ns, self._unreported = self._unreported + 1, now_ns, 0
        if count == 1:
            return [JUMPED]
        return [
            f"The clocks of board and computer jumped {count} times in a minute: one of them runs wrong."
        ]
