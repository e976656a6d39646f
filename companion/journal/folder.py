"""The folder of the session files, and what a person types to name one of them."""

from __future__ import annotations

import os
from pathlib import Path

from companion.rules.columns import in_shell

DATA_VARIABLE = "COMPANION_DATA"  # names a folder that replaces the user's data folder
SUFFIX = ".sqlite"
ARCHIVE = "archive"  # subfolder of the sessions that are no longer played


def sessions_dir() -> Path:
    """Return the folder of the session files; it need not exist."""
    chosen = os.environ.get(DATA_VARIABLE)
    return Path(chosen) / "sessions" if chosen else home_sessions_dir()


def crash_path() -> Path:
    """Return the file for the details of a fault of the program, beside the folder of the sessions."""
    return sessions_dir().parent / "crash.txt"


def home_sessions_dir() -> Path:
    """Return the folder of the session files in this user's own data folder, ignoring
    `COMPANION_DATA`."""
    import platformdirs  # costs 58 ms, needed only here

    return platformdirs.user_data_path("table-companion", appauthor=False) / "sessions"


def lessons_dir() -> Path:
    """Return the folder of the lessons, whose sessions are nobody's games; it need not exist."""
    return sessions_dir().parent / "lessons"


def typed_name(path: Path) -> str:
    """Return what a person types for the session at `path`, quoted for a shell: its name if a
    command searches its folder, else the whole path. A name that begins with a dash would be taken
    for an option."""
    folder = sessions_dir()
    is_name = path.parent in (folder, folder / ARCHIVE) and not path.stem.startswith("-")
    return in_shell(path.stem if is_name else str(path))
