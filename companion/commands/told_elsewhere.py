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


def outlets_of(wanted: Preferences) -> Attachable:
    """Return what tells whoever the settings name; where they name nobody, nothing is imported for it."""
    if not wanted.hooks and wanted.mqtt is None:
        return _Nobody()
    from companion.outbound.outlets import Outlets, Wanted

    return Outlets(Wanted(wanted.hooks, wanted.mqtt, wanted.broadcast_delay))
