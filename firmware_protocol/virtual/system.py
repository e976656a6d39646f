"""What a virtual board needs that differs between systems: pseudo-terminals, pipes and local sockets."""

import os
import socket
import sys
import tempfile
from pathlib import Path

from firmware_protocol.virtual.errors import VirtualBoardError

if sys.platform != "win32":
    import fcntl
    import pty
    import select
    import struct
    import termios
    import tty

NO_PTY = (
    "A port with a path needs Linux or macOS. Use --listen 127.0.0.1:0, and open the socket:// URL."
)
NO_PIPES = "The MicroPython VM needs Linux or macOS. Use the runtime 'cpython'."
NO_LOCAL_SOCKET = "A control with a path needs Linux or macOS. Use a port number."


def has_ptys() -> bool:
    """Return whether a board can have a port with a path, and the MicroPython VM a wire of pipes."""
    return sys.platform != "win32"


def own_folder() -> Path:
    """Return this user's folder for ports, created if missing; raise `VirtualBoardError`."""
    if sys.platform == "win32":
        raise VirtualBoardError(NO_PTY)
    base = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(base or tempfile.gettempdir()) / f"table-companion-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise VirtualBoardError(f"{folder} belongs to another user; choose --path.")
    return folder


def open_pty() -> tuple[int, int, str]:
    """Return both ends of a new pseudo-terminal, the board's and the host's, and the host's path. The board's end never
    waits. Raise `VirtualBoardError`."""
    if sys.platform != "win32":
        board, host = pty.openpty()
        tty.setraw(host)
        os.set_blocking(board, False)
        return board, host, os.ttyname(host)
    raise VirtualBoardError(NO_PTY)


def unread_at(host: int) -> int:
    """Return how many bytes wait at the host's end of a pseudo-terminal."""
    if sys.platform != "win32":
        # Polling a port with nothing to read makes Linux deliver the bytes that are on the way.
        poller = select.poll()
        poller.register(host, select.POLLIN)
        poller.poll(0)
        answer = fcntl.ioctl(host, termios.FIONREAD, struct.pack("i", 0))
        return int(struct.unpack("i", answer)[0])
    raise VirtualBoardError(NO_PTY)


def never_wait(*pipes: int) -> None:
    """Make reads and writes of pipes return at once; raise `VirtualBoardError`."""
    if sys.platform == "win32":
        raise VirtualBoardError(NO_PIPES)
    for pipe in pipes:
        os.set_blocking(pipe, False)


def local_socket() -> socket.socket:
    """Return a socket whose address is a path; raise `VirtualBoardError`."""
    if sys.platform == "win32":
        raise VirtualBoardError(NO_LOCAL_SOCKET)
    return socket.socket(socket.AF_UNIX)
