"""Where a session's pages were, so that phones find them again after a restart: a file beside the session's, for its
owner's eyes alone. It is no part of the record, so that no copy and no export has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.journal.disk import PRIVATE, write_private
from companion.rules.game import SeatId

SUFFIX = ".phones"


@dataclass(frozen=True, slots=True)
class Kept:
    """The port, the code of each viewer, and the names of the seats that have one."""

    port: int
    codes: Mapping[SeatId, str]
    names: Mapping[SeatId, str]


def kept_at(session: Path) -> Path:
    """Return where that stands for a session."""
    return session.with_name(f"{session.name}{SUFFIX}")


def read_kept(session: Path) -> Kept | None:
    """Return what was kept; None where nothing was, or nothing that can be read: then there are new codes."""
    try:
        said = json.loads(kept_at(session).read_text(encoding="utf-8"))
        port, codes, names = said["port"], said["codes"], said["names"]
        words = [*codes, *codes.values(), *names, *names.values()]
        if type(port) is int and 0 < port < 2**16 and all(isinstance(word, str) and word for word in words):
            return Kept(port, codes, names)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return None


def keep(session: Path, kept: Kept) -> None:
    """Keep it; where that cannot be, there are new codes after a restart."""
    with suppress(OSError):
        write_private(kept_at(session), json.dumps(asdict(kept)).encode(), PRIVATE)
