"""The door to encrypted pages: who wants in says hello within seconds, few at a time; who does not speak TLS is told so
in plain words."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus

from companion.web.connections import plain_answer

HELLO_S = 10.0
"""Seconds from the connection to the end of the handshake."""
MOST_GREETED = 60
"""Handshakes at a time, of everybody; a table of phones that come back at once has half of that."""
MOST_OF_ONE = 20
"""Of them those of one address, so that none keeps the others out."""
_HANDSHAKE = b"\x16"  # the type of the first record of TLS (RFC 8446, 5.1)
PLAIN = "These pages are encrypted: write https:// before the address."


class TlsDoor:
    """Lets in who comes to `door`: each gets a protocol that `make` makes, behind an encrypted connection."""

    def __init__(
        self, door: socket.socket, context: ssl.SSLContext, make: Callable[[], asyncio.Protocol]
    ) -> None:
        self._door = door
        self._context = context
        self._make = make
        self._handshakes: dict[
            asyncio.Task[None], str
        ] = {}  # whom, and from which address; who came first stands first

    async def stand(self) -> None:
        """Let in until cancelled; who is still being greeted then is sent away."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    connection, (address, *_) = await loop.sock_accept(self._door)
                except OSError:  # no descriptor is left for it just now
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
        """Send away who has stood there longest, where many do: a phone is through in a moment."""
        of_one = [
            task for task, from_address in self._handshakes.items() if from_address == address
        ]
        for most, tasks in ((MOST_OF_ONE, of_one), (MOST_GREETED, [*self._handshakes])):
            if len(tasks) >= most:
                tasks[0].cancel()
                self._handshakes.pop(tasks[0], None)

    def _finish(
        self, connection: socket.socket, inside: asyncio.Event, task: asyncio.Task[None]
    ) -> None:
        """Close it, also where nobody had begun to greet it; inside, the loop does that."""
        self._handshakes.pop(task, None)
        if not inside.is_set():
            connection.close()

    async def _handshake(self, connection: socket.socket, inside: asyncio.Event) -> None:
        # a broken handshake, among others: nobody is there to tell
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
    """Say in plain words what to do, after what was asked: closed with that unread, the sentence would be lost."""
    loop = asyncio.get_running_loop()
    request = await loop.sock_recv(connection, 65536)
    if request:
        await loop.sock_sendall(connection, plain_answer(HTTPStatus.BAD_REQUEST, PLAIN))
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
