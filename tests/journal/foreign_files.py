"""Every kind of file in a sessions folder that no working companion left there, by name.

Most kinds are made from one healthy session, a whole evening of Panic Fire; some have a correct
chain of digests and entries that make no sense, because anybody can compute a digest.
"""

from __future__ import annotations

import copy
import json
import os
import random
import socket
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from companion.journal.entries import Control, Draft, Layer
from companion.journal.journal import Journal
from companion.journal.mark import HighWater, encode, mark_path
from companion.journal.record import FIRST_DIGEST, chain
from companion.journal.schema import STATEMENTS
from companion.rules.facts import Setup
from companion.rules.header import header, with_all_options
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names

SECTOR = 512
DAMAGED = "damaged"
HOSTILE = "\x1b]0;owned\x07\x9b31m\u202e\u2066\u200b\U000e0041 name"
VALUES: tuple[Any, ...] = (
    None,
    [],
    {},
    [None],
    {"a": None},
    "",
    HOSTILE,
    "\ud800",
    -1,
    2**31,
    2**63,
    2**70,
    10**400,
    1.5,
    float("nan"),
    True,
    "x" * 5000,
)


def healthy(path: Path, name: str = "Friday", *, hour: int = 20, notes: int = 20) -> Path:
    """Make a session that two people played, with facts, evidence, a void and a new name."""
    for suffix, data in _healthy(name, hour, notes).items():
        Path(f"{path}{suffix}").write_bytes(data)
    return path


def killed(path: Path) -> Path:
    """Make a session whose companion was killed: most of it is in its write-ahead log."""
    for suffix, data in _killed().items():
        Path(f"{path}{suffix}").write_bytes(data)
    return path


@lru_cache
def _healthy(name: str, hour: int, notes: int) -> dict[str, bytes]:
    with TemporaryDirectory() as work:
        path = Path(work, "s.sqlite")
        _played(path, name, hour, notes).close()
        return _files_of(path)


@lru_cache
def _killed() -> dict[str, bytes]:
    with TemporaryDirectory() as work:
        path = Path(work, "s.sqlite")
        with _played(path, "Killed", 20, 30):
            return _files_of(path)


def _files_of(path: Path) -> dict[str, bytes]:
    """Return the files of a session by suffix, without the shared memory, which SQLite creates
    again."""
    files = {file.name.removeprefix(path.name): file for file in path.parent.iterdir()}
    return {suffix: file.read_bytes() for suffix, file in files.items() if suffix != "-shm"}


def _played(path: Path, name: str, hour: int, notes: int) -> Journal:
    game = open_game("panic-fire")
    setup = with_all_options(
        game, Setup(game.id, game.rules_version, seats_from_names(["Anna", "Bo"]), {})
    )
    journal = Journal.create(
        path, header(setup, name), wall=lambda: f"2025-01-31T{hour}:00:00+00:00"
    )
    journal.append(
        *(Draft(Layer.EVIDENCE, "note", {"text": "x" * 300}) for _ in range(notes)),
        Draft(Layer.FACT, "fire", {}),
        Draft(Layer.FACT, "draw", {"seat": "anna"}),
        Draft(Layer.FACT, "draw", {"seat": "bo"}),
        Draft(Layer.CONTROL, Control.VOID, {"entry": notes + 3, "reason": "miscounted"}),
        Draft(Layer.CONTROL, Control.REMARK, {"entries": [notes + 4], "why": "so", "who": "Bo"}),
        Draft(Layer.CONTROL, Control.RENAMED, {"name": name}),
    )
    journal.wait(notes + 7, 20)
    return journal


def records() -> list[dict[str, Any]]:
    """Return the records of a healthy session as JSON values."""
    return [json.loads(text) for text in _texts()]


@lru_cache
def _texts() -> list[bytes]:
    with TemporaryDirectory() as work:
        path = healthy(Path(work, "s.sqlite"))
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            return [text for (text,) in connection.execute("SELECT record FROM entries ORDER BY n")]


class _Loose(NamedTuple):
    """A file with the schema of a session whose table accepts anything, and the statements that
    turn it into that of a session."""

    file: bytes
    triggers: list[str]
    table: str


@lru_cache
def _loose() -> _Loose:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(";".join(("BEGIN", *STATEMENTS, "COMMIT")))
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        (table,) = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = 'entries'"
        ).fetchone()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA writable_schema = ON")
        loose = table.replace("TEXT NOT NULL", "BLOB").replace("BLOB NOT NULL", "BLOB")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'entries'", (loose,))
        connection.execute("PRAGMA writable_schema = RESET")
        return _Loose(connection.serialize(), [sql for _, sql in triggers], table)


def forge(path: Path, rows: Iterable[tuple[Any, Any, Any, Any]]) -> None:
    """Make a file with the schema of a session and these rows, even if the table would refuse them."""
    file, triggers, table = _loose()
    path.write_bytes(file)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO entries (n, key, digest, record) VALUES (?, ?, ?, ?)", rows
        )
        for sql in triggers:
            connection.execute(sql)
        connection.execute("COMMIT")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'entries'", (table,))
        connection.execute("PRAGMA writable_schema = RESET")


def chained(texts: Sequence[str]) -> list[tuple[int, str | None, bytes, str]]:
    """Return rows of these records with a correct chain of digests."""
    rows: list[tuple[int, str | None, bytes, str]] = []
    for n, text in enumerate(texts, start=1):
        digest = chain(rows[-1][2] if rows else FIRST_DIGEST, text.encode(errors="replace"))
        key: Any = None
        with suppress(ValueError, RecursionError, AttributeError):
            key = json.loads(text).get("key")
        rows.append((n, key if isinstance(key, str) and key.isascii() else None, digest, text))
    return rows


def dense(record: Any) -> str:
    return json.dumps(record, sort_keys=True, separators=(",", ":"))


def rewritten(path: Path, tell: Callable[[list[dict[str, Any]]], Any]) -> None:
    """Make a session whose records were altered by `tell`, with matching digests and mark."""
    entries = records()
    tell(entries)
    rows = chained([entry if isinstance(entry, str) else dense(entry) for entry in entries])
    forge(path, rows)
    mark_path(path).write_bytes(encode(HighWater(rows[-1][0], rows[-1][2])))


Lay = Callable[[Path, random.Random], object]
KINDS: dict[str, Lay] = {}


def _kind(lay: Lay) -> Lay:
    KINDS[lay.__name__.strip("_").replace("_", "-")] = lay
    return lay


def _with_statements(*statements: str) -> Callable[[Path], None]:
    def lay(path: Path) -> None:
        healthy(path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA journal_mode = MEMORY")
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return lay


def _row_with(column: int, value: Any, at: int) -> Lay:
    def lay(path: Path, _: random.Random) -> None:
        healthy(path)
        rows: list[list[Any]] = [
            list(row) for row in chained([dense(entry) for entry in records()])
        ]
        rows[at][column] = value
        forge(path, (tuple(row) for row in rows))

    return lay


for _at in (0, 11, -1):
    for _column, _what in ((1, "key"), (2, "digest"), (3, "record")):
        for _value in (None, 7, b"\x00\xff", "x" * 40, 2.5):
            if (_column, _value) != (1, None):
                KINDS[f"{_what}-{_value!r:.12}-in-row-{_at}"] = _row_with(_column, _value, _at)


def _told_with(tell: Callable[[list[dict[str, Any]], random.Random], Any]) -> Lay:
    return lambda path, rng: rewritten(path, lambda entries: tell(entries, rng))


def _field(at: int, field: str) -> Lay:
    def tell(entries: list[dict[str, Any]], rng: random.Random) -> None:
        value = rng.choice([value for value in VALUES if value != entries[at].get(field)])
        entries[at] = {**entries[at], field: value}

    return _told_with(tell)


def _without(at: int, field: str) -> Lay:
    return _told_with(lambda entries, _: entries[at].pop(field))


def _in_body(at: int, field: str) -> Lay:
    def tell(entries: list[dict[str, Any]], rng: random.Random) -> None:
        entries[at]["body"] = {**entries[at]["body"], field: rng.choice(VALUES)}

    return _told_with(tell)


_FIELDS = (
    "actor",
    "after",
    "body",
    "causes",
    "joined",
    "key",
    "kind",
    "layer",
    "n",
    "t_us",
    "wall",
)
_BODIES = {
    0: ("name", "game", "rules", "seats", "options", "components"),
    22: ("seat", "at"),
    24: ("entry", "reason", "who"),
}
_BODIES |= {25: ("entries", "why", "who"), 26: ("name",)}
for _at in (0, 5, 22, 24, 26):
    for _name in _FIELDS:
        KINDS[f"any-{_name}-of-entry-{_at + 1}"] = _field(_at, _name)
        KINDS[f"no-{_name}-of-entry-{_at + 1}"] = _without(_at, _name)
for _at, _names in _BODIES.items():
    for _name in _names:
        KINDS[f"any-{_name}-in-body-{_at + 1}"] = _in_body(_at, _name)


@_kind
def any_field_of_a_seat(path: Path, rng: random.Random) -> None:
    def tell(entries: list[dict[str, Any]]) -> None:
        entries[0]["body"]["seats"][1][
            rng.choice(["id", "name", "color", "glyph", "initial", "more"])
        ] = rng.choice(VALUES)

    rewritten(path, tell)


@_kind
def deep_json_in_the_first_entry(path: Path, rng: random.Random) -> None:
    levels = rng.choice((40, 400, 900, 5_000, 100_000))

    def tell(entries: list[Any]) -> None:
        text = dense(entries[0])
        entries[0] = text.replace('"body":{', '"body":{"x":' + "[" * levels + "]" * levels + ",")

    rewritten(path, tell)


@_kind
def deep_json_later(path: Path, rng: random.Random) -> None:
    levels = rng.choice((40, 400, 900, 5_000))

    def tell(entries: list[Any]) -> None:
        entries[9] = dense(entries[9]).replace(
            '"body":{', '"body":{"x":' + '{"a":' * levels + "1" + "}" * levels + ","
        )

    rewritten(path, tell)


@_kind
def a_name_of_five_megabytes(path: Path, _: random.Random) -> None:
    rewritten(path, lambda entries: entries[0]["body"].update(name="n" * 5_000_000))


@_kind
def a_name_of_nine_tenths_of_a_megabyte(path: Path, _: random.Random) -> None:
    rewritten(
        path,
        lambda entries: (
            entries[0]["body"].update(name="n" * 900_000),
            entries[-1]["body"].update(name="m" * 900_000),
        ),
    )


@_kind
def a_thousand_seats(path: Path, _: random.Random) -> None:
    def tell(entries: list[dict[str, Any]]) -> None:
        entries[0]["body"]["seats"] = [
            {**entries[0]["body"]["seats"][0], "id": f"s{n}", "name": f"s{n}"} for n in range(1000)
        ]

    rewritten(path, tell)


@_kind
def hostile_names(path: Path, _: random.Random) -> None:
    def tell(entries: list[dict[str, Any]]) -> None:
        entries[0]["body"]["seats"][0]["name"] = entries[-1]["body"]["name"] = HOSTILE

    rewritten(path, tell)


@_kind
def another_game(path: Path, _: random.Random) -> None:
    rewritten(path, lambda entries: entries[0]["body"].update(game="chess"))


@_kind
def the_first_entry_is_no_header(path: Path, _: random.Random) -> None:
    rewritten(path, lambda entries: entries.__setitem__(0, {**copy.deepcopy(entries[5]), "n": 1}))


@_kind
def no_json_at_all(path: Path, rng: random.Random) -> None:
    def tell(entries: list[Any]) -> None:
        entries[rng.randrange(len(entries))] = "{" * 9

    rewritten(path, tell)


# -- bytes


def _altered(path: Path, alter: Callable[[bytearray], object]) -> None:
    data = bytearray(path.read_bytes())
    alter(data)
    path.write_bytes(data)


def _zero(data: bytearray, sector: int) -> None:
    data[sector * SECTOR : (sector + 1) * SECTOR] = bytes(
        len(data[sector * SECTOR : (sector + 1) * SECTOR])
    )


for _number in range(6):

    def _zeroed(path: Path, rng: random.Random) -> None:
        healthy(path)
        _altered(path, lambda data: _zero(data, rng.randrange(len(data) // SECTOR)))

    def _noise(path: Path, rng: random.Random) -> None:
        healthy(path)
        for _ in range(8):
            _altered(
                path, lambda data: data.__setitem__(rng.randrange(len(data)), rng.randrange(256))
            )

    def _torn(path: Path, rng: random.Random) -> None:
        healthy(path)
        _altered(path, lambda data: data.__delitem__(slice(rng.randrange(len(data)), None)))

    def _log_zeroed(path: Path, rng: random.Random) -> None:
        killed(path)
        _altered(Path(f"{path}-wal"), lambda data: _zero(data, rng.randrange(len(data) // SECTOR)))

    def _log_torn(path: Path, rng: random.Random) -> None:
        killed(path)
        _altered(
            Path(f"{path}-wal"),
            lambda data: data.__delitem__(slice(rng.randrange(len(data)), None)),
        )

    def _log_noise(path: Path, rng: random.Random) -> None:
        killed(path)
        _altered(
            Path(f"{path}-wal"),
            lambda data: data.__setitem__(rng.randrange(len(data)), rng.randrange(256)),
        )

    for _lay in (_zeroed, _noise, _torn, _log_zeroed, _log_torn, _log_noise):
        KINDS[f"{_lay.__name__.strip('_').replace('_', '-')}-{_number}"] = _lay


@_kind
def log_gone(path: Path, _: random.Random) -> None:
    killed(path)
    Path(f"{path}-wal").unlink()


@_kind
def log_is_a_folder(path: Path, _: random.Random) -> None:
    healthy(path)
    Path(f"{path}-wal").mkdir()


@_kind
def log_is_a_pipe(path: Path, _: random.Random) -> None:
    healthy(path)
    os.mkfifo(f"{path}-wal")


@_kind
def mark_is_a_folder(path: Path, _: random.Random) -> None:
    healthy(path)
    mark_path(path).unlink()
    mark_path(path).mkdir()


@_kind
def mark_is_a_pipe(path: Path, _: random.Random) -> None:
    healthy(path)
    mark_path(path).unlink()
    os.mkfifo(mark_path(path))


@_kind
def mark_is_endless(path: Path, _: random.Random) -> None:
    healthy(path)
    mark_path(path).unlink()
    mark_path(path).symlink_to("/dev/zero")


@_kind
def mark_is_huge(path: Path, _: random.Random) -> None:
    healthy(path)
    os.truncate(mark_path(path), 1 << 40)


@_kind
def backup_is_a_pipe(path: Path, _: random.Random) -> None:
    _torn(path, random.Random(1))
    os.mkfifo(f"{path}.backup")


# -- other databases


@_kind
def an_endless_view(path: Path, _: random.Random) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
    _with_statements(
        "ALTER TABLE entries RENAME TO others",
        f"CREATE VIEW entries AS {endless} SELECT x AS n, NULL AS key, x'00' AS digest, '{{}}' AS record FROM c",
    )(path)


@_kind
def a_foreign_trigger(path: Path, _: random.Random) -> None:
    _with_statements("CREATE TRIGGER t AFTER INSERT ON entries BEGIN SELECT randomblob(9); END")(
        path
    )


@_kind
def a_foreign_table(path: Path, _: random.Random) -> None:
    _with_statements("CREATE TABLE recipes (name TEXT)")(path)


@_kind
def a_thousand_tables(path: Path, _: random.Random) -> None:
    _with_statements(*(f"CREATE TABLE t{n} (x)" for n in range(1000)))(path)


@_kind
def no_table(path: Path, _: random.Random) -> None:
    _with_statements("DROP TABLE entries")(path)


@_kind
def no_entry(path: Path, _: random.Random) -> None:
    forge(path, ())


@_kind
def another_table_of_entries(path: Path, _: random.Random) -> None:
    _with_statements("DROP TABLE entries", "CREATE TABLE entries (n, key, digest, record)")(path)


@_kind
def an_index_over_a_function(path: Path, _: random.Random) -> None:
    _with_statements("CREATE INDEX i ON entries (abs(n))")(path)


@_kind
def a_tree_that_bites_its_tail(path: Path, _: random.Random) -> None:
    healthy(path, notes=400)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'entries'"
        ).fetchone()

    def alter(data: bytearray) -> None:
        page = (root - 1) * 4096
        cells = int.from_bytes(data[page + 3 : page + 5], "big")
        for cell in range(cells):
            at = page + int.from_bytes(data[page + 12 + 2 * cell : page + 14 + 2 * cell], "big")
            data[at : at + 4] = root.to_bytes(4, "big")
        data[page + 8 : page + 12] = root.to_bytes(4, "big")

    _altered(path, alter)


@_kind
def of_another_program(path: Path, _: random.Random) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


@_kind
def of_a_newer_companion(path: Path, _: random.Random) -> None:
    _with_statements("PRAGMA user_version = 999")(path)


@_kind
def of_a_format_that_never_was(path: Path, _: random.Random) -> None:
    _with_statements("PRAGMA user_version = 0")(path)


# -- no databases


@_kind
def empty(path: Path, _: random.Random) -> None:
    path.touch()


@_kind
def text(path: Path, _: random.Random) -> None:
    path.write_text("not a database")


@_kind
def a_header_and_noise(path: Path, rng: random.Random) -> None:
    healthy(path)
    path.write_bytes(path.read_bytes()[:100] + rng.randbytes(20_000))


@_kind
def five_sparse_gigabytes(path: Path, _: random.Random) -> None:
    healthy(path)
    os.truncate(path, 5 << 30)


@_kind
def three_sparse_gigabytes(path: Path, _: random.Random) -> None:
    healthy(path)
    os.truncate(path, 3 << 30)


@_kind
def a_folder(path: Path, _: random.Random) -> None:
    path.mkdir()


@_kind
def a_pipe(path: Path, _: random.Random) -> None:
    os.mkfifo(path)


@_kind
def a_socket(path: Path, _: random.Random) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path.name)
    finally:
        os.chdir(here)


@_kind
def a_link_to_itself(path: Path, _: random.Random) -> None:
    path.symlink_to(path.name)


@_kind
def a_link_to_nothing(path: Path, _: random.Random) -> None:
    path.symlink_to("nothing-is-there")


@_kind
def a_link_to_a_folder(path: Path, _: random.Random) -> None:
    path.symlink_to(path.parent)


@_kind
def a_link_to_an_endless_device(path: Path, _: random.Random) -> None:
    path.symlink_to("/dev/zero")


def lay(kind: str, folder: Path, seed: int = 1) -> Path:
    """Put one thing of this kind into `folder` and return its path; deterministic by seed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{DAMAGED}-{sorted(KINDS).index(kind):03d}-{seed}.sqlite"
    KINDS[kind](path, random.Random(f"{kind} {seed}"))
    return path
