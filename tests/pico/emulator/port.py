"""The emulated Pico on a pseudo-terminal, at most as fast as the wall clock: for mpremote, and for a person who looks.

The pty is there while the chip is enumerated, and its path gone while it resets, as with a real one.
"""

from __future__ import annotations

import contextlib
import os
import pty
import select
import time
import tty
from collections.abc import Callable
from pathlib import Path

from tests.pico.emulator.emulated import MS, EmulatedPico

SLICE_US = 1000
READ = 1024
# More would wait in a driver of ours where a real one makes the writer wait.
UNSENT = 2048


class PicoPort:
    """`path` is what a companion opens; `turn` lets a millisecond pass, and more of the wall clock when that is behind.

    Emulation may be slower than the wall: then the chip is, and its clock with it. A host that lives by the wall's
    clock sees round trips of 10 ms at least, and of up to a second while the chip is busy: it goes on asking, and its
    PINGs wait behind each other. By the chip's clock they take 3 ms. `on_said` is told what the board says.
    """

    def __init__(
        self,
        pico: EmulatedPico,
        path: Path,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        on_said: Callable[[bytes], object] = bool,
    ) -> None:
        self.path = path
        self._on_said = on_said
        self._pico = pico
        self._clock_ns = clock_ns
        self._ahead_of_ns = pico.ns - clock_ns()
        self._host = -1
        self._open = False
        self._rest = b""
        self._boots = len(pico.log)

    @property
    def stands(self) -> bool:
        """Return true if the port can be opened."""
        return self._host >= 0

    def turn(self) -> None:
        """Carry bytes both ways for one slice of the chip's time."""
        output = b"".join(packet.data for packet in self._pico.run(SLICE_US, self._heard()))
        self._on_said(output)
        if len(self._pico.log) != self._boots:
            self._boots = len(self._pico.log)
            self.unplug()
        if self._pico.ready and self._host < 0:
            self._plug()
        self._pass_on(output)
        ahead_ns = self._pico.ns - self._clock_ns() - self._ahead_of_ns
        if ahead_ns > 2 * MS:
            time.sleep(ahead_ns / 1e9)
        elif ahead_ns < 0:
            # never faster than the wall, to make up for what was slow
            self._ahead_of_ns += ahead_ns

    def unplug(self) -> None:
        """Take the port away."""
        if self._host >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self._host)
            self._pico.order("close")
        self._host, self._open, self._rest = -1, False, b""

    def _plug(self) -> None:
        self._host, slave = pty.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._host, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(name)

    def _heard(self) -> bytes:
        """Notice who opens and closes the port; return what was written to it."""
        if self._host < 0:
            return b""
        poller = select.poll()
        poller.register(self._host, select.POLLIN)
        state = dict(poller.poll(0)).get(self._host, 0)
        is_open = not state & select.POLLHUP
        data = b""
        if state & select.POLLIN and self._pico.unsent < UNSENT:
            with contextlib.suppress(OSError):
                data = os.read(self._host, READ)
        if is_open != self._open and not (self._open and data):
            self._open = is_open
            self._pico.order("open" if is_open else "close")
        return data

    def _pass_on(self, output: bytes) -> None:
        self._rest += output
        if self._host < 0 or not self._rest:
            self._rest = b""
            return
        with contextlib.suppress(BlockingIOError):
            try:
                self._rest = self._rest[os.write(self._host, self._rest) :]
            except OSError:
                self._rest = b""
