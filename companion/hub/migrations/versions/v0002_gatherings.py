"""Several events in one database, each with its records, rounds and awards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Turn the existing data into the first event."""
    op.create_table(
        "gatherings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("begun", sa.Float(), nullable=False),
        sa.Column("awards_shown", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute(
        "INSERT INTO gatherings (title, begun, awards_shown) SELECT '', 0, COALESCE(MAX(at), 0) FROM released"
    )
    op.drop_table("released")
    op.add_column(
        "records", sa.Column("gathering", sa.Integer(), nullable=False, server_default="1")
    )
    op.execute("CREATE TABLE rounds_before AS SELECT * FROM rounds")
    op.drop_table("rounds")
    op.create_table(
        "rounds",
        sa.Column("gathering", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("gathering", "number"),
    )
    op.execute(
        "INSERT INTO rounds (gathering, number, body, at) SELECT 1, number, body, at FROM rounds_before"
    )
    op.drop_table("rounds_before")
