"""A board without hardware: the firmware itself, with simulated pins and wire."""
