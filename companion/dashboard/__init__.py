"""The terminal screens of a table, for any game."""
