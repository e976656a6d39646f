"""Errors that people can do something about: one sentence each, in a few kinds."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import NoReturn

_OURS = ("companion", "firmware_protocol")


class ErrorKind(Enum):
    """The kind of an error. The command line maps each kind to an exit code."""

    USAGE = auto()  # the command line makes no sense
    # a file, a setup or a transcript makes no sense, or a record lacks entries that were once saved
    DATA = auto()
    NO_INPUT = auto()  # the file does not exist or cannot be opened, or no session can be continued
    UNAVAILABLE = auto()  # a board, an editor, a game or the page for phones cannot be used
    SOFTWARE = auto()  # a bug in the program; the record is intact
    CANNOT_CREATE = (
        auto()
    )  # a file cannot be made, moved or deleted, or the output cannot be written
    NOT_SAVED = auto()  # the last entries could not be saved
    BUSY = auto()  # the session, or the hub's file, is open in another process


def how_to_install(extra: str) -> str:
    """Return the commands that install an extra, without a full stop. pipx rebuilds its environment, so the extras of
    the README's command are named too: any left out would be removed. A program without Python can install nothing."""
    if getattr(
        sys, "frozen", False
    ):  # `is_frozen` of the firmware's package, which rules may not import
        return "This program without Python cannot add it: install the companion with pipx, as its README says"
    extras = ",".join(dict.fromkeys(("virtual", "serve", extra)))
    return f"In the companion's clone: pipx install --force '.[{extras}]', or .venv/bin/pip install -e '.[{extra}]'"


class CommandError(Exception):
    """A request that cannot be done: one sentence, and the kind of error."""

    kind = ErrorKind.DATA

    def __init__(self, sentence: str, kind: ErrorKind | None = None) -> None:
        super().__init__(sentence)
        if kind is not None:
            self.kind = kind


@contextmanager
def needs_extra(extra: str, sentence: str) -> Iterator[None]:
    """Raise `CommandError` if the block imports a library of the extra that is not installed: the sentence, and how to
    install it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if not extra or problem.name is None or problem.name.partition(".")[0] in _OURS:
            # a module of ours that is missing is a bug, and no extra installs it
            raise
        raise CommandError(
            f"{sentence} {how_to_install(extra)}", ErrorKind.UNAVAILABLE
        ) from problem


@contextmanager
def reading(path: Path, then: str = ".", called: str = "") -> Iterator[None]:
    """Raise `CommandError` if a file cannot be read or is not UTF-8: the reason, followed by `then`. `called` names the
    kind of file and precedes its path."""
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
    """Raise `CommandError` if `what` cannot be written: the reason, followed by `then`."""
    try:
        yield
    except OSError as problem:
        taken = isinstance(problem, FileExistsError) and str(problem.filename) == str(what)
        why = "is there already" if taken else f"cannot be written: {problem.strerror or problem}"
        raise CommandError(f"{what} {why}{then}", ErrorKind.CANNOT_CREATE) from problem


_codes: list[Callable[[ErrorKind], int]] = []


def set_exit_codes(code_of: Callable[[ErrorKind], int]) -> None:
    """Set the function that gives the exit code of an error; the command line does, because it alone knows codes."""
    _codes[:] = [code_of]


def end_process(kind: ErrorKind) -> NoReturn:
    """End the process from any thread without unwinding the others, with the exit code of `kind`."""
    os._exit(_codes[0](kind) if _codes else 1)
