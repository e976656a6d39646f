"""How a session is played, as a command line and the settings say. Nothing of a table is imported for it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion import terminal
from companion.config.schema import Preferences
from companion.dashboard.preferences import in_force
from companion.rules.registry import GAMES

if TYPE_CHECKING:
    from companion.session.opening import TableMaker


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How sessions are played: where the board is, whether in plain lines, and what else was wanted. `port_said`: the
    port was named for this session, by whoever plays now or by whoever began it. `capture`: its file. `folder`: where
    new sessions are made; None: where all are."""

    port: str = "auto"
    plain: bool = False
    wanted: Preferences = field(default_factory=Preferences)
    port_said: bool = False
    capture: Path | None = None
    folder: Path | None = None

    @property
    def without_board(self) -> bool:
        """Whether somebody said that this session is played without a board."""
        return self.port_said and self.port == "none"

    @property
    def maker(self) -> TableMaker:
        """What makes the table of the session; raise `CommandError` where its capture cannot be written."""
        from companion.session.table import Table

        make: TableMaker = Table
        if self.capture is not None:
            from companion.demo.capture import captured

            make = captured(self.capture)
        return partial(make, keys=self.wanted.keys, typed=self.plain)


def wanted_options(args: argparse.Namespace) -> PlayOptions:
    """Return what a command line and the settings ask for, plain lines without a terminal; raise `CommandError`."""
    game: str | None = getattr(args, "game", None)
    wanted = in_force(args, sorted(GAMES) if game is None else [game])
    plain, port_said = (
        wanted.plain or not terminal.shows_screens(),
        getattr(args, "port", None) is not None,
    )
    return PlayOptions(wanted.port, plain, wanted, port_said, getattr(args, "capture", None))
