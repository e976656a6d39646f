"""The port of the board, before and after a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.errors import CommandError, ErrorKind
from companion.link.bounded import OneJob
from companion.link.usb_ports import UsbPort, list_usb_ports

# Raspberry Pi: every Pico with MicroPython, and (product 0003) its boot loader, which is a drive and not a port.
RASPBERRY_PI = 0x2E8A
AUTO = "auto"


Lister = Callable[[], Iterable[UsbPort]]


def usb_ports() -> list[UsbPort]:
    """Return the serial ports of USB devices, by name; raise `CommandError` if the system does not list them."""
    try:
        return OneJob[list[UsbPort]]().run(list_usb_ports)
    except TimeoutError as problem:
        why = "The system does not list its serial ports: name the port with --port."
        raise CommandError(why, ErrorKind.UNAVAILABLE) from problem


def choose(spec: str, lister: Lister = usb_ports) -> str:
    """Return the port meant by `spec`.

    `AUTO` means the only USB board there is; with none or several, raise `CommandError`.
    """
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
    """Return where the device with this serial number is now: a restart may change its port's name."""
    if not serial:
        return port
    for usb_port in lister():
        if usb_port.serial == serial:
            return usb_port.device
    return port


def serial_of(port: str, lister: Lister) -> str:
    """Return the serial number of the USB device at `port`; "" for any other port."""
    for usb_port in lister():
        if usb_port.device == port:
            return usb_port.serial
    return ""
