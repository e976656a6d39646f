"""Garbage collection in one pass over the heap.

MicroPython marks used memory with a stack of 64 blocks; if that overflows, it goes through the whole heap again, which
takes 20 ms instead of 11. The USB stack keeps 16 events, and each millisecond may be one: after 16 ms the board stops
hearing its host. Marking begins at the globals of the calling function's module, so here it meets the largest module
(`FIRST`) with an empty stack, and later finds little of it left to do.
"""

import gc

from firmware_protocol import messages

FIRST = (messages,)


def collect() -> None:
    """Collect garbage."""
    gc.collect()
