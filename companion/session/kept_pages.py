"""The addresses of a session's pages for phones, stored beside the session. Imports nothing of a
server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.journal.disk import PRIVATE, read_json, write_private
from companion.rules.facts import SeatId


@dataclass(frozen=True, slots=True)
class KeptPages:
    """The addresses of a session's pages, so that phones find them again after a restart: the port,
    the code of each viewer, and the names of the seats that have one. Stored in a file that only
    its owner can read, and not in the record, so that no copy or export contains it."""

    port: int
    codes: Mapping[SeatId, str]
    names: Mapping[SeatId, str]


def kept_at(session: Path) -> Path:
    """Return the path of the file for a session."""
    return session.with_name(f"{session.name}.phones")


def read_kept(session: Path) -> KeptPages | None:
    """Return what is stored, or None if nothing is or it cannot be read: then new codes are made."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        data = read_json(kept_at(session))
        port, codes, names = data["port"], data["codes"], data["names"]
        texts = [*codes, *codes.values(), *names, *names.values()]
        if (
            type(port) is int
            and 0 < port < 2**16
            and all(isinstance(text, str) and text for text in texts)
        ):
            return KeptPages(port, codes, names)
    return None


def keep(session: Path, kept: KeptPages) -> None:
    """Store the addresses; if that fails, new codes are made after a restart."""
    with suppress(OSError):
        write_private(kept_at(session), json.dumps(asdict(kept)).encode(), PRIVATE)
