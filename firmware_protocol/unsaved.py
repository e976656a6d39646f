"""How many events a board holds that no host has saved."""

from firmware_protocol.messages import Hello

BOOT_STATE_SEQ = 1
"""The first frame of a boot is the board's state at its start, which is no event (PROTOCOL.md, *Sessions*)."""


def unsaved_events(hello: Hello) -> int:
    """Return how many numbered frames the board holds, but for the state at its start."""
    return max(0, hello.next_seq - max(hello.oldest_seq, BOOT_STATE_SEQ + 1))
