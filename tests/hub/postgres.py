"""A PostgreSQL server for the tests, in a folder of its own, that syncs its writes to the disk."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
USER = "postgres"  # the server does not run as root


def why_not() -> str:
    """Return why no server can be started here; empty if one can."""
    if not BINARIES:
        return "PostgreSQL is not installed"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL does not run as root, and setpriv is not installed"
    return ""


class Server:
    """A server that listens on this machine alone. `kill` ends it as a power cut would, `start` brings it back."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="companion-postgres-"))
        if os.geteuid() == 0:
            who = pwd.getpwnam(USER)
            os.chown(self._folder, who.pw_uid, who.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._run(
            "initdb",
            "-D",
            str(self._data),
            "-A",
            "trust",
            "-U",
            USER,
            "--encoding=UTF8",
            "--no-sync",
        )
        self.start()

    @property
    def url(self) -> str:
        """The server's address for the hub."""
        return f"postgresql://{USER}@127.0.0.1:{self._port}/postgres"

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def empty(self, name: str) -> str:
        """Return the address of another, newly created database."""
        for words in (f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"):
            self._run(
                "psql",
                "-h",
                "127.0.0.1",
                "-p",
                str(self._port),
                "-U",
                USER,
                "-c",
                words,
                "postgres",
            )
        return f"{self.url.rpartition('/')[0]}/{name}"

    def start(self) -> None:
        """Start it, and return when it answers."""
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self._port} -c fsync=on -k {self._folder}"
        )
        self._run(
            "pg_ctl",
            "-D",
            str(self._data),
            "-w",
            "-l",
            str(self._folder / "log"),
            "-o",
            options,
            "start",
        )

    def kill(self) -> None:
        """Kill it without a last write."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def remove(self) -> None:
        """End it, and delete its folder."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *words: str, check: bool = True) -> None:
        as_user = (
            ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
            if os.geteuid() == 0
            else []
        )
        command: Sequence[str] = (*as_user, str(BINARIES[-1] / program), *words)
        subprocess.run(
            command,
            check=check,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
