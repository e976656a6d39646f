"""Recognition of MicroPython's prompt: no firmware listens there, or not any more."""

from __future__ import annotations

# MicroPython's prompts for a line, a continuation, a paste and a raw program (py/pyexec.c in its sources; bytes of ours
# can start any of these), and the banner before the first.
BANNER = b'Type "help()" for more information.'
SIGNS = (b">>> ", b"\r\n... ", b"\r\n=== ", b"raw REPL; CTRL-B to exit", BANNER)
LONGEST = max(map(len, SIGNS)) - 1


class PromptWatch:
    """Searches what a port sends. `shown`: a prompt was seen at some time; `begun`: MicroPython's banner was seen."""

    def __init__(self) -> None:
        self.shown = False
        self.begun = False
        self._tail = b""

    def read(self, data: bytes) -> None:
        """Search the next bytes; a sign may be split between two reads."""
        text = self._tail + data
        self.shown = self.shown or any(sign in text for sign in SIGNS)
        self.begun = self.begun or BANNER in text
        self._tail = text[-LONGEST:]
