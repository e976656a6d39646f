"""The least time for a byte through a pseudo-terminal: written, read by a thread, written back, read."""

from __future__ import annotations

import os
import threading
import time

SIZE = 28  # an event's bytes


def echoes_ms(times: int) -> list[float]:
    """Return the milliseconds of each of `count` echoes."""
    import tty

    master, slave = os.openpty()
    tty.setraw(slave)
    echoing = threading.Thread(target=_echo, args=(slave, times))
    echoing.start()
    took = []
    for _ in range(times):
        begun_ns = time.perf_counter_ns()
        os.write(master, bytes([1]) * SIZE)
        left = SIZE
        while left:
            left -= len(os.read(master, left))
        took.append((time.perf_counter_ns() - begun_ns) / 1e6)
    echoing.join()
    os.close(master)
    os.close(slave)
    return took


def _echo(slave: int, times: int) -> None:
    left = times * SIZE
    while left:
        data = os.read(slave, 4096)
        left -= len(data)
        os.write(slave, data)
