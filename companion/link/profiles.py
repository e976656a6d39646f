"""How a port wants to be opened, by the USB device behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Profile:
    """`dtr` is what the lines DTR and RTS say while the port is open; `hang_up` whether they fall when it closes."""

    name: str
    dtr: bool
    hang_up: bool


NATIVE = Profile("native USB", dtr=True, hang_up=True)
"""The microcontroller is the USB device: many count a host without DTR as no host, and are silent (pico-sdk,
stdio_usb.c, "connected"). The kinds that nobody knows are opened so: a board that restarts says HELLO after it."""
BRIDGE = Profile("bridge", dtr=False, hang_up=False)
"""A bridge chip, whose DTR or RTS is wired to the reset of the board behind it: an edge of them restarts it."""

_ANY = -1
# Vendor and product, from the USB ID database (linux-usb.org) and what the makers' schematics wire DTR and RTS to.
PROFILES: dict[tuple[int, int], Profile] = {
    (0x2E8A, _ANY): NATIVE,  # Raspberry Pi: MicroPython and pico-sdk
    (0x1A86, _ANY): BRIDGE,  # WCH CH340, CH341, CH9102
    (0x10C4, 0xEA60): BRIDGE,  # Silicon Labs CP210x
    (0x0403, _ANY): BRIDGE,  # FTDI
    (0x067B, 0x2303): BRIDGE,  # Prolific PL2303
    (0x2341, 0x0001): BRIDGE,  # Arduino Uno, its ATmega8U2
    (0x2341, 0x0010): BRIDGE,  # Arduino Mega 2560
    (0x2341, 0x0042): BRIDGE,  # Arduino Mega 2560 R3
    (0x2341, 0x0043): BRIDGE,  # Arduino Uno R3
    (0x303A, 0x1001): BRIDGE,  # Espressif's USB serial/JTAG unit: no bridge, but DTR and RTS restart the chip as well
}

Listed = tuple[str, int, int]
"""A port with the numbers of vendor and product."""


def profile_of(port: str, listed: Callable[[], Iterable[Listed]] | None = None) -> Profile:
    """Return how to open `port`, a path that may be a link to the device; `listed` gives the USB ports there are."""
    real = str(Path(port).resolve()) if port.startswith("/") else port
    for device, vid, pid in (_usb if listed is None else listed)():
        if device in (port, real):
            return PROFILES.get((vid, pid)) or PROFILES.get((vid, _ANY)) or NATIVE
    return NATIVE


def _usb() -> Iterable[Listed]:
    from serial.tools.list_ports import comports

    return [(port.device, port.vid, port.pid or 0) for port in comports() if port.vid is not None]
