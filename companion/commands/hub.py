"""A table and its hub: join, leave, and send a session with or without a network."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import json
import sys
from functools import partial
from pathlib import Path
from typing import Final

from companion.commands.two_ends import tell_end
from companion.config.reading import config_path, preferences
from companion.errors import CommandError, ErrorKind, writing
from companion.feed.feed import FeedReading
from companion.journal.disk import new_file
from companion.journal.folder import sessions_dir
from companion.journal.sessions import head_of, list_sessions
from companion.outbound.exchange import UndeliveredError
from companion.outbound.hub_batches import CONTINUE, PACK, HubBatches, HubRefused
from companion.outbound.hub_client import HubClient, agree, join as join_there, last_shown
from companion.outbound.hub_ticket import Ticket, is_address, keep_ticket, read_ticket, ticket_path
from companion.program import PROGRAM
from companion.rules.columns import in_shell, plural
from companion.session.finding import session_to_follow
from companion.session.watching import made_of

NO_COPY: Final = (
    "No second copy is kept: if this laptop breaks, the game's notes and corrections are lost."
)


def join(args: argparse.Namespace) -> None:
    """Join the hub at an address, with a code that is typed now; raise `CommandError`."""
    if not is_address(args.address):
        then = "type it as the hub's terminal shows it, http://192.168.1.20:8770."
        raise CommandError(f"{args.address!r} is no address of a hub: {then}", ErrorKind.USAGE)
    try:
        ticket = join_there(args.address, _typed("The code for this table: "))
    except UndeliveredError as problem:
        advice = "Type its address as the hub's terminal shows it"
        raise CommandError(
            f"The hub cannot be reached: {problem}. {advice}.", ErrorKind.UNAVAILABLE
        ) from problem
    with writing(ticket_path()):
        keep_ticket(ticket)
    print(f"Joined {ticket.hub} as table {ticket.table}. What you play from now on is sent there.")
    if not preferences().second_copy:
        print(f"{NO_COPY} Name a folder: second_copy in {config_path()}.")
    if _misses_its_game(ticket):
        print(
            f"The hub has a game of this table that is not over, and this laptop has not: `{CONTINUE}`."
        )


def _misses_its_game(ticket: Ticket) -> bool:
    """Return whether the table's last game at the hub is unfinished and its session not here: another laptop had it."""
    try:
        shown = last_shown(ticket)
    except (UndeliveredError, HubRefused):
        return False  # an earlier version of the hub does not answer this
    if not shown or shown[0].table.ended:
        return False
    for info in list_sessions(sessions_dir()):
        # by the first entry's digest, which a renamed or copied file keeps
        if info.problem is None and head_of(info.path).first.digest.hex() == shown[0].session:
            return False
    return True


def leave(_args: argparse.Namespace) -> None:
    """Leave the hub: send nothing to it from now on."""
    ticket, trouble = read_ticket()
    try:
        ticket_path().unlink(missing_ok=True)
    except OSError as problem:
        raise CommandError(
            f"{ticket_path()} cannot be removed: {problem.strerror}.", ErrorKind.CANNOT_CREATE
        ) from problem
    if ticket is not None:
        print(f"Left {ticket.hub}. What it has, it keeps.")
    elif trouble:  # there was a ticket, but a damaged one
        print("Left the hub.")
    else:
        print("This laptop had joined no hub.")


def send(args: argparse.Namespace) -> None:
    """Send what the hub lacks of a session; raise `CommandError`."""
    ticket, trouble = read_ticket()
    if ticket is None:
        no_hub = f"This laptop has joined no hub: `{PROGRAM} hub join ADDRESS` first."
        raise CommandError(trouble or no_hub, ErrorKind.DATA if trouble else ErrorKind.USAGE)
    path = session_to_follow(args.session)
    tell_end(path)
    session, batches = _batches(path)
    client = HubClient(ticket, session)
    try:
        agree(batches, client)
        while (batch := batches.next()) is not None:
            batches.stored(batch, client.send(batch))
    except UndeliveredError as problem:
        raise CommandError(
            f"Nothing reaches the hub just now: {problem}. Try again later.", ErrorKind.UNAVAILABLE
        ) from problem
    print(f"{ticket.hub} has the whole session: {plural(batches.sent, 'entry', 'entries')}.")


def pack(args: argparse.Namespace) -> None:
    """Write a session to a file that a hub can import; raise `CommandError`."""
    path = session_to_follow(args.session)
    tell_end(path)
    session, batches = _batches(path)
    out = args.out or Path(f"{path.stem}.hub")
    with writing(out, "; name another file with --out."), new_file(out, private=True) as file:
        file.write(f"{PACK} {session.hex()}\n".encode())
        while (batch := batches.next()) is not None:
            file.write(f"{json.dumps(batch, separators=(',', ':'))}\n".encode())
            # nobody answers, so go on as if the hub had stored it
            batches.stored(batch, batches.after(batch))
    count = plural(batches.sent, "entry", "entries")
    print(
        f"{out} holds {count}, and nothing hidden. At the hub: {PROGRAM} hub take {in_shell(str(out))} --table N"
    )


def _batches(path: Path) -> tuple[bytes, HubBatches]:
    """Return the digest of a saved session's first entry, and its batches."""
    follower, reading = made_of(path, partial(FeedReading, delay_s=preferences().broadcast_delay))
    entries = follower.entries
    return entries[0].digest, HubBatches(entries, lambda: len(entries), reading)


def _typed(question: str) -> str:
    """Return a typed line without echoing it; from a pipe, its first line."""
    if sys.stdin.isatty():
        with contextlib.suppress(EOFError):
            return getpass.getpass(question)
        return ""
    return sys.stdin.readline().strip()
