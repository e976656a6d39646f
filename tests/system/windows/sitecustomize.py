"""Makes Python on Linux look like Python on Windows, as far as its own library survives that.

With this folder in PYTHONPATH it comes before any program, children included. Modules and names that Windows has not
are missing, `sys.platform` is `win32`, locks are those of `msvcrt`, a file that is open is neither replaced nor
deleted, `select` takes sockets alone, and the usual event loop watches none. `os.name` stays: `pathlib` would make
paths of Windows.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import getpass
import multiprocessing
import os
import platform
import select
import selectors
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import sysconfig
import tempfile
import types
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

MISSING = (
    *("crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline", "resource"),
    *("spwd", "syslog", "termios", "tty"),
)
"""Modules that Windows has not."""
MISSING_NAMES: dict[types.ModuleType, tuple[str, ...]] = {
    os: (
        *("O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fchmod"),
        *("fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups", "getpgid"),
        *("getuid", "killpg", "lchown", "major", "makedev", "minor", "mkfifo", "mknod", "nice"),
        *("openpty", "setsid", "setuid", "sync", "sysconf", "ttyname", "uname"),
    ),
    select: ("epoll", "poll", "POLLIN", "POLLOUT"),
    signal: (
        *("ITIMER_REAL", "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE"),
        *("SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGURG", "SIGUSR2", "SIGWINCH", "alarm"),
        *("pthread_kill", "setitimer", "sigwait"),
    ),
    socket: ("AF_UNIX", "TCP_USER_TIMEOUT", "socketpair"),
}
LIBRARIES = (
    *("textual.app", "textual.widgets", "textual.pilot", "rich.console", "serial", "platformdirs"),
    *("uvicorn", "starlette.applications", "ifaddr", "aiomqtt", "alembic.command", "mpremote.main"),
)
"""What the program imports of others, each with its parts for Linux: this tries our side, not theirs."""
READY = (getpass, multiprocessing, platform, selectors, shutil, ssl, tempfile)
"""Parts of Python's library that must be imported before names are missing."""
_OFD_SETLK = fcntl.F_OFD_SETLK
_WRITE, _fcntl = fcntl.F_WRLCK, fcntl.fcntl


class Absent:
    """Finds no module that Windows has not."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise for a module that Windows has not."""
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def locking(descriptor: int, _mode: int, count: int) -> None:
    """Lock `count` bytes from the position on for one handle, as `msvcrt.locking` does."""
    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        _fcntl(descriptor, _OFD_SETLK, struct.pack("hhqqi", _WRITE, 0, place, count, 0))
    except OSError as taken:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from taken


def keeping_open_files(change: Callable[..., Any]) -> Callable[..., Any]:
    """Return `change` of one or two paths, refused while this process has one of the files open."""

    def changed(*paths: Any, **options: Any) -> Any:
        named = [os.path.realpath(path) for path in paths if not isinstance(path, int)]
        for link in Path("/proc/self/fd").iterdir():
            try:
                opened = str(link.readlink())
            except OSError:  # closed meanwhile
                continue
            if opened in named and Path(opened).is_file():
                raise PermissionError(errno.EACCES, "The file is used by a process", opened)
        return change(*paths, **options)

    return changed


def select_sockets(*lists: Any) -> Any:
    """Select as on Windows, where only sockets can be waited for."""
    for watched in [one for some in lists[:3] for one in some]:
        if not isinstance(watched, socket.socket):
            raise OSError(errno.ENOTSOCK, "An operation was attempted on something not a socket")
    return _select(*lists)


def socketpair(*_: object) -> tuple[socket.socket, socket.socket]:
    """Return two connected sockets, by way of the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        one = socket.create_connection(door.getsockname())
        return one, door.accept()[0]


class UsualLoop(asyncio.SelectorEventLoop):
    """The loop that Windows usually has watches no sockets and takes no signals."""

    def add_reader(self, *_: object) -> None:
        """Raise, as Windows' loop does."""
        raise NotImplementedError

    add_writer = add_signal_handler = add_reader  # type: ignore[assignment]


class Policy(asyncio.DefaultEventLoopPolicy):
    """Gives programs that do not choose the usual loop."""

    _loop_factory = UsualLoop


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process at once."""
    if process.poll() is None:
        os.kill(process.pid, 9)


def become_windows() -> None:
    """Take away what Windows has not, and add what only Windows has."""
    sysconfig.get_config_vars()  # reads a file whose name has that of the system
    command = " ".join(sys.orig_argv)
    # Textual's driver for Windows cannot be imported here; that of Linux must not be.
    os.environ.setdefault("TEXTUAL_DRIVER", "textual.drivers.headless_driver:HeadlessDriver")
    if "companion" in command or "pytest" in command:
        for name in LIBRARIES:
            import_module(name)
    for module, names in MISSING_NAMES.items():
        for name in names:
            vars(module).pop(name, None)
    for name in MISSING:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Absent())
    msvcrt = types.ModuleType("msvcrt")
    vars(msvcrt).update(locking=locking, LK_NBLCK=2)
    sys.modules["msvcrt"] = msvcrt
    vars(os)["O_BINARY"] = 0
    vars(signal)["SIGBREAK"] = signal.SIGUSR1
    for name in ("rename", "replace", "remove", "unlink"):
        vars(os)[name] = keeping_open_files(vars(os)[name])
    vars(select)["select"] = select_sockets
    vars(socket)["socketpair"] = socketpair
    subprocess.Popen.kill = kill  # type: ignore[assignment, method-assign]
    asyncio.set_event_loop_policy(Policy())
    sys.platform = "win32"


_select = select.select
if sys.platform == "linux":
    become_windows()
