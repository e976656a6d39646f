"""Golden frames: every implementation of the protocol reads and writes exactly these bytes."""
