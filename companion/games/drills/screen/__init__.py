"""The drills on the screen: the players, and the last time in large digits."""
