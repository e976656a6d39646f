"""Commands that run a module of this program in another process."""

import sys

CHILD = "_child"
"""The word by which a frozen program runs one of its modules: `companion _child MODULE ARGUMENT ...`."""


def is_frozen() -> bool:
    """Return whether PyInstaller or its like made one program of all this: `sys.executable` is no Python then."""
    return bool(getattr(sys, "frozen", False))


def module_command(module: str, *arguments: str, searched: bool = False) -> list[str]:
    """Return the command that runs `module` as `python -m` does.

    Files in the current folder are not imported in place of the libraries, unless it is `searched`.
    """
    if is_frozen():
        return [sys.executable, CHILD, module, *arguments]
    safe = [] if searched else ["-P"]
    return [sys.executable, *safe, "-m", module, *arguments]
