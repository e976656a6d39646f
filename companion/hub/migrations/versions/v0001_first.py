"""The first form of the hub's database. A new one is made in the newest form at once, so nothing leads to it."""

from __future__ import annotations

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Nothing: whoever is at this step had it made."""
