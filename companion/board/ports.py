"""Which port the board is at, and at which it comes back after a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.errors import CommandError, ErrorKind
from companion.link.bounded import OneJob
from companion.link.usb_ports import UsbPort, list_usb_ports

# Raspberry Pi: every Pico with MicroPython, and (0003) its boot loader, which is a drive and no port.
RASPBERRY_PI = 0x2E8A
AUTO = "auto"


Lister = Callable[[], Iterable[UsbPort]]


def usb_ports() -> list[UsbPort]:
    """Return the serial ports of USB devices, by name; raise `CommandError` when the system does not list them."""
    try:
        return OneJob[list[UsbPort]]().run(list_usb_ports)
    except TimeoutError as problem:
        why = "The system does not list its serial ports: name the port with --port."
        raise CommandError(why, ErrorKind.UNAVAILABLE) from problem


def choose(spec: str, lister: Lister = usb_ports) -> str:
    """Return the port meant by `spec`; `AUTO` is the one USB board there is, else `CommandError` says what to name."""
    if spec != AUTO:
        return spec
    ports = list(lister())
    likely = [port for port in ports if port.vid == RASPBERRY_PI] or ports
    if len(likely) == 1:
        return likely[0].device
    if not likely:
        raise CommandError(
            "No USB serial port found: plug the board in with a cable that carries data, or name its port with --port.",
            ErrorKind.UNAVAILABLE,
        )
    names = ", ".join(f"{port.device} ({port.product or port.id})" for port in likely)
    raise CommandError(f"More than one board: say which with --port: {names}.", ErrorKind.USAGE)


def port_after_restart(port: str, serial: str, lister: Lister) -> str:
    """Return where the device with this number is now: after a restart it may have another name."""
    if not serial:
        return port
    return next((listed.device for listed in lister() if listed.serial == serial), port)


def serial_of(port: str, lister: Lister) -> str:
    """Return the number of the device at `port`; "" for a port that is no USB device's."""
    return next((listed.serial for listed in lister() if listed.device == port), "")
