"""The tables of the hub's database. `migrations` brings older ones to them; a test holds the two together.

Of a record the hub has its chain, as commitments, and its public feed. It has no text of an entry, so nothing hidden;
who plays stands in `names` alone, so that one person can be taken out.
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
    Column("cookie", LargeBinary, primary_key=True),  # SHA-256 of it
    Column("account", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("until", Float, nullable=False),
)
TABLES = _table(
    "tables",
    Column("id", Integer, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("code", LargeBinary),  # SHA-256 of the code to join by, null when it was used
    Column("code_until", Float, nullable=False, default=0.0),
    # SHA-256 of the token; null: nobody has joined, or it was revoked
    Column("token", LargeBinary, unique=True),
    Column("laptop", Text, nullable=False, default=""),
    Column("heard", Float, nullable=False, default=0.0),  # Unix time of the last word from it
    Column("bytes", Integer, nullable=False, default=0),
)
# The events that this hub kept, one after the other; the one with the highest number is on. The first is there from the
# beginning.
GATHERINGS = _table(
    "gatherings",
    Column("id", Integer, primary_key=True),
    Column("title", Text, nullable=False),  # empty: what the command line says
    Column("begun", Float, nullable=False),
    # Unix time since when everybody sees them; 0: nobody yet
    Column("awards_shown", Float, nullable=False),
)
RECORDS = _table(
    "records",
    Column("id", Integer, primary_key=True),
    Column("session", LargeBinary, nullable=False, unique=True),  # the digest of its first entry
    Column("table_id", Integer, ForeignKey("tables.id"), nullable=False),
    Column("n", Integer, nullable=False, default=0),
    Column("digest", LargeBinary, nullable=False),
    Column("event", Integer, nullable=False, default=0),  # the number of the last one
    Column("total", Integer, nullable=False, default=0),  # entries that the table said it has
    Column("title", Text, nullable=False, default=""),  # of the game
    Column("behind_since", Float, nullable=False, default=0.0),
    # where it began; none is ever removed
    Column("gathering", Integer, nullable=False, server_default="1"),
    # the session of the part before it, whose file is lost; null: it is the first
    Column("continues", LargeBinary),
    # Where the organiser said that another end counts: the fork that this was about, and the session that it was of,
    # while `session` is a digest that no table sends. 0 and null for a record that counts.
    Column("aside", Integer, nullable=False, server_default="0"),
    Column("aside_from", LargeBinary),
    # the record that was set aside for this one
    Column("instead_of", Integer, nullable=False, server_default="0"),
)
# Entries and events name no foreign key: they are written under the lock on their record's row, which is never removed,
# and to look it up once more for each takes as long as writing it.
ENTRIES = _table(
    "entries",
    Column("record", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    # null: this and the ones before it, back to the last row, are lost
    Column("commitment", LargeBinary),
    Column("digest", LargeBinary, nullable=False),
)
EVENTS = _table(
    "events",
    Column("record", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON, seats by their place
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
    # that sent it; empty: it came as a file
    Column("laptop", Text, nullable=False, server_default=""),
    # see `forks.End`; empty: nobody has said yet
    Column("counts", Text, nullable=False, server_default=""),
    Column("who", Text, nullable=False, server_default=""),  # the organiser who said so
    UniqueConstraint("record", "n", "theirs"),
)
RULINGS = _table(
    "rulings",
    Column("id", Integer, primary_key=True),
    Column("record", Integer, ForeignKey("records.id"), nullable=False),
    Column("kind", Text, nullable=False),  # see `results.RulingKind`
    # JSON: seats by place, where a judge set them
    Column("places", Text, nullable=False, default=""),
    Column("why", Text, nullable=False),
    # the judge's name; the seat, where a player doubts the result
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
