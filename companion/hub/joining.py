"""Joining of tables: a code that is typed once is exchanged for a token that only that laptop has."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update

from companion.hub import Declined
from companion.hub.database import Database
from companion.hub.schema import TABLES
from companion.program import PROGRAM

CODE_S: Final = 600.0  # seconds that a code is valid
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without look-alikes
CODE_LENGTH: Final = 8
"""40 random bits: with `Limit`, the chance of guessing one in ten minutes is below one in a billion."""
TOKEN_BYTES: Final = 16
KNOWN_S: Final = 2.0
"""Seconds that a right token is not looked up again, and so the time it works after another hub over the same database
revoked it."""
MOST_KNOWN: Final = 10_000


def hashed(secret: str) -> bytes:
    """Return a random secret as it is stored: too long to be guessed, it needs no more than SHA-256."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def fresh_code() -> str:
    """Return a random code for a person to type."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def as_typed(code: str) -> str:
    """Return a typed code without blanks, in capitals."""
    return "".join(code.split()).upper()


def new_code(connection: Connection, number: int, now: float) -> tuple[str, int]:
    """Return a new code, by which table `number` can join until `now + CODE_S`, and the table's id. An earlier code
    becomes invalid; a laptop that has joined stays until another joins."""
    code = fresh_code()
    row = connection.execute(select(TABLES.c.id).where(TABLES.c.number == number)).first()
    values = {"code": hashed(code), "code_until": now + CODE_S}
    if row is None:
        result = connection.execute(
            insert(TABLES).values(number=number, laptop="", heard=0.0, bytes=0, **values)
        )
        assert result.inserted_primary_key is not None
        return code, int(result.inserted_primary_key[0])
    connection.execute(update(TABLES).where(TABLES.c.id == row.id).values(**values))
    return code, int(row.id)


def join(connection: Connection, code: str, laptop: str, now: float) -> tuple[int, str]:
    """Return the number of the table that `code` is for, and its new token; a laptop that had joined before is no
    longer that table. Raise `Declined`."""
    query = select(TABLES.c.id, TABLES.c.number)
    query = query.where(TABLES.c.code == hashed(as_typed(code)), TABLES.c.code_until > now)
    # locked, so that two laptops cannot use one code
    row = connection.execute(query.with_for_update()).first()
    if row is None:
        sentence = "This code joins no table: it is mistyped, was used, or is older than ten minutes. Get another."
        raise Declined(sentence)
    token = secrets.token_hex(TOKEN_BYTES)
    values = {"code": None, "token": hashed(token), "laptop": laptop, "heard": now}
    connection.execute(update(TABLES).where(TABLES.c.id == row.id).values(**values))
    return int(row.number), token


def table_of(connection: Connection, token: str, laptop: str) -> Row[Any]:
    """Return the row of the table with that token; raise `Declined`, also if another laptop uses the token."""
    row = connection.execute(select(TABLES).where(TABLES.c.token == hashed(token))).first()
    if row is None:
        sentence = f"This laptop is not joined any more: ask the organiser for a new code, then `{PROGRAM} hub join`."
        raise Declined(sentence)
    if row.laptop != laptop:
        sentence = f"Table {row.number} is joined by another laptop: ask the organiser for a new code, for this one."
        raise Declined(sentence)
    return row


def revoke(connection: Connection, number: int) -> bool:
    """Make a table's token and code invalid; return whether there is such a table."""
    values = {"token": None, "code": None, "laptop": ""}
    result = connection.execute(update(TABLES).where(TABLES.c.number == number).values(**values))
    return result.rowcount > 0


class KnownTokens:
    """Caches tokens that were right a moment ago, with their tables. Any thread may use it."""

    def __init__(self, database: Database, unix_time: Callable[[], float]) -> None:
        self._database, self._now = database, unix_time
        self._until: dict[tuple[bytes, str], tuple[int, float]] = {}
        self._forgotten = 0

    def table(self, token: str, laptop: str) -> int:
        """Return the table of a cached token, or 0."""
        table, until = self._until.get((hashed(token), laptop), (0, 0.0))
        return table if until > self._now() else 0

    def look_up(self, token: str, laptop: str) -> int:
        """Return the table of a token from the database, and cache it; raise `Declined`."""
        forgotten = self._forgotten
        with self._database.reading() as connection:
            table = int(table_of(connection, token, laptop).id)
        if len(self._until) > MOST_KNOWN:
            self.forget()
        elif forgotten == self._forgotten:  # otherwise it may have been revoked since it was read
            self._until[hashed(token), laptop] = table, self._now() + KNOWN_S
        return table

    def forget(self) -> None:
        """Clear the cache: a token was revoked, or another laptop has joined."""
        self._forgotten += 1
        self._until.clear()
