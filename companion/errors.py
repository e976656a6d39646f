"""What goes wrong in a way that people can do something about: one sentence each, of a few kinds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import NoReturn

_OURS = ("companion", "firmware_protocol")


class ErrorKind(Enum):
    """What kind of error it is, for whoever decides what follows: the command line has an exit code for each."""

    USAGE = auto()  # it was asked for in a way that makes no sense
    # a file, a setup or a transcript makes no sense, or a record lacks what was saved once
    DATA = auto()
    NO_INPUT = auto()  # there is no such file, or it cannot be opened; or no session to go on with
    UNAVAILABLE = auto()  # a board, an editor, a game or the page for phones cannot be used
    SOFTWARE = auto()  # a fault of the program; the record stands
    CANNOT_CREATE = auto()  # a file cannot be made, moved or deleted, or an output not written
    NOT_SAVED = auto()  # the last entries could not be saved
    BUSY = auto()  # the session, or the hub's file, is open in another process


def how_to_install(extra: str) -> str:
    """Return how an extra comes to the companion, without a full stop. pipx makes its environment anew: an extra of the
    README's line that is not named would be gone."""
    extras = ",".join(dict.fromkeys(("virtual", "serve", extra)))
    return f"In the companion's clone: pipx install --force '.[{extras}]', or .venv/bin/pip install -e '.[{extra}]'"


class CommandError(Exception):
    """What cannot be done as it was asked for: one sentence, and what kind of error it is."""

    kind = ErrorKind.DATA

    def __init__(self, sentence: str, kind: ErrorKind | None = None) -> None:
        super().__init__(sentence)
        if kind is not None:
            self.kind = kind


@contextmanager
def needs_extra(extra: str, sentence: str) -> Iterator[None]:
    """Raise `CommandError` where a library of the extra is imported here and is not installed: the sentence, and how to
    get it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if not extra or problem.name is None or problem.name.partition(".")[0] in _OURS:
            raise
        raise CommandError(
            f"{sentence} {how_to_install(extra)}", ErrorKind.UNAVAILABLE
        ) from problem


@contextmanager
def reading(path: Path, then: str = ".", called: str = "") -> Iterator[None]:
    """Raise `CommandError` where a file cannot be read, or is no UTF-8: the reason, and `then` behind it; `called` is
    what the file is, in words before its name."""
    try:
        yield
    except FileNotFoundError as problem:
        raise CommandError(f"There is no file {path}{then}", ErrorKind.NO_INPUT) from problem
    except OSError as problem:
        why = problem.strerror or problem
        raise CommandError(
            f"{called}{path} cannot be read: {why}{then}", ErrorKind.NO_INPUT
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
        raise CommandError(f"{what} {why}{then}", ErrorKind.CANNOT_CREATE) from problem


_codes: list[Callable[[ErrorKind], int]] = []


def set_exit_codes(code_of: Callable[[ErrorKind], int]) -> None:
    """Set which code `end_process` ends with; the command line does."""
    _codes[:] = [code_of]


def end_process(kind: ErrorKind) -> NoReturn:
    """End the process from any thread, whatever the others do: the command line does not get to return its code."""
    os._exit(_codes[0](kind) if _codes else 1)
