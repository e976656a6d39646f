"""Games in several parts, and forks that the organiser decides."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make each record the only part of its game, and each fork undecided."""
    op.add_column("records", sa.Column("continues", sa.LargeBinary()))
    op.add_column("records", sa.Column("aside", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("records", sa.Column("aside_from", sa.LargeBinary()))
    op.add_column(
        "records", sa.Column("instead_of", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("forks", sa.Column("laptop", sa.Text(), nullable=False, server_default=""))
    op.add_column("forks", sa.Column("counts", sa.Text(), nullable=False, server_default=""))
    op.add_column("forks", sa.Column("who", sa.Text(), nullable=False, server_default=""))
