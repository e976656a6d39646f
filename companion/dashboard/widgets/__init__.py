"""The parts every game's screen shares."""
