"""The running log: one line for each entry a person should see, with the public sentence of each fact."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from datetime import datetime

from companion.journal.entries import UNDO, Control, Entry, Layer
from companion.views import LineKind, LogLine
from firmware_protocol.messages import ARMED

# As many lines as a screen can scroll through without slowing a repaint; the record itself has them all.
KEPT = 500


class LogBook:
    """Entries as lines. Texts of facts come from the fold, so a refold mends them too; `sentence_of` gives that of a
    fact which no fold of this run has met."""

    def __init__(self, sentence_of: Callable[[int], str]) -> None:
        self._sentence_of = sentence_of
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._times: dict[str, str] = {}
        self._shown: tuple[LogLine, ...] | None = None
        self._texts: dict[int, str] = {}
        self._voids: dict[int, Entry] = {}
        self._first_armed: int | None = None

    def add(self, entry: Entry) -> None:
        """Take an entry in, in the order of the record."""
        self._shown = None
        if entry.layer is Layer.CONTROL and entry.kind == Control.VOID:
            self._voids[entry.n] = entry
        if not _speaks(entry):
            return
        if entry.kind == "state" and self._first_armed is None:
            self._first_armed = entry.n
        self._entries.append(entry)

    def describe(self, n: int, text: str) -> None:
        """Set the public sentence of fact number `n`."""
        self._texts[n] = text

    def voids_of(self, n: int) -> tuple[Entry, ...]:
        """Return the voids that name entry `n`, whether they stand or not, oldest first."""
        return tuple(void for void in self._voids.values() if void.body["entry"] == n)

    def text(self, n: int) -> str:
        """Return the sentence of the fact or the correction `n`, as an undo would name it."""
        if n in self._voids:
            word = "undo" if self._voids[n].body.get("reason") == UNDO else "correction"
            return f"the {word} of: {self._taken_back(n)}"
        if n not in self._texts:
            self._texts[n] = self._sentence_of(n)
        return self._texts[n]

    def _taken_back(self, n: int) -> str:
        while n in self._voids:
            n = self._voids[n].body["entry"]
        return self.text(n)

    def lines(self, problems: Mapping[int, Exception], stands: Callable[[int], bool]) -> tuple[LogLine, ...]:
        """Return the newest lines, oldest first, the same tuple until the next entry; `problems` are entries that make
        no sense any more, `stands` tells whether one is not taken back."""
        if self._shown is None:
            self._shown = tuple(self._line(entry, problems, stands) for entry in self._entries)
        return self._shown

    def _time(self, entry: Entry) -> str:
        if entry.wall not in self._times:
            if len(self._times) > 2 * KEPT:
                self._times.clear()
            self._times[entry.wall] = datetime.fromisoformat(entry.wall).astimezone().strftime("%H:%M:%S")
        return self._times[entry.wall]

    def _line(self, entry: Entry, problems: Mapping[int, Exception], stands: Callable[[int], bool]) -> LogLine:
        time = self._time(entry)
        if not stands(entry.n):
            return LogLine(entry.n, time, LineKind.VOIDED, self.text(entry.n))
        if entry.n in problems:
            return LogLine(entry.n, time, LineKind.BROKEN, f"{self.text(entry.n)} - {problems[entry.n]}")
        kind = _kind(entry)
        return LogLine(entry.n, time, kind, self.text(entry.n) if kind is LineKind.FACT else self._sentence(entry))

    def _sentence(self, entry: Entry) -> str:
        if entry.layer is Layer.EVIDENCE:
            return _said_by_board(entry, first_armed=entry.n == self._first_armed)
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
                doubts = body.get("doubts", ())
                return " ".join([f"the session is resumed{':' if doubts else ''}", *doubts])
            case Control.RENAMED:
                return f"the session is called {body['name']} from now on"
            case Control.REPAIRED:
                return _repaired(body["entries"], body["lost"])
        return "the session has ended"


def _repaired(entries: int, lost: int | None) -> str:
    missing = "an unknown number is lost" if lost is None else f"{lost} are lost"
    return f"the record was read from a damaged file: {entries} entries were there, {missing}"


def _said_by_board(entry: Entry, *, first_armed: bool) -> str:
    body = entry.body
    match entry.kind:
        case "hello":
            return f"{body['board']} ({body['uid'][-6:]}), firmware {body['firmware']}, started by {body['reset']}"
        case "state":
            return f"the board is armed{': what is pressed from now on counts' if first_armed else ' again'}"
        case "gap":
            return f"the board's memory was full: it could not keep {body['count']} events, they are lost"
        case "clash":
            return f"the board contradicts its own entry {body['clash_with']}: that one counts, both are kept"
        case "boot":
            return "the board lost power or restarted: what happened until now is unknown"
    return str(body["text"])


def _speaks(entry: Entry) -> bool:
    if entry.layer is Layer.CONTROL:
        return entry.kind != Control.READ_AS
    if entry.layer is Layer.EVIDENCE and entry.kind == "state":
        return bool(entry.body["flags"] & ARMED)
    return entry.layer is Layer.FACT or entry.kind in ("hello", "gap", "boot", "clash", "note")


def _kind(entry: Entry) -> LineKind:
    if entry.layer is Layer.FACT:
        return LineKind.FACT
    if entry.layer is Layer.EVIDENCE:
        return LineKind.BOARD
    return LineKind.IGNORED if entry.kind == Control.IGNORED else LineKind.RECORD
