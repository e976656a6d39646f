"""MicroPython copied onto a Pico that shows its boot loader's drive (BOOTSEL held while it was plugged in).

The UF2 file's target is checked before anything is written. The drive takes a UF2 file of any name. With the last block
the board restarts and the drive is gone, often before the computer has been told that everything is written (RP2040
data sheet, 2.8.5).
"""

from __future__ import annotations

import errno
import os
import struct
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from companion.board.ports import AUTO, RASPBERRY_PI, Lister, choose, usb_ports
from companion.errors import CommandError, ErrorKind, reading
from companion.journal.disk import read_regular
from companion.link.bounded import OneJob
from companion.program import PROGRAM
from companion.system.devices import mounted_drives

INFO = "INFO_UF2.TXT"
BOARD = "Board-ID"
PICO = "RPI-RP2"
INFO_BYTES = 4096
CHUNK = 64 * 1024
# A Pico restarts at once; a slow computer can take several seconds to show its port.
BACK_S = 20.0
CHECK_S = 0.25
REFUSALS = (errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM)
STEPS = "Hold BOOTSEL, plug the board in, let go; when the drive RPI-RP2 is there, run the command again."
# https://github.com/microsoft/uf2: blocks of 512 bytes, their magic numbers, the flag "family id present".
BLOCK = 512
HEAD = struct.Struct("<8I")
FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY = 0x2000
# utils/uf2families.json there.
RP2040 = 0xE48BFF56
FAMILIES = {
    0xE48BFF57: "the RP2350 (Pico 2)",
    0xE48BFF59: "the RP2350 (Pico 2)",
    0xE48BFF5A: "the RP2350 (Pico 2) with RISC-V",
    0xE48BFF5B: "the RP2350 (Pico 2)",
}
# The largest flash that an RP2040 can have is 16 MB, and UF2 takes twice that.
IMAGE_LIMIT_BYTES = 32 * 1024 * 1024
WANTED = "take MicroPython's .uf2 for Raspberry Pi Pico (RPI_PICO)"

T = TypeVar("T")
Drives = Callable[[], Iterable[Path]]


def read_image(path: Path) -> bytes:
    """Return the bytes of a whole UF2 file for the RP2040; raise `CommandError` on any other file."""
    with reading(path):
        data = read_regular(path, IMAGE_LIMIT_BYTES)
    if not data or data[:4] != struct.pack("<I", FIRST):
        raise CommandError(f"{path} is no UF2 file: {WANTED}.")
    if len(data) % BLOCK:
        raise CommandError(f"{path} is no whole UF2 file: download it again.")
    count = len(data) // BLOCK
    for number in range(count):
        _check(path, data[number * BLOCK : (number + 1) * BLOCK], number, count)
    return data


def _check(path: Path, block: bytes, number: int, count: int) -> None:
    first, second, flags, _, _, stated_number, stated_count, family = HEAD.unpack_from(block)
    (last,) = struct.unpack_from("<I", block, BLOCK - 4)
    if (first, second, last) != (FIRST, SECOND, LAST):
        raise CommandError(
            f"{path} is damaged in block {number + 1} of {count}: download it again."
        )
    if not flags & HAS_FAMILY:
        raise CommandError(f"{path} does not say which chip it is for: {WANTED}.")
    if family != RP2040:
        other = FAMILIES.get(family, f"another chip (family {family:08x})")
        raise CommandError(f"{path} is for {other}, not for the RP2040: {WANTED}.")
    if (stated_number, stated_count) != (number, count):
        raise CommandError(f"{path} is no whole UF2 file: download it again.")


@dataclass(frozen=True, slots=True)
class Drive:
    """A boot loader's drive, and the board it names in its INFO_UF2.TXT."""

    path: Path
    board: str


def boot_drives(drives: Drives = mounted_drives) -> list[Drive]:
    """Return the boot loaders' drives among `drives`; empty if the system does not answer in time."""
    try:
        return OneJob[list[Drive]]().run(lambda: _boot_drives(drives()))
    except (OSError, TimeoutError):
        return []


def _boot_drives(paths: Iterable[Path]) -> list[Drive]:
    drives = []
    for path in paths:
        drive = _drive(path)
        if drive is not None:
            drives.append(drive)
    return drives


def _drive(path: Path) -> Drive | None:
    try:
        with (path / INFO).open("rb") as file:
            lines = file.read(INFO_BYTES).decode(errors="replace").splitlines()
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return Drive(path, fields.get(BOARD, "").strip() or "a board without a name")


@dataclass(frozen=True, slots=True)
class BootLoader:
    """Copies an image; tests replace its drives, ports and clock."""

    say: Callable[[str], None]
    drives: Drives = mounted_drives
    ports: Lister = usb_ports
    pause: Callable[[float], None] = time.sleep
    clock_s: Callable[[], float] = time.monotonic

    def copy_image(self, path: Path) -> str:
        """Copy an image onto the only boot loader's drive; return the port where MicroPython then answers."""
        data = read_image(path)
        drive = self._only_drive()
        before = self._picos()
        self.say(
            f"Copying {path.name} onto {drive.path}. Nobody has tried this on a real board yet."
        )
        self._copy(data, drive, path.name)
        self.say("Copied; the board restarts.")
        ports = self._wait_for(lambda: sorted(self._picos() - before))
        if not ports:
            raise CommandError(
                f"No port appeared within {BACK_S:.0f} s: unplug the board, plug it in without BOOTSEL, and run "
                f"`{PROGRAM} board install`.",
                ErrorKind.UNAVAILABLE,
            )
        return ports[0]

    def _only_drive(self) -> Drive:
        drives = boot_drives(self.drives)
        if not drives:
            raise CommandError(
                f"No boot loader's drive is mounted here. {STEPS}", ErrorKind.UNAVAILABLE
            )
        if len(drives) > 1:
            names = ", ".join(str(drive.path) for drive in drives)
            why = f"{len(drives)} boards show their boot loader ({names}): unplug all but one."
            raise CommandError(why, ErrorKind.USAGE)
        if drives[0].board != PICO:
            raise CommandError(_other_chip(drives[0]))
        return drives[0]

    def _picos(self) -> set[str]:
        return {port.device for port in self.ports() if port.vid == RASPBERRY_PI}

    def _copy(self, data: bytes, drive: Drive, name: str) -> None:
        written, percent_said = 0, 0
        size = len(data)
        try:
            with (drive.path / name).open("wb", buffering=0) as file:
                while written < size:
                    written += file.write(data[written : written + CHUNK])
                    os.fsync(
                        file.fileno()
                    )  # without it the percentage would be that of the computer's cache
                    percent = 100 * written // size
                    if percent // 25 > percent_said // 25:
                        self.say(f"{percent} %")
                        percent_said = percent
        except OSError as problem:
            # A board that has the last block removes its drive in the middle of the write: that is a success.
            ended = size - written <= CHUNK and problem.errno not in REFUSALS
            if ended and self._wait_for(lambda: _drive(drive.path) is None):
                return
            raise CommandError(
                _write_error(problem, drive, 100 * written // size), ErrorKind.CANNOT_CREATE
            ) from problem
        if not self._wait_for(lambda: _drive(drive.path) is None):
            why = f"{drive.path} has the file and is still there: the board did not take it. Unplug the board. {STEPS}"
            raise CommandError(why, ErrorKind.UNAVAILABLE)

    def _wait_for(self, check: Callable[[], T]) -> T:
        until_s = self.clock_s() + BACK_S
        result = check()
        while not result and self.clock_s() < until_s:
            self.pause(CHECK_S)
            result = check()
        return result


def _other_chip(drive: Drive) -> str:
    return (
        f"The boot loader at {drive.path} is of {drive.board}, not of a Raspberry Pi Pico with an RP2040 ({PICO}): "
        "nothing was written."
    )


def _write_error(problem: OSError, drive: Drive, percent: int) -> str:
    if problem.errno == errno.ENOSPC:
        return f"{drive.path} is full: unplug the board, plug it in again with BOOTSEL held, and run the command again."
    if problem.errno in REFUSALS:
        return f"{drive.path} cannot be written: mount it for writing, or copy the file with your file manager."
    return f"{drive.path} went away at {percent} % ({problem.strerror}): the board needs the file again. {STEPS}"


def port_to_install_at(spec: str, uf2: Path | None, loader: BootLoader) -> str:
    """Return the port that `spec` means (see `choose`), after copying MicroPython from `uf2`, if given."""
    if uf2 is not None:
        port = loader.copy_image(uf2)
        if spec == AUTO:
            return port
        return spec
    try:
        return choose(spec, loader.ports)
    except CommandError as problem:
        if problem.kind is not ErrorKind.UNAVAILABLE:
            raise
        drives = boot_drives(loader.drives)
        if not drives:
            raise
        if all(drive.board != PICO for drive in drives):
            raise CommandError(_other_chip(drives[0]), ErrorKind.UNAVAILABLE) from problem
        raise CommandError(
            f"The board at {drives[0].path} shows its boot loader and needs MicroPython first: say `{PROGRAM} board "
            "install --uf2 FILE` with the .uf2 for Raspberry Pi Pico (hardware_docs/install.md).",
            ErrorKind.UNAVAILABLE,
        ) from problem
