"""The wire on the chip: stdin and stdout, which the Pico carries over USB."""

import select

from firmware_protocol.board.quick import drain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

# More than the host sends between two turns of the main loop; keeps one read short.
READ_LIMIT = 256
NOTHING = b""


class StdioWire:
    """Reads byte by byte, because MicroPython's `read(n)` waits for all n."""

    def __init__(self, stdin: "BinaryIO", stdout: "BinaryIO") -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._poller = select.poll()
        self._poller.register(stdin, select.POLLIN)
        # `ipoll` makes no list each time; CPython has only the other.
        self._polled = getattr(self._poller, "ipoll", self._poller.poll)
        self._readinto = stdin.readinto  # type: ignore[attr-defined]
        self._byte = bytearray(1)
        self._data = bytearray(READ_LIMIT)
        self._ended = False
        # Whether the last wait left something to read; true where somebody else waits.
        self._ready = True

    def wait(self, ms: int) -> None:
        """Return when there is something to read, or after `ms`; the chip sleeps meanwhile, its PIO and DMA do not."""
        if not self._ended:
            self._ready = False
            for _ in self._polled(ms):
                self._ready = True
                break

    def read(self) -> bytes:
        """Return what is there, possibly nothing; never wait."""
        if self._ended or not self._ready:
            return NOTHING
        count = drain(self._polled, self._readinto, self._byte, self._data, READ_LIMIT)
        if count < 0:
            # A pipe at its end is always ready: polling it on would burn the processor.
            self._ended = True
            self._poller.unregister(self._stdin)
            count = -1 - count
        return bytes(self._data[:count]) if count else NOTHING

    def write(self, data: "bytes | memoryview") -> None:
        """Send `data`. Waits while the host does not read, so the caller writes only to a host that shows life."""
        self._stdout.write(data)
