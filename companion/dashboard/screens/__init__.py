"""The pages of the dashboard: the table itself, and what opens over it."""
