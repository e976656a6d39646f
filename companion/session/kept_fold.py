"""The fold of a long record, stored beside it so that resuming the session need not fold all of it
again.

The file can be deleted at any time. It is valid for exactly one record, one version of the rules
and one program; if it does not fit or is damaged, the record is folded as if it did not exist.
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
"""Entries from which storing the fold is worthwhile; fewer are folded faster than anybody notices.
"""
LARGEST: Final = 1 << 24  # bytes; an evening has a few thousand
# The packages whose code decides the result of a fold, beside the game's own.
_FOLDING: Final = "journal", "rules", "session"


class FoldStart(NamedTuple):
    """The result of folding the first `n` entries of a record: the state, and what they showed
    somebody, by entry."""

    n: int
    state: Any
    revealed: Mapping[int, str]


def fold_path(session: Path) -> Path:
    """Return the path of the stored fold of `session`."""
    return session.with_name(session.name + SUFFIX)


def keep(start: FoldStart, session: Path, entries: Sequence[Entry]) -> None:
    """Store a fold of these entries; raise `OSError`, or `NoText` for a state that cannot be
    stored."""
    package = GAMES[entries[0].body["game"]].package
    body = {
        "for": _made_for(start.n, entries, package),
        "revealed": list(start.revealed.items()),
        "state": text_of(start.state, package),
    }
    text = json.dumps(body).encode()
    write_private(fold_path(session), hashlib.sha256(text).digest() + text)


def kept(session: Path, entries: Sequence[Entry]) -> FoldStart | None:
    """Return the stored fold of these entries, or None if there is none that fits."""
    try:
        content = read_regular(fold_path(session), LARGEST)
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            return None
        body = json.loads(content[32:])
        n, package = body["for"]["n"], GAMES[entries[0].body["game"]].package
        if not 0 < n <= len(entries) or body["for"] != _made_for(n, entries, package):
            return None
        return FoldStart(n, state_of(body["state"], package), dict(body["revealed"]))
    # The file is untrusted; whatever is wrong with it, the record is folded instead.
    except (OSError, JournalError, ValueError, TypeError, LookupError, RecursionError):
        return None


def reaches_back(entries: Sequence[Entry], n: int) -> bool:
    """Return whether one of these entries changes the fold of the first `n` of the record."""
    voids = (entry.body["entry"] for entry in entries if is_control(entry, Control.VOID))
    inserts = (entry.after for entry in entries if entry.after is not None)
    return any(named <= n for named in (*voids, *inserts))


def _made_for(n: int, entries: Sequence[Entry], package: str) -> dict[str, Any]:
    """Return what a stored fold is valid for: the record up to entry `n`, by its digest, and these
    programs."""
    header = entries[0].body
    return {
        "n": n,
        "digest": entries[n - 1].digest.hex(),
        "rules": [header["game"], header["rules"]],
        "program": _program(package),
    }


def _program(package: str) -> str:
    """Return a digest of the program: its version, and the files that fold, which change in a clone
    without a new version."""
    digest = hashlib.sha256(f"{companion.__version__} {sys.version}".encode())
    ours = (f"companion.{name}" for name in _FOLDING)
    folders = (Path(folder) for name in (*ours, package) for folder in sys.modules[name].__path__)
    for file in (file for folder in folders for file in sorted(folder.rglob("*.py"))):
        status = file.stat()
        digest.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
