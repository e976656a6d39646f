"""Kinds of boards as data: how a port wants to be opened, by the USB device behind it, and what its board is like.

`boards.toml` beside this file holds them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from firmware_protocol.board.pins import PinMap, default_pins, parse_pins

FILE = Path(__file__).with_name("boards.toml")
_TRUTHS = ("dtr", "hang_up", "restarts_when_opened")
_NUMBERS = ("deaf_s", "ring_size", "clock_ppm", "stamp_error_us")


class ProfileError(ValueError):
    """A profile that cannot be used: which file and row, and why."""


@dataclass(frozen=True, slots=True)
class BoardProfile:
    """A kind of board: `dtr` is what DTR and RTS say while its port is open, `hang_up` whether they fall when it is
    closed; whether opening restarts it, and how long it is deaf then; its ring, how far its clock may be off, its
    stamps' error (0: as HELLO says), and its pins. `usb` are the devices, `vendor` or `vendor:product` in hex."""

    name: str
    usb: tuple[str, ...]
    dtr: bool
    hang_up: bool
    restarts_when_opened: bool
    deaf_s: float
    ring_size: int
    clock_ppm: int
    stamp_error_us: int
    pins: str | dict[str, Any]

    @property
    def wiring(self) -> PinMap | None:
        """Its pin map; None when it is the board's own business. Raise `ValueError` for a map that cannot be."""
        if self.pins == "own":
            return None
        return default_pins() if self.pins == "default" else parse_pins(json.dumps(self.pins))


def read_boards(text: str, where: str) -> dict[str, BoardProfile]:
    """Read board profiles by their id; raise `ProfileError`."""
    return {name: _board(row, f"{where}: [{name}]") for name, row in read_tables(text, where).items()}


def read_tables(text: str, where: str) -> dict[str, Any]:
    """Read TOML; raise `ProfileError`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ProfileError(f"{where} is no TOML ({problem})") from problem


def _board(row: Any, where: str) -> BoardProfile:
    wanted = [field.name for field in fields(BoardProfile)]
    if not isinstance(row, dict) or set(row) != set(wanted):
        wrong = ", ".join(sorted(set(wanted) ^ (set(row) if isinstance(row, dict) else set())))
        raise ProfileError(f"{where} must have exactly {', '.join(wanted)}; look at {wrong}")
    if not all(isinstance(row[name], bool) for name in _TRUTHS):
        raise ProfileError(f"{where}: {', '.join(_TRUTHS)} are true or false")
    if not all(isinstance(row[name], int | float) and row[name] >= 0 for name in _NUMBERS):
        raise ProfileError(f"{where}: {', '.join(_NUMBERS)} are numbers from 0")
    try:
        profile = BoardProfile(**{**row, "usb": tuple(map(_device, row["usb"]))})
        _ = profile.wiring
    except (TypeError, ValueError) as problem:
        raise ProfileError(f"{where}: {problem}") from problem
    return profile


def _device(text: str) -> str:
    vendor, _, product = text.partition(":")
    if len(vendor) != 4 or len(product) not in (0, 4):
        raise ValueError(f"{text!r} is no vendor or vendor:product of four hex digits each")
    int(vendor + product, 16)
    return text


@cache
def boards() -> Mapping[str, BoardProfile]:
    """The board profiles that come with the program, by id."""
    return read_boards(FILE.read_text(encoding="utf-8"), FILE.name)


def board_of(vid: int | None, pid: int = 0) -> BoardProfile:
    """The profile of the USB device with these numbers; the first one, of a board that restarts at no opening, for a
    device that nobody knows."""
    known = list(boards().values())
    if vid is not None:
        for device in (f"{vid:04x}:{pid:04x}", f"{vid:04x}"):
            for one in known:
                if device in one.usb:
                    return one
    return known[0]


Listed = tuple[str, int, int]
"""A port with the numbers of vendor and product."""


def profile_of(port: str, listed: Callable[[], Iterable[Listed]] | None = None) -> BoardProfile:
    """Return the profile of what is at `port`, a path that may be a link to the device, or a URL; `listed` gives the
    USB ports there are."""
    if "://" in port:
        return board_of(None)
    real = str(Path(port).resolve()) if port.startswith("/") else port
    for device, vid, pid in (_usb if listed is None else listed)():
        if device in (port, real):
            return board_of(vid, pid)
    return board_of(None)


def _usb() -> Iterable[Listed]:
    from serial.tools.list_ports import comports

    return [(port.device, port.vid, port.pid or 0) for port in comports() if port.vid is not None]
