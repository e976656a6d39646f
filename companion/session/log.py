"""The running log: one line for each entry that a person should see, with the public sentence of
each fact."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from companion.journal.entries import REDO, UNDO, Control, Entry, Layer, is_control, is_lost
from companion.journal.errors import JournalError
from companion.journal.wall_clock import instant_of, time_text
from companion.rules.actions import on_page
from companion.rules.clauses import without_clauses
from companion.rules.columns import plural
from companion.session.board_tests import doing
from companion.session.muted import TESTED, muting_of, named_source
from companion.session.spare_board import boot_sentence
from companion.session.views import Level, LineKind, LogLine
from firmware_protocol.channels import kind_named
from firmware_protocol.messages import ARMED, PRESSED

# Lines that a screen can scroll through without slowing a repaint; the record itself has them all.
KEPT = 500
# Sentences cached at most: those of the lines, and of the rulings that the marshal screen shows.
TEXTS = 20 * KEPT

TABLES_WORD = "the table's word"
"""The reason of a correction for which nobody gave one."""
UNSAID = ("", UNDO, REDO, TABLES_WORD)
# A remark is shown on the lines of its facts, as is what a player entered or a page did; a proposal on the line of its
# answer.
_SILENT = (
    Control.READ_AS,
    Control.REMARK,
    Control.PROPOSED,
    Control.ENTERED,
    Control.TAPPED,
    Control.LESSON,
)


class LogBook:
    """Entries as lines.

    Sentences of facts come from the fold, so folding again updates them; `sentence_of` returns that
    of a fact which was not folded in this run. `name_of` returns the name of whoever did something,
    `number` the number shown for an entry; `steps` maps the game's kinds of steps to their labels.
    """

    def __init__(
        self,
        sentence_of: Callable[[int], str],
        name_of: Callable[[str], str],
        steps: Mapping[str, str],
        number: Callable[[int], int],
    ) -> None:
        self._sentence_of = sentence_of
        self._number = number
        self._name_of = name_of
        self._steps = steps
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._shown: tuple[LogLine, ...] | None = None
        # Entry -> its line, valid until the past is corrected.
        self._made: dict[int, LogLine] = {}
        self._problems: Mapping[int, Exception] = {}
        self._texts: dict[int, str] = {}
        # Void -> the entry it names, and its reason.
        self._voids: dict[int, tuple[int, str]] = {}
        self._remarks: dict[int, Mapping[str, Any]] = {}  # fact -> the body of its remark
        self._tapped: set[int] = set()  # facts and voids that a tap on a page made
        self._channels: Mapping[str, str] = {}  # from the board's HELLO

    def add(self, entry: Entry, *, told: bool = True) -> None:
        """Add the next entry of the record; without `told` it gets no line."""
        self._shown = None
        # A shortcut for most entries of a long record.
        if told and entry.layer is Layer.FACT and entry.after is None:
            self._entries.append(entry)
            return
        if entry.layer is Layer.EVIDENCE and entry.kind == "hello":
            self._channels = entry.body.get("channels", {})
        if entry.after is not None or is_control(entry, Control.VOID, Control.REMARK):
            self._made.clear()
        if is_control(entry, Control.VOID):
            self._voids[entry.n] = entry.body["entry"], str(entry.body.get("reason", ""))
        elif is_control(entry, Control.REMARK):
            self._remarks.update(dict.fromkeys(entry.body["entries"], entry.body))
        elif is_control(entry, Control.TAPPED):
            self._tapped.update(entry.body["entries"])
        if told and _has_line(entry):
            self._entries.append(entry)

    def describe(self, n: int, text: str) -> None:
        """Set the public sentence of fact number `n`."""
        self._texts[n] = text
        self._made.pop(n, None)
        if len(self._texts) > TEXTS:
            first = self._entries[0].n
            self._texts = {n: text for n, text in self._texts.items() if n >= first}
            self._remarks = {n: body for n, body in self._remarks.items() if n >= first}
            self._tapped = {n for n in self._tapped if n >= first}

    def forget(self, n: int) -> None:
        """Forget the sentence of fact number `n`, because the state before it has changed."""
        if self._texts.pop(n, None) is not None:
            self._made.pop(n, None)

    def text(self, n: int) -> str:
        """Return the sentence of the fact or correction `n`, as an undo names it."""
        if n in self._voids:
            return self._void_text(n)
        text = self._texts.get(n)
        if text is None:
            try:
                text = self._sentence_of(n)
            except JournalError:
                return f"entry {n}, which cannot be read now"
            self.describe(n, text)
        return text

    def _void_text(self, n: int) -> str:
        chain, reason = self._chain(n), self._voids[n][1]
        if (
            without_clauses(reason) != reason
        ):  # a game's key took it back, and the reason says what that means
            return _FIRST_CLAUSE.split(reason)[0]
        name = "the deletion of" if len(chain) % 2 else "the return of"
        if reason == UNDO:
            name = "the undo of"
        return f"{name}: {self.text(chain[-1])}"

    def remark_of(self, n: int) -> Mapping[str, Any]:
        """Return the body of the remark about entry `n`: why and by whom it was entered; empty without one."""
        return self._remarks.get(n, {})

    def is_tapped(self, n: int) -> bool:
        """Return whether a tap on a page made entry `n`."""
        return n in self._tapped

    def _chain(self, n: int) -> list[int]:
        """Return the entry that void `n` takes back, the one that this takes back, and so on; the
        last is a fact."""
        chain = [self._voids[n][0]]
        while chain[-1] in self._voids:
            chain.append(self._voids[chain[-1]][0])
        return chain

    def lines(
        self, problems: Mapping[int, Exception], stands: Callable[[int], bool]
    ) -> tuple[LogLine, ...]:
        """Return the newest lines, oldest first; the same tuple until the next entry. `problems`
        are entries that no longer make sense; `stands` returns whether one is not taken back."""
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
                f"{self.text(entry.n)} - {on_page(str(problems[entry.n]))}",
                number,
            )
        kind = _kind(entry)
        text = self._fact_text(entry) if kind is LineKind.FACT else self._entry_text(entry)
        is_fact = kind is LineKind.FACT and entry.after is None
        line = LogLine(entry.n, time, kind, text, number, entry.kind if is_fact else "")
        # Lines that name people are not cached: a person may be renamed.
        if kind is not LineKind.RECORD and entry.n not in self._remarks:
            self._made[entry.n] = line
        return line

    def _fact_text(self, fact: Entry) -> str:
        """Return the sentence of a fact, with who entered it and why if that was recorded."""
        remark = self._remarks.get(fact.n, {})
        who, why = remark.get("who", ""), remark.get("why", "")
        if fact.after is not None:
            return self._with_reason(_insertion_verb(fact), self.text(fact.n), who, why)
        parts = [self.text(fact.n)]
        if who:
            parts.append(self._name_of(who))
        if why:
            parts.append(why)
        return " - ".join(filter(None, parts))

    def _with_reason(self, verb: str, subject: str, who: str, why: str) -> str:
        """Return what was done to the record, by whom and why."""
        doer = f" by {self._name_of(who)}" if who else ""
        text = f"{verb}{doer}: {subject}"
        if why not in UNSAID:
            text += f" - {why}"
        return text

    def _entry_text(self, entry: Entry) -> str:
        if entry.layer is Layer.EVIDENCE:
            return evidence_text(entry, self._channels)
        body = entry.body
        match entry.kind:
            case Control.VOID:
                chain = self._chain(entry.n)
                verb = _void_verb(len(chain), body)
                return self._with_reason(
                    verb, self.text(chain[-1]), body.get("who", ""), body.get("reason", "")
                )
            case Control.IGNORED:
                return f"not counted: {body['reason']}"
            case Control.SESSION:
                return "the session starts"
            case Control.RESUMED:
                return _resumed_text(body)
            case Control.RENAMED:
                return f"the session is now called {body['name']}"
            case Control.REPAIRED:
                return _repaired_text(body)
            case Control.BOARD:
                return self._with_reason(
                    "set on the board", of_board(body), body.get("who", ""), body.get("why", "")
                )
            case Control.SETTINGS:
                return self._with_reason(
                    "from now on, set", _settings(body), body.get("who", ""), body.get("why", "")
                )
        return _control_text(entry, self._steps)


def _void_verb(links: int, body: Mapping[str, Any]) -> str:
    """Return what a void does, which reaches its fact over so many `links`."""
    if links % 2 == 0:
        return "restored"
    return "undone" if body.get("reason") == UNDO else "deleted"


def _insertion_verb(fact: Entry) -> str:
    """Return how a fact came to its place before the end; only facts read from evidence have a key."""
    if fact.key is not None:
        return "found in the evidence"
    return "moved to its place" if fact.joined else "added"


def _control_text(entry: Entry, steps: Mapping[str, str]) -> str:
    body = entry.body
    match entry.kind:
        case Control.CONSENT:
            return f"the table {_answer_text(body)}: {body.get('text', '')}"
        case Control.LEVELS:
            changes = (
                f"{steps.get(step, step)}: {_level_text(level)}" for step, level in body.items()
            )
            return f"from now on, {'; '.join(changes)}"
        case Control.PHONES:
            verb = "may" if body["propose"] else "cannot"
            return f"from now on, players {verb} propose from their phones"
        case Control.ENTRIES_ALLOWED:
            verb = "may now" if body["enter"] else "can no longer"
            return f"players {verb} enter their own numbers and draws on their phones"
        case Control.TEST if body["begins"]:
            who = f" ({body['who']})" if body["who"] else ""
            return f"the board is being {doing(body['what'])}{who}: presses do not count"
        case Control.TEST:
            return "the test of the board is over: presses count again"
        case Control.LOST:
            first, last = body["from"], body["to"]
            which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
            return f"{which} lost: compare the scores with the table"
    return "the session has ended"


def _resumed_text(body: Mapping[str, Any]) -> str:
    doubts = body.get("doubts", ())
    if not doubts:
        return "the session is resumed"
    return " ".join(["the session is resumed:", *doubts])


def _repaired_text(body: Mapping[str, Any]) -> str:
    lost = f"{body['lost']} are lost"
    if body["lost"] is None:
        lost = "an unknown number is lost"
    return f"the record was read from a damaged file: {body['entries']} entries were there, {lost}"


def _answer_text(consent: Mapping[str, Any]) -> str:
    if consent.get("finished"):
        if consent["agreed"]:
            return "agreed to change the finished game"
        return "did not agree to change the finished game"
    if consent["agreed"]:
        return "agreed to undo what was shown"
    return "did not agree, so nothing was undone"


def _level_text(level: str) -> str:
    return Level(level).counts if level in set(Level) else level


def _settings(body: Mapping[str, Any]) -> str:
    least = body.get("min_peak")
    peak = "the board's own threshold" if least is None else f"hits from peak {least} on"
    lock_us = body.get("lock_us")
    lock = "" if lock_us is None else f", lock {lock_us // 1000} ms"
    return f"hold {body['hold_us'] // 1000} ms, trigger and hit within {body['window_us'] // 1000} ms, {peak}{lock}"


_FIRST_CLAUSE = re.compile(r"[:.;,(]")
_BOARD_SETTINGS = {
    "hit_threshold": "threshold {:g}",
    "hit_scan_us": "scan {:g} ms",
    "hit_mask_us": "mask {:g} ms",
    "lock_us": "lock {:g} ms",
    "glitch_us": "glitch {:g} ms",
}


def of_board(body: Mapping[str, Any]) -> str:
    """Return the settings of a board as text, times in milliseconds; a foreign record need not have
    all of them."""
    settings: list[str] = []
    for name, template in _BOARD_SETTINGS.items():
        value = body.get(name)
        if isinstance(value, int):
            settings.append(template.format(value / 1000 if name.endswith("_us") else value))
    return ", ".join(settings) or "unknown"


_HELD_UP = {"edges": ("change", "of its buttons"), "samples": ("sample", "of the hit sensor")}


def of_overrun(entry: Entry, channels: Mapping[str, str]) -> str:
    """Return what an `overrun` reports: what the board read too late, or which input it muted or
    reads again."""
    muting = muting_of(entry, channels)
    if muting is not None:
        return muting.logged
    source = named_source(entry.body, channels)["source"]
    if source == TESTED:
        ms = round(((entry.t_us or 0) - entry.body["first_us"]) / 1000)
        return f"the board tested the hit sensor's pin for {ms} ms, because the plug went in: no hit was read meanwhile"
    if source not in _HELD_UP:
        return f"the board lost something that this companion does not know ({source}): update it"
    what, whose = _HELD_UP[source]
    return f"the board was too slow and lost at least {plural(entry.body['count'], what)} {whose}"


def evidence_text(entry: Entry, channels: Mapping[str, str]) -> str:
    """Return a piece of evidence as a sentence. `channels` are those of the board's HELLO, by their
    numbers as text."""
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
            return f"the board has the session's settings: {of_board(body)}"
        case "config":
            known = f": {of_board(body)}" if "hit_threshold" in body else ""
            return f"the board has other settings than the session and is being set{known}"
        case "boot":
            return boot_sentence(body)
    return str(body["text"])


def _of_status(body: Mapping[str, Any]) -> str:
    """Return the line of the log for an event of a status contact (the gun's plug)."""
    kind = kind_named(str(body["channel"]))
    assert kind is not None
    sentence = kind.closed if body["flags"] & PRESSED else kind.open
    return sentence[0].lower() + sentence[1:].rstrip(".")


def _has_line(entry: Entry) -> bool:
    if is_lost(entry):
        return bool(entry.n == entry.body["from"])
    if entry.layer is Layer.CONTROL:
        return entry.kind not in _SILENT
    if entry.layer is Layer.FACT:
        return True
    match entry.kind:
        case "state":
            return bool(entry.body["flags"] & ARMED)
        case "config":
            return bool(entry.body["told"]) or not entry.body["of_session"]
        case "event":
            kind = kind_named(str(entry.body.get("channel")))
            return kind is not None and kind.status
    return entry.kind in ("hello", "gap", "overrun", "boot", "clash", "note")


def _kind(entry: Entry) -> LineKind:
    if entry.layer is Layer.FACT:
        return LineKind.FACT
    if entry.layer is Layer.EVIDENCE:
        return LineKind.BOARD
    return LineKind.IGNORED if entry.kind == Control.IGNORED else LineKind.RECORD
