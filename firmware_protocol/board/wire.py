"""The wire on the chip: stdin and stdout, which the Pico carries over USB."""

import select

from firmware_protocol.board.quick import drain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


class StdioWire:
    """Reads byte by byte, because MicroPython's `read(n)` waits for all n."""

    def __init__(self, stdin: "BinaryIO", stdout: "BinaryIO") -> None:
        self._stdin = stdin
        self._stdout = stdout
        # Windows, where this never runs, has neither.
        self._poller = select.poll()  # type: ignore[attr-defined, unused-ignore]
        self._poller.register(stdin, select.POLLIN)  # type: ignore[attr-defined, unused-ignore]
        # `ipoll` allocates no list; CPython has only `poll`.
        self._polled = getattr(self._poller, "ipoll", self._poller.poll)
        self._readinto = stdin.readinto  # type: ignore[attr-defined]
        self._byte = bytearray(1)
        self._ended = False

    def wait(self, ms: int) -> bool:
        """Return whether there is something to read, after at most `ms`.

        The chip sleeps meanwhile; its PIO and DMA do not.
        """
        if not self._ended:
            for _ in self._polled(ms):
                return True
        return False

    def read(self, into: bytearray) -> int:
        """Read what is there, possibly nothing, into `into` and return the number of bytes; never wait."""
        if self._ended:
            return 0
        count: int = drain(self._polled, self._readinto, self._byte, into, len(into))
        if count < 0:
            # A pipe at its end is always ready: polling it further would keep the processor busy.
            self._ended = True
            self._poller.unregister(self._stdin)
            count = -1 - count
        return count

    def write(self, data: "bytes | memoryview") -> None:
        """Send `data`. This waits while the host does not read, so write only to a host that shows life."""
        self._stdout.write(data)
