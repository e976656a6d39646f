"""Objects as lines of JSON over a local socket, for the launcher's two control connections."""

import json
import socket
from typing import Any

# Both ends are processes of this computer that answer at once; one that takes this long is stuck.
STUCK_S = 5.0
MAX_LINE = 16 * 1024 * 1024


class JsonLines:
    """A connected socket with one JSON object a line; EOF and a stuck peer raise `ConnectionError`."""

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(STUCK_S)
        self.sock = sock
        self._partial = bytearray()

    def fileno(self) -> int:
        """Return the socket's descriptor, for a selector."""
        return self.sock.fileno()

    def receive(self) -> list[dict[str, Any]]:
        """Wait for bytes and return the objects they complete; raise `ValueError` for a line that is no object."""
        try:
            data = self.sock.recv(65536)
        except TimeoutError as error:
            raise ConnectionError("no answer in time") from error
        if not data:
            raise ConnectionError("the other end closed the connection")
        self._partial += data
        if len(self._partial) > MAX_LINE:
            raise ConnectionError(f"a line of over {MAX_LINE} bytes")
        *lines, rest = self._partial.split(b"\n")
        self._partial = bytearray(rest)
        return [_object(line) for line in lines if line.strip()]

    def send(self, message: dict[str, Any]) -> None:
        """Send one object."""
        try:
            self.sock.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except OSError as error:
            raise ConnectionError(f"the other end takes nothing: {error}") from error

    def close(self) -> None:
        """Close the socket."""
        self.sock.close()


def _object(line: bytes | bytearray) -> dict[str, Any]:
    message = json.loads(line)
    if not isinstance(message, dict):
        raise ValueError(f"expected a JSON object, not {line[:40]!r}")
    return message
