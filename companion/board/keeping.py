"""The settings that calibrate found, kept where games find them: in the session that goes on, and for new ones."""

from __future__ import annotations

from pathlib import Path

from companion.board.calibrated import WHY, write_settings
from companion.exits import CommandError, Exit
from companion.journal.entries import Control, Draft, Layer
from companion.journal.errors import JournalError, NotSaved
from companion.journal.journal import Journal
from companion.journal.sessions import last_unfinished, sessions_dir
from companion.link.settings import fields_of
from companion.session.clocks import wall
from firmware_protocol.messages import Config

SAVE_S = 5.0


def keep(config: Config, folder: Path | None = None) -> str:
    """Write the settings into the last unfinished session and into the file that new sessions begin with; return what
    was done in a sentence, or raise `CommandError`."""
    fields = fields_of(config)
    try:
        write_settings(fields)
    except OSError as problem:
        raise CommandError(f"The settings cannot be kept: {problem}.", Exit.CANNOT_CREATE) from problem
    try:
        session = last_unfinished(sessions_dir() if folder is None else folder, unplayed=True)
    except JournalError as problem:
        sentence = f"New sessions begin with them; whether one goes on with them is not known: {problem}"
        raise CommandError(sentence, Exit.UNAVAILABLE) from problem
    if session is None:
        return "New sessions begin with them."
    try:
        with Journal.open(session.path, wall=wall, doubtful=False) as journal:
            body = {**fields, "why": WHY, "who": ""}
            journal.append(Draft(Layer.CONTROL, Control.BOARD, body)).wait(SAVE_S)
    except (JournalError, NotSaved) as problem:
        raise CommandError(
            f"New sessions begin with them, but {session.path.stem} does not have them: {problem} There: b, then F7.",
            Exit.UNAVAILABLE,
        ) from problem
    return f"New sessions begin with them, and {session.path.stem} goes on with them."
