"""What brings an older database of the hub to its newest form, by Alembic."""
