"""The wire on the chip: stdin and stdout, which the Pico carries over USB."""

import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

# More than the host sends between two turns of the main loop; keeps one read short.
READ_LIMIT = 256


class StdioWire:
    """Reads byte by byte, because MicroPython's `read(n)` waits for all n."""

    def __init__(self, stdin: "BinaryIO", stdout: "BinaryIO") -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._poller = select.poll()
        self._poller.register(stdin, select.POLLIN)
        self._ended = False

    def wait(self, ms: int) -> None:
        """Return at once: the chip has nothing better to do, and a millisecond asleep would cost a hit its peak."""

    def read(self) -> bytes:
        """Return what is there, possibly nothing; never wait."""
        data = bytearray()
        while len(data) < READ_LIMIT and not self._ended and self._poller.poll(0):
            byte = self._stdin.read(1)
            if byte:
                data += byte
            else:
                # A pipe at its end is always ready: polling it on would burn the processor.
                self._ended = True
                self._poller.unregister(self._stdin)
        return bytes(data)

    def write(self, data: bytes) -> None:
        """Send `data`. Waits while the host does not read, so the caller writes only to a host that shows life."""
        self._stdout.write(data)
