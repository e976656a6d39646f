"""The running log: one line for each entry a person should see, with the public sentence of each fact."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from companion.journal.entries import REDO, UNDO, Control, Entry, Layer, is_control, is_lost
from companion.journal.errors import JournalError
from companion.journal.wall_clock import instant_of, time_text
from companion.rules.columns import plural
from companion.session.muted import TESTED, muting_of, named_source
from companion.session.spare_board import boot_sentence
from companion.session.views import Level, LineKind, LogLine
from firmware_protocol.channels import kind_named
from firmware_protocol.messages import ARMED, PRESSED

# As many lines as a screen can scroll through without slowing a repaint; the record itself has them all.
KEPT = 500
# sentences kept at most: those of the lines, and of the rulings that the marshal screen shows
TEXTS = 20 * KEPT

TABLES_WORD = "the table's word"
"""The reason of a correction for which nobody gave one."""
UNSAID = ("", UNDO, REDO, TABLES_WORD)
# A remark is told on the lines of the facts it is about, a proposal on that of its answer.
_SILENT = (Control.READ_AS, Control.REMARK, Control.PROPOSED)


class LogBook:
    """Entries as lines. Texts of facts come from the fold, so a refold mends them too; `sentence_of` gives that of a
    fact which no fold of this run has met, `called` the name of whoever did something; `steps` are the game's kinds of
    steps, by their names, as a screen calls them; `number` is what an entry is shown with."""

    def __init__(
        self,
        sentence_of: Callable[[int], str],
        called: Callable[[str], str],
        steps: Mapping[str, str],
        number: Callable[[int], int],
    ) -> None:
        self._sentence_of = sentence_of
        self._number = number
        self._called = called
        self._steps = steps
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._shown: tuple[LogLine, ...] | None = None
        self._made: dict[
            int, LogLine
        ] = {}  # lines that stay as they are until the past is put right
        self._problems: Mapping[int, Exception] = {}
        self._texts: dict[int, str] = {}
        self._voids: dict[
            int, tuple[int, str]
        ] = {}  # void -> what it names, and what such a void is called
        self._remarks: dict[int, Mapping[str, Any]] = {}  # fact -> why it was put in, and who did
        self._channels: Mapping[str, str] = {}  # of the board's HELLO

    def add(self, entry: Entry, *, told: bool = True) -> None:
        """Take an entry in, in the order of the record; one that is not `told` has no line."""
        self._shown = None
        # most of a long record, at once
        if told and entry.layer is Layer.FACT and entry.after is None:
            self._entries.append(entry)
            return
        if entry.layer is Layer.EVIDENCE and entry.kind == "hello":
            self._channels = entry.body.get("channels", {})
        if entry.after is not None or is_control(entry, Control.VOID, Control.REMARK):
            self._made.clear()
        if is_control(entry, Control.VOID):
            self._voids[entry.n] = (
                entry.body["entry"],
                "undo" if entry.body.get("reason") == UNDO else "correction",
            )
        elif is_control(entry, Control.REMARK):
            self._remarks.update(dict.fromkeys(entry.body["entries"], entry.body))
        if told and _speaks(entry):
            self._entries.append(entry)

    def describe(self, n: int, text: str) -> None:
        """Set the public sentence of fact number `n`."""
        self._texts[n] = text
        self._made.pop(n, None)
        if len(self._texts) > TEXTS:
            first = self._entries[0].n
            self._texts = {n: text for n, text in self._texts.items() if n >= first}
            self._remarks = {n: body for n, body in self._remarks.items() if n >= first}

    def forget(self, n: int) -> None:
        """Have the sentence of fact number `n` asked for anew: what stands before it has changed."""
        if self._texts.pop(n, None) is not None:
            self._made.pop(n, None)

    def text(self, n: int) -> str:
        """Return the sentence of the fact or the correction `n`, as an undo would name it."""
        if n in self._voids:
            return f"the {self._voids[n][1]} of: {self.text(self._chain(n)[-1])}"
        text = self._texts.get(n)
        if text is None:
            try:
                text = self._sentence_of(n)
            except JournalError:
                return f"entry {n}, which cannot be read now"
            self.describe(n, text)
        return text

    def _chain(self, n: int) -> list[int]:
        """What the void `n` takes back, what that took back, and so on; the last is a fact."""
        chain = [self._voids[n][0]]
        while chain[-1] in self._voids:
            chain.append(self._voids[chain[-1]][0])
        return chain

    def lines(
        self, problems: Mapping[int, Exception], stands: Callable[[int], bool]
    ) -> tuple[LogLine, ...]:
        """Return the newest lines, oldest first, the same tuple until the next entry; `problems` are entries that make
        no sense any more, `stands` tells whether one is not taken back."""
        if self._shown is None:
            if problems != self._problems or len(self._made) > 2 * KEPT:
                self._made.clear()
                self._problems = problems
            self._shown = tuple(
                self._made.get(entry.n) or self._line(entry, problems, stands)
                for entry in self._entries
            )
        return self._shown

    def _line(
        self, entry: Entry, problems: Mapping[int, Exception], stands: Callable[[int], bool]
    ) -> LogLine:
        time = time_text(instant_of(entry.wall), seconds=True)
        number = self._number(entry.n)
        if not stands(entry.n):
            return LogLine(entry.n, time, LineKind.VOIDED, self.text(entry.n), number)
        if entry.n in problems:
            return LogLine(
                entry.n,
                time,
                LineKind.BROKEN,
                f"{self.text(entry.n)} - {problems[entry.n]}",
                number,
            )
        kind = _kind(entry)
        text = self._put_in(entry) if kind is LineKind.FACT else self._sentence(entry)
        line = LogLine(entry.n, time, kind, text, number)
        # what names people is as they are called now
        if kind is not LineKind.RECORD and entry.n not in self._remarks:
            self._made[entry.n] = line
        return line

    def _put_in(self, fact: Entry) -> str:
        """The sentence of a fact, and what is to be told of how it came where it stands."""
        remark = self._remarks.get(fact.n, {})
        who, why = remark.get("who", ""), remark.get("why", "")
        if fact.after is not None:
            return self._with_reason(_how(fact), self.text(fact.n), who, why)
        return " - ".join(filter(None, (self.text(fact.n), self._called(who) if who else "", why)))

    def _with_reason(self, verb: str, what: str, who: str, why: str) -> str:
        """What was done to the record, by whom and why."""
        doer = f" by {self._called(who)}" if who else ""
        return f"{verb}{doer}: {what}{'' if why in UNSAID else f' - {why}'}"

    def _sentence(self, entry: Entry) -> str:
        if entry.layer is Layer.EVIDENCE:
            return said_by_board(entry, self._channels)
        body = entry.body
        match entry.kind:
            case Control.VOID:
                chain = self._chain(entry.n)
                verb = "taken back" if len(chain) % 2 else "brought back"
                return self._with_reason(
                    verb, self.text(chain[-1]), body.get("who", ""), body.get("reason", "")
                )
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
                lost = (
                    "an unknown number is lost"
                    if body["lost"] is None
                    else f"{body['lost']} are lost"
                )
                return f"the record was read from a damaged file: {body['entries']} entries were there, {lost}"
            case Control.BOARD:
                return self._with_reason(
                    "set on the board", of_board(body), body.get("who", ""), body.get("why", "")
                )
            case Control.SETTINGS:
                return self._with_reason(
                    "from now on, set", _settings(body), body.get("who", ""), body.get("why", "")
                )
        return _of_the_table(entry, self._steps)


def _how(put_in: Entry) -> str:
    """How a fact came to stand elsewhere than at the end; only one that was read from evidence has a key."""
    if put_in.key is not None:
        return "found in the evidence"
    return "put in its place" if put_in.joined else "put in"


def _of_the_table(entry: Entry, steps: Mapping[str, str]) -> str:
    body = entry.body
    match entry.kind:
        case Control.CONSENT if body.get("finished"):
            said = (
                "agreed to change the finished game"
                if body["agreed"]
                else "did not agree to change the finished game"
            )
            return f"the table {said}: {body.get('text', '')}"
        case Control.CONSENT:
            said = (
                "agreed to take back what was shown"
                if body["agreed"]
                else "did not agree, and nothing was taken back"
            )
            return f"the table {said}: {body.get('text', '')}"
        case Control.LEVELS:
            done = (f"{steps.get(step, step)}: {_done(level)}" for step, level in body.items())
            return f"from now on, {'; '.join(done)}"
        case Control.PHONES:
            return f"from now on, players {'may' if body['propose'] else 'cannot'} propose from their phones"
        case Control.LOST:
            first, last = body["from"], body["to"]
            which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
            return f"{which} lost: compare the standings with the table"
    return "the session has ended"


def _done(level: str) -> str:
    return f"{level}, {Level(level).counts}" if level in set(Level) else level


def _settings(body: Mapping[str, Any]) -> str:
    least = body.get("min_peak")
    peak = "the board's own threshold" if least is None else f"hits from peak {least} on"
    lock_us = body.get("lock_us")
    lock = "" if lock_us is None else f", lock {lock_us // 1000} ms"
    return f"hold {body['hold_us'] // 1000} ms, trigger and hit within {body['window_us'] // 1000} ms, {peak}{lock}"


_OF_BOARD = {
    "hit_threshold": "threshold {:g}",
    "hit_scan_us": "scan {:g} ms",
    "hit_mask_us": "mask {:g} ms",
    "lock_us": "lock {:g} ms",
    "glitch_us": "glitch {:g} ms",
}


def of_board(body: Mapping[str, Any]) -> str:
    """Return the settings of a board in words, the times in milliseconds; a foreign record need not have all."""
    known = ((name, body[name]) for name in _OF_BOARD if isinstance(body.get(name), int))
    said = [
        _OF_BOARD[name].format(value / 1000 if name.endswith("_us") else value)
        for name, value in known
    ]
    return ", ".join(said) or "unknown"


_HELD_UP = {"edges": ("change", "of its buttons"), "samples": ("sample", "of the hit sensor")}


def of_overrun(entry: Entry, channels: Mapping[str, str]) -> str:
    """Return what an `overrun` says: what the board read too late, or which input it muted or hears again."""
    muting = muting_of(entry, channels)
    if muting is not None:
        return muting.logged
    source = named_source(entry.body, channels)["source"]
    if source == TESTED:
        ms = round(((entry.t_us or 0) - entry.body["first_us"]) / 1000)
        return f"the board tested the hit sensor's pin for {ms} ms, for the plug was put in: no hit was read meanwhile"
    if source not in _HELD_UP:
        return f"the board lost something that this companion does not know ({source}): update it"
    what, whose = _HELD_UP[source]
    return f"the board was held up and lost at least {plural(entry.body['count'], what)} {whose}"


def said_by_board(entry: Entry, channels: Mapping[str, str]) -> str:
    """Return a piece of evidence in a sentence. `channels` are those of the board's HELLO, by their numbers as text."""
    body = entry.body
    match entry.kind:
        case "hello":
            return f"{body['board']} ({body['uid'][-6:]}), firmware {body['firmware']}, started by {body['reset']}"
        case "state":
            return "the board is armed: what is pressed from now on counts"
        case "gap":
            return (
                f"the board's memory was full: it could not keep {plural(body['count'], 'event')}"
            )
        case "overrun":
            return of_overrun(entry, channels)
        case "event":
            return _of_status(body)
        case "clash":
            return f"the board contradicts its own entry {body['clash_with']}: that one counts, both are kept"
        case "config" if body["of_session"]:
            return f"the board took the session's settings: {of_board(body)}"
        case "config":
            known = f": {of_board(body)}" if "hit_threshold" in body else ""
            return f"the board's settings are not the session's, it is told{known}"
        case "boot":
            return boot_sentence(body)
    return str(body["text"])


def _of_status(body: Mapping[str, Any]) -> str:
    """Return what an event of a status contact (the gun's plug) says, as a line of the log."""
    kind = kind_named(str(body["channel"]))
    assert kind is not None
    sentence = kind.closed if body["flags"] & PRESSED else kind.open
    return sentence[0].lower() + sentence[1:].rstrip(".")


def _speaks(entry: Entry) -> bool:
    if is_lost(entry):
        return bool(entry.n == entry.body["from"])
    if entry.layer is Layer.CONTROL:
        return entry.kind not in _SILENT
    if entry.layer is Layer.EVIDENCE and entry.kind == "state":
        return bool(entry.body["flags"] & ARMED)
    if entry.layer is Layer.EVIDENCE and entry.kind == "config":
        return bool(entry.body["told"]) or not entry.body["of_session"]
    if entry.layer is Layer.EVIDENCE and entry.kind == "event":
        kind = kind_named(str(entry.body.get("channel")))
        return kind is not None and kind.status
    return entry.layer is Layer.FACT or entry.kind in (
        "hello",
        "gap",
        "overrun",
        "boot",
        "clash",
        "note",
    )


def _kind(entry: Entry) -> LineKind:
    if entry.layer is Layer.FACT:
        return LineKind.FACT
    if entry.layer is Layer.EVIDENCE:
        return LineKind.BOARD
    return LineKind.IGNORED if entry.kind == Control.IGNORED else LineKind.RECORD
