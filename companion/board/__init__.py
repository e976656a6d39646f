"""`companion board ...`: the firmware put on a board, and a board looked at, tested and calibrated."""
