"""The launcher's control connection: a local socket with one JSON object a line."""

import selectors
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_protocol.virtual.jsonlines import JsonLines
from firmware_protocol.virtual.runtime import VirtualBoardError
from firmware_protocol.virtual.system import local_socket

LOOPBACK = "127.0.0.1"


class ControlServer:
    """Accepts clients at `address` (a port number of the loopback interface, or a path) and passes their messages
    on."""

    def __init__(
        self,
        address: str,
        selector: selectors.BaseSelector,
        handle: Callable[[JsonLines, dict[str, Any]], None],
    ) -> None:
        self._selector = selector
        self._handle = handle
        self._clients: set[JsonLines] = set()
        self._path = None if address.isdigit() else Path(address).absolute()
        self._listener = self._listen(address)
        self.address = str(self._path)
        if self._path is None:
            self.address = f"{LOOPBACK}:{self._listener.getsockname()[1]}"
        selector.register(self._listener, selectors.EVENT_READ, self._accept)

    @property
    def clients(self) -> int:
        """Number of connected clients."""
        return len(self._clients)

    def _listen(self, address: str) -> socket.socket:
        try:
            if self._path is None:
                return socket.create_server((LOOPBACK, int(address)))
            listener = local_socket()
            listener.bind(str(self._path))
            listener.listen()
        except OSError as error:
            raise VirtualBoardError(f"Cannot listen for control at {address}: {error}") from error
        return listener

    def _accept(self) -> None:
        client = JsonLines(self._listener.accept()[0])
        self._clients.add(client)
        self._selector.register(client, selectors.EVENT_READ, lambda: self._readable(client))

    def _readable(self, client: JsonLines) -> None:
        if client not in self._clients:
            return
        try:
            for message in client.receive():
                self._handle(client, message)
        except (ConnectionError, ValueError):
            self._drop(client)

    def answer(self, client: JsonLines, message: dict[str, Any]) -> None:
        """Send `message`, unless the client is gone meanwhile."""
        if client not in self._clients:
            return
        try:
            client.send(message)
        except ConnectionError:
            self._drop(client)

    def _drop(self, client: JsonLines) -> None:
        self._clients.discard(client)
        self._selector.unregister(client)
        client.close()

    def close(self) -> None:
        """Drop all clients and stop listening."""
        for client in list(self._clients):
            self._drop(client)
        self._selector.unregister(self._listener)
        self._listener.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def connect(address: str) -> JsonLines:
    """Connect to a control at `host:port`, a port number or a path; raise `VirtualBoardError` if none is there."""
    host, _, port = address.rpartition(":")
    try:
        if port.isdigit():
            return JsonLines(socket.create_connection((host or LOOPBACK, int(port)), timeout=5))
        sock = local_socket()
        try:
            sock.connect(address)
        except OSError:
            sock.close()
            raise
    except OSError as error:
        raise VirtualBoardError(f"No virtual board answers at {address}: {error}") from error
    return JsonLines(sock)
