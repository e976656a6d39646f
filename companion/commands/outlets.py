"""Outlets of a table while it is played: hooks, a broker, a hub, and phones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from companion.config.schema import Preferences
from companion.config.values import file_named
from companion.errors import CommandError, needs_extra
from companion.journal.folder import sessions_dir

if TYPE_CHECKING:
    from companion.session.table import Table
    from companion.web.at_play import TablePages


def start_outlets(table: Table, wanted: Preferences, ending: ExitStack) -> None:
    """Start what follows `table` by the settings `wanted`, and by the ticket of a hub; a damaged ticket is reported to
    the table. Without either, nothing is imported. Callbacks in `ending` run after the table closes, so that the end is
    sent too."""
    if wanted.hooks or wanted.mqtt is not None:
        from companion.outbound.outlets import Outlets

        ending.callback(Outlets(table, wanted).close)
    # cheap: it imports neither the hub's client nor the feed
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
    """Serves the table's pages for phones on request. The caller closes it before the table."""

    def __init__(self, table: Callable[[], Table], wanted: Preferences | None = None) -> None:
        self._table = table
        self._wanted = Preferences() if wanted is None else wanted
        self.pages: TablePages | None = None  # None while they are not served
        self.on_session: Callable[[str], str] | None = None
        """Does what a page of a role asks for that is not the table's own; None: only the laptop can."""

    def open(self) -> str:
        """Serve the pages, if they are not served yet; return why that failed, or an empty string."""
        from companion.config.server_options import MISSING

        if self.pages is not None:
            return ""
        wanted = self._wanted
        try:
            with needs_extra("serve", MISSING):
                from companion.web.at_play import TablePages
            self.pages = TablePages(
                self._table(), delay_s=wanted.broadcast_delay, style=wanted.overlay_style, tls=wanted.phones_tls,
                odds=wanted.odds, prefer=wanted.phones_address, evening_hours=wanted.phones_evening,
                on_session=self.on_session,
            )  # fmt: skip
        except CommandError as problem:
            return str(problem)
        if wanted.phones_enter:
            self._allow_entries(self._table())
        return ""

    def _allow_entries(self, table: Table) -> None:
        """Let players enter their own numbers and draws, unless this session has said whether they may."""
        if (
            table.look(lambda record: record.phones.entries_allowed) is None
            and table.view().phones_enter is not None
        ):
            table.allow_entries(True)

    def open_again(self) -> str:
        """Serve the pages if they were served this evening; return why that failed."""
        from companion.session.evening import goes_on

        if not goes_on(sessions_dir().parent, self._wanted.phones_evening):
            return ""
        return self.open()

    def close(self) -> None:
        """Stop serving."""
        pages, self.pages = self.pages, None
        if pages is not None:
            pages.close()
