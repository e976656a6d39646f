"""Checks that a chip runs on itself: what MicroPython executes at the board's prompt, and the verdicts on its
figures."""
