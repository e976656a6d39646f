"""`companion hub`: the hub at its door, until Ctrl-C; and a packed session taken in without a network."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

import uvicorn
from sqlalchemy import Connection, select

from companion.exits import CommandError, Exit
from companion.hub.accounts import has_organiser
from companion.hub.app import Hub
from companion.hub.batch import LARGEST_BATCH, NoBatch, read_batch
from companion.hub.command import VARIABLE
from companion.hub.database import Database
from companion.hub.demo import Playing, simulated
from companion.hub.ingest import Refused, take
from companion.hub.joining import fresh_code, new_code
from companion.hub.log import log_to
from companion.hub.persons import exported, forget, known_of
from companion.hub.points import PointsRules, read_points
from companion.hub.schema import TABLES
from companion.journal.disk import create_private, make_private
from companion.journal.sessions import sessions_dir
from companion.outbound.hub_batches import NOTHING, PACK
from companion.rules.columns import clean, plural
from companion.serve.addresses import LOCALHOST, lan_address, listening

MOST_AT_ONCE: Final = 10_000
"""Connections: three thousand who look on, each with two, and a thousand tables."""
_BESIDE: Final = 200  # files that are open beside the connections


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for: `lan` is None for this machine alone, else an address of it or empty for the one found."""

    database: str | None
    port: int
    lan: str | None
    title: str
    points: Path | None = None
    cert: Path | None = None
    key: Path | None = None


def run_hub(wanted: Wanted, out: TextIO) -> int:
    """Serve the hub until somebody ends it; return the exit code, raise `CommandError`."""
    points = read_points(wanted.points)
    with contextlib.closing(open_database(wanted.database)) as database:
        _serve(database, wanted, points, out)
    print("\nThe hub is closed. What it took in is kept.", file=out)
    return Exit.DONE


def run_demo(wanted: Wanted, tables: int, seed: int, out: TextIO) -> int:
    """Serve a hub in a folder that is removed in the end, with tables that play by themselves; as `run_hub`."""
    chance = random.Random(seed)
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(Database(f"sqlite:///{Path(folder) / 'hub.sqlite'}")) as database,
    ):
        _serve(database, wanted, PointsRules(), out, lambda address: _play(database, address, tables, chance))
    print("\nThe demo is over. Nothing of it is kept.", file=out)
    return Exit.DONE


def _play(database: Database, address: str, tables: int, chance: random.Random) -> Playing:
    return Playing(simulated(database, address, tables, chance, time.time()), chance)


def _serve(
    database: Database,
    wanted: Wanted,
    points: PointsRules,
    out: TextIO,
    beside: Callable[[str], Playing] | None = None,
) -> None:
    address = LOCALHOST if wanted.lan is None else lan_address(wanted.lan or None)
    with listening(address, wanted.port) as door, contextlib.ExitStack() as ending:
        code = fresh_code()
        most = _most_at_once()
        hub = Hub(database, wanted.title, code, points, most_listeners=most * 3 // 10)
        log_to(sys.stderr)
        server = _server(hub, wanted, most)
        gc.freeze()  # what is there by now stays: it is not looked through again and again
        where = f"{'https' if wanted.cert else 'http'}://{address}:{door.getsockname()[1]}"
        print(f"The hub: {where}", file=out)
        with database.reading() as connection:
            if not has_organiser(connection):
                print(f"First open {where}/setup and type this code: {code[:4]} {code[4:]}", file=out)
        print("Ctrl-C ends it. Tables play on without it, and send what it lacks later.", file=out, flush=True)
        if beside is not None:
            ending.callback(beside(where).close)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[door])


def _most_at_once() -> int:
    """How many connections there may be; where the system lets a program open few files at first, ask it for more."""
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return MOST_AT_ONCE
    may, could = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_AT_ONCE + _BESIDE
    if may == resource.RLIM_INFINITY or may >= wanted:
        return MOST_AT_ONCE
    more = wanted if could == resource.RLIM_INFINITY else min(wanted, could)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, could))
    except (OSError, ValueError):  # macOS has a bound of its own
        more = may
    return max(1, more - _BESIDE)


def _server(hub: Hub, wanted: Wanted, most: int) -> uvicorn.Server:
    try:
        config = uvicorn.Config(
            hub.app,
            ws="none",
            http="h11",  # it bounds what stands before a body; the faster httptools does not
            proxy_headers=False,
            server_header=False,
            limit_concurrency=most,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
            log_config=None,
            access_log=False,
            ssl_certfile=wanted.cert,
            ssl_keyfile=wanted.key,
        )
        config.load()
    except OSError as problem:
        raise CommandError(
            f"The certificate cannot be used: {problem.strerror or problem}.", Exit.NO_INPUT
        ) from problem
    return uvicorn.Server(config)


def open_database(url: str | None) -> Database:
    """Return the database at `url`, or where the variable says, or in the file of this user; raise `CommandError`."""
    chosen = url or os.environ.get(VARIABLE, "")
    if not chosen:
        file = sessions_dir().parent / "hub.sqlite"
        try:
            make_private(file.parent)
            create_private(file)
        except OSError as problem:
            raise CommandError(f"{file} cannot be made: {problem.strerror}.", Exit.CANNOT_CREATE) from problem
        chosen = f"sqlite:///{file}"
    return Database(chosen)


def take_packed(url: str | None, file: Path, number: int, out: TextIO) -> int:
    """Take in the batches of a packed session for table `number`; return the exit code, raise `CommandError`."""
    with contextlib.closing(open_database(url)) as database:
        head = NOTHING
        try:
            with file.open("rb") as lines:
                session = _session_in(lines.readline(200), file)
                while line := lines.readline(LARGEST_BATCH + 2):
                    batch = read_batch(line)
                    with database.writing() as connection:
                        head = take(connection, session, _table_id(connection, number), batch, time.time())
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.", Exit.NO_INPUT) from problem
        except (NoBatch, Refused) as why:
            raise CommandError(f"{file} was taken in up to entry {head.n}, and not further: {why}", Exit.DATA) from why
    print(f"Table {number}: all {head.n} entries of this session are here.", file=out)
    return Exit.DONE


def _session_in(line: bytes, file: Path) -> bytes:
    words = line.decode("utf-8", "replace").split()
    with contextlib.suppress(ValueError, IndexError):
        if " ".join(words[:-1]) == PACK and len(words[-1]) == 64:
            return bytes.fromhex(words[-1])
    raise CommandError(f"{file} is no packed session: choose what `companion hub pack` wrote.", Exit.DATA)


def _table_id(connection: Connection, number: int) -> int:
    row = connection.execute(select(TABLES.c.id).where(TABLES.c.number == number)).first()
    return int(row.id) if row is not None else new_code(connection, number, 0.0)[1]


def tell_of(url: str | None, name: str, out: TextIO) -> int:
    """Print all that the hub has of a person; return the exit code, raise `CommandError`."""
    with contextlib.closing(open_database(url)) as database, database.reading() as connection:
        print(json.dumps(known_of(connection, name), indent=2), file=out)
    return Exit.DONE


def take_out(url: str | None, name: str, out: TextIO) -> int:
    """Take a person's name out; return the exit code, raise `CommandError`."""
    with contextlib.closing(open_database(url)) as database, database.writing() as connection:
        places = forget(connection, name)
    where = f"in {plural(places, 'place')}. What somebody typed as a reason was not searched."
    print(f"{clean(name)} is taken out, {where}" if places else f"The hub knows nobody called {clean(name)}.", file=out)
    return Exit.DONE


def export_to(url: str | None, file: Path, out: TextIO) -> int:
    """Write all events; return the exit code, raise `CommandError`."""
    if file.exists():
        raise CommandError(f"{file} is there already: name another file with --out.", Exit.CANNOT_CREATE)
    rows = 0
    try:
        create_private(file)
        with (
            contextlib.closing(open_database(url)) as database,
            database.reading() as connection,
            file.open("w", encoding="ascii") as lines,
        ):
            for line in exported(connection):
                lines.write(f"{line}\n")
                rows += 1
    except OSError as problem:
        raise CommandError(f"{file} cannot be written: {problem.strerror}.", Exit.CANNOT_CREATE) from problem
    print(f"{file} holds all events of this hub, {plural(rows, 'row')}, for you alone.", file=out)
    return Exit.DONE
