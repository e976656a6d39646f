"""Serial ports of USB devices, and which boards restart when theirs is opened (`boards.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("boards.toml")


@cache
def restarting() -> frozenset[str]:
    """Return the USB devices whose boards restart at an edge of DTR or RTS: `vendor` or `vendor:product` in hex."""
    return frozenset(tomllib.loads(FILE.read_text(encoding="utf-8"))["restarting"])


@dataclass(frozen=True, slots=True)
class UsbPort:
    """A serial port of a USB device.

    `serial` is the device's own serial number, "" if it has none. `location` is its path from the computer, a number
    for each socket on it, "" if the system does not say.
    """

    device: str
    vid: int
    pid: int
    serial: str = ""
    product: str = ""
    location: str = ""

    @property
    def hubs(self) -> int | None:
        """Number of hubs between the computer and the device; None if the system does not say."""
        return self.location.partition(":")[0].count(".") if self.location else None

    @property
    def id(self) -> str:
        """VID:PID as `lsusb` writes it."""
        return f"{self.vid:04x}:{self.pid:04x}"


def list_usb_ports() -> list[UsbPort]:
    """Return the serial ports of USB devices, by name; others (modems, consoles) are left alone."""
    from serial.tools.list_ports import comports

    ports = []
    for port in comports():
        if port.vid is None:
            continue
        ports.append(
            UsbPort(
                port.device,
                port.vid,
                port.pid or 0,
                port.serial_number or "",
                port.product or "",
                port.location or "",
            )
        )
    return sorted(ports, key=lambda port: port.device)


def restarts(port: str, listed: Callable[[], Iterable[UsbPort]] = list_usb_ports) -> bool:
    """Return whether an edge of DTR or RTS restarts the board at `port`, a path (or a link to one) or a URL.

    `listed` returns the USB ports there are.
    """
    if "://" in port:
        return False
    device = str(Path(port).resolve()) if port.startswith("/") else port
    here = next((usb for usb in listed() if usb.device in (port, device)), None)
    return here is not None and not restarting().isdisjoint((here.id, f"{here.vid:04x}"))
