"""The page of a game that is over: who won, the final table, what decided it, how the scores came about."""
