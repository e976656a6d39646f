"""The last words of a program that failed: one sentence for the table, the traceback for whoever mends it."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from companion.rules.columns import clean

if TYPE_CHECKING:
    from companion.dashboard.source import TableLike


def crash_sentence(
    error: Exception, table: TableLike | None, crash_file: Path | None, who: str = "The dashboard"
) -> str:
    """Write the traceback to `crash_file`, if there is one; return what failed, what is safe and what to do."""
    return f"{who} stopped by a fault of its own ({_what(error)}); {_record(table)}{_kept(error, crash_file)}."


def fault_sentence(error: Exception, crash_file: Path | None) -> str:
    """Write the traceback to `crash_file`, if there is one; return what failed beside a game that goes on."""
    what = f"this cannot be shown because of a fault of the program ({_what(error)})"
    return f"{what}; the game goes on{_kept(error, crash_file)}"


def _what(error: Exception) -> str:
    return clean(f"{type(error).__name__}: {error}".split("\n")[0].rstrip(": "))


def _record(table: TableLike | None) -> str:
    if table is None:
        return "a record that was begun stands, start the companion again to resume"
    try:
        saved = table.view().saved
    except Exception:
        return "start the companion again to resume the session"
    return f"the record stands ({saved.text}), start the companion again to resume"


def _kept(error: Exception, crash_file: Path | None) -> str:
    if crash_file is None:
        return ""
    try:
        crash_file.parent.mkdir(parents=True, exist_ok=True)
        crash_file.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    except OSError as problem:
        return f"; the details could not be written to {crash_file} ({problem.strerror})"
    return f"; the details are in {crash_file}"
