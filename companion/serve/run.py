"""`companion serve`: the pages of a session, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Protocol, TextIO

from companion.exits import Exit
from companion.serve.addresses import LOCALHOST, Codes, lan_address, listening
from companion.serve.app import Pages
from companion.serve.connections import server_of
from companion.serve.onlooker import Onlooker
from companion.serve.printed import Signs, ask_for_seats
from companion.serve.showing import Showing
from companion.session.watching import LOOK_S

START_S = 0.01


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for: `lan` is None for this machine alone, else an address of it or empty for the one found."""

    port: int
    lan: str | None = None
    seat_codes: bool = False
    anyway: bool = False
    delay_s: float = 0.0


def serve(path: Path, wanted: Wanted, keys: TextIO, out: TextIO) -> int:
    """Serve the session at `path` until somebody ends it; return the exit code, raise `CommandError`."""
    onlooker = Onlooker(path, anyway=wanted.anyway, delay_s=wanted.delay_s)
    address = LOCALHOST if wanted.lan is None else lan_address(wanted.lan or None)
    door = listening(address, wanted.port)
    with door:
        codes = Codes()
        origin = f"http://{address}:{door.getsockname()[1]}"
        pages = Pages(onlooker.showing, codes, origin, onlooker.tail)
        signs = Signs(out, origin, codes, scan=wanted.lan is not None)

        def welcome() -> None:
            signs.welcome(onlooker.session, onlooker.showing.title)
            if wanted.seat_codes:
                ask_for_seats(signs, lambda: pages.seats, keys)

        # Ctrl-C ends the server; whether it is raised here as well depends on what was awaited just then.
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(keep_serving(onlooker, pages, door, welcome))
        print("\nNo more pages are served. Your game is safe.", file=out)
    return Exit.DONE


class Looker(Protocol):
    """What says what the pages show; it is used by one thread at a time."""

    showing: Showing

    @property
    def news(self) -> bool:
        """Whether a look may change the pages."""

    def look(self) -> bool:
        """Take in the news; return whether the pages changed."""


async def keep_serving(
    onlooker: Looker, pages: Pages, door: socket, welcome: Callable[[], object] = lambda: None
) -> None:
    """Serve pages at `door` and look for news, until the server is told to end; raise what went wrong in a page.
    `welcome` is called once there is somebody behind the door, and Ctrl-C is listened to."""
    server = server_of(pages)
    serving = asyncio.create_task(server.serve(sockets=[door]))
    try:
        while not (server.started or serving.done()):
            await asyncio.wait((serving,), timeout=START_S)
        welcome()
        while not (server.should_exit or serving.done() or pages.fault):
            if onlooker.news:
                if await asyncio.to_thread(onlooker.look):
                    pages.show(onlooker.showing)
                pages.hear()
            await asyncio.wait((serving,), timeout=LOOK_S)
    finally:
        server.should_exit = True
        pages.close()
        await serving
    if pages.fault is not None:
        raise pages.fault
