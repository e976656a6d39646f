"""`companion demo`: scripted players play a whole game on the virtual board.

They press, hold, pull and knock on the virtual board, look at the table's view as people look at the screen, and use
the keyboard for what only the table knows. They know no rules of the companion's: what it makes of their presses is its
own.
"""
