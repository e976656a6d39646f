"""The first schema. A new database gets the newest one at once, so nothing leads to this step."""

from __future__ import annotations

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing: a database at this step was created with its schema."""
