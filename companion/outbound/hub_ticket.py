"""By what this laptop is joined to a hub as one of its tables: a file for its owner's eyes alone."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from companion.journal.disk import PRIVATE, make_private, read_json, write_private
from companion.journal.folder import sessions_dir

LARGEST = 4096  # bytes
# of a number that `uuid.getnode` made up, where it found no network card (RFC 4122, 4.5)
_LOCAL_BIT = 1 << 40


@dataclass(frozen=True, slots=True)
class Ticket:
    """The hub's address, what it is called, as which table this laptop is joined, and the token that proves it."""

    address: str
    hub: str
    table: int
    token: str

    def __repr__(self) -> str:
        return f"Ticket({self.address!r}, table={self.table})"  # a fault's report has no token


def ticket_path() -> Path:
    """Return where the ticket lies; it need not exist."""
    return sessions_dir().parent / "hub.ticket"


def read_ticket() -> tuple[Ticket | None, str]:
    """Return the ticket, None where this laptop joined no hub, and a sentence where a file is there that is none."""
    try:
        ticket = Ticket(**read_json(ticket_path(), LARGEST))
        kinds = (type(ticket.address), type(ticket.hub), type(ticket.table), type(ticket.token))
        if (
            kinds != (str, str, int, str)
            or not is_address(ticket.address)
            or not ticket.token.isascii()
        ):
            raise ValueError
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError, TypeError) as problem:
        why = (
            f"cannot be read: {problem.strerror or problem}"
            if isinstance(problem, OSError)
            else "is damaged"
        )
        then = "Join again with a new code, or send nothing any more: companion hub leave."
        return None, f"The hub gets nothing, because {ticket_path()} {why}. {then}"
    return ticket, ""


def keep_ticket(ticket: Ticket) -> None:
    """Keep it for this user alone; raise `OSError`."""
    make_private(ticket_path().parent)
    write_private(ticket_path(), json.dumps(asdict(ticket)).encode(), PRIVATE)


def is_address(text: str) -> bool:
    """Return whether a hub can be reached at that: http or https, a name or number, nothing else."""
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
    """Return what tells this laptop from another one that has a copy of the ticket: a digest of its name, and of its
    network card's number where it has one."""
    import platform  # what a table without a hub does not need
    import uuid

    card = uuid.getnode()
    known = "" if card & _LOCAL_BIT else f"{card:012x}"
    return hashlib.sha256(f"{platform.node()} {known}".encode()).hexdigest()[:32]
