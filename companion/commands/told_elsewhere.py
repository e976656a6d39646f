"""Who is told of a table elsewhere while it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion.config.schema import Preferences

if TYPE_CHECKING:
    from companion.session.table import Table


class Attachable(Protocol):
    """What tells of a table; see `Outlets`."""

    def attach(self, table: Table) -> None:
        """Tell of `table` from now on."""

    def close(self) -> None:
        """Tell the rest."""


class _Nobody:
    def attach(self, table: Table) -> None:
        pass

    def close(self) -> None:
        pass


class _All:
    """Several who tell of one table."""

    def __init__(self, *tellers: Attachable) -> None:
        self._tellers = tellers

    def attach(self, table: Table) -> None:
        for teller in self._tellers:
            teller.attach(table)

    def close(self) -> None:
        for teller in self._tellers:
            teller.close()


def outlets_of(wanted: Preferences) -> Attachable:
    """Return what tells whoever the settings name, and the hub that this laptop joined; where there is neither, nothing
    is imported for it."""
    return _All(_outlets(wanted), _hub_line(wanted))


def _outlets(wanted: Preferences) -> Attachable:
    if not wanted.hooks and wanted.mqtt is None:
        return _Nobody()
    from companion.outbound.outlets import Outlets, Wanted

    return Outlets(Wanted(wanted.hooks, wanted.mqtt, wanted.broadcast_delay))


def _hub_line(wanted: Preferences) -> Attachable:
    from companion.outbound.hub_ticket import read_ticket

    ticket = read_ticket()
    if ticket is None:
        return _Nobody()
    from companion.outbound.hub_line import HubLine

    return HubLine(ticket, wanted.broadcast_delay)
