"""How far each hook has come in a session, kept in a file beside the session's. It is no part of the record, so that no
copy and no export has it: whoever gets one is told of nothing that was told before."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from companion.journal.disk import write_private

SUFFIX = ".hooks"


@dataclass(frozen=True, slots=True)
class Delivered:
    """What one hook got: `number` is that of the last event it is done with, whether it was delivered or dropped."""

    number: int
    sent: int = 0
    dropped: int = 0
    trouble: str = ""
    """Why the last try failed; empty where none did."""
    off: bool = False
    """Whether it was given up."""


def delivered_at(session: Path) -> Path:
    """Return where that stands for a session."""
    return session.with_name(f"{session.name}{SUFFIX}")


def read_delivered(session: Path) -> dict[str, Delivered]:
    """Return how far each hook has come, by its name; what cannot be read is left out."""
    try:
        said = json.loads(delivered_at(session).read_text(encoding="utf-8"))
        return {name: one for name, row in said.items() if (one := _read(row)) is not None}
    except (OSError, ValueError, AttributeError):
        return {}


def _read(row: object) -> Delivered | None:
    kinds = {"number": int, "sent": int, "dropped": int, "trouble": str, "off": bool}
    if not isinstance(row, dict) or any(type(row.get(name)) is not kind for name, kind in kinds.items()):
        return None
    return Delivered(**{name: row[name] for name in kinds})


class Ledger:
    """The file, written by several threads. Where it cannot be written, an event may come twice after a restart."""

    def __init__(self, session: Path) -> None:
        self._path = delivered_at(session)
        self._lock = threading.Lock()
        self._rows = read_delivered(session)

    def of(self, name: str, otherwise: int) -> Delivered:
        """Return where a hook goes on: behind what it had, or behind event `otherwise` where it had none."""
        return replace(self._rows.get(name, Delivered(otherwise)), trouble="", off=False)

    def write(self, name: str, row: Delivered) -> None:
        """Keep how far it has come."""
        with self._lock:
            self._rows[name] = row
            with suppress(OSError):
                write_private(self._path, json.dumps({each: asdict(row) for each, row in self._rows.items()}).encode())
