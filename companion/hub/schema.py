"""The tables of the hub's database. `migrations` upgrades older ones to them; a test compares the two.

Of a record the hub has its hash chain, as commitments, and its public feed. It has no text of an entry, so nothing
hidden. Players' names are in `names` alone, so that one person can be taken out.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()


def _table(name: str, *parts: Column[Any] | UniqueConstraint) -> Table:
    return Table(name, METADATA, *parts)


ACCOUNTS = _table(
    "accounts",
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("password", LargeBinary, nullable=False),  # scrypt
)
SIGNED_IN = _table(
    "signed_in",
    Column("cookie", LargeBinary, primary_key=True),  # its SHA-256
    Column("account", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("until", Float, nullable=False),
)
TABLES = _table(
    "tables",
    Column("id", Integer, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("code", LargeBinary),  # SHA-256 of the code to join by, null after its use
    Column("code_until", Float, nullable=False, default=0.0),
    # SHA-256 of the token; null if nobody has joined, or it was revoked
    Column("token", LargeBinary, unique=True),
    Column("laptop", Text, nullable=False, default=""),
    Column("heard", Float, nullable=False, default=0.0),  # Unix time of its last request
    Column("bytes", Integer, nullable=False, default=0),
)
# The hub's events (of people) in order; the one with the highest id is on. The first exists from the beginning, without
# a title.
GATHERINGS = _table(
    "gatherings",
    Column("id", Integer, primary_key=True),
    Column("title", Text, nullable=False),  # empty: use the command line's
    Column("begun", Float, nullable=False),
    # Unix time since when everybody sees them; 0: not yet
    Column("awards_shown", Float, nullable=False),
)
RECORDS = _table(
    "records",
    Column("id", Integer, primary_key=True),
    Column("session", LargeBinary, nullable=False, unique=True),  # digest of its first entry
    Column("table_id", Integer, ForeignKey("tables.id"), nullable=False),
    Column("n", Integer, nullable=False, default=0),
    Column("digest", LargeBinary, nullable=False),
    Column("event", Integer, nullable=False, default=0),  # number of the last one
    Column("total", Integer, nullable=False, default=0),  # entries that the table reported
    Column("title", Text, nullable=False, default=""),  # of the game
    Column("behind_since", Float, nullable=False, default=0.0),
    # the one in which it began; rows there are never deleted
    Column("gathering", Integer, nullable=False, server_default="1"),
    # session of the part before it, whose file is lost; null for the first
    Column("continues", LargeBinary),
    # Set aside, because the organiser said that another end counts: the fork that was decided, and the original
    # session, while `session` is a digest that no table can send. 0 and null for a record that counts.
    Column("aside", Integer, nullable=False, server_default="0"),
    Column("aside_from", LargeBinary),
    # id of the record that was set aside for this one
    Column("instead_of", Integer, nullable=False, server_default="0"),
)
# Entries and events have no foreign key: they are written under a lock on their record's row, which is never deleted,
# and checking the key for each would take as long as writing it.
ENTRIES = _table(
    "entries",
    Column("record", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    # null: this entry and those before it, back to the previous row, are lost
    Column("commitment", LargeBinary),
    Column("digest", LargeBinary, nullable=False),
)
EVENTS = _table(
    "events",
    Column("record", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON, places for seats
)
NAMES = _table(
    "names",
    Column("record", Integer, ForeignKey("records.id"), primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("name", Text, nullable=False),
)
FORKS = _table(
    "forks",
    Column("id", Integer, primary_key=True),
    Column("record", Integer, ForeignKey("records.id"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("theirs", LargeBinary, nullable=False),
    Column("seen", Float, nullable=False),
    Column("settled", Boolean, nullable=False, default=False),
    # of the table that sent it; empty: it came as a file
    Column("laptop", Text, nullable=False, server_default=""),
    # see `forks.End`; empty: not decided
    Column("counts", Text, nullable=False, server_default=""),
    Column("who", Text, nullable=False, server_default=""),  # the organiser who decided
    UniqueConstraint("record", "n", "theirs"),
)
RULINGS = _table(
    "rulings",
    Column("id", Integer, primary_key=True),
    Column("record", Integer, ForeignKey("records.id"), nullable=False),
    Column("kind", Text, nullable=False),  # see `results.RulingKind`
    # JSON: places and seats, if a judge set them
    Column("places", Text, nullable=False, default=""),
    Column("why", Text, nullable=False),
    # the judge's name, or the seat of a player who doubts the result
    Column("who", Text, nullable=False),
    Column("at", Float, nullable=False),
)
ROUNDS = _table(
    "rounds",
    Column("gathering", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),  # JSON: pods and byes, by name
    Column("at", Float, nullable=False),
)
