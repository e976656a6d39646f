"""What tells others of a game while it is played."""
