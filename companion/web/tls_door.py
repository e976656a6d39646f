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
        self._greeted: dict[
            asyncio.Task[None], str
        ] = {}  # whom, and from which address; who came first stands first

    async def stand(self) -> None:
        """Let in until cancelled; who is still being greeted then is sent away."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    came, (address, *_) = await loop.sock_accept(self._door)
                except OSError:  # no descriptor is left for it just now
                    await asyncio.sleep(1)
                    continue
                self._make_room(address)
                inside = asyncio.Event()
                task = asyncio.create_task(self._greet(came, inside))
                self._greeted[task] = address
                task.add_done_callback(partial(self._part, came, inside))
        finally:
            for task in self._greeted:
                task.cancel()

    def _make_room(self, address: str) -> None:
        """Send away who has stood there longest, where many do: a phone is through in a moment."""
        of_one = [task for task, its in self._greeted.items() if its == address]
        for many, standing in ((MOST_OF_ONE, of_one), (MOST_GREETED, [*self._greeted])):
            if len(standing) >= many:
                standing[0].cancel()
                self._greeted.pop(standing[0], None)

    def _part(self, came: socket.socket, inside: asyncio.Event, task: asyncio.Task[None]) -> None:
        """Close it, also where nobody had begun to greet it; inside, the loop does that."""
        self._greeted.pop(task, None)
        if not inside.is_set():
            came.close()

    async def _greet(self, came: socket.socket, inside: asyncio.Event) -> None:
        # a broken handshake, among others: nobody is there to tell
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(HELLO_S):
                came.setblocking(False)
                await _readable(came)
                if came.recv(1, socket.MSG_PEEK) != _HANDSHAKE:
                    await _answer_in_words(came)
                    return
                inside.set()
                loop = asyncio.get_running_loop()
                await loop.connect_accepted_socket(
                    self._make, came, ssl=self._context, ssl_handshake_timeout=HELLO_S
                )


async def _readable(came: socket.socket) -> None:
    loop, heard = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(came, heard.set)
    try:
        await heard.wait()
    finally:
        loop.remove_reader(came)


async def _answer_in_words(came: socket.socket) -> None:
    """Say in plain words what to do, after what was asked: closed with that unread, the sentence would be lost."""
    loop = asyncio.get_running_loop()
    asked = await loop.sock_recv(came, 65536)
    if asked:
        await loop.sock_sendall(came, plain_answer(HTTPStatus.BAD_REQUEST, PLAIN))
        with suppress(OSError):
            came.shutdown(socket.SHUT_WR)
