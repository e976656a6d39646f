"""A chip that is tried out by itself: what MicroPython runs at the board's prompt, and the verdicts on its figures."""
