"""Input profiles as data: what works the zones. The file beside this one holds them; boards are in companion/link."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("inputs.toml")
KINDS = ("keys", "channels", "none")
MOST_ZONES = 10


class ProfileError(ValueError):
    """A profile that cannot be used: which file and row, and why."""


@dataclass(frozen=True, slots=True)
class InputProfile:
    """What works the zones: keys of a keyboard, channels of a board, or nothing; `zones` from zone 1 on."""

    id: str
    title: str
    kind: str
    zones: tuple[str, ...]


def read_inputs(text: str, where: str) -> dict[str, InputProfile]:
    """Read input profiles by their id; raise `ProfileError`."""
    return {name: _input(name, row, where) for name, row in tomllib.loads(text).items()}


def _input(name: str, row: Any, where: str) -> InputProfile:
    if not isinstance(row, dict) or set(row) != {"title", "kind", "zones"} or row["kind"] not in KINDS:
        raise ProfileError(f"{where}: [{name}] must have title, zones and a kind of {', '.join(KINDS)}")
    zones = tuple(row["zones"])
    if len(set(zones)) != len(zones) or len(zones) > MOST_ZONES:
        raise ProfileError(f"{where}: [{name}] gives two zones the same key, or has more than {MOST_ZONES} zones")
    if (row["kind"] == "none") != (not zones):
        raise ProfileError(f"{where}: [{name}] has zones exactly when its kind is not none")
    return InputProfile(name, row["title"], row["kind"], zones)


def inputs() -> Mapping[str, InputProfile]:
    """The input profiles that come with the program, by id."""
    return read_inputs(FILE.read_text(encoding="utf-8"), FILE.name)
