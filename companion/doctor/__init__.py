"""`companion doctor`: everything a table needs, looked at once, each with what to do about it."""
