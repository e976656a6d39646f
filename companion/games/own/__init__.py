"""A game of one's own: a data file says what is counted, by whom, and who wins. Here is what reads and plays it."""
