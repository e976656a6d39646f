"""Options of playing a session, from the command line and the settings. It imports nothing of a table."""

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
    from companion.commands.first_page import FirstPage
    from companion.session.opening import TableMaker


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """Options of playing sessions. `port` is where to look for the board, and `port_said` whether it was named for this
    session, now or when it was begun; `plain` means plain lines; `capture` is the file to record to; `folder` is where
    new sessions are created, None for the folder of all; `page` is the page in a browser that takes the place of the
    screen, if there is one; `virtual_at` is the address of a virtual board that runs for all games, empty if each game
    starts its own. `number_s` is when a number chose the game on the start screens, in seconds of the monotonic clock;
    -inf if another key chose it, None without start screens."""

    port: str = "auto"
    plain: bool = False
    wanted: Preferences = field(default_factory=Preferences)
    port_said: bool = False
    capture: Path | None = None
    folder: Path | None = None
    page: FirstPage | None = None
    virtual_at: str = ""
    number_s: float | None = None

    @property
    def on_screen(self) -> bool:
        """Whether the terminal shows the dashboard."""
        return not self.plain and self.page is None

    @property
    def board_at(self) -> str:
        """Where the board is: the port, or the address of the virtual board that runs already."""
        if self.port == "virtual" and self.virtual_at:
            return self.virtual_at
        return self.port

    @property
    def without_board(self) -> bool:
        """Whether somebody chose to play this session without a board."""
        return self.port_said and self.port == "none"

    @property
    def maker(self) -> TableMaker:
        """Function that makes the session's table; raise `CommandError` if its capture cannot be written."""
        # here, so that the start screens appear before a table is imported
        from companion.session.table import Table

        make: TableMaker = Table
        if self.capture is not None:
            from companion.demo.capture import captured

            make = captured(self.capture)
        return partial(make, keys=self.wanted.keys, typed=self.plain)


def wanted_options(args: argparse.Namespace) -> PlayOptions:
    """Return what the command line and the settings ask for, with plain lines if there is no screen; raise
    `CommandError`."""
    game: str | None = getattr(args, "game", None)
    wanted = in_force(args, sorted(GAMES) if game is None else [game])
    plain = wanted.plain or not terminal.shows_screens()
    port_said = getattr(args, "port", None) is not None
    return PlayOptions(wanted.port, plain, wanted, port_said, getattr(args, "capture", None))
