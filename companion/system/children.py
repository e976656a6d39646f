"""This program's own processes. A program made by PyInstaller has no Python to start: it runs its modules itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.errors import CommandError, ErrorKind
from companion.program import PROGRAM, VARIABLE
from firmware_protocol.virtual.children import CHILD, is_frozen, module_command

CHILDREN = (
    "companion.system.browser",
    "firmware_protocol.virtual",
    "firmware_protocol.virtual.child",
    "mpremote",
)
"""The modules that run in processes of their own; a frozen program must contain them."""
SEARCHED = "/usr/local/bin:/usr/bin:/bin"
"""`PATH` of a program that gets nothing of our environment."""
_LIBRARIES, _LIBRARIES_BEFORE = "LD_LIBRARY_PATH", "LD_LIBRARY_PATH_ORIG"


def companion_command(*words: str) -> list[str]:
    """Return the command line that starts this program again with `words`."""
    if is_frozen():
        return [sys.executable, *words]
    return module_command("companion", *words)


def companion_environment() -> dict[str, str]:
    """Return the environment for `companion_command`: what it prints has the name of this program."""
    return {**os.environ, VARIABLE: PROGRAM}


def run_child(words: Sequence[str]) -> None:
    """Do what `companion _child MODULE ARGUMENT ...` asks for; raise `CommandError` if it is none of `CHILDREN`."""
    module, *arguments = words or [""]
    if module not in CHILDREN:
        raise CommandError(
            f"{CHILD} is used by the program itself and runs only its own parts.", ErrorKind.USAGE
        )
    import runpy  # which only children need

    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def bare_environment() -> dict[str, str]:
    """Return the least that a program needs: nothing of our environment reaches it."""
    home = str(Path.home())
    if sys.platform == "win32":
        root = os.environ.get("SYSTEMROOT", r"C:\Windows")
        # Without SYSTEMROOT a program there opens no network connection.
        return {"PATH": rf"{root}\System32;{root}", "SYSTEMROOT": root, "USERPROFILE": home}
    return {"PATH": SEARCHED, "HOME": home, "LANG": "C.UTF-8"}


def environment_for_others() -> dict[str, str]:
    """Return the environment for a program that is not ours. PyInstaller's start sets the path by which a frozen
    program finds its own libraries; another program may not run with those."""
    environment = dict(os.environ)
    if is_frozen():
        environment.pop(_LIBRARIES, None)
        before = environment.pop(_LIBRARIES_BEFORE, None)
        if before is not None:
            environment[_LIBRARIES] = before
    return environment
