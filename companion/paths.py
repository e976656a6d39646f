"""Folders the program makes for itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import CommandError, ErrorKind


@contextmanager
def temporary_folder(what: str) -> Iterator[Path]:
    """Make a temporary folder for the files of `what`; raise `CommandError` if none can be made."""
    import tempfile  # which few commands need

    try:
        folder = tempfile.TemporaryDirectory(prefix="companion-")
    except OSError as problem:
        why = f"{what} cannot begin: no folder for its files can be made ({problem.strerror})."
        raise CommandError(why, ErrorKind.CANNOT_CREATE) from problem
    with folder as name:
        yield Path(name)
