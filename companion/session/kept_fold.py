"""What the fold of a long record came to, kept beside it: to go on with the session then takes no fold of all of it.

The file can be removed at any time, and is good for one record, one version of the rules and one program alone. What is
in it is never asked for where it does not fit, or is not whole: then the record is folded, as ever.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import companion
from companion.journal.disk import read_regular, write_private
from companion.journal.entries import Control, Entry, is_control
from companion.journal.errors import JournalError
from companion.rules.registry import GAMES
from companion.rules.state_text import state_of, text_of

SUFFIX: Final = ".fold"
LONG: Final = 1_000
"""Entries from which a fold is worth keeping: fewer are folded before anybody could notice."""
LARGEST: Final = 1 << 24  # bytes; that of an evening has some thousand
# the packages that say what a fold comes to, beside the game's own
_FOLDING: Final = "journal", "rules", "session"


class FoldStart(NamedTuple):
    """What the first `n` entries of a record come to: the state, and what they showed somebody, by entry."""

    n: int
    state: Any
    revealed: Mapping[int, str]


def fold_path(session: Path) -> Path:
    """Return where the fold of the session file `session` is kept."""
    return session.with_name(session.name + SUFFIX)


def keep(start: FoldStart, session: Path, entries: Sequence[Entry]) -> None:
    """Keep what the fold of these entries came to; raise `OSError`, or `NoText` for a state that cannot be kept."""
    package = GAMES[entries[0].body["game"]].package
    body = {
        "for": _made_for(start.n, entries, package),
        "revealed": list(start.revealed.items()),
        "state": text_of(start.state, package),
    }
    text = json.dumps(body).encode()
    write_private(fold_path(session), hashlib.sha256(text).digest() + text)


def kept(session: Path, entries: Sequence[Entry]) -> FoldStart | None:
    """Return what was kept of the fold of these entries; None where there is none, or none that is for them."""
    try:
        content = read_regular(fold_path(session), LARGEST)
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            return None
        body = json.loads(content[32:])
        n, package = body["for"]["n"], GAMES[entries[0].body["game"]].package
        if not 0 < n <= len(entries) or body["for"] != _made_for(n, entries, package):
            return None
        return FoldStart(n, state_of(body["state"], package), dict(body["revealed"]))
    except (OSError, JournalError, ValueError, TypeError, LookupError, RecursionError):
        return None


def reaches_back(entries: Sequence[Entry], n: int) -> bool:
    """Return whether one of these entries changes what the first `n` of the record come to."""
    voids = (entry.body["entry"] for entry in entries if is_control(entry, Control.VOID))
    inserts = (entry.after for entry in entries if entry.after is not None)
    return any(named <= n for named in (*voids, *inserts))


def _made_for(n: int, entries: Sequence[Entry], package: str) -> dict[str, Any]:
    """What a kept fold has to be for: that record up to that entry, by the digest, and these programs."""
    header = entries[0].body
    return {
        "n": n,
        "digest": entries[n - 1].digest.hex(),
        "rules": [header["game"], header["rules"]],
        "program": _program(package),
    }


def _program(package: str) -> str:
    """Tell the program from any other: by its version, and by the files that fold, which a clone changes without."""
    digest = hashlib.sha256(f"{companion.__version__} {sys.version}".encode())
    ours = (f"companion.{name}" for name in _FOLDING)
    folders = (Path(folder) for name in (*ours, package) for folder in sys.modules[name].__path__)
    for file in (file for folder in folders for file in sorted(folder.rglob("*.py"))):
        status = file.stat()
        digest.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
