"""The running log: one line for each entry a person should see, with the public sentence of each fact."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from datetime import datetime

from companion.journal.entries import Control, Entry, Layer
from companion.views import LineKind, LogLine
from firmware_protocol.messages import ARMED

# As many lines as a screen can scroll through without slowing a repaint; the record itself has them all.
KEPT = 500


class LogBook:
    """Entries as lines. Texts of facts come from the fold, so a refold mends them too."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._texts: dict[int, str] = {}
        self._voids: dict[int, int] = {}  # void entry -> the entry it takes back
        self._voided: set[int] = set()

    def add(self, entry: Entry) -> None:
        """Take an entry in, in the order of the record."""
        if entry.layer is Layer.CONTROL and entry.kind == Control.VOID:
            self._voids[entry.n] = entry.body["entry"]
            self._mark_voided()
        if entry.layer is Layer.FACT or _speaks(entry):
            self._entries.append(entry)

    def describe(self, n: int, text: str) -> None:
        """Set the public sentence of fact number `n`."""
        self._texts[n] = text

    def text(self, n: int) -> str:
        """Return the sentence of entry `n`, as an undo would name it."""
        if n in self._voids:
            return f"the correction of: {self._taken_back(n)}"
        return self._texts.get(n, f"entry {n}")

    def _taken_back(self, n: int) -> str:
        return self._taken_back(self._voids[n]) if n in self._voids else self._texts.get(n, f"entry {n}")

    def lines(self, problems: Mapping[int, Exception]) -> tuple[LogLine, ...]:
        """Return the newest lines, oldest first; `problems` are entries that make no sense any more."""
        return tuple(self._line(entry, problems) for entry in self._entries)

    def _mark_voided(self) -> None:
        """The voids that stand are those no later standing void takes back."""
        self._voided = set()
        for n in sorted(self._voids, reverse=True):
            if n not in self._voided:
                self._voided.add(self._voids[n])

    def _line(self, entry: Entry, problems: Mapping[int, Exception]) -> LogLine:
        time = datetime.fromisoformat(entry.wall).astimezone().strftime("%H:%M:%S")
        if entry.n in self._voided:
            return LogLine(entry.n, time, LineKind.VOIDED, self.text(entry.n))
        if entry.n in problems:
            return LogLine(entry.n, time, LineKind.BROKEN, f"{self.text(entry.n)} - {problems[entry.n]}")
        kind = _kind(entry)
        return LogLine(entry.n, time, kind, self.text(entry.n) if kind is LineKind.FACT else self._sentence(entry))

    def _sentence(self, entry: Entry) -> str:
        body = entry.body
        match entry.kind:
            case Control.VOID:
                verb = "brought back" if body["entry"] in self._voids else "taken back"
                return f"{verb}: {self._taken_back(entry.n)}"
            case Control.IGNORED:
                return f"not counted: {body['reason']}"
            case Control.SESSION:
                return "the session begins"
            case Control.RESUMED:
                return " ".join(["the session is resumed", *body.get("doubts", ())])
            case Control.ENDED:
                return "the session has ended"
            case "hello":
                return f"{body['board']} ({body['uid'][-6:]}), firmware {body['firmware']}, started by {body['reset']}"
            case "state":
                return "the board is armed: what is pressed from now on counts"
            case "gap":
                return f"the board's ring was full: {body['count']} events were refused and are lost"
            case "clash":
                return f"another event under number {body['seq']} of the board, which is taken: both are kept"
            case _:
                return "the board lost power: what happened until now is unknown"


def _speaks(entry: Entry) -> bool:
    armed = entry.kind == "state" and entry.body["flags"] & ARMED
    return entry.layer is Layer.CONTROL or armed or entry.kind in ("hello", "gap", "boot", "clash")


def _kind(entry: Entry) -> LineKind:
    if entry.layer is Layer.FACT:
        return LineKind.FACT
    if entry.layer is Layer.EVIDENCE:
        return LineKind.BOARD
    return LineKind.IGNORED if entry.kind == Control.IGNORED else LineKind.RECORD
