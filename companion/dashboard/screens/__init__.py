"""The pages of the dashboard: the table itself, and what can be opened over it."""
