"""`companion hub`: serve a hub until Ctrl-C, and its other commands, such as importing a packed session."""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import logging
import os
import random
import ssl
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

import uvicorn
from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from companion.errors import CommandError, ErrorKind, reading, writing
from companion.hub import Declined
from companion.hub.accounts import Role, has_organiser
from companion.hub.app import Hub
from companion.hub.command import VARIABLE
from companion.hub.connections import HalfOpen, connection_maker
from companion.hub.database import Database, missing_but_safe
from companion.hub.demo import play_in_background, simulated
from companion.hub.forks import BY_FILE, decision_on, note_fork
from companion.hub.ingest import (
    LARGEST_BATCH,
    Batch,
    BatchRefused,
    Forked,
    NoBatch,
    read_batch,
    take,
)
from companion.hub.joining import fresh_code, new_code
from companion.hub.only_hub import only_hub
from companion.hub.persons import FoundPerson, exported, forget, found_of, known_of, merge
from companion.hub.points import PointsRules, read_points
from companion.hub.schema import TABLES
from companion.journal.disk import make_private, new_file, require_regular
from companion.journal.folder import sessions_dir
from companion.outbound.hub_batches import NOTHING, PACK, HubHead
from companion.paths import temporary_folder
from companion.program import PROGRAM
from companion.rules.columns import clean, plural
from companion.system.sockets import most_open_files
from companion.terminal import data_stream
from companion.web.addresses import LOCALHOST, lan_addresses, listening, listening_everywhere
from companion.web.connections import MOST_HEAD
from companion.web.interfaces import Origins, OwnAddress

# connections: three thousand viewers with two each, and a thousand tables
MOST_AT_ONCE: Final = 10_000
_BESIDE: Final = 200  # files open beside the connections
_ALONE: Final = " (for this computer only; with --lan for tables and phones in this network)"


def run_hub(args: argparse.Namespace) -> None:
    """Serve the hub until somebody ends it; raise `CommandError`."""
    if (args.cert is None) != (args.key is None):
        raise CommandError(
            "A certificate and its key go together: give both --cert and --key.", ErrorKind.USAGE
        )
    points = read_points(args.points)
    with opened(args.database) as database, only_hub(database.file) as note:
        if database.readable_by_anybody:
            print(
                f"{database.file} can be read by anybody with its disk: it keeps no permissions.",
                file=sys.stderr,
            )
        _serve(database, args, args.title, points, note)
    print("\nThe hub is closed. Everything it received is saved.")


def run_demo(args: argparse.Namespace) -> None:
    """Serve a hub with simulated tables from a temporary folder; otherwise as `run_hub`."""
    chance = random.Random(args.seed)

    def play(address: str) -> None:
        play_in_background(
            simulated(database, address, args.tables, chance, time.time()), chance, ending
        )

    with (
        temporary_folder("The demo") as folder,
        contextlib.closing(Database(f"sqlite:///{folder / 'hub.sqlite'}")) as database,
        contextlib.ExitStack() as ending,
    ):
        _serve(database, args, "Demo: simulated tables", PointsRules(), play)
    print("\nThe demo is over. Nothing was saved.")


def _serve(
    database: Database,
    args: argparse.Namespace,
    title: str,
    points: PointsRules,
    note: Callable[[str], object],
) -> None:
    """Serve at the address in `args`: `lan` is None for this machine alone, else one of its addresses, or empty for all
    of them. `note` is called with the hub's likeliest address."""
    addresses: tuple[OwnAddress, ...] = (OwnAddress(LOCALHOST),)
    if args.lan is not None:
        addresses = lan_addresses(args.lan)
    with contextlib.ExitStack() as ending:
        doors = (
            listening_everywhere(args.port)
            if args.lan == ""
            else [listening(addresses[0].ip, args.port)]
        )
        for door in doors:
            ending.enter_context(door)
        code = fresh_code()
        most = _most_at_once()
        hub = Hub(database, title, code, points, most_listeners=most * 3 // 10)
        log_to(sys.stderr)
        server = _server(hub, args, most)
        gc.freeze()  # what exists by now stays, so the collector need not scan it again
        scheme = "https" if args.cert else "http"
        origins = Origins(scheme, doors[0].getsockname()[1], addresses, addresses[0])
        where = origins.main
        print(f"The hub: {where}{_ALONE if args.lan is None else ''}")
        for other in origins.others():
            print(f"  or {other}")
        with database.reading() as connection:
            # the code works only until there is an organiser, so later starts do not print one
            if not has_organiser(connection):
                print(f"First open {where}/setup and type this code: {code[:4]} {code[4:]}")
        print(
            "Ctrl-C ends it. Tables play on without it, and send what it lacks later.", flush=True
        )
        note(where)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=doors)


def _most_at_once() -> int:
    """Return the bound on connections; raise the process's limit of open files for it, if the system allows."""
    return max(1, most_open_files(MOST_AT_ONCE + _BESIDE) - _BESIDE)


def _server(hub: Hub, args: argparse.Namespace, most: int) -> uvicorn.Server:
    proxies = getattr(args, "proxy", [])  # the demo has none
    try:
        for file in filter(None, (args.cert, args.key)):
            require_regular(file)
        config = uvicorn.Config(
            hub.app,
            ws="none",
            # h11 bounds a request's head; the faster httptools does not.
            http=connection_maker(HalfOpen(proxies=proxies)),
            h11_max_incomplete_event_size=MOST_HEAD,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=proxies,
            server_header=False,
            limit_concurrency=most,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
            log_config=None,
            access_log=False,
            ssl_certfile=args.cert,
            ssl_keyfile=args.key,
        )
        config.load()  # now, so that a wrong certificate is reported in a sentence
    except ssl.SSLError as problem:
        raise CommandError(
            f"{args.cert} and {args.key} are no certificate and its key.", ErrorKind.DATA
        ) from problem
    except OSError as problem:
        why = f"{args.cert} and {args.key} cannot be used as certificate and key: {problem.strerror or problem}."
        raise CommandError(why, ErrorKind.NO_INPUT) from problem
    return uvicorn.Server(config)


class JsonLine(logging.Formatter):
    """Formats a log record as one line of JSON. An exception is logged by class and place, without its message, which
    may quote what somebody sent."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
        }
        if record.exc_info and record.exc_info[0] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            place = ""
            if frames:
                place = f"{frames[-1].filename}:{frames[-1].lineno}"
            return json.dumps(fields | {"fault": record.exc_info[0].__name__, "at": place})
        return json.dumps(fields | {"said": record.getMessage()})


def log_to(stream: TextIO) -> None:
    """Write warnings and errors of the hub and its libraries to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLine())
    for name in ("companion.hub", "uvicorn", "sqlalchemy", "alembic"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False


@contextlib.contextmanager
def opened(url: str | None, *, must_exist: bool = False) -> Iterator[Database]:
    """Open the database at `url`, else at the variable's, else in this user's file; raise `CommandError`, also if it
    `must_exist` and does not, and when it fails later."""
    chosen = url or os.environ.get(VARIABLE) or _own_database(make=not must_exist)
    with contextlib.closing(Database(chosen, must_exist=must_exist)) as database:
        try:
            yield database
        except DBAPIError as problem:
            raise database.unusable(problem) from problem


def _own_database(*, make: bool) -> str:
    file = sessions_dir().parent / "hub.sqlite"
    if make:
        missing_but_safe(file.parent)  # first, so that nothing is left on a disk that is refused
        with writing(file):
            make_private(file.parent)
    return f"sqlite:///{file}"


def take_packed(args: argparse.Namespace) -> None:
    """Import the batches of a packed session for a table; raise `CommandError`."""
    head = NOTHING
    with opened(args.database) as database:
        try:
            with reading(args.file):
                require_regular(args.file)
                with args.file.open("rb") as lines:
                    session = _session_in(lines.readline(200), args.file)
                    while line := lines.readline(LARGEST_BATCH + 2):
                        batch = read_batch(line)
                        head = _take_in(database, session, args.table, batch)
        except (NoBatch, BatchRefused) as problem:
            reason = ": it is damaged. Pack the session again."
            if isinstance(problem, BatchRefused):
                reason = f". {problem}"
            progress = f"Nothing of {args.file} was taken in"
            if head.n:
                progress = f"{args.file} was taken in up to entry {head.n}, and not further"
            raise CommandError(f"{progress}{reason}", ErrorKind.DATA) from problem
    print(f"Table {args.table}: the whole session is here, {plural(head.n, 'entry', 'entries')}.")


def _take_in(database: Database, session: bytes, number: int, batch: Batch) -> HubHead:
    """Import one batch; if it forks from the hub's record, store that. Raise as `take` does."""
    try:
        with database.writing() as connection:
            return take(connection, session, _table_id(connection, number), batch, time.time())
    except Forked as problem:
        with database.writing() as connection:
            note_fork(connection, session, batch.end, time.time(), BY_FILE)
            decision = decision_on(connection, session, BY_FILE)
        raise Forked(
            decision or f"{problem} It is kept as a fork on the organiser's page."
        ) from problem


def _session_in(line: bytes, file: Path) -> bytes:
    words = line.decode("utf-8", "replace").split()
    with contextlib.suppress(ValueError, IndexError):
        if " ".join(words[:-1]) == PACK and len(words[-1]) == 64:
            return bytes.fromhex(words[-1])
    raise CommandError(
        f"{file} is no packed session: choose what `{PROGRAM} hub pack` wrote.", ErrorKind.DATA
    )


def _table_id(connection: Connection, number: int) -> int:
    row = connection.execute(select(TABLES.c.id).where(TABLES.c.number == number)).first()
    if row is None:
        return new_code(connection, number, 0.0)[1]
    return int(row.id)


def tell_of(args: argparse.Namespace) -> None:
    """Print all that the hub has about a person; raise `CommandError`."""
    with opened(args.database, must_exist=True) as database, database.reading() as connection:
        print(json.dumps(known_of(connection, args.name), indent=2), file=data_stream())


def merge_spellings(args: argparse.Namespace) -> None:
    """Merge the spellings of a person's name; raise `CommandError`."""
    with opened(args.database, must_exist=True) as database, database.writing() as connection:
        try:
            places = merge(connection, args.name.strip())
        except Declined as refusal:
            raise CommandError(str(refusal)) from refusal
    if not places:
        print(f"The hub has no other spelling of {clean(args.name)}.")
        return
    print(f"Now spelled {clean(args.name)} in {plural(places, 'more place')}.")


def take_out(args: argparse.Namespace) -> None:
    """Take a person's name out, after the organiser has seen what no search can decide; raise `CommandError`."""
    name = clean(args.name).strip()
    with opened(args.database, must_exist=True) as database:
        with database.reading() as connection:
            found = found_of(connection, args.name)
        if not found.is_there and not found.left:
            print(f"The hub knows nobody called {name}.")
            return
        edits = _decided(found, keeps=args.keep)
        with database.writing() as connection:
            try:
                places = forget(connection, args.name, found.mark, edits)
            except Declined as refusal:
                raise CommandError(str(refusal), ErrorKind.DATA) from refusal
        is_wiped = database.wipe()
    print(f"{name} is taken out, in {plural(places, 'place')}.")
    if found.signs_in is Role.ORGANISER:
        print(f"{name} still signs in as organiser: the account keeps the name.")
    if not is_wiped:
        print(
            "The hub's file may still have parts of it. Close the hub and give the command again."
        )
    print("Exports and copies that you made before still have it: delete those.")


def _decided(found: FoundPerson, *, keeps: bool) -> list[tuple[str, str]]:
    """Print what changes and what no search can decide, ask for the latter texts, and return them by key; with `keeps`,
    ask nothing. Raise `CommandError` if nobody can be asked, or the input ends."""
    name = clean(found.name)
    if found.left and not keeps:
        print("Answer for each numbered text below. Nothing is changed before.")
    for typed, text in found.changed:
        print(f"{typed.where}: {clean(typed.shown)}\n  will be: {clean(text)}")
    for other in found.like:
        print(
            f"Somebody is called {clean(other)}. Is it the same person? Then take out that name as well."
        )
    if not found.left:
        return []
    print(f"These texts may speak of {name} without that name ({len(found.left)}):")
    for number, left in enumerate(found.left, start=1):
        print(f"{number}. {left.typed.where}: {clean(left.text)}\n   {left.why}")
    if keeps:
        return []
    edits = []
    for number, left in enumerate(found.left, start=1):
        try:
            text = input(f"Text {number}: type what it will say, or Enter to leave it: ").strip()
        except EOFError:
            why = f"Nothing was changed. Answer for each text, or leave all with --keep: {name} is still here."
            raise CommandError(why, ErrorKind.USAGE) from None
        if text:
            edits.append((left.typed.key, text))
    return edits


def export_to(args: argparse.Namespace) -> None:
    """Write all events to a file; raise `CommandError`."""
    file: Path = args.out
    rows = 0
    with (
        writing(file, "; name another file with --out."),
        opened(args.database, must_exist=True) as database,
        database.reading() as connection,
        new_file(file, private=True) as lines,
    ):
        for line in exported(connection):
            lines.write(f"{line}\n".encode())
            rows += 1
    print(f"{file} holds all events of this hub, {plural(rows, 'row')}, for you alone.")
