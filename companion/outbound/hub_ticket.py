"""The ticket by which this laptop is one of a hub's tables: a file readable by its owner alone."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from companion.journal.disk import PRIVATE, make_private, read_json, write_private
from companion.journal.folder import sessions_dir
from companion.program import PROGRAM

LARGEST = 4096  # bytes
# set in a number that `uuid.getnode` made up, because it found no network card (RFC 4122, 4.5)
_LOCAL_BIT = 1 << 40


@dataclass(frozen=True, slots=True)
class Ticket:
    """The hub's address and name, the table's number, and the token that proves it."""

    address: str
    hub: str
    table: int
    token: str

    def __repr__(self) -> str:
        return f"Ticket({self.address!r}, table={self.table})"  # no token in a bug report


def ticket_path() -> Path:
    """Return the path of the ticket, which need not exist."""
    return sessions_dir().parent / "hub.ticket"


def read_ticket() -> tuple[Ticket | None, str]:
    """Return the ticket, None if this laptop joined no hub; and a sentence if the file is damaged."""
    try:
        ticket = Ticket(**read_json(ticket_path(), LARGEST))
        kinds = (type(ticket.address), type(ticket.hub), type(ticket.table), type(ticket.token))
        if kinds != (str, str, int, str):
            raise ValueError
        if not is_address(ticket.address) or not ticket.token.isascii():
            raise ValueError
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError, TypeError) as problem:
        why = "is damaged"
        if isinstance(problem, OSError):
            why = f"cannot be read: {problem.strerror or problem}"
        then = f"Join again with a new code, or send nothing any more: {PROGRAM} hub leave."
        return None, f"The hub gets nothing, because {ticket_path()} {why}. {then}"
    return ticket, ""


def keep_ticket(ticket: Ticket) -> None:
    """Save the ticket for this user alone; raise `OSError`."""
    make_private(ticket_path().parent)
    write_private(ticket_path(), json.dumps(asdict(ticket)).encode(), PRIVATE)


def is_address(text: str) -> bool:
    """Return whether text is a hub's address: http or https, a host, and no user name."""
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and not parts.username
        )
    except ValueError:
        return False


def laptop_mark() -> str:
    """Return a mark that tells this laptop from another one with a copy of the ticket: a digest of its name, and of its
    network card's number if it has one."""
    import platform  # here, because a table without a hub does not need it
    import uuid

    card = uuid.getnode()
    known = f"{card:012x}"
    if card & _LOCAL_BIT:  # another number at each start
        known = ""
    return hashlib.sha256(f"{platform.node()} {known}".encode()).hexdigest()[:32]
