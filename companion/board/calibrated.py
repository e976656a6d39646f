"""The last calibrated settings, kept where games find them: in a file of the data folder, with which new sessions
begin, and in the session that continues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CommandError, ErrorKind, writing
from companion.journal.disk import read_json, write_private
from companion.journal.entries import Control, Draft, Layer
from companion.journal.errors import JournalError
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.journal.order import played_last
from companion.journal.sessions import list_sessions, unfinished
from companion.link.settings import DEFAULTS, config_of, fields_of
from companion.session.clocks import wall
from firmware_protocol.messages import Config

if TYPE_CHECKING:
    from companion.session.table import Table

WHY = "calibrated"
NOT_IN_GAME = (
    "New games have these settings. This one does not, because nothing can be recorded now."
)


def settings_path() -> Path:
    """Return the path of the settings file, which need not exist."""
    return sessions_dir().parent / "calibrated.json"


def read_settings() -> tuple[dict[str, int], str]:
    """Return the settings, empty if there are none, and a sentence if the file exists and cannot be used."""
    path = settings_path()
    try:
        return fields_of(config_of(read_json(path))), ""
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError, TypeError, AttributeError) as problem:
        why = f"{path} cannot be used ({problem}): calibrate again, or remove it."
        return {}, f"The board has its default settings: {why}"


def as_calibrated(table: Table) -> Table:
    """Give a new session the calibrated settings, and tell its table if they cannot be used."""
    fields, trouble = read_settings()
    # The defaults need no entry: every board has them after each boot.
    if fields and fields != fields_of(DEFAULTS):
        table.set_board(fields, why=WHY)
    if trouble:
        table.tell(trouble)
    return table


def write_settings(config: Config) -> None:
    """Write the settings into the file for new sessions; raise `CommandError`."""
    with writing(settings_path()):
        settings_path().parent.mkdir(parents=True, exist_ok=True)
        write_private(settings_path(), f"{json.dumps(fields_of(config), indent=2)}\n".encode())


def keep_in_play(table: Table, config: Config) -> str:
    """Give the settings to the board of a game in play, and to new sessions. Return what was done, in a sentence, or
    raise `CommandError`."""
    write_settings(config)
    table.set_board(fields_of(config), why=WHY)
    if table.look(lambda record: record.board) != config:
        raise CommandError(NOT_IN_GAME, ErrorKind.UNAVAILABLE)
    return "This game and new ones have these settings from now on."


SAVE_S = 5.0


def keep(config: Config, folder: Path | None = None) -> str:
    """Write the settings into the last unfinished session and into the file for new sessions.

    Return a sentence on what was done, or raise `CommandError`.
    """
    fields = fields_of(config)
    write_settings(config)
    try:
        infos = list_sessions(sessions_dir() if folder is None else folder)
        last = played_last(unfinished(infos, unplayed=True), infos)
    except JournalError as problem:
        sentence = (
            f"New sessions begin with them; whether one goes on with them is not known: {problem}"
        )
        raise CommandError(sentence, ErrorKind.UNAVAILABLE) from problem
    if not last.infos:
        return "New sessions begin with them."
    if last.doubt:
        return f"New sessions begin with them. {last.doubt} To have them there: resume it, then b and F7."
    session = last.infos[0]
    try:
        with Journal.open(session.path, wall=wall, doubtful=False) as journal:
            draft = Draft(Layer.CONTROL, Control.BOARD, {**fields, "why": WHY, "who": ""})
            journal.wait(journal.append(draft).last_n, SAVE_S)
    except JournalError as problem:
        why = f"New sessions begin with them, but {session.path.stem} does not have them: {problem} There: b, then F7."
        raise CommandError(why, ErrorKind.UNAVAILABLE) from problem
    return f"New sessions begin with them, and {session.path.stem} goes on with them."
