"""`companion doctor`: checks everything a table needs, and says what to do about each problem."""
