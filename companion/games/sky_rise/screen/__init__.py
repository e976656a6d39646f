"""The face of Sky Rise: the level in play as a grid that cards and pyramids are entered on, the seats, the tower."""
