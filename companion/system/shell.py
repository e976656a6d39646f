"""Commands as people type them: quoting, and the few words that differ between shells."""

from __future__ import annotations

import re
import shlex
import sys

_PLAIN = re.compile(r"[\w.:\\/+@=-]+")


def quoted(word: str) -> str:
    """Return a word without invisible characters as typed in a shell, quoted if necessary.

    On Windows in double quotes, which both of its shells take; no file name there has one.
    """
    if sys.platform != "win32":
        return shlex.quote(word)
    if _PLAIN.fullmatch(word):
        return word
    return f'"{word}"'


def has_escapes() -> bool:
    r"""Return whether the shell takes `$'\303'` for a character that nobody can type; those of Windows do not."""
    return sys.platform != "win32"


def split(command: str) -> list[str]:
    """Return the words of a command in a variable such as EDITOR; raise `ValueError` for a quote that does not end."""
    if sys.platform != "win32":
        return shlex.split(command)
    # A backslash is part of a path there.
    return [word.strip('"') for word in shlex.split(command, posix=False)]


def with_variable(name: str, value: str) -> str:
    """Return how to set a variable for the commands that follow; `value` is as typed."""
    if sys.platform == "win32":
        return f"set {name}={value}"
    return f"{name}={value}"


def moving(session: str, folder: str, *, to_make: bool) -> str:
    """Return the command that moves a session, with what is beside it, into a folder, made first if it has `to_make`.
    Both are as typed."""
    if sys.platform == "win32":
        files = f'"{session.strip(chr(34))}*"'
        make = f"mkdir {folder} & " if to_make else ""
        return f"{make}move {files} {folder}"
    make = f"mkdir -p {folder} && " if to_make else ""
    return f"{make}mv {session}* {folder}"
