"""Kinds of boards as data: how a port wants to be opened, by the USB device behind it.

`boards.toml` beside this file holds them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("boards.toml")


@dataclass(frozen=True, slots=True)
class BoardProfile:
    """A kind of board: `dtr` is what DTR and RTS say while its port is open, `hang_up` whether they fall when it is
    closed. `usb` are the devices, `vendor` or `vendor:product` in hex."""

    usb: tuple[str, ...]
    dtr: bool
    hang_up: bool


@cache
def boards() -> Mapping[str, BoardProfile]:
    """The board profiles that come with the program, by id."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: BoardProfile(tuple(row["usb"]), row["dtr"], row["hang_up"]) for name, row in rows.items()}


def board_of(vid: int | None, pid: int = 0) -> BoardProfile:
    """The profile of the USB device with these numbers; the first one, of a board that restarts at no opening, for a
    device that nobody knows."""
    known = list(boards().values())
    devices = () if vid is None else (f"{vid:04x}:{pid:04x}", f"{vid:04x}")
    return next((one for device in devices for one in known if device in one.usb), known[0])


@dataclass(frozen=True, slots=True)
class UsbPort:
    """A serial port of a USB device; `serial` is the device's own number, "" when it has none."""

    device: str
    vid: int
    pid: int
    serial: str = ""
    product: str = ""

    @property
    def id(self) -> str:
        """VID:PID as lsusb writes it."""
        return f"{self.vid:04x}:{self.pid:04x}"


def list_usb_ports() -> list[UsbPort]:
    """Return the serial ports of USB devices, by name; others (modems, consoles) are not disturbed."""
    from serial.tools.list_ports import comports

    found = (
        UsbPort(port.device, port.vid, port.pid or 0, port.serial_number or "", port.product or "")
        for port in comports()
        if port.vid is not None
    )
    return sorted(found, key=lambda port: port.device)


def profile_of(port: str, listed: Callable[[], Iterable[UsbPort]] = list_usb_ports) -> BoardProfile:
    """Return the profile of what is at `port`, a path that may be a link to the device, or a URL; `listed` gives the
    USB ports there are."""
    if "://" in port:
        return board_of(None)
    real = str(Path(port).resolve()) if port.startswith("/") else port
    here = next((one for one in listed() if one.device in (port, real)), None)
    return board_of(None) if here is None else board_of(here.vid, here.pid)
