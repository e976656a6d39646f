"""Nobody but `companion/system` asks which system it is, or uses what only some systems have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
THERE = (
    "companion/system/",
    "firmware_protocol/virtual/system.py",
    "companion/board/chip_checks/on_board.py",  # it runs on the board
)
"""Who may ask: our part for it, and that of the virtual board."""
SOME_HAVE = frozenset(
    (
        "fcntl",
        "grp",
        "msvcrt",
        "pty",
        "pwd",
        "resource",
        "select",
        "syslog",
        "termios",
        "tty",
        "winreg",
    )
)
"""Modules of Python that some systems lack, or that do less there."""
EVERYWHERE = {
    "signal": {"signal", "getsignal", "set_wakeup_fd", "SIG_DFL", "SIGINT", "SIGTERM"},
    "os": {
        *(
            "O_CREAT",
            "O_EXCL",
            "O_RDONLY",
            "O_RDWR",
            "O_WRONLY",
            "PathLike",
            "R_OK",
            "W_OK",
            "F_OK",
        ),
        *(
            "SEEK_CUR",
            "SEEK_SET",
            "SEEK_END",
            "X_OK",
            "_exit",
            "access",
            "close",
            "devnull",
            "dup2",
        ),
        *(
            "environ",
            "fdopen",
            "fsdecode",
            "fsencode",
            "fspath",
            "fstat",
            "fsync",
            "get_terminal_size",
        ),
        *(
            "getcwd",
            "getenv",
            "getpid",
            "open",
            "path",
            "pathsep",
            "read",
            "sep",
            "stat",
            "stat_result",
        ),
        *("strerror", "terminal_size", "urandom", "utime", "write", "lseek", "walk", "scandir"),
        *("replace", "rename", "cpu_count", "linesep"),
    },
}
"""What every system has of two modules that differ much."""


def found_in(tree: ast.AST) -> Iterator[str]:
    """Yield what a module asks of the system, or uses although some systems lack it."""
    imported = {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names if name.name in SOME_HAVE)
            case ast.ImportFrom(module=module) if module in SOME_HAVE:
                yield str(module)
            case ast.Attribute(value=ast.Name(id="sys"), attr="platform" | "getwindowsversion"):
                yield "sys.platform"
            case ast.Attribute(value=ast.Name(id="socket"), attr="AF_UNIX" | "SO_REUSEADDR"):
                yield f"socket.{node.attr}"
            case ast.Attribute(value=ast.Name(id="os" | "signal" as module), attr=attr):
                if module in imported and attr not in EVERYWHERE[module]:
                    yield f"{module}.{attr}"
            case ast.Call(
                func=ast.Name(id="getattr" | "hasattr"),
                args=[ast.Name(id="os" | "signal" | "select" | "socket" as module), *_],
            ):
                yield f"asks whether {module} has something"


def sources() -> list[Path]:
    files = [*ROOT.glob("companion/**/*.py"), *ROOT.glob("firmware_protocol/virtual/*.py")]
    return [file for file in files if not file.relative_to(ROOT).as_posix().startswith(THERE)]


def test_nobody_else_asks_which_system_it_is() -> None:
    asking = {
        (file.relative_to(ROOT).as_posix(), found)
        for file in sources()
        for found in found_in(ast.parse(file.read_text(encoding="utf-8")))
    }
    # Run by file name under MicroPython, too, it waits with the only call that both have.
    waits = {
        ("firmware_protocol/virtual/child.py", "select"),
        ("firmware_protocol/virtual/child.py", "asks whether select has something"),
        ("firmware_protocol/virtual/child.py", "asks whether socket has something"),
    }
    assert asking - waits == set()


@pytest.mark.parametrize(
    "text",
    [
        "import fcntl",
        "from termios import tcgetattr",
        "if sys.platform == 'win32': pass",
        "import os; os.name",
        "import os; os.geteuid()",
        "import os; os.open(path, os.O_NONBLOCK)",
        "import signal; signal.SIGHUP",
        "getattr(signal, 'SIGHUP', None)",
        "socket.AF_UNIX",
    ],
)
def test_such_a_question_is_found(text: str) -> None:
    assert list(found_in(ast.parse(text)))
