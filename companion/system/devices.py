"""Serial ports, pseudo-terminals and drives, as each system has them."""

from __future__ import annotations

import os
import string
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import termios

FAT = ("vfat", "msdos", "fuseblk")
"""File systems of a boot loader's drive, as Linux names them."""


def has_ptys() -> bool:
    """Return whether a virtual board can have a port with a path; on Windows it has a socket."""
    return sys.platform != "win32"


def keep_lines(descriptor: int) -> None:
    """Leave DTR and RTS of an open port as they are when it is closed; Windows has no such setting."""
    if sys.platform != "win32":
        with suppress(termios.error, OSError, ValueError):
            flags = termios.tcgetattr(descriptor)
            flags[2] &= ~termios.HUPCL
            termios.tcsetattr(descriptor, termios.TCSANOW, flags)


def group_of(port: str) -> str:
    """Return the group that may open a port; `dialout` if the system does not say."""
    if sys.platform != "win32":
        with suppress(OSError, KeyError):
            return Path(port).group()
    return "dialout"


def may_open(port: str) -> bool:
    """Return whether this user may open a port; on Windows everybody may."""
    return sys.platform == "win32" or os.access(port, os.R_OK | os.W_OK)


def mounted_drives() -> list[Path]:
    """Return the mount points of drives that may be a boot loader's."""
    if sys.platform == "win32":
        return [Path(f"{letter}:\\") for letter in string.ascii_uppercase]
    if sys.platform == "darwin":
        return sorted(Path("/Volumes").iterdir())
    text = Path("/proc/self/mounts").read_text(errors="replace")
    rows = [line.split() for line in text.splitlines()]
    # The kernel writes a space in a path as \040.
    return [Path(row[1].replace("\\040", " ")) for row in rows if row[2] in FAT]
