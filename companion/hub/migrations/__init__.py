"""Upgrade an older database of the hub to the newest schema, with Alembic."""
