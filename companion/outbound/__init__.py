"""Send a game's events elsewhere while it is played."""
