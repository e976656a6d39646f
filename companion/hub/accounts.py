"""Accounts of organisers and judges, by name and password. Tables join by a code; viewers need nothing."""

from __future__ import annotations

import hashlib
import secrets
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, select

from companion.hub import Declined
from companion.hub.joining import hashed
from companion.hub.schema import ACCOUNTS, SIGNED_IN
from companion.rules.columns import can_be_shown
from companion.rules.names import person_key

SHORTEST_PASSWORD: Final = 10
LONGEST: Final = 200  # characters of a name or a password
SIGNED_IN_S: Final = 12 * 3600.0  # seconds that a sign-in lasts: a long day
# 16 MB and about 50 ms a try (RFC 7914)
_SCRYPT: Final = {"n": 1 << 14, "r": 8, "p": 1, "dklen": 32}


class Role(StrEnum):
    """The rights of an account: an organiser may do everything, a judge what concerns results."""

    ORGANISER = "organiser"
    JUDGE = "judge"


class SignedIn(NamedTuple):
    """An account that is signed in."""

    name: str
    role: Role


def has_organiser(connection: Connection) -> bool:
    """Return whether there is an organiser who can sign in."""
    query = select(ACCOUNTS.c.id).where(ACCOUNTS.c.role == Role.ORGANISER)
    return connection.execute(query).first() is not None


def make_account(connection: Connection, name: str, password: str, role: Role) -> int:
    """Add an account, and return its id; raise `Declined`."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST or not can_be_shown(name):
        raise Declined(f"A name has 1 to {LONGEST} letters.")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST:
        raise Declined(
            f"A password has {SHORTEST_PASSWORD} to {LONGEST} characters; a short sentence is a good one."
        )
    if _of(connection, name) is not None:
        raise Declined(f"There is a {name} already: choose another name.")
    salt = secrets.token_bytes(16)
    values = {"name": name, "role": role.value, "salt": salt, "password": _scrypt(password, salt)}
    key = connection.execute(insert(ACCOUNTS).values(values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def account_with(connection: Connection, name: str, password: str) -> int:
    """Return the id of the account with that name, in any capitals, and password; raise `Declined`. It takes long, and
    as long for an unknown name, so use no connection that others wait for to write."""
    row = _of(connection, name.strip())
    salt, stored = (bytes(16), bytes(32)) if row is None else (row.salt, row.password)
    # the hash comes first, also for an unknown name, so that the time tells nothing
    if not secrets.compare_digest(_scrypt(password[:LONGEST], salt), stored) or row is None:
        raise Declined("Name and password do not belong together. Try again.")
    return int(row.id)


def _of(connection: Connection, name: str) -> Row[Any] | None:
    """Return the account with that name; if several differ only in capitals, prefer an exact match."""
    key = person_key(name)
    rows = [row for row in connection.execute(select(ACCOUNTS)) if person_key(row.name) == key]
    return max(rows, key=lambda row: row.name == name, default=None)


def sign_in(connection: Connection, account: int, now: float) -> str:
    """Sign an account in, and return the cookie for its browser."""
    cookie = secrets.token_urlsafe(16)
    # expired sign-ins are removed here, because nothing else runs regularly
    connection.execute(delete(SIGNED_IN).where(SIGNED_IN.c.until <= now))
    connection.execute(
        insert(SIGNED_IN).values(cookie=hashed(cookie), account=account, until=now + SIGNED_IN_S)
    )
    return cookie


def who_is(connection: Connection, cookie: str, now: float) -> SignedIn | None:
    """Return who is signed in by this cookie, or None if nobody is or it expired."""
    query = select(ACCOUNTS.c.name, ACCOUNTS.c.role).join(SIGNED_IN)
    row = connection.execute(
        query.where(SIGNED_IN.c.cookie == hashed(cookie), SIGNED_IN.c.until > now)
    ).first()
    if row is None:
        return None
    return SignedIn(row.name, Role(row.role))


def sign_out(connection: Connection, cookie: str) -> None:
    """Make a cookie invalid."""
    connection.execute(delete(SIGNED_IN).where(SIGNED_IN.c.cookie == hashed(cookie)))


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_SCRYPT)
