"""Bytes through pyserial: an open port, the thread that reads it and stamps each read, and the mailbox between that
thread and the link's."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from companion.link.bounded import OneJob
from companion.link.port_errors import explain
from companion.link.usb_ports import restarts
from companion.system.devices import keep_lines


@dataclass(frozen=True, slots=True)
class Read:
    """Bytes with the host's monotonic time at which they were there."""

    read_ns: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PortLost:
    """The port is gone; nothing more comes from it."""

    reason: str


class Mailbox:
    """A bounded queue: a flood of foreign bytes waits in the port, not in memory."""

    def __init__(self, limit: int = 64) -> None:
        self._queue: queue.Queue[Read | PortLost | None] = queue.Queue(limit)

    def offer(self, item: Read | PortLost, timeout_s: float) -> bool:
        """Put an item in; return False if there was no room in time."""
        try:
            self._queue.put(item, timeout=timeout_s)
        except queue.Full:
            return False
        return True

    def wake(self) -> None:
        """Make a `take` return None; a full mailbox needs no waking."""
        with suppress(queue.Full):
            self._queue.put_nowait(None)

    def take(self, timeout_s: float) -> Read | PortLost | None:
        """Return the next item; None after `timeout_s` or when woken."""
        try:
            if timeout_s <= 0:
                return self._queue.get_nowait()
            return self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None


# A native USB port ignores the rate. Never 1200: opening at that rate restarts a Pico into its boot loader.
BAUD = 115_200
# How often the reader of a URL checks whether it must end: nothing interrupts its wait. At a port `cancel_read` does,
# so there it may wait for longer than a live board is quiet.
POLL_S = 0.05
READ_TIMEOUT_S = 0.25
# Together with the limits of a clean end (`supervisor.py`), closing takes less than a second whatever the driver does.
WRITE_TIMEOUT_S = 0.25
CLOSE_TIMEOUT_S = 0.3
OPEN_TIMEOUT_S = 1.0
CHUNK = 4096
GONE = "it was unplugged, or another program took the port"


class Port(Protocol):
    """The part of a pyserial port that the link uses."""

    timeout: float | None

    @property
    def in_waiting(self) -> int:
        """Number of bytes that can be read without waiting."""

    def read(self, size: int = 1, /) -> bytes:
        """Return up to `size` bytes, waiting up to `timeout` seconds."""

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""

    def close(self) -> None:
        """Release the port."""


PortOpener = Callable[[str], Port]


def open_serial(port: str) -> Port:
    """Open a path or URL through pyserial: exclusively where possible, and without restarting its board."""
    import serial

    keeps_lines = restarts(port)
    timeout_s = POLL_S if "://" in port else READ_TIMEOUT_S
    opened = serial.serial_for_url(
        port, do_not_open=True, baudrate=BAUD, timeout=timeout_s, write_timeout=WRITE_TIMEOUT_S
    )
    if "://" not in port:
        opened.exclusive = True
    opened.dtr = opened.rts = not keeps_lines
    opened.open()
    descriptor = getattr(opened, "fd", None)
    if keeps_lines and descriptor is not None:
        # their fall when the port is closed, and their rise at the next opening, would reset the board
        keep_lines(descriptor)
    if hasattr(opened, "set_low_latency_mode"):
        with suppress(OSError, ValueError):  # not every driver has a latency timer
            opened.set_low_latency_mode(True)
    return opened


class Opener:
    """Opens ports within a second, whatever the driver does; raises `OpenFailed`. `stopping` ends the wait."""

    def __init__(
        self,
        open_port: PortOpener = open_serial,
        deadline_s: float = OPEN_TIMEOUT_S,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._open = open_port
        self._bounded: OneJob[Port] = OneJob(deadline_s, late=close_port, stopping=stopping)

    def open(self, port: str) -> Port:
        """Return the open port."""
        try:
            return self._bounded.run(lambda: self._open(port))
        except Exception as error:
            raise explain(port, error) from error


class Transport:
    """An open port with its reader thread; used once. Reads, and the loss of the port, go to the mailbox."""

    def __init__(
        self,
        port: Port,
        name: str,
        mailbox: Mailbox,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._port = port
        self.name = name
        self._mailbox = mailbox
        self._clock_ns = clock_ns
        self._closing = threading.Event()
        self._reader = threading.Thread(
            target=self._read_all, name=f"link-reader {name}", daemon=True
        )
        self._reader.start()

    def write(self, data: bytes) -> bool:
        """Send bytes; return False if the port is lost."""
        try:
            self._port.write(data)
        except Exception:  # pyserial leaks errors of many kinds from a port that is going away
            return False
        return True

    def close(self) -> bool:
        """End the reader and release the port within `CLOSE_TIMEOUT_S`; return False if the driver hangs."""
        self._closing.set()
        closer = threading.Thread(
            target=self._release, name=f"link-closer {self.name}", daemon=True
        )
        closer.start()
        closer.join(CLOSE_TIMEOUT_S)
        return not closer.is_alive()

    def _release(self) -> None:
        port: Any = self._port
        # As in `write`; and ports behind a URL have no `cancel_read`.
        with suppress(Exception):
            port.cancel_read()
        self._reader.join(
            CLOSE_TIMEOUT_S / 2
        )  # closing a port under its reader crashes some drivers
        close_port(self._port)
        self._reader.join()

    def _read_all(self) -> None:
        while not self._closing.is_set():
            try:
                read = self._read()
            except Exception as error:  # as in `write`: whatever it is, the port is lost
                reason = GONE
                if not isinstance(error, OSError):
                    reason = f"{GONE} ({error!r})"
                self._put(PortLost(reason))
                return
            if read is not None:
                self._put(read)

    def _read(self) -> Read | None:
        data = self._port.read(1)
        if not data:
            return None
        data += self._available()
        # Not before the last byte is here: a PONG stamped too early would make the clock's interval a lie.
        return Read(self._clock_ns(), data)

    def _available(self) -> bytes:
        """Return the bytes that are there by now, without waiting for more."""
        if "://" not in self.name:
            waiting = self._port.in_waiting
            return self._port.read(min(waiting, CHUNK)) if waiting else b""
        self._port.timeout = 0  # behind a URL, `in_waiting` is only 0 or 1
        try:
            return self._port.read(CHUNK)
        finally:
            self._port.timeout = POLL_S

    def _put(self, item: Read | PortLost) -> None:
        while not self._mailbox.offer(item, POLL_S) and not self._closing.is_set():
            continue


def close_port(port: Port) -> None:
    """Release a port whose other end may be gone; never raises."""
    anything: Any = port
    sock = getattr(anything, "_socket", None)
    if sock is not None:
        # pyserial leaves the socket open when the peer has already gone, and sleeps for 0.3 s when it has not.
        sock.close()
        anything.is_open = False
        return
    with suppress(Exception):
        port.close()
