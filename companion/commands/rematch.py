"""Another game with the people who sit there: their seats, house rules and board, in a session that names the one
before."""

from __future__ import annotations

from pathlib import Path

from companion.commands.sessions import find
from companion.exits import CommandError, Exit
from companion.journal.entries import Control
from companion.journal.sessions import list_sessions, sessions_dir
from companion.link.settings import FIELDS
from companion.marshal.readings import is_control
from companion.opening import TableMaker, begin
from companion.reports.record import read_record
from companion.table import Table


def rematch(path: Path, make: TableMaker = Table, *, anyway: bool = False, without_board: bool = False) -> Table:
    """Begin a session with the seats that are in the game at the end of the session at `path`, under its house rules;
    raise `CommandError`. `without_board`: see `begin`."""
    record = read_record(path, anyway=anyway)
    names = [seat.name for seat in record.game.common(record.state).playing]
    first = record.entries[0].digest.hex()
    game, options = record.setup.game, record.setup.options
    table = begin(game, names, options, rematch_of=first, make=make, without_board=without_board)
    board = next((entry.body for entry in reversed(record.entries) if is_control(entry, Control.BOARD)), None)
    if board is not None:
        table.set_board({name: board[name] for name in FIELDS if name in board}, why="as in the game before")
    return table


def session_to_follow(named: str | None) -> Path:
    """Return the file of the session named, or of the one played last; raise `CommandError`."""
    if named is not None:
        return find(named)
    readable = [info for info in list_sessions(sessions_dir()) if info.problem is None]
    if not readable:
        raise CommandError("There is no session to follow: begin one with `companion play`.", Exit.NO_INPUT)
    return max(readable, key=lambda info: info.last_wall).path
