"""Alembic's environment: runs the steps over the connection that the hub has open."""

from __future__ import annotations

from alembic import context

from companion.hub.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
