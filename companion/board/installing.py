"""Installing and removing the firmware: the new one beside the old, `main.py` switched last.

At every moment the board has either no `main.py` or one that starts a whole firmware. A run that was cut short is
simply repeated.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.board.firmware import FOLDER, OUR_MARK, Firmware
from companion.board.wiring import NEW_PINS, PINS, script, wiring_of
from companion.errors import CommandError, ErrorKind
from companion.program import PROGRAM
from companion.rules.columns import clean
from firmware_protocol.virtual.children import module_command

Say = Callable[[str], None]

LEAST_MICROPYTHON = [1, 23]
# On a Pico 2, 1.28 is the first built with the Pico SDK 2.2.0, which later chips (stepping A4) need; and 1.26 and 1.27
# generate wrong machine code for a loop that counts in a register
# (https://github.com/micropython/micropython/pull/18821).
PICO_2 = "RP2350"
LEAST_ON_PICO_2 = [1, 28]
# sys.platform of MicroPython's ports to chips without the PIO and DMA that timestamp the edges
# (https://github.com/micropython/micropython/tree/master/ports).
OTHER_CHIPS = {
    "alif": "an Alif Ensemble",
    "cc3200": "a CC3200",
    "esp32": "an ESP32",
    "esp8266": "an ESP8266",
    "mimxrt": "an i.MX RT",
    "nrf51": "an nRF51",
    "nrf52": "an nRF52",
    "nrf91": "an nRF91",
    "pyboard": "an STM32",
    "renesas-ra": "a Renesas RA",
    "samd": "a SAMD",
}
SPARE_BYTES = 16_384
# Some two seconds on a Pico: short enough to show progress, and that a slow board does not run into the time limit.
FILES_A_CALL = 6
NEW_MAIN = "main.new"
# The folder in the root when the files were copied by hand, or by mip.
BY_HAND = "firmware_protocol"

CALL_TIMEOUT_S = 60.0
OUTPUT_SHOWN = 300

_SURVEY = """
import json, os, sys
def text(path):
    try:
        with open(path) as file:
            return file.read(2000)
    except OSError:
        return None
fs = os.statvfs(os.getcwd())
print(json.dumps({"name": sys.implementation.name, "micropython": list(sys.implementation[1])[:3],
    "mpy": getattr(sys.implementation, "_mpy", 0), "machine": getattr(sys.implementation, "_machine", ""),
    "platform": sys.platform, "free": fs[0] * fs[3],
    "root": os.listdir(), "main": text("main.py")}))
"""
_HASHES = """
import binascii, hashlib, json
def value(path):
    whole = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while True:
                part = file.read(512)
                if not part:
                    return binascii.hexlify(whole.digest()).decode()
                whole.update(part)
    except OSError:
        return None
print(json.dumps({path: value(path) for path in json.loads(%r)}))
"""
_RENAME = """
import os
os.rename(%r, %r)
print("true")
"""
_REMOVE = """
import json, os
def remove(path):
    if os.stat(path)[0] & 0x4000:
        for name in os.listdir(path):
            remove(path + "/" + name)
        os.rmdir(path)
    else:
        os.remove(path)
for path in json.loads(%r):
    remove(path)
print("true")
"""


@dataclass(frozen=True, slots=True)
class Survey:
    """A board as found: its interpreter, free bytes, root folder, `main.py`, and the .mpy version it reads."""

    micropython: list[int]
    machine: str
    platform: str
    free: int
    root: list[str]
    main: str | None
    mpy: int

    @property
    def ours(self) -> list[str]:
        """Everything of any firmware of the table in the root, except `main.py` and its owner's `pins.json`."""
        others = (BY_HAND, NEW_MAIN, NEW_PINS)
        return sorted(name for name in self.root if name.startswith(FOLDER) or name in others)

    @property
    def has_ours(self) -> bool:
        """True if `main.py` starts a firmware of the table."""
        return self.main is not None and OUR_MARK in self.main

    @property
    def name_for_other_main(self) -> str:
        """A free name under which to keep another program's `main.py`."""
        name = "main.old.py"
        number = 1
        while name in self.root:
            number += 1
            name = f"main.old{number}.py"
        return name


def survey(remote: Remote) -> Survey:
    """Survey the board; raise `CommandError` if it runs no MicroPython that can run the firmware."""
    fields = remote.ask(_SURVEY)
    name, board = fields.pop("name"), Survey(**fields)
    if name != "micropython" or board.micropython < LEAST_MICROPYTHON:
        has = f"{name} {'.'.join(map(str, board.micropython))}"
        raise CommandError(
            f"The board runs {has}; the firmware needs MicroPython 1.23 or newer: hardware_docs/install.md says how to "
            "put it there.",
            ErrorKind.UNAVAILABLE,
        )
    if PICO_2 in board.machine and board.micropython < LEAST_ON_PICO_2:
        raise CommandError(
            f"This Pico 2 runs MicroPython {'.'.join(map(str, board.micropython))}; it needs 1.28 or newer, for older "
            "ones do not know its later chips: hardware_docs/install.md says how to put it there.",
            ErrorKind.UNAVAILABLE,
        )
    return board


def require_chip(board: Survey) -> None:
    """Raise `CommandError` for a board with another chip: the firmware cannot start there."""
    chip = OTHER_CHIPS.get(board.platform)
    if chip is not None:
        raise CommandError(
            f"This board has {chip} ({clean(board.machine)}); the firmware needs a Raspberry Pi Pico (RP2040), so "
            "nothing was copied.",
            ErrorKind.UNAVAILABLE,
        )


def install(
    remote: Remote, new: Firmware, board: Survey, say: Say, *, replace: bool = False
) -> bool:
    """Put the firmware on the board without restarting it; return False if the board had all of it already."""
    if board.main is not None and not board.has_ours and not replace:
        raise CommandError(
            "The board has a main.py of another program. To keep that as "
            f"{board.name_for_other_main} and start the table's: `{PROGRAM} board install --replace`."
        )
    wiring = wiring_of(remote.ask(script(board.main)), is_ours=board.has_ours)
    if board.main == new.main.decode() and not _wrong(remote, new):
        _tidy(remote, board, new.folder, say)
        return False
    _copy(remote, new, board, say)
    if board.main is not None and not board.has_ours:
        remote.ask(_RENAME % ("main.py", board.name_for_other_main))
        say(f"The other program's main.py is kept as {board.name_for_other_main}.")
    # Safe before the switch: the rows spell out the old firmware's own defaults, so it keeps its pins either way.
    if wiring.added:
        remote.put({NEW_PINS: wiring.wanted})
        remote.ask(_RENAME % (NEW_PINS, PINS))
    if wiring.sentence:
        say(wiring.sentence)
    _switch(remote, new)
    say(f"main.py starts {new.folder}.")
    _tidy(remote, board, new.folder, say)
    return True


def uninstall(remote: Remote, board: Survey, say: Say) -> None:
    """Remove every firmware of the table from the board, `main.py` first; a `pins.json` stays."""
    if board.main is not None and not board.has_ours and not board.ours:
        raise CommandError(
            "The board's main.py is another program's and nothing else is the table's: nothing to do."
        )
    removed = board.ours
    if board.has_ours:
        removed = ["main.py", *removed]
    if not removed:
        raise CommandError("The table's firmware is not on this board: nothing to do.")
    remote.ask(_REMOVE % json.dumps(removed))
    say(f"Removed {', '.join(removed)}.")
    if "pins.json" in board.root:
        say("pins.json, your wiring, stays.")
    for name in sorted(board.root):
        if not name.startswith("main.old"):
            continue
        say(f"{name}, another program's, stays: rename it to main.py to start that again.")


def _copy(remote: Remote, new: Firmware, board: Survey, say: Say) -> None:
    missing = _wrong(remote, new)
    needed = sum(len(new.files[path]) for path in missing) + SPARE_BYTES
    if board.free < needed:
        raise CommandError(
            f"The board has {board.free // 1024} kB free and {needed // 1024} kB are needed: remove files of your own "
            f"from it (mpremote fs ls), or run `{PROGRAM} board uninstall` first.",
            ErrorKind.CANNOT_CREATE,
        )
    say(
        f"Copying {len(missing)} of {len(new.files)} files ({needed - SPARE_BYTES} bytes) into {new.folder}."
    )
    for at in range(0, len(missing), FILES_A_CALL):
        batch = missing[at : at + FILES_A_CALL]
        remote.put({f"{new.folder}/{path}": new.files[path] for path in batch})
        say(f"{at + len(batch)} of {len(missing)}")
    wrong = _wrong(remote, new)
    if wrong:
        why = f"{', '.join(wrong)}: not what was sent. The firmware before is still in place; run the command again."
        raise CommandError(why, ErrorKind.UNAVAILABLE)
    say(f"Verified: {len(new.files)} files have the right SHA-256 on the board.")


def _wrong(remote: Remote, new: Firmware) -> list[str]:
    """Return the files that the board lacks or has with other content."""
    hashes = remote.ask(_HASHES % json.dumps([f"{new.folder}/{path}" for path in new.files]))
    wrong = []
    for path, value in sorted(new.hashes.items()):
        if hashes.get(f"{new.folder}/{path}") != value:
            wrong.append(path)
    return wrong


def _switch(remote: Remote, new: Firmware) -> None:
    remote.put({NEW_MAIN: new.main})
    hashes = remote.ask(_HASHES % json.dumps([NEW_MAIN]))
    if hashes != {NEW_MAIN: Firmware({NEW_MAIN: new.main}).hashes[NEW_MAIN]}:
        why = "main.py did not arrive whole; nothing was switched. Run the command again."
        raise CommandError(why, ErrorKind.UNAVAILABLE)
    # On the board's file system (littlefs) a rename replaces a file atomically, even if power is lost.
    remote.ask(_RENAME % (NEW_MAIN, "main.py"))


def _tidy(remote: Remote, board: Survey, folder: str, say: Say) -> None:
    old = [name for name in board.ours if name not in (folder, NEW_MAIN, NEW_PINS)]
    if old:
        remote.ask(_REMOVE % json.dumps(old))
        say(f"Removed what was there before: {', '.join(old)}.")


class Remote:
    """A board's prompt, through a process of the mpremote beside this Python; every failure is a `CommandError`."""

    def __init__(self, port: str, call_s: float = CALL_TIMEOUT_S) -> None:
        self._port = port
        self._call_s = call_s

    def ask(self, script: str) -> Any:
        """Run a script on the board; return the JSON in the last line it prints."""
        lines = self._run("exec", script).strip().splitlines()
        try:
            return json.loads(lines[-1])
        except (ValueError, IndexError):
            why = f"The board at {self._port} answered {lines[-1:]} where JSON was expected: reset it and try again."
            raise CommandError(why, ErrorKind.UNAVAILABLE) from None

    def begin(self, script: str) -> None:
        """Start a script on the board without waiting for its end."""
        self._run("exec", "--no-follow", script)

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write files to the board by their paths there, creating their folders."""
        with tempfile.TemporaryDirectory() as local:
            for path, data in files.items():
                file = Path(local, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            # To ":." because not every file system confirms that the root itself exists; `-f` saves hashing each file
            # on the board first.
            self._run("fs", "cp", "-r", "-f", *map(str, Path(local).iterdir()), ":.")

    def reset(self) -> None:
        """Restart the board; it does not answer for a while."""
        self._run("reset")

    def _run(self, *arguments: str) -> str:
        # `resume` avoids a soft reset, which would stop the timer that feeds the watchdog once the firmware has run.
        command = module_command("mpremote", "connect", self._port, "resume", *arguments)
        try:
            process = subprocess.run(
                command, capture_output=True, text=True, timeout=self._call_s, check=False
            )
        except subprocess.TimeoutExpired:
            why = f"The board at {self._port} stopped answering: unplug it, plug it in and run the command again."
            raise CommandError(why, ErrorKind.UNAVAILABLE) from None
        if process.returncode:
            raise CommandError(
                self._failure(process.stdout + process.stderr), ErrorKind.UNAVAILABLE
            )
        return process.stdout

    def _failure(self, output: str) -> str:
        if "raw repl" in output:
            return (
                f"{self._port} shows no MicroPython prompt. If MicroPython is on the board: end whatever talks to it "
                "and try again, or hold the trigger while plugging it in. If not: hold BOOTSEL, plug it in, and copy "
                "the .uf2 of MicroPython for this board onto the drive RPI-RP2 that appears (hardware_docs/install.md)."
            )
        if "in use" in output or "Resource busy" in output:
            holders = "end the companion, the serial monitor or the other mpremote, and try again"
            return f"{self._port} is held by another program: {holders}."
        if "No module named" in output and "mpremote" in output:
            return "mpremote is missing: run `pip install mpremote` in the companion's environment."
        last = output.strip()[-OUTPUT_SHOWN:] or "nothing"
        return f"mpremote gave up on {self._port}; run the command again, the board still boots. It said: {last}"
