"""The pages for phones of a table that is played here: what the dashboard is given to open them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.config.schema import Preferences
from companion.exits import CommandError

if TYPE_CHECKING:
    from companion.rules.game import Seat, SeatId
    from companion.serve.at_play import TablePages
    from companion.session.table import Table


class PhonesOfTable:
    """Serves the pages of the table once somebody wants them. The caller closes it before the table."""

    def __init__(self, table: Callable[[], Table], wanted: Preferences | None = None) -> None:
        self._table = table
        self._wanted = Preferences() if wanted is None else wanted
        self._pages: TablePages | None = None

    def open(self) -> str:
        """Serve them, if they are not; return why that cannot be, empty where it can."""
        from companion.serve.command import LIBRARY, MISSING

        if self._pages is not None:
            return ""
        try:
            from companion.serve.at_play import TablePages
        except ModuleNotFoundError as problem:
            if problem.name not in LIBRARY:
                raise
            return MISSING
        try:
            wanted = self._wanted
            self._pages = TablePages(
                self._table(), delay_s=wanted.broadcast_delay, style=wanted.overlay_style, tls=wanted.phones_tls
            )
        except CommandError as problem:
            return str(problem)
        return ""

    def open_again(self) -> str:
        """Serve them, if they were served when this session was left; return why that cannot be."""
        from companion.serve.addresses import kept_at

        return self.open() if kept_at(self._table().path).exists() else ""

    def close(self) -> None:
        """Serve no more."""
        pages, self._pages = self._pages, None
        if pages is not None:
            pages.close()

    @property
    def alone(self) -> bool:
        """Whether no phone can reach this computer."""
        return self._pages is None or self._pages.alone

    @property
    def fingerprint(self) -> str:
        """By which the certificate of the pages is known; empty where they are not encrypted."""
        return "" if self._pages is None else self._pages.fingerprint

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats that have a page."""
        return () if self._pages is None else self._pages.seats

    def address_of(self, viewer: SeatId) -> str:
        """Return the address of a seat's page, or of everybody's; empty while none is served."""
        return "" if self._pages is None else self._pages.address_of(viewer)

    def code_of(self, viewer: SeatId) -> list[str]:
        """Return that address as lines of a code to scan."""
        return [] if self._pages is None else self._pages.code_of(viewer)

    def renew(self, viewer: SeatId) -> None:
        """Give that page another address."""
        if self._pages is not None:
            self._pages.renew(viewer)
