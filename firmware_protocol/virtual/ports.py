"""The port that a host opens: a pty behind a stable path, or a TCP server; it never blocks, whether or not a host
reads."""

import os
import selectors
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from firmware_protocol.virtual.board_process import READ_SIZE, SocketWire
from firmware_protocol.virtual.runtime import VirtualBoardError
from firmware_protocol.virtual.system import open_pty, unread_at

# The most unread bytes of a host that does not read; a USB stack without a host keeps a few hundred bytes and drops the
# rest. A host that reads gets several times the board's credit of 8 frames of 32 bytes.
UNREAD_LIMIT = 2048


class HostPort(Protocol):
    """The port a host opens; non-blocking."""

    @property
    def url(self) -> str:
        """The path or `socket://` URL that a host opens."""
        ...

    def plug(self) -> None:
        """Make the port appear; raise `VirtualBoardError` if it cannot."""
        ...

    def unplug(self) -> None:
        """Make the port vanish: the host's reads fail."""
        ...

    def write(self, data: bytes) -> int:
        """Return how many bytes were taken; the rest is lost."""
        ...

    def listen(self, wanted: bool) -> None:
        """Read from the host, or leave its writes waiting."""
        ...


class PtyPort:
    """A pty behind a symlink at `path`, the same path after each plug."""

    def __init__(
        self, path: Path, selector: selectors.BaseSelector, on_bytes: Callable[[bytes], None]
    ) -> None:
        self.url = str(path)
        self._path = path
        self._selector = selector
        self._on_bytes = on_bytes
        self._master: int | None = None
        self._slave = -1
        self._listening = False
        self._unconfirmed = 0
        self._unread = 0

    def plug(self) -> None:
        """Create a pty and point the path at it; refuse a path that is in use."""
        if self._path.exists():
            raise VirtualBoardError(
                f"{self._path} is in use: another board is plugged in there; end it, remove the file or choose --path."
            )
        self._master, self._slave, name = open_pty()
        self._unconfirmed = self._unread = 0
        try:
            self._path.unlink(missing_ok=True)
            self._path.symlink_to(name)
        except OSError as error:
            self._close()
            raise VirtualBoardError(
                f"Cannot make a port at {self._path}: {error.strerror}."
            ) from error
        self.listen(True)

    def unplug(self) -> None:
        """Close the pty, so that the host's read fails as at a real unplug, and remove the path."""
        if self._master is None:
            return
        self.listen(False)
        self._path.unlink(missing_ok=True)
        self._close()

    def _close(self) -> None:
        if self._master is not None:
            os.close(self._master)
            os.close(self._slave)
            self._master = None

    def write(self, data: bytes) -> int:
        """Return how many bytes were taken: none if a host that does not read has left too many."""
        if self._master is None:
            return 0
        unread = unread_at(self._slave)
        # A busy kernel delivers late, so `unread_at` can be too small: bytes count until the host is seen to have read.
        if unread == 0 or unread < self._unread:
            self._unconfirmed = unread
        self._unread = unread
        if self._unconfirmed >= UNREAD_LIMIT:
            return 0
        try:
            taken = os.write(self._master, data)
        except OSError:
            return 0
        self._unconfirmed += taken
        return taken

    def listen(self, wanted: bool) -> None:
        """Read from the host, or leave its writes waiting."""
        if self._master is None or wanted == self._listening:
            return
        self._listening = wanted
        if wanted:
            self._selector.register(self._master, selectors.EVENT_READ, self._readable)
        else:
            self._selector.unregister(self._master)

    def _readable(self) -> None:
        if self._master is None:
            return
        try:
            self._on_bytes(os.read(self._master, READ_SIZE))
        except BlockingIOError:
            return


class TcpPort:
    """A TCP server for one host at a time, for pyserial's `socket://host:port` on any system."""

    def __init__(
        self,
        host: str,
        port: int,
        selector: selectors.BaseSelector,
        on_bytes: Callable[[bytes], None],
    ) -> None:
        self._address = (host, port)
        self._selector = selector
        self._on_bytes = on_bytes
        self._listener: socket.socket | None = None
        self._host: SocketWire | None = None
        self._listening = True

    @property
    def url(self) -> str:
        """The URL pyserial opens."""
        return f"socket://{self._address[0]}:{self._address[1]}"

    def plug(self) -> None:
        """Listen; the port number chosen at the first plug is kept."""
        try:
            self._listener = socket.create_server(self._address, backlog=1)
        except OSError as error:
            raise VirtualBoardError(
                f"Cannot listen on {self._address[0]}:{self._address[1]}: {error}"
            ) from error
        self._address = (self._address[0], int(self._listener.getsockname()[1]))
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def unplug(self) -> None:
        """Drop the host and stop listening."""
        self._hang_up()
        if self._listener is not None:
            self._selector.unregister(self._listener)
            self._listener.close()
            self._listener = None

    def write(self, data: bytes) -> int:
        """Return how many bytes were taken: none without a host."""
        if self._host is None:
            return 0
        try:
            return self._host.write(data)
        except EOFError:
            self._hang_up()
            return 0

    def listen(self, wanted: bool) -> None:
        """Read from the host, or leave its writes waiting."""
        if wanted == self._listening:
            return
        self._listening = wanted
        if self._host is not None:
            if wanted:
                self._selector.register(self._host, selectors.EVENT_READ, self._readable)
            else:
                self._selector.unregister(self._host)

    def _accept(self) -> None:
        if self._listener is None:
            return
        try:
            sock = self._listener.accept()[0]
        except BlockingIOError:
            return
        if self._host is not None:
            sock.close()
            return
        self._host = SocketWire(sock)
        if self._listening:
            self._selector.register(self._host, selectors.EVENT_READ, self._readable)

    def _readable(self) -> None:
        if self._host is None:
            return
        try:
            self._on_bytes(self._host.read())
        except EOFError:
            self._hang_up()

    def _hang_up(self) -> None:
        if self._host is None:
            return
        if self._listening:
            self._selector.unregister(self._host)
        self._host.close()
        self._host = None
