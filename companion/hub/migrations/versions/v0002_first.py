"""The form of the hub's database. Until the first release it is the only one; whoever writes the first step after that
writes out here what this form was."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from companion.hub.schema import GATHERINGS, METADATA

revision = "0002"
down_revision = None


def upgrade() -> None:
    """Make the tables, and the first event."""
    METADATA.create_all(op.get_bind())
    op.execute(sa.insert(GATHERINGS).values(title="", begun=0.0, awards_shown=0.0))
