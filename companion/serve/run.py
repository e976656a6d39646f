"""`companion serve`: the pages of a session, until Ctrl-C."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Callable
from socket import socket
from ssl import SSLContext
from typing import TYPE_CHECKING

from companion.config.reading import preferences
from companion.exits import CommandError, Exit
from companion.journal.sessions import sessions_dir
from companion.serve.addresses import LOCALHOST, Codes, lan_address, listening
from companion.serve.app import Pages
from companion.serve.connections import connection_maker, server_of
from companion.serve.document import read_style
from companion.serve.lookers import Onlooker, TableLooker
from companion.serve.printed import Signs, ask_for_seats
from companion.serve.tls_door import TlsDoor
from companion.session.finding import session_to_follow
from companion.session.watching import LOOK_S

if TYPE_CHECKING:
    from companion.serve.certificate import Identity

NO_TLS = (
    "Encrypted pages need a library that is not installed. In the companion's clone: pipx install --force "
    "'.[serve,tls]', or .venv/bin/pip install -e '.[serve,tls]'"
)
START_S = 0.01
LEAST_S = 0.02
"""Seconds between two looks, whatever happens: a look costs the game time too."""


def serve(args: argparse.Namespace) -> int:
    """Serve a session until somebody ends it; return the exit code, raise `CommandError`. `args.lan` is None for this
    machine alone, else an address of it, or empty for the one found."""
    path, said = session_to_follow(args.session), preferences()
    style = read_style(said.overlay_style)
    onlooker = Onlooker(path, anyway=args.anyway, delay_s=said.broadcast_delay)
    address = LOCALHOST if args.lan is None else lan_address(args.lan or None)
    identity = identity_at(address) if args.tls or said.phones_tls else None
    with listening(address, args.port) as door:
        codes = Codes()
        origin = f"{'https' if identity else 'http'}://{address}:{door.getsockname()[1]}"
        fingerprint = identity.fingerprint if identity else ""
        pages = Pages(onlooker.showing, codes, origin, onlooker.tail, style=style, fingerprint=fingerprint)
        signs = Signs(sys.stdout, origin, codes, scan=args.lan is not None)

        def welcome() -> None:
            signs.welcome(onlooker.session, onlooker.showing.title, fingerprint)
            if args.seat_codes:
                ask_for_seats(signs, lambda: pages.seats, sys.stdin)

        # Ctrl-C ends the server; whether it is raised here as well depends on what was awaited just then.
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(keep_serving(onlooker, pages, door, welcome, identity.context if identity else None))
        print("\nNo more pages are served. Your game is safe.")
    return Exit.DONE


def identity_at(address: str) -> Identity:
    """Return by what the server at `address` proves itself; raise `CommandError`, also where no library is there."""
    try:
        from companion.serve.certificate import identity_for
    except ModuleNotFoundError as problem:
        if problem.name != "cryptography":
            raise
        raise CommandError(NO_TLS, Exit.UNAVAILABLE) from problem
    return identity_for(address, sessions_dir().parent)


async def keep_serving(
    onlooker: Onlooker | TableLooker,
    pages: Pages,
    door: socket,
    welcome: Callable[[], object] = lambda: None,
    context: SSLContext | None = None,
) -> None:
    """Serve pages at `door`, encrypted with a `context`, and look for news, until the server is told to end; raise what
    went wrong in a page. `welcome` is called once there is somebody behind the door, and Ctrl-C is listened to."""
    server = server_of(pages)
    loop, heard = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(heard.set)

    deaf = onlooker.listen(wake)
    serving = asyncio.create_task(server.serve(sockets=[door] if context is None else []))
    doors: list[asyncio.Task[None]] = []
    try:
        while not (server.started or serving.done()):
            await asyncio.wait((serving,), timeout=START_S)
        if context is not None:
            doors.append(asyncio.create_task(TlsDoor(door, context, connection_maker(server)).stand()))
        welcome()
        while not (server.should_exit or serving.done() or pages.fault):
            heard.clear()
            if onlooker.news:
                if await asyncio.to_thread(onlooker.look):
                    pages.show(onlooker.showing)
                pages.hear()
                await asyncio.wait((serving,), timeout=LEAST_S)
            await _first_of(serving, heard)
    finally:
        deaf()
        for each in doors:
            each.cancel()
        server.should_exit = True
        pages.close()
        await serving
    if pages.fault is not None:
        raise pages.fault


async def _first_of(serving: asyncio.Task[None], heard: asyncio.Event) -> None:
    """Wait until there is news, the server ends, or it is time to ask for news."""
    hearing = asyncio.create_task(heard.wait())
    try:
        await asyncio.wait((serving, hearing), timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hearing.cancel()
