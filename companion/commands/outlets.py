"""Who is told of a table elsewhere while it is played: whoever the settings name, a hub, and phones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from companion.config.schema import Preferences
from companion.config.values import file_named
from companion.errors import CommandError, needs_extra

if TYPE_CHECKING:
    from companion.session.table import Table
    from companion.web.at_play import TablePages


def start_outlets(table: Table, wanted: Preferences, ending: ExitStack) -> None:
    """Tell of `table` from now on whoever the settings name, and the hub that this laptop joined, and tell it why a hub
    gets nothing; where there is neither, nothing is imported for it. `ending` ends after the table, so that the end is
    told too."""
    if wanted.hooks or wanted.mqtt is not None:
        from companion.outbound.outlets import Outlets

        ending.callback(Outlets(table, wanted).close)
    from companion.outbound.hub_ticket import read_ticket

    ticket, trouble = read_ticket()
    if ticket is not None:
        from companion.outbound.hub_line import HubLine

        ending.callback(HubLine(table, ticket, wanted.broadcast_delay).close)
        if wanted.second_copy:
            from companion.outbound.second_copy import SecondCopy

            ending.callback(SecondCopy(table, file_named(wanted.second_copy)).close)
    if trouble:
        table.tell(trouble)


class PhonesOfTable:
    """Serves the pages of the table for phones once somebody wants them. The caller closes it before the table."""

    def __init__(self, table: Callable[[], Table], wanted: Preferences | None = None) -> None:
        self._table = table
        self._wanted = Preferences() if wanted is None else wanted
        self.pages: TablePages | None = None  # the pages, while they are served

    def open(self) -> str:
        """Serve them, if they are not; return why that cannot be, empty where it can."""
        from companion.config.server_options import MISSING

        if self.pages is not None:
            return ""
        wanted = self._wanted
        try:
            with needs_extra("serve", MISSING):
                from companion.web.at_play import TablePages
            self.pages = TablePages(
                self._table(), delay_s=wanted.broadcast_delay, style=wanted.overlay_style, tls=wanted.phones_tls,
                odds=wanted.odds,
            )  # fmt: skip
        except CommandError as problem:
            return str(problem)
        return ""

    def open_again(self) -> str:
        """Serve them, if they were served when this session was left; return why that cannot be."""
        from companion.session.kept_pages import kept_at

        return self.open() if kept_at(self._table().path).exists() else ""

    def close(self) -> None:
        """Serve no more."""
        pages, self.pages = self.pages, None
        if pages is not None:
            pages.close()
