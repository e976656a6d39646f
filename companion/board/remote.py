"""A board's prompt through mpremote, a process of its own: run a script there, copy files, reset."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from companion.exits import CommandError, Exit

CALL_S = 60.0
WORDS = 300

NO_PROMPT = (
    "{port} shows no MicroPython prompt. If MicroPython is on the board: end whatever talks to it "
    "and try again, or hold the trigger while plugging it in. If not: hold BOOTSEL, plug it in, and copy the .uf2 of "
    "MicroPython for this board onto the drive RPI-RP2 that appears (hardware_docs/install.md)."
)
BUSY = "{port} is held by another program: end the companion, the serial monitor or the other mpremote, and try again."


class Remote(Protocol):
    """What installing needs of a board's prompt; every failure is a `CommandError`."""

    def ask(self, script: str) -> Any:
        """Run a script on the board; return the JSON of the last line it prints."""

    def copy(self, files: Sequence[Path], folder: str) -> None:
        """Copy files into a folder of the board that exists."""

    def copy_to_root(self, file: Path) -> None:
        """Copy a file to the board's root, under its own name."""

    def reset(self) -> None:
        """Restart the board; it does not answer for a while."""


class Mpremote:
    """`Remote` by the mpremote that is installed beside this Python."""

    def __init__(self, port: str, call_s: float = CALL_S) -> None:
        self._port = port
        self._call_s = call_s

    def ask(self, script: str) -> Any:
        """Run a script on the board; return the JSON of the last line it prints."""
        said = self._run("exec", script).strip().splitlines()
        try:
            return json.loads(said[-1])
        except (ValueError, IndexError):
            why = f"The board at {self._port} answered {said[-1:]} where JSON was expected: reset it and try again."
            raise CommandError(why, Exit.UNAVAILABLE) from None

    def copy(self, files: Sequence[Path], folder: str) -> None:
        """Copy files into a folder of the board that exists."""
        self._run("fs", "cp", *map(str, files), f":{folder}/")

    def copy_to_root(self, file: Path) -> None:
        """Copy a file to the board's root, under its own name."""
        self._run("fs", "cp", str(file), f":{file.name}")

    def reset(self) -> None:
        """Restart the board; it does not answer for a while."""
        self._run("reset")

    def _run(self, *words: str) -> str:
        # `resume`: no soft reset, which would stop the timer that feeds the watchdog of a chip that ran the firmware.
        command = [sys.executable, "-m", "mpremote", "connect", self._port, "resume", *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self._call_s, check=False)
        except subprocess.TimeoutExpired:
            why = f"The board at {self._port} stopped answering: unplug it, plug it in and run the command again."
            raise CommandError(why, Exit.UNAVAILABLE) from None
        if done.returncode:
            raise CommandError(self._why(done.stdout + done.stderr), Exit.UNAVAILABLE)
        return done.stdout

    def _why(self, said: str) -> str:
        if "raw repl" in said:
            return NO_PROMPT.format(port=self._port)
        if "in use" in said or "Resource busy" in said:
            return BUSY.format(port=self._port)
        if "No module named" in said and "mpremote" in said:
            return "mpremote is missing: run `pip install mpremote` in the companion's environment."
        last = said.strip()[-WORDS:] or "nothing"
        return f"mpremote gave up on {self._port}; run the command again, the board still boots. It said: {last}"
