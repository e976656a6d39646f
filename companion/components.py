"""The owner's component files: where they lie, and what a session that begins now makes of them.

An owner's file is `components/GAME.toml` in the user's data folder (`COMPANION_DATA` names another). It overrides the
packaged file row by row. A file with a wrong row is not used at all: half of it would be neither the packaged box nor
the owner's. A session can begin all the same, with the packaged one, and says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.games.components import (
    Box,
    BoxError,
    Problem,
    Row,
    as_json,
    check_box,
    overlay,
    packaged,
    read_box,
    rules_of,
)
from companion.journal.sessions import sessions_dir


def own_path(game_id: str) -> Path:
    """Return where the owner's file of a game lies; it need not exist."""
    return sessions_dir().parent / "components" / f"{game_id}.toml"


def box_with(game_id: str, path: Path) -> Box:
    """Return the packaged box with the rows of the file at `path` over it; raise `BoxError`, or `FileNotFoundError`."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors put a mark at the beginning
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        why = f"it cannot be read ({error.strerror})" if isinstance(error, OSError) else "it is no UTF-8"
        raise BoxError(str(path), [Problem("", "", why, "a text file")]) from error
    box = overlay(packaged(game_id), read_box(text, str(path), rules_of(game_id).TABLES))
    if problems := check_box(game_id, box):
        raise BoxError(str(path), problems)
    return box


def own_rows(box: Box) -> tuple[Row, ...]:
    """Return the rows that come from the owner's file."""
    return tuple(row for row in box.rows if row.own)


def for_session(game_id: str) -> tuple[dict[str, Any], str | None]:
    """Return what a session that begins now pins of the box, and a sentence where the owner's file cannot be used."""
    try:
        box = box_with(game_id, own_path(game_id))
    except FileNotFoundError:
        return {}, None
    except BoxError as error:
        return {}, f"your component file is not used, the packaged one is: {error}"
    return (as_json(box) if own_rows(box) else {}), None
