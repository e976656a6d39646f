"""Garbage collected without a second look through the heap.

MicroPython marks what is in use with a stack of 64 blocks; where that overflows it goes through the whole heap again,
which takes 20 ms instead of 11. The USB stack keeps 16 events, and each millisecond may be one: after 16 ms the board
is deaf to its host. Marking begins at the globals of the function that calls, so here it meets the largest module with
an empty stack, and then finds little of it left.
"""

import gc

from firmware_protocol import messages

FIRST = (messages,)


def collect() -> None:
    """Collect garbage."""
    gc.collect()
