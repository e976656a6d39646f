"""Another game with the people who sit there: their seats, house rules and board, in a session that names the one
before."""

from __future__ import annotations

from pathlib import Path

from companion.journal.entries import Control, is_control
from companion.link.settings import FIELDS
from companion.reports.record import read_record
from companion.session.opening import TableMaker, begin
from companion.session.table import Table


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
