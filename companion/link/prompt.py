"""The prompt of a board's interpreter, known by what it says: no firmware listens there, or not any more."""

from __future__ import annotations

# MicroPython's prompts for a line, for more of it, for a paste and for programs, of which our bytes may begin each
# (py/pyexec.c in its sources), and what it says before the first.
BANNER = b'Type "help()" for more information.'
SIGNS = (b">>> ", b"\r\n... ", b"\r\n=== ", b"raw REPL; CTRL-B to exit", BANNER)
LONGEST = max(map(len, SIGNS)) - 1


class PromptWatch:
    """Reads what a port says. `shown` is whether there was a sign of a prompt, `begun` whether one has just begun."""

    def __init__(self) -> None:
        self.shown = False
        self.begun = False
        self._tail = b""

    def read(self, data: bytes) -> None:
        """Read on."""
        text = self._tail + data
        self.shown = self.shown or any(sign in text for sign in SIGNS)
        self.begun = self.begun or BANNER in text
        self._tail = text[-LONGEST:]
