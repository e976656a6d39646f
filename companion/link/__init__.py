"""The link to the board: transport, session, clock, finder, supervisor. Importing this package loads nothing else."""
