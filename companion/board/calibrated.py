"""The board's settings as they were calibrated last, in a file of the data folder; new sessions begin with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.journal.sessions import sessions_dir
from companion.link.settings import DEFAULTS, config_of, fields_of

if TYPE_CHECKING:
    from companion.session.table import Table

WHY = "calibrated"


def settings_path() -> Path:
    """Return where they are; the file need not exist."""
    return sessions_dir().parent / "calibrated.json"


def write_settings(fields: Mapping[str, int]) -> None:
    """Keep them; raise `OSError`."""
    path = settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(dict(fields), indent=2) + "\n", encoding="utf-8")
    new.replace(path)


def read_settings() -> tuple[dict[str, int], str]:
    """Return them, empty when there are none, and a sentence when the file is there and cannot be used."""
    path = settings_path()
    try:
        return fields_of(config_of(json.loads(path.read_text(encoding="utf-8")))), ""
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError, TypeError, AttributeError) as problem:
        why = f"{path} cannot be used ({problem}): calibrate again, or remove it."
        return {}, f"The board has its default settings: {why}"


def as_calibrated(table: Table) -> Table:
    """Give a session that begins the settings that were calibrated, and say where they cannot be used."""
    fields, trouble = read_settings()
    if fields and fields != fields_of(DEFAULTS):
        table.set_board(fields, why=WHY)
    if trouble:
        table.tell(trouble)
    return table
