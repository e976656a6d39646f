"""The steps that make the hub's database, for Alembic."""
