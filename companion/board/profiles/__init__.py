"""Profiles as data: what kinds of boards and of inputs there are. The files beside this one hold them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from firmware_protocol.board.pins import PinMap, default_pins, parse_pins

FOLDER = Path(__file__).parent
KINDS = ("keys", "channels", "none")
MOST_ZONES = 10


class ProfileError(ValueError):
    """A profile that cannot be used: which file and row, and why."""


@dataclass(frozen=True, slots=True)
class BoardProfile:
    """A kind of board: the vendor its port shows ("" for any), whether DTR is to be on and opening restarts it, how
    long it is deaf then, its ring, how far its clock may be off, its stamps' error (0: as HELLO says), and its pins."""

    name: str
    vid: str
    dtr: bool
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


@dataclass(frozen=True, slots=True)
class InputProfile:
    """What works the zones: keys of a keyboard, channels of a board, or nothing; `zones` from zone 1 on."""

    id: str
    title: str
    kind: str
    zones: tuple[str, ...]


def read_board(text: str, where: str) -> BoardProfile:
    """Read a board profile; raise `ProfileError`."""
    row = _table(text, where).get("board")
    wanted = {field.name: field.type for field in fields(BoardProfile)}
    if not isinstance(row, dict) or set(row) != set(wanted):
        given = set(row) if isinstance(row, dict) else set()
        wrong = ", ".join(sorted(set(wanted) ^ given))
        raise ProfileError(f"{where}: [board] must have exactly {', '.join(wanted)}; look at {wrong}")
    profile = BoardProfile(**row)
    if not all(isinstance(row[name], bool) for name in ("dtr", "restarts_when_opened")):
        raise ProfileError(f"{where}: dtr and restarts_when_opened are true or false")
    if not all(isinstance(row[name], int | float) and row[name] >= 0 for name in _NUMBERS):
        raise ProfileError(f"{where}: {', '.join(_NUMBERS)} are numbers from 0")
    try:
        _ = profile.wiring
    except ValueError as problem:
        raise ProfileError(f"{where}: {problem}") from problem
    return profile


_NUMBERS = ("deaf_s", "ring_size", "clock_ppm", "stamp_error_us")


def read_inputs(text: str, where: str) -> dict[str, InputProfile]:
    """Read input profiles by their id; raise `ProfileError`."""
    return {name: _input(name, row, where) for name, row in _table(text, where).items()}


def _input(name: str, row: Any, where: str) -> InputProfile:
    if not isinstance(row, dict) or set(row) != {"title", "kind", "zones"} or row["kind"] not in KINDS:
        raise ProfileError(f"{where}: [{name}] must have title, zones and a kind of {', '.join(KINDS)}")
    zones = tuple(row["zones"])
    if len(set(zones)) != len(zones) or len(zones) > MOST_ZONES:
        raise ProfileError(f"{where}: [{name}] gives two zones the same key, or has more than {MOST_ZONES} zones")
    if (row["kind"] == "none") != (not zones):
        raise ProfileError(f"{where}: [{name}] has zones exactly when its kind is not none")
    return InputProfile(name, row["title"], row["kind"], zones)


def boards() -> Mapping[str, BoardProfile]:
    """The board profiles that come with the program, by id."""
    files = [path for path in sorted(FOLDER.glob("*.toml")) if path.name != "inputs.toml"]
    return {path.stem: read_board(path.read_text(encoding="utf-8"), path.name) for path in files}


def inputs() -> Mapping[str, InputProfile]:
    """The input profiles that come with the program, by id."""
    return read_inputs((FOLDER / "inputs.toml").read_text(encoding="utf-8"), "inputs.toml")


def board_of(vid: int | None) -> BoardProfile:
    """The profile of a board whose port shows this vendor; the Pico's for one that is unknown."""
    known = boards()
    return next((one for one in known.values() if vid is not None and one.vid == f"{vid:04x}"), known["pico"])


def _table(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ProfileError(f"{where} is no TOML ({problem})") from problem
