"""How a command ends. Numbers above 64 are those of sysexits.h."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

_OURS = ("companion", "firmware_protocol")


class Exit(IntEnum):
    """The exit codes, as docs/integrator.md lists them."""

    DONE = 0
    USAGE = 2
    DATA = (
        65  # a file, a setup or a transcript makes no sense, or a record lacks what was saved once
    )
    NO_INPUT = 66  # there is no such file, or it cannot be opened; or no session to go on with
    UNAVAILABLE = 69  # a board, an editor, a game or the page for phones cannot be used; doctor found a failure
    SOFTWARE = 70  # a fault of the program; the record stands
    CANNOT_CREATE = 73  # a session file cannot be made, moved or deleted; another file or the output cannot be written
    NOT_SAVED = 74  # the last entries could not be saved
    BUSY = 75  # the session, or the hub's file, is open in another process
    HUNG_UP = 129  # the terminal is gone, with SIGHUP or without
    INTERRUPTED = 130  # Ctrl-C


def how_to_install(extra: str) -> str:
    """Return how an extra comes to the companion, without a full stop. pipx makes its environment anew: an extra of the
    README's line that is not named would be gone."""
    extras = ",".join(dict.fromkeys(("virtual", "serve", extra)))
    return f"In the companion's clone: pipx install --force '.[{extras}]', or .venv/bin/pip install -e '.[{extra}]'"


class CommandError(Exception):
    """What cannot be done as it was asked for: one sentence, and the exit code that goes with it."""

    exit_code = Exit.DATA

    def __init__(self, sentence: str, exit_code: Exit | None = None) -> None:
        super().__init__(sentence)
        if exit_code is not None:
            self.exit_code = exit_code


@contextmanager
def needs_extra(extra: str, sentence: str) -> Iterator[None]:
    """Raise `CommandError` where a library of the extra is imported here and is not installed: the sentence, and how to
    get it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if not extra or problem.name is None or problem.name.partition(".")[0] in _OURS:
            raise
        raise CommandError(f"{sentence} {how_to_install(extra)}", Exit.UNAVAILABLE) from problem


@contextmanager
def reading(path: Path, then: str = ".", called: str = "") -> Iterator[None]:
    """Raise `CommandError` where a file cannot be read, or is no UTF-8: the reason, and `then` behind it; `called` is
    what the file is, in words before its name."""
    try:
        yield
    except FileNotFoundError as problem:
        raise CommandError(f"There is no file {path}{then}", Exit.NO_INPUT) from problem
    except OSError as problem:
        why = problem.strerror or problem
        raise CommandError(
            f"{called}{path} cannot be read: {why}{then}", Exit.NO_INPUT
        ) from problem
    except UnicodeDecodeError as problem:
        raise CommandError(f"{called}{path} cannot be read: it is no UTF-8{then}") from problem


@contextmanager
def writing(what: object, then: str = ".") -> Iterator[None]:
    """Raise `CommandError` where `what` cannot be written: the reason, and `then` behind it."""
    try:
        yield
    except OSError as problem:
        taken = isinstance(problem, FileExistsError) and str(problem.filename) == str(what)
        why = "is there already" if taken else f"cannot be written: {problem.strerror or problem}"
        raise CommandError(f"{what} {why}{then}", Exit.CANNOT_CREATE) from problem


@contextmanager
def passing_folder(what: str) -> Iterator[Path]:
    """A folder that is gone afterwards, for the files of `what`; raise `CommandError` where none can be made."""
    import tempfile  # which few commands need

    try:
        folder = tempfile.TemporaryDirectory(prefix="companion-")
    except OSError as problem:
        why = f"{what} cannot begin: no folder for its files can be made ({problem.strerror})."
        raise CommandError(why, Exit.CANNOT_CREATE) from problem
    with folder as name:
        yield Path(name)
