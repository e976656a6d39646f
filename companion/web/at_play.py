"""Pages of a table in play, served in a thread by the program that plays it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from socket import socket

from companion.config.server_options import PORT
from companion.errors import CommandError
from companion.reports.qr import qr_lines
from companion.rules.facts import TABLE, Seat, SeatId
from companion.session.kept_pages import KeptPages, keep, read_kept
from companion.session.table import Table
from companion.web.addresses import LOCALHOST, Codes, lan_address, listening
from companion.web.app import Pages
from companion.web.document import read_style
from companion.web.lookers import TableLooker
from companion.web.run import first_of, identity_at, keep_serving

ENDED = "The phones' pages have ended by a fault of the program; the game goes on."


class TablePages:
    """The pages of `table`, at the address and with the codes its session had before. The caller closes them."""

    def __init__(
        self,
        table: Table,
        address: str | None = None,
        delay_s: float = 0.0,
        style: str = "",
        *,
        tls: bool = False,
        odds: bool = True,
    ) -> None:
        """Listen and start to serve; raise `CommandError` if that fails. `address` is this machine's, None: look it up.
        `delay_s`, `odds`: see `TableLooker`; `style`: the overlay's CSS file, see `read_style`; `tls`: encrypt."""
        # first: a style that is no CSS is reported before anything is opened
        own_style = read_style(style)
        self._table = table
        self.address = _own_address() if address is None else address
        self._context, self.fingerprint = identity_at(self.address, tls=tls)
        """The certificate's fingerprint; empty if the pages are not encrypted."""
        before = read_kept(table.path)
        self._door = _door(self.address, None if before is None else before.port)
        port: int = self._door.getsockname()[1]
        scheme = "https" if tls else "http"
        self.origin = f"{scheme}://{self.address}:{port}"
        self._codes = Codes() if before is None else Codes(codes=before.codes, names=before.names)
        self._looker = TableLooker(table, delay_s, odds=odds)
        self._pages = Pages(
            self._looker.showing,
            self._codes,
            self.origin,
            self._looker.tail,
            table,
            own_style,
            self.fingerprint,
        )
        self._codes.changed = lambda: keep(table.path, KeptPages(port, *self._codes.given()))
        self._codes.changed()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end = asyncio.Event()
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pages for phones")
        self._thread.start()
        self._up.wait()

    @property
    def alone(self) -> bool:
        """Whether this machine is on no network, so no phone can reach it."""
        return self.address == LOCALHOST

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that have a page."""
        return self._looker.showing.seats

    def address_of(self, viewer: SeatId = TABLE) -> str:
        """Return the address of a seat's page, or of everybody's."""
        return f"{self.origin}/{self._codes.of(viewer)}/"

    def code_of(self, viewer: SeatId = TABLE) -> list[str]:
        """Return that address as lines of a QR code."""
        return qr_lines(self.address_of(viewer))

    def renew(self, viewer: SeatId) -> None:
        """Give a seat, or everybody, a new address; open pages at the old one are told that it is gone."""
        self._codes.renew(viewer)
        if self._loop is not None:
            with suppress(RuntimeError):  # the pages have ended
                self._loop.call_soon_threadsafe(self._pages.show, self._looker.showing)

    def close(self) -> None:
        """Stop serving. Phones reconnect by themselves once somebody serves again."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._end.set)
        # before the looker closes: the thread still uses it
        self._thread.join()
        self._looker.close()
        self._door.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception:  # the game goes on whatever it was; the table's screen shows it
            self._table.tell(ENDED)
        finally:
            self._up.set()
            # also after an error before the server was up, or the constructor would wait forever

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(
            keep_serving(self._looker, self._pages, self._door, self._up.set, self._context)
        )
        await first_of(self._end, serving)
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


def _own_address() -> str:
    try:
        return lan_address()
    except CommandError:  # on no network, or only on public ones
        return LOCALHOST


def _door(address: str, port: int | None) -> socket:
    """Return the listening socket: at the port the phones know, or for a new session at the usual or any free one."""
    if port is not None:
        return listening(address, port)
    try:
        return listening(address, PORT)
    except CommandError:
        return listening(address, 0)
