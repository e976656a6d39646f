"""The steps from one form of the hub's database to the next, for Alembic."""
