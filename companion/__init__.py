"""A companion for physical game sessions: the record beside the real cards, boards and gun."""

__version__ = "0.1.0"
