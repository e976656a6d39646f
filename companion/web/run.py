"""`companion serve`: serve a session's pages until Ctrl-C. It prints addresses and QR codes; a seat's code is shown
only while that seat looks."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import replace
from socket import socket
from ssl import SSLContext
from typing import TYPE_CHECKING, TextIO

from companion.config.reading import preferences
from companion.errors import needs_extra
from companion.journal.folder import sessions_dir
from companion.reports.qr import qr_lines
from companion.rules.columns import clean
from companion.rules.facts import TABLE, Seat, SeatId
from companion.rules.names import person_key
from companion.session.finding import session_to_follow
from companion.session.game_watch import hang_reported
from companion.session.watching import LOOK_S
from companion.system import sockets
from companion.terminal import unfiltered
from companion.web.addresses import LOCALHOST, lan_addresses, listening, listening_everywhere
from companion.web.app import Pages
from companion.web.codes import Codes
from companion.web.connections import connection_maker, cut_off_the_rest, server_of
from companion.web.document import read_style
from companion.web.interfaces import Origins, OwnAddress, preferred, watch_addresses
from companion.web.lookers import Onlooker, TableLooker
from companion.web.tls_door import TlsDoor

if TYPE_CHECKING:
    from starlette.types import ASGIApp

START_S = 0.01
LEAST_S = 0.02
"""Seconds between two looks at the record; a look takes processor time that the game needs too."""
ON_BLACK = "\x1b[97;40m{}\x1b[0m"  # SGR codes (ECMA-48), whatever the terminal's own colors
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # clears the screen and its scrollback (ECMA-48, xterm)


def serve(args: argparse.Namespace) -> None:
    """Serve a session until somebody ends it; raise `CommandError`. `args.lan` is None for this machine alone, else one
    of its addresses, or empty for all of them."""
    with hang_reported():
        _serve(args)


def _serve(args: argparse.Namespace) -> None:
    path, settings = session_to_follow(args.session), preferences()
    style = read_style(settings.overlay_style)
    # before the port is opened: a session that cannot be read is reported without one
    onlooker = Onlooker(
        path, anyway=args.anyway, delay_s=settings.broadcast_delay, odds=settings.odds
    )
    addresses: tuple[OwnAddress, ...] = (OwnAddress(LOCALHOST),)
    if args.lan is not None:
        addresses = lan_addresses(args.lan)
    first = preferred(addresses, settings.phones_address) or addresses[0]
    context, fingerprint = identity_at(
        [address.ip for address in addresses], tls=args.tls or settings.phones_tls
    )
    with contextlib.ExitStack() as ending:
        doors = (
            listening_everywhere(args.port) if args.lan == "" else [listening(first.ip, args.port)]
        )
        for door in doors:
            ending.enter_context(door)
        codes = Codes()
        scheme = "http" if context is None else "https"
        origins = Origins(scheme, doors[0].getsockname()[1], addresses, first)
        pages = Pages(
            onlooker.showing,
            codes,
            origins.main,
            onlooker.tail,
            style=style,
            fingerprint=fingerprint,
        )
        printer = AddressPrinter(sys.stdout, origins, codes, scan=args.lan is not None)

        def welcome() -> None:
            printer.welcome(onlooker.session, onlooker.showing.title, fingerprint)
            if args.seat_codes:
                ask_for_seats(printer, lambda: onlooker.showing.seats, sys.stdin)

        def moved(now: tuple[OwnAddress, ...]) -> None:
            nonlocal fingerprint
            chosen = preferred(now, settings.phones_address)
            if chosen is None:  # on no network for now
                return
            if context is not None:
                fingerprint = renewed(context, [address.ip for address in now])
            printer.move(replace(origins, addresses=now, shown=chosen), fingerprint)
            pages.move(printer.origins.main, fingerprint)

        async def run() -> None:
            watch = asyncio.create_task(watch_addresses(moved)) if args.lan == "" else None
            try:
                await keep_serving(onlooker, pages, doors, welcome, context)
            finally:
                if watch is not None:
                    watch.cancel()

        gc.freeze()  # what exists by now stays: a collection that scanned it would delay a change by 90 ms
        # Ctrl-C ends the server; whether KeyboardInterrupt is raised here too depends on what was awaited just then.
        with contextlib.suppress(KeyboardInterrupt):
            sockets.run(run())
        print("\nNo more pages are served. Your game is safe.")


def identity_at(addresses: Collection[str], *, tls: bool) -> tuple[SSLContext | None, str]:
    """Return the TLS context and the certificate's fingerprint of the server at `addresses`; None and an empty string
    without `tls`. Raise `CommandError`, also if the library is missing."""
    if not tls:
        return None, ""
    with needs_extra("tls", "Encrypted pages need a library that is not installed."):
        from companion.web.certificate import identity_for
    return identity_for(addresses, sessions_dir().parent)


def renewed(context: SSLContext, addresses: Collection[str]) -> str:
    """Make new connections show a certificate that names `addresses`, too; return its fingerprint.

    Raise `CommandError` if it cannot be made. Open connections go on as they are.
    """
    from companion.web.certificate import renew_in

    return renew_in(context, addresses, sessions_dir().parent)


async def keep_serving(
    onlooker: Onlooker | TableLooker,
    pages: Pages,
    doors: Sequence[socket],
    welcome: Callable[[], object] = lambda: None,
    context: SSLContext | None = None,
) -> None:
    """Serve pages at `doors`, encrypted if there is a `context`, and look for news until the server is told to end;
    raise the exception of an answer that failed. `welcome` is called once requests are answered and Ctrl-C is
    handled."""
    loop, heard = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has closed
            loop.call_soon_threadsafe(heard.set)

    unsubscribe = onlooker.listen(wake)
    try:
        async with serving(pages, doors, context, pages.close) as (served, is_ending):
            welcome()
            while not (is_ending() or served.done() or pages.fault):
                heard.clear()
                if onlooker.news:
                    if await asyncio.to_thread(onlooker.look):
                        pages.show(onlooker.showing)
                    pages.hear()
                    await asyncio.wait((served,), timeout=LEAST_S)
                await first_of(heard, served, LOOK_S)
    finally:
        unsubscribe()
    if pages.fault is not None:
        raise pages.fault


@contextlib.asynccontextmanager
async def serving(
    app: ASGIApp,
    doors: Sequence[socket],
    context: SSLContext | None,
    closing: Callable[[], object] = lambda: None,
) -> AsyncIterator[tuple[asyncio.Task[None], Callable[[], bool]]]:
    """Serve an application at `doors` inside the block, encrypted if there is a `context`; yield the server's task once
    it answers, and whether it was told to end, as by Ctrl-C. `closing` ends the streams that are open."""
    server = server_of(app)
    # with TLS, uvicorn gets no socket: its own handshakes have no bound, those of `TlsDoor` have
    served = asyncio.create_task(server.serve(sockets=[*doors] if context is None else []))
    door_tasks: list[asyncio.Task[None]] = []
    try:
        while not (server.started or served.done()):
            await asyncio.wait((served,), timeout=START_S)
        if context is not None:
            for door in doors:
                tls_door = TlsDoor(door, context, connection_maker(server))
                door_tasks.append(asyncio.create_task(tls_door.stand()))
        yield served, lambda: server.should_exit
    finally:
        for door_task in door_tasks:
            door_task.cancel()
        server.should_exit = True
        closing()
        await served
        await cut_off_the_rest(server)


async def first_of(
    event: asyncio.Event, end: asyncio.Future[None], timeout_s: float | None = None
) -> None:
    """Wait for the event or the end, at most `timeout_s` seconds; None: without limit."""
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait((waiting, end), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


class AddressPrinter:
    """Prints addresses; with `scan`, which says that phones can reach them, also QR codes if `out` is a terminal."""

    def __init__(self, out: TextIO, origins: Origins, codes: Codes, *, scan: bool) -> None:
        self._out = unfiltered(out)  # cleaned in `_say`: the codes have colors
        self.origins = origins
        self._codes = codes
        self._phones, self._scan = scan, scan and out.isatty()

    def welcome(self, session: str, game: str, fingerprint: str = "") -> None:
        """Print what is served and where, and the fingerprint of an encrypted page's certificate."""
        audience = "this computer only; with --lan for phones and tablets"
        if self._phones:
            audience = "phones and tablets"
        self._say(f"{game}, session {session}, for {audience}. Ctrl-C ends it.")
        if fingerprint:
            self._say(
                f"Encrypted; a browser warns once. The certificate's SHA-256 fingerprint is {fingerprint}"
            )
        self._sign(TABLE)
        first = "Add overlay to the address for"
        if self._phones:
            first = "Add qr to the address for a code that phones can scan, overlay for"
        self._say(f"{first} scores over a stream, caller for a page that speaks rulings aloud.")

    def move(self, origins: Origins, fingerprint: str) -> None:
        """Print where everybody's page is now, if the computer's address has changed. The codes stay."""
        before, self.origins = self.origins, origins
        if origins.main == before.main:
            return
        self._say("The address of this computer has changed: scan again.")
        if fingerprint:
            self._say(f"The certificate's SHA-256 fingerprint is now {fingerprint}")
        self._sign(TABLE)

    def seat(self, seat: Seat) -> None:
        """Print a seat's own address."""
        self._say(f"For {seat.name} alone:")
        self._sign(seat.id)

    def hide(self) -> None:
        """Clear a seat's code off the screen."""
        if self._out.isatty():
            self._out.write(_CLEAR)

    def ask(self, seats: Sequence[Seat]) -> None:
        """Print which keys show which seat's code."""
        keys = ", ".join(f"{number} {seat.name}" for number, seat in enumerate(seats, start=1))
        self._say(
            f"Secrets, for a seat's own phone: type {keys}, then Enter; Enter again hides it."
        )

    def _sign(self, viewer: SeatId) -> None:
        path = f"/{self._codes.of(viewer)}/"
        address = f"{self.origins.main}{path}"
        if self._scan and not self.origins.shown.is_own_only:
            lines = qr_lines(address)
            problem = too_small(self._out, len(lines[0]), len(lines))
            if problem:
                self._say(problem)
            else:
                style = "{}" if "NO_COLOR" in os.environ else ON_BLACK
                self._say("\n".join(style.format(line) for line in lines), plain=True)
        self._say(address)
        for other in self.origins.others(path):
            self._say(f"  or {other}")

    def _say(self, sentence: str, *, plain: bool = False) -> None:
        print(sentence if plain else clean(sentence), file=self._out, flush=True)


def too_small(out: TextIO, columns: int, rows: int) -> str:
    """Return a sentence that says the terminal has no room for a code of that size, or an empty string if it has."""
    try:
        room = os.get_terminal_size(out.fileno())
    except OSError:  # not a terminal: the size is unknown
        return ""
    if room.columns >= columns and room.lines > rows:
        return ""
    has = f"This terminal has {room.columns} columns and {room.lines} rows"
    return f"{has}; the code to scan takes {columns} and {rows + 1}. Type the address into the phone instead:"


def ask_for_seats(
    printer: AddressPrinter, seats: Callable[[], Sequence[Seat]], keys: TextIO
) -> None:
    """Show a seat's code when its number or name is typed, one at a time; without a terminal, print all addresses."""
    if not keys.isatty():
        for seat in seats():
            printer.seat(seat)
        return
    printer.ask(seats())
    # A daemon: nothing can end a thread that waits for a keyboard.
    threading.Thread(
        target=_answer, args=(printer, seats, keys), name="seat codes", daemon=True
    ).start()


def _answer(printer: AddressPrinter, seats: Callable[[], Sequence[Seat]], keys: TextIO) -> None:
    # Unbuffered: the interpreter cannot exit while a daemon thread holds a buffer's lock.
    with open(keys.fileno(), "rb", buffering=0, closefd=False) as raw:
        for line in raw:
            seats_now = seats()
            printer.hide()
            seat = asked_seat(line.decode(errors="replace"), seats_now)
            if seat is None:
                printer.ask(seats_now)
            else:
                printer.seat(seat)


def asked_seat(line: str, seats: Sequence[Seat]) -> Seat | None:
    """Return the seat with that number or name, or None."""
    key = person_key(line)
    for number, seat in enumerate(seats, start=1):
        if key in (str(number), person_key(seat.name)):
            return seat
    return None
