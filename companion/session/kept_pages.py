"""Where a session's pages for phones were, kept beside the session. Nothing of a server is imported for it."""

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
    """Where a session's pages were, so that phones find them again after a restart: the port, the code of each viewer,
    and the names of the seats that have one. It is kept in a file beside the session's, for its owner's eyes alone, and
    no part of the record, so that no copy and no export has it."""

    port: int
    codes: Mapping[SeatId, str]
    names: Mapping[SeatId, str]


def kept_at(session: Path) -> Path:
    """Return the path of the file for a session."""
    return session.with_name(f"{session.name}.phones")


def read_kept(session: Path) -> KeptPages | None:
    """Return what was kept; None where nothing was, or nothing that can be read: then there are new codes."""
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
    """Keep it; where that cannot be, there are new codes after a restart."""
    with suppress(OSError):
        write_private(kept_at(session), json.dumps(asdict(kept)).encode(), PRIVATE)
