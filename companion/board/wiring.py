"""A board's wiring across a change of firmware: pins that the old firmware used by default are kept in pins.json."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import CommandError
from firmware_protocol.board.pins import ALWAYS, DEFAULT_PINS, parse_pins

PINS = "pins.json"
NEW_PINS = "pins.new"
# The folder in a main.py of ours; files that were copied by hand are in the root.
_STARTED = re.compile(r'"(table-[0-9a-f]{8})"')
SCRIPT = """
import json, sys
sys.path.insert(0, %r)
try:
    from firmware_protocol.board.pins import DEFAULT_PINS as defaults
except Exception:
    defaults = None
sys.path.pop(0)
try:
    with open("pins.json") as file:
        text = file.read()
except OSError:
    text = None
print(json.dumps({"defaults": defaults, "text": text}))
"""

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wiring:
    """A board's `pins.json`: its `text`, None for no file; the rows to be `added`; a `sentence`, if any."""

    text: str | None = None
    added: Mapping[str, Any] | None = None
    sentence: str = ""

    @property
    def wanted(self) -> bytes:
        """The file with the added rows."""
        rows: dict[str, Any] = {}
        if self.text is not None:
            rows |= json.loads(self.text)
        if self.added is not None:
            rows |= self.added
        # One row a line: an owner edits this file by hand.
        lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
        return ("{" + ",\n ".join(lines) + "}\n").encode()


def script(main: str | None) -> str:
    """Return a script that prints a board's `pins.json` and the default pins of the firmware that `main` starts."""
    return SCRIPT % folder_of(main)


def folder_of(main: str | None) -> str:
    """Return the folder of the firmware that a `main.py` starts; "" if its files are in the root."""
    match = _STARTED.search(main or "")
    return "" if match is None else match[1]


def wiring_of(
    answer: Mapping[str, Any], *, is_ours: bool, defaults: Table = DEFAULT_PINS
) -> Wiring:
    """Return what to add to `pins.json` so that the new firmware uses the old one's pins.

    `answer` is that of `script`, `defaults` are the new firmware's pins, and `is_ours` means that the board has an old
    firmware. Raise `CommandError` for a file that the new firmware would refuse.
    """
    text, before = answer["text"], answer["defaults"] if is_ours else None
    rows = {} if text is None else _rows(text)
    added: dict[str, Any] = {}
    if before is not None:
        in_file = {name for name, row in rows.items() if row != ALWAYS}
        names = {*before, *defaults} - in_file
        for name in sorted(names):
            if before.get(name) != defaults.get(name):
                added[name] = before.get(name)
        # A file that only says that the hit sensor is always read keeps saying so.
        if rows.get("hit") == ALWAYS and added.get("hit"):
            added["hit"] = {**added["hit"], ALWAYS: 1}
    try:
        parse_pins(json.dumps({**rows, **added}))
    except ValueError as problem:
        raise CommandError(
            _refused(str(problem).removeprefix("pins.json: ").removeprefix("pins.json "))
        ) from problem
    if is_ours and before is None:
        why = "The pins of the firmware before could not be read: compare your wiring with hardware_docs/pins.md."
        return Wiring(text, {}, why)
    if not added:
        return Wiring(text)
    moved = ", ".join(_moved(name, row, defaults.get(name)) for name, row in added.items())
    return Wiring(
        text, added, f"pins.json on the board now keeps the wiring of the firmware before: {moved}."
    )


def _rows(text: str) -> dict[str, Any]:
    try:
        rows = json.loads(text)
    except ValueError as problem:
        raise CommandError(_refused(f"it is not JSON ({problem})")) from problem
    if not isinstance(rows, dict):
        raise CommandError(
            _refused('it must be an object such as {"trigger": {"pin": 2, "active": 0}}')
        )
    return rows


def _refused(why: str) -> str:
    return (
        f"The board's pins.json cannot be used: {why}. Nothing was copied. Put a right one there (mpremote resume fs "
        "cp pins.json :pins.json) or remove it, then run the command again."
    )


def _moved(name: str, row: Mapping[str, int] | None, default: Mapping[str, int] | None) -> str:
    return f"{name} {_place(row)} (the new default is {_place(default)})"


def _place(row: Mapping[str, int] | None) -> str:
    if row is None:
        return "on no pin"
    pins = [f"GP{row[key]}" for key in ("pin", "adc") if key in row]
    active = f", active {row['active']}" if "active" in row else ""
    return f"on {' and '.join(pins)}{active}"
