"""The rules of games that data files define: pure functions of the file's text and the facts."""
