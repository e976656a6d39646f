"""The first form of the hub's database."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Columns = dict[str, sa.types.TypeEngine[Any]]
NUMBER, TEXT, BYTES, TIME = sa.Integer(), sa.Text(), sa.LargeBinary(), sa.Float()


def upgrade() -> None:
    """Make the tables: who may what, what the tables sent, and what was ruled about it."""
    account: Columns = {"id": NUMBER, "name": TEXT, "role": TEXT, "salt": BYTES, "password": BYTES}
    _make("accounts", account, ["id"], sa.UniqueConstraint("name"))
    table: Columns = {"id": NUMBER, "number": NUMBER, "code": BYTES, "code_until": TIME, "token": BYTES, "laptop": TEXT}
    table |= {"heard": TIME, "bytes": NUMBER}
    unique = (sa.UniqueConstraint("number"), sa.UniqueConstraint("token"))
    _make("tables", table, ["id"], *unique, null=("code", "token"))
    of_account = sa.ForeignKeyConstraint(["account"], ["accounts.id"], ondelete="CASCADE")
    _make("signed_in", {"cookie": BYTES, "account": NUMBER, "until": TIME}, ["cookie"], of_account)
    record: Columns = {
        "id": NUMBER,
        "session": BYTES,
        "table_id": NUMBER,
        "n": NUMBER,
        "digest": BYTES,
        "event": NUMBER,
    }
    record |= {"total": NUMBER, "title": TEXT, "behind_since": TIME}
    of_table = sa.ForeignKeyConstraint(["table_id"], ["tables.id"])
    _make("records", record, ["id"], of_table, sa.UniqueConstraint("session"))
    entry: Columns = {"record": NUMBER, "n": NUMBER, "commitment": BYTES, "digest": BYTES}
    _make("entries", entry, ["record", "n"], null=("commitment",))
    _make("events", {"record": NUMBER, "number": NUMBER, "kind": TEXT, "body": TEXT}, ["record", "number"])
    _make("names", {"record": NUMBER, "seat": TEXT, "name": TEXT}, ["record", "seat"], _of_record())
    fork: Columns = {
        "id": NUMBER,
        "record": NUMBER,
        "n": NUMBER,
        "theirs": BYTES,
        "seen": TIME,
        "settled": sa.Boolean(),
    }
    _make("forks", fork, ["id"], _of_record(), sa.UniqueConstraint("record", "n", "theirs"))
    ruling: Columns = {
        "id": NUMBER,
        "record": NUMBER,
        "kind": TEXT,
        "places": TEXT,
        "why": TEXT,
        "who": TEXT,
        "at": TIME,
    }
    _make("rulings", ruling, ["id"], _of_record())
    _make("released", {"what": TEXT, "at": TIME}, ["what"])
    number = sa.Column("number", NUMBER, autoincrement=False, nullable=False)
    _make("rounds", {"body": TEXT, "at": TIME}, ["number"], number)


def _make(
    name: str, columns: Columns, key: Collection[str], *more: sa.schema.SchemaItem, null: Collection[str] = ()
) -> None:
    """Make a table with that primary `key`; of its `columns` only those in `null` may hold nothing."""
    made = (sa.Column(column, kind, nullable=column in null) for column, kind in columns.items())
    op.create_table(name, *made, *more, sa.PrimaryKeyConstraint(*key))


def _of_record() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["record"], ["records.id"])
