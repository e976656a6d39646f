"""Where the session files lie, and what a person types for one of them."""

from __future__ import annotations

import os
from pathlib import Path

from companion.rules.columns import in_shell

DATA_VARIABLE = "COMPANION_DATA"  # a folder that takes the place of the user's data folder
SUFFIX = ".sqlite"
ARCHIVE = "archive"  # the folder beside the sessions that are still played


def sessions_dir() -> Path:
    """Return the folder of the session files; it need not exist."""
    chosen = os.environ.get(DATA_VARIABLE)
    return Path(chosen) / "sessions" if chosen else home_sessions_dir()


def home_sessions_dir() -> Path:
    """Return the folder of the session files in this user's own data folder, whatever folder is named."""
    import platformdirs  # 58 ms that only this needs

    return platformdirs.user_data_path("table-companion", appauthor=False) / "sessions"


def typed_name(path: Path) -> str:
    """Return what a person types for the session at `path`, quoted for a shell: its file's name where a command looks
    for names, else the whole path. A name that begins with a dash would be an option."""
    folder = sessions_dir()
    is_name = path.parent in (folder, folder / ARCHIVE) and not path.stem.startswith("-")
    return in_shell(path.stem if is_name else str(path))
