"""The sentences for devices a session cannot be held with, and foreign bytes made harmless."""

from __future__ import annotations

from companion.link.events import Missing
from firmware_protocol.messages import PROTOCOL_MAJOR, PROTOCOL_MINOR


def other_version(major: int, minor: int) -> str:
    """A HELLO of another major version: both versions, and what to do."""
    theirs, ours = f"{major}.{minor}", f"{PROTOCOL_MAJOR}.{PROTOCOL_MINOR}"
    other = "a newer" if major > PROTOCOL_MAJOR else "an older"
    return (
        f"The board speaks protocol {theirs}, this companion {ours}: "
        f"put this companion's firmware on the board, or use {other} companion."
    )


def other_board(uid: int, expected_uid: int) -> str:
    """A good board, but not the one the session began with."""
    return (
        f"This is board {uid:016x}, but the session began with board {expected_uid:016x}, "
        "and one session has one board: plug that board in, or start a new session."
    )


def no_board(sample: bytes, echoes: bool, known: bool = False) -> str:
    """A device that never said HELLO; `sample` is the beginning of what it said; `known`: it was a board before."""
    if known and not sample:
        return "The board does not answer any more: unplug it and plug it in again."
    if echoes:
        said = "it only echoes what is sent to it"
    elif sample:
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in sample)
        said = f"it says {text!r}"
    else:
        said = "it says nothing"
    return f"This device is no table board ({said}): choose another port, or install the firmware on it."


def missing(event: Missing) -> str:
    """Numbers that will not come any more, and what is known of why."""
    last = event.first_seq + event.count - 1
    numbers = f"number {last}" if event.count == 1 else f"numbers {event.first_seq} to {last}"
    if event.withheld:
        return f"The board says that it has its {numbers}, but does not send them: what happened there is unknown."
    return (
        f"The board no longer has its {numbers}: acknowledged, but not by this session; "
        "another program may have read the board."
    )


def printable(data: bytes) -> str:
    """Foreign bytes as one harmless line: what a terminal could obey is shown as `?`."""
    text = data.decode("utf-8", "replace").strip()
    return "".join(char if char.isprintable() else "?" for char in text)
