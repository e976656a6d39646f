"""The games: pure rules, models and texts. Nothing here knows a screen, a port, a disk or the clock."""
