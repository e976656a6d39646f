"""`companion demo`: scripted players play a whole game on the virtual board.

The players are hands, not rules: they press, hold, pull and knock on the virtual board, look at the table's view as
people look at the screen, and use the keyboard for what only the table knows. What the companion makes of it is its
own.
"""
