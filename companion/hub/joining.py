"""How a table joins: a code typed once becomes a token that only its laptop has."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update

from companion.hub import Declined
from companion.hub.database import Database
from companion.hub.schema import TABLES

CODE_S: Final = 600.0  # seconds for which a code can be typed
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another
CODE_LENGTH: Final = 8
"""40 random bits: with the tries of `Limit`, a guess in ten minutes has a chance below one in a billion."""
TOKEN_BYTES: Final = 16
KNOWN_S: Final = 2.0
"""Seconds for which a token that was right is not looked up again: so long may one still send that another hub over the
same database revoked."""
MOST_KNOWN: Final = 10_000


def hashed(secret: str) -> bytes:
    """Return how a random secret is stored: it is too long to be guessed, so SHA-256 alone will do."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def fresh_code() -> str:
    """Return a code that nobody can guess, to be typed by a person."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def as_typed(code: str) -> str:
    """Return a code that a person typed, without the blanks and in the letters that it has."""
    return "".join(code.split()).upper()


def new_code(connection: Connection, number: int, now: float) -> tuple[str, int]:
    """Return a code by which table `number` can join until `now + CODE_S`, and the table's id. A code given before
    counts no more; a laptop that is joined stays so until the new one joins."""
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
    """Return the number of the table that `code` is for, and its token from now on: the laptop that was joined before
    is none any more. Raise `Declined`."""
    query = select(TABLES.c.id, TABLES.c.number)
    query = query.where(TABLES.c.code == hashed(as_typed(code)), TABLES.c.code_until > now)
    row = connection.execute(query.with_for_update()).first()
    if row is None:
        sentence = "This code joins no table: it is mistyped, was used, or is older than ten minutes. Get another."
        raise Declined(sentence)
    token = secrets.token_hex(TOKEN_BYTES)
    values = {"code": None, "token": hashed(token), "laptop": laptop, "heard": now}
    connection.execute(update(TABLES).where(TABLES.c.id == row.id).values(**values))
    return int(row.number), token


def table_of(connection: Connection, token: str, laptop: str) -> Row[Any]:
    """Return the row of the table whose token that is; raise `Declined`, also for another laptop that has it."""
    row = connection.execute(select(TABLES).where(TABLES.c.token == hashed(token))).first()
    if row is None:
        sentence = "This laptop is not joined any more: ask the organiser for a new code, then `companion hub join`."
        raise Declined(sentence)
    if row.laptop != laptop:
        sentence = f"Table {row.number} is joined by another laptop: ask the organiser for a new code, for this one."
        raise Declined(sentence)
    return row


def revoke(connection: Connection, number: int) -> bool:
    """Have nobody be joined as that table any more; return whether there is such a table."""
    said = {"token": None, "code": None, "laptop": ""}
    return (
        connection.execute(update(TABLES).where(TABLES.c.number == number).values(**said)).rowcount
        > 0
    )


class KnownTokens:
    """Tokens that were right just now, and their tables. Any thread may ask and say."""

    def __init__(self, database: Database, unix_time: Callable[[], float]) -> None:
        self._database, self._now = database, unix_time
        self._until: dict[tuple[bytes, str], tuple[int, float]] = {}
        self._forgotten = 0

    def table(self, token: str, laptop: str) -> int:
        """Return the table of a token that was looked up just now; 0 for any other."""
        table, until = self._until.get((hashed(token), laptop), (0, 0.0))
        return table if until > self._now() else 0

    def look_up(self, token: str, laptop: str) -> int:
        """Return the table of a token, and know it for a while; raise `Declined`."""
        forgotten = self._forgotten
        with self._database.reading() as connection:
            table = int(table_of(connection, token, laptop).id)
        if len(self._until) > MOST_KNOWN:
            self.forget()
        elif forgotten == self._forgotten:  # else it may have been revoked since it was read
            self._until[hashed(token), laptop] = table, self._now() + KNOWN_S
        return table

    def forget(self) -> None:
        """Look all up again: a token was revoked, or another laptop has joined."""
        self._forgotten += 1
        self._until.clear()
