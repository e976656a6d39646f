"""The rules of a game that a data file states: pure functions of the file's text and what happened."""
