"""A listener for encrypted pages: the handshake has seconds, few run at a time, and who speaks no TLS gets a plain
answer."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus

from companion.web.connections import plain_answer

HELLO_S = 10.0
"""Seconds from the connection to the end of the handshake."""
MOST_GREETED = 60
"""Handshakes at a time in all; a table of phones that all reconnect needs half of that."""
MOST_OF_ONE = 20
"""Handshakes at a time from one address, so that none keeps the others out."""
_HANDSHAKE = b"\x16"  # type of the first TLS record (RFC 8446, 5.1)
PLAIN = "These pages are encrypted: write https:// before the address."


class TlsDoor:
    """Accepts connections at `door`; each gets a protocol made by `make`, over TLS."""

    def __init__(
        self, door: socket.socket, context: ssl.SSLContext, make: Callable[[], asyncio.Protocol]
    ) -> None:
        self._door = door
        self._context = context
        self._make = make
        # each running handshake -> its address, the oldest first
        self._handshakes: dict[asyncio.Task[None], str] = {}

    async def stand(self) -> None:
        """Accept connections until cancelled; running handshakes are cancelled too."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    connection, (address, *_) = await loop.sock_accept(self._door)
                except OSError:  # out of file descriptors for now
                    await asyncio.sleep(1)
                    continue
                self._make_room(address)
                inside = asyncio.Event()
                task = asyncio.create_task(self._handshake(connection, inside))
                self._handshakes[task] = address
                task.add_done_callback(partial(self._finish, connection, inside))
        finally:
            for task in self._handshakes:
                task.cancel()

    def _make_room(self, address: str) -> None:
        """Cancel a handshake if there are too many; a phone's takes a moment. It is the oldest from the same address,
        or from the one that has the most: a flood from a few addresses makes room for others."""
        by_address = Counter(self._handshakes.values())
        if by_address[address] >= MOST_OF_ONE:
            self._cancel_oldest(address)
        elif by_address.total() >= MOST_GREETED:
            (most, _), *_ = by_address.most_common(1)
            self._cancel_oldest(most)

    def _cancel_oldest(self, address: str) -> None:
        oldest = next(task for task, of in self._handshakes.items() if of == address)
        oldest.cancel()
        # `_finish` removes it too, but only on the next turn of the loop
        del self._handshakes[oldest]

    def _finish(
        self, connection: socket.socket, inside: asyncio.Event, task: asyncio.Task[None]
    ) -> None:
        """Close the connection unless TLS has taken it over, also if its task never started."""
        self._handshakes.pop(task, None)
        if not inside.is_set():
            connection.close()

    async def _handshake(self, connection: socket.socket, inside: asyncio.Event) -> None:
        # OSError includes a failed handshake; nobody is there to tell
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(HELLO_S):
                connection.setblocking(False)
                await _readable(connection)
                if connection.recv(1, socket.MSG_PEEK) != _HANDSHAKE:
                    await _answer_in_words(connection)
                    return
                inside.set()
                loop = asyncio.get_running_loop()
                await loop.connect_accepted_socket(
                    self._make, connection, ssl=self._context, ssl_handshake_timeout=HELLO_S
                )


async def _readable(connection: socket.socket) -> None:
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection)


async def _answer_in_words(connection: socket.socket) -> None:
    """Answer in plain HTTP. The request is read first: closing with unread data would reset the connection."""
    loop = asyncio.get_running_loop()
    request = await loop.sock_recv(connection, 65536)
    if request:
        await loop.sock_sendall(connection, plain_answer(HTTPStatus.BAD_REQUEST, PLAIN))
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
