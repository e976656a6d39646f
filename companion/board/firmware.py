"""What goes onto a board: the firmware's files, the folder they go to, and the `main.py` that starts them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import firmware_protocol

SOURCE = Path(firmware_protocol.__file__).parent
SHARED = ("__init__.py", "frames.py", "messages.py")
# Only type checkers read it, and it is no MicroPython.
STAYS_HERE = frozenset({"hardware.py"})
FOLDER = "table-"
# What stands in every main.py that starts this firmware, whoever put it there.
MARK = "firmware_protocol.board"

_MAIN = '''"""Starts the table's firmware. Written last, so that it never names half a firmware."""

import micropython

micropython.kbd_intr(-1)  # from here on byte 0x03 is data

import sys

sys.path.insert(0, "{folder}")

from firmware_protocol.board.main import start

if __name__ == "__main__":
    start()
'''


@dataclass(frozen=True, slots=True)
class Firmware:
    """The files by their path on the board, below `folder`; `folder` is named after what is in them."""

    files: dict[str, bytes]

    @property
    def hashes(self) -> dict[str, str]:
        """The SHA-256 of each file, by its path below the folder."""
        return {path: hashlib.sha256(data).hexdigest() for path, data in self.files.items()}

    @property
    def folder(self) -> str:
        """Another firmware has another folder: what runs is never written over."""
        whole = "".join(f"{path} {value}\n" for path, value in sorted(self.hashes.items()))
        return FOLDER + hashlib.sha256(whole.encode()).hexdigest()[:8]

    @property
    def main(self) -> bytes:
        """The `main.py` that starts it."""
        return _MAIN.format(folder=self.folder).encode()

    @property
    def size(self) -> int:
        """All files, in bytes."""
        return sum(map(len, self.files.values()))


def firmware(source: Path = SOURCE) -> Firmware:
    """Return the firmware of this installation."""
    shared = [source / name for name in SHARED]
    board = [path for path in sorted((source / "board").glob("*.py")) if path.name not in STAYS_HERE]
    return Firmware({path.relative_to(source.parent).as_posix(): path.read_bytes() for path in shared + board})


def version() -> str:
    """Return the version that this firmware's HELLO names."""
    from firmware_protocol.board import FIRMWARE

    return FIRMWARE
