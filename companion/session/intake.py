"""The path of evidence: from the link's messages to entries of the record, and from entries to
gestures.

Gestures are read from the record, never from the link: a resumed session sees exactly what the live
one saw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from companion.journal.entries import Control, Draft, Entry, Layer, is_control
from companion.link.evidence import Evidence, LastEvidence
from companion.link.settings import fields_of
from companion.rules.facts import Fact, body_of
from companion.rules.gestures import HIT, Gesture, GestureSettings
from companion.session.accessories import CUE
from companion.session.board_tests import IN_TEST, BoardTests
from companion.session.clocks import clock_name
from companion.session.muted import MUTED, PROMISED, Muting, muting_of, source_fields
from companion.session.readings import fact_key, is_press
from companion.session.recognizer import CONFIRM_US, SECOND_PRESS_US, Edge, Recognizer, Unread
from companion.session.spare_board import took_over
from firmware_protocol import messages as wire
from firmware_protocol.channels import kind_named

if TYPE_CHECKING:
    from companion.link.events import Configured, CueGiven
    from companion.link.sync import SyncPoint

BOARD = "board"
THIRD = 2
"""The place of the third closing of a run; see `Edge.place`."""
NUMBERED = ("event", "state", "gap", "overrun")
RESET_REASONS = {0: "power on", 1: "watchdog", 2: "an exception", 3: "request"}
POWER_LOST = "the board lost power before it was decided"
REPLACED = "another board took over before it was decided"
# A field of HELLO that changes from one HELLO to the next without being a contradiction.
NEXT_SEQ = "next_seq"
BEFORE_ARMING = "pressed before this session began"
BEFORE_TAKING_OVER = "pressed before this board took over"


def hello_draft(hello: wire.Hello, boot_id: int) -> Draft:
    """Return the draft that records which board it is and the names of its channels; one entry for
    each boot."""
    body = {
        "uid": f"{hello.uid:016x}",
        "boot": boot_id,
        "board": hello.board,
        "firmware": hello.firmware,
        "protocol": f"{hello.major}.{hello.minor}",
        "reset": RESET_REASONS.get(hello.reset_reason, f"reason {hello.reset_reason}"),
        "stamp_error_us": hello.stamp_error_us,
        "errors_us": {channel.name: hello.error_us(channel.id) for channel in hello.channels},
        NEXT_SEQ: hello.next_seq,
        "channels": {str(channel.id): channel.name for channel in hello.channels},
    }
    return Draft(Layer.EVIDENCE, "hello", body, BOARD, key=f"{hello.uid:x}/{boot_id:04x}/hello")


def boot_draft(previous: int, boot_id: int) -> Draft:
    """Return the draft for a board that restarted with another boot id: what happened in between is
    unknown."""
    body = {"previous": previous, "boot": boot_id}
    return Draft(Layer.EVIDENCE, "boot", body, BOARD, key=f"boot/{previous:04x}/{boot_id:04x}")


def note_draft(sentence: str) -> Draft:
    """Return the draft for a sentence of the link about the board."""
    return Draft(Layer.EVIDENCE, "note", {"text": sentence}, BOARD)


def config_draft(configured: Configured) -> Draft:
    """Return the draft for the settings that a boot of the board has from here on, without their
    values if unknown."""
    body: dict[str, Any] = {} if configured.config is None else fields_of(configured.config)
    fields = {
        "boot": configured.boot_id,
        "crc": configured.crc,
        "of_session": configured.of_session,
    }
    return Draft(Layer.EVIDENCE, "config", {**body, **fields, "told": configured.told}, BOARD)


def sync_draft(point: SyncPoint) -> Draft:
    """Return the draft for an offset between the clocks; host times are of this run's monotonic
    clock."""
    body = {
        field: getattr(point, field)
        for field in ("epoch", "host_ns", "low_ns", "high_ns", "rtt_us")
    }
    return Draft(
        Layer.EVIDENCE, "sync", {"boot": point.boot_id, **body}, "companion", t_us=point.device_us
    )


def cue_draft(cue: CueGiven, boot_id: int) -> Draft:
    """Return the draft for an output that the board switched on, by the board's clock; a repeated
    answer has the same key."""
    body = {"boot": boot_id, "id": cue.id, "output": cue.output}
    return Draft(
        Layer.EVIDENCE,
        CUE,
        body,
        BOARD,
        t_us=cue.t_us,
        key=f"cue/{boot_id:04x}/{cue.id}/{cue.t_us}",
    )


def evidence_draft(
    evidence: Evidence, channels: Mapping[int, str], promised_us: int | None = None
) -> Draft:
    """Return the draft for a numbered message of the board. Its key, made of uid, boot id and seq,
    is unique forever. `promised_us` is the time up to which everything of that boot was decided
    before it arrived."""
    message = evidence.message
    fields: dict[str, Any] = {name: getattr(message, name) for name in message.FIELDS}
    # A gap and an overrun cover an interval; its end is their stamp.
    is_instant = isinstance(message, wire.Event | wire.State)
    t_us = fields.pop("t_us" if is_instant else "last_us")
    if isinstance(message, wire.Event):
        fields["channel"] = channels.get(message.channel, f"channel-{message.channel}")
    elif isinstance(message, wire.Overrun):
        fields |= source_fields(message.source, channels)
        if fields["source"] == MUTED and promised_us is not None:
            fields[PROMISED] = promised_us
    body = {"boot": evidence.boot_id, "seq": evidence.seq, **fields}
    key = f"{evidence.uid:x}/{evidence.boot_id:04x}/{evidence.seq}"
    return Draft(Layer.EVIDENCE, message.NAME.lower(), body, BOARD, t_us=t_us, key=key)


def fact_draft(
    fact: Fact,
    actor: str,
    causes: tuple[int, ...] = (),
    *,
    after: int | None = None,
    key: str | None = None,
) -> Draft:
    """Return the draft for a fact, at the end of the record or directly after entry `after`."""
    t_us = fact.at.us if fact.at is not None else None
    return Draft(Layer.FACT, fact.kind, body_of(fact), actor, causes, after, t_us, key)


def read_draft(fact: Fact, evidence: tuple[int, ...], after: int | None = None) -> Draft:
    """Return the draft for a fact that was read from evidence."""
    return fact_draft(fact, BOARD, evidence, after=after, key=fact_key(fact.kind, evidence))


def clash_draft(draft: Draft, standing: Entry) -> Draft | None:
    """Return the draft for a message with the number of another one, `standing`; None if it is the
    same message.

    Its key contains a digest of the content, so that the same clash is recorded once.
    """
    known = (standing.kind, standing.t_us, _comparable(standing.body))
    if known == (draft.kind, draft.t_us, _comparable(draft.body)):
        return None
    body = {**draft.body, "kind": draft.kind, "clash_with": standing.n}
    digest = hashlib.sha256(repr((draft.t_us, sorted(body.items()))).encode()).hexdigest()[:16]
    return replace(draft, kind="clash", body=body, key=f"{draft.key}/clash/{digest}")


def _comparable(body: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in body.items() if field not in (NEXT_SEQ, PROMISED)}


class Marks:
    """The highest number of each boot in a record, kept up to date entry by entry."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._boots: dict[int, None] = {}
        self._of_boots: dict[int, LastEvidence] = {}
        for entry in entries:
            self.read(entry)

    def read(self, entry: Entry) -> None:
        """Read the next entry of a record."""
        if entry.kind == "hello":
            self._boots[entry.body["boot"]] = None
        elif entry.kind == "boot" and took_over(entry.body):
            mark = _first_of(entry)
            self._boots[mark.boot_id] = None
            self._of_boots.setdefault(mark.boot_id, mark)
        elif entry.kind in NUMBERED:
            boot_id, seq = entry.body["boot"], entry.body["seq"]
            self._boots[boot_id] = None
            if boot_id not in self._of_boots or self._of_boots[boot_id].seq < seq:
                # Assigning to an existing key keeps its position, so boots stay in order of appearance.
                self._of_boots[boot_id] = LastEvidence(_uid_in(entry.key), boot_id, seq)

    @property
    def last(self) -> LastEvidence | None:
        """The mark of the last boot, from which a resumed session continues; None if there is none."""
        if not self._of_boots:
            return None
        mark = list(self._of_boots.values())[-1]
        left: dict[int, tuple[int, int]] = {}
        for other in self._of_boots.values():
            if other.uid != mark.uid:
                left[other.uid] = other.boot_id, other.seq
        earlier = tuple(boot_id for boot_id in self._boots if boot_id != mark.boot_id)
        return replace(mark, earlier=earlier, left=left)

    @property
    def boards(self) -> frozenset[int]:
        """The uids of all boards that the session has had."""
        return frozenset(mark.uid for mark in self._of_boots.values())


def _first_of(taking_over: Entry) -> LastEvidence:
    """Return the mark of a board that took over and has sent nothing yet: one before its first
    number."""
    body = taking_over.body
    first_seq = body.get("first_seq")
    seq = first_seq - 1 if isinstance(first_seq, int) else 0
    return LastEvidence(_uid_in(str(body.get("uid"))), body["boot"], seq)


def _uid_in(key: str | None) -> int:
    """Return the board's uid from the key of its message, which has it even if the HELLO is lost; 0
    without one."""
    try:
        return int((key or "").partition("/")[0], 16)
    except ValueError:
        return 0


@dataclass(slots=True)
class Intake:
    """Turns evidence entries into gestures, with one recognizer for each boot of the board.

    Events stamped before the session first armed the board remain evidence and are never read, nor
    are those that a board stamped before it took over, or while another one had replaced it, and
    presses for a test of the board.
    """

    settings: GestureSettings = field(default_factory=GestureSettings)
    readings: Sequence[tuple[int, GestureSettings]] = ()
    """Where the table changed how evidence is read: (entry, settings from then on); grows with the
    record. A press keeps the settings of its own place, whether it is read now or after a crash."""
    tests: BoardTests = field(default_factory=BoardTests)
    """When the board was tested; grows with the record."""
    boot_id: int | None = None
    """The boot that sends now; None before the first HELLO of the session."""
    marks: Marks = field(default_factory=Marks)
    """The last known number of each boot."""
    last_run: tuple[int, int] | None = None
    """The first and the last closing of the most recent run of at least three; None if there was
    none."""
    _thresholds: list[tuple[int, int, int | None]] = field(default_factory=list)
    # For each entry of the past, whether a fact or an answer is based on it.
    _consumed: bytearray = field(default_factory=bytearray)
    _meanings: dict[int, bool] = field(default_factory=dict)
    _hello: Mapping[str, Any] = field(default_factory=dict)  # the body of the last HELLO
    # The boot that was armed first -> its stamp; empty before.
    _armed_from: dict[int, int] = field(default_factory=dict)
    # The boots of boards that took over -> the stamp from which each was armed; None: not yet.
    _took_over: dict[int, int | None] = field(default_factory=dict)
    # Boot -> time up to which everything is decided.
    _promised_us: dict[int, int] = field(default_factory=dict)
    _waiting: list[Entry] = field(default_factory=list)
    _recognizers: dict[int, Recognizer] = field(default_factory=dict)
    # Boot -> why events that it left undecided are not read.
    _ended: dict[int, str] = field(default_factory=dict)
    # (boot, channel) -> when the contact last opened.
    _opened: dict[tuple[int, str], int] = field(default_factory=dict)
    # Press -> how long its contact had been open before; missing if its opening was not reported.
    _open_for_us: dict[int, int] = field(default_factory=dict)
    # (boot, channel) -> the current run: its first press, and the place of its last.
    _run: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)
    # Press that is not the first of its run -> the first press, and its own place.
    _places: dict[int, tuple[int, int]] = field(default_factory=dict)

    def remember(self, past: Sequence[Entry]) -> None:
        """Read the entries of a resumed session, all before any of them is taken: evidence on which
        a fact is based is not read again, and a press with a recorded meaning keeps it."""
        if past:
            self._consumed.extend(bytes(past[-1].n + 1 - len(self._consumed)))
        for entry in past:
            if is_control(entry, Control.READ_AS):
                self._meanings[entry.body["entry"]] = entry.body["can_hold"]
            elif entry.layer is not Layer.EVIDENCE:
                for cause in entry.causes:
                    self._consumed[cause] = True

    def take(self, entries: Iterable[Entry]) -> Iterator[Unread]:
        """Take evidence entries; yield those that can never become a gesture, with the reason."""
        for entry in entries:
            self.marks.read(entry)
            if entry.kind == "hello":
                self.boot_id = entry.body["boot"]
                self._hello = entry.body
            elif entry.kind == "boot":
                why = REPLACED if took_over(entry.body) else POWER_LOST
                yield from self._end(entry.body["previous"], why)
                if took_over(entry.body):
                    self._took_over[entry.body["boot"]] = None
            elif entry.kind == "state" and entry.body["flags"] & wire.ARMED:
                self._arm(entry)
            elif entry.kind == "config":
                self._thresholds.append(
                    (entry.n, entry.body["boot"], entry.body.get("hit_threshold"))
                )
            elif self._is_of_an_input(entry):
                self._waiting.append(entry)
        if self._armed_from:
            yield from self._feed_waiting()

    def advance(
        self, boot_id: int, settled_us: int, hold_means: Callable[[str], bool]
    ) -> Iterator[Gesture | Unread]:
        """Yield what is decided up to the watermark of that boot; see `Recognizer.advance`."""
        self._promised_us[boot_id] = max(settled_us, self._promised_us.get(boot_id, settled_us))
        recognizer = self._recognizers.get(boot_id)
        if recognizer is not None:
            yield from recognizer.advance(settled_us, hold_means)

    def promised_us(self, boot_id: int) -> int | None:
        """Return the time up to which everything of that boot is decided, or None if unknown."""
        return self._promised_us.get(boot_id)

    def meanings(self, proposed: Collection[int]) -> list[Draft]:
        """Return the drafts to record before the state changes, so that no press gets another
        meaning when the record is read again: for each pressed button, and each press that a
        proposal is based on, whether a hold meant something when it was pressed."""
        return [
            Draft(
                Layer.CONTROL,
                Control.READ_AS,
                {"entry": n, "can_hold": can_hold},
                key=f"read-as:{n}",
            )
            for recognizer in self._recognizers.values()
            for n, can_hold in recognizer.meanings(proposed).items()
        ]

    def _is_to_read(self, event: Entry) -> bool:
        """Return whether an event may still matter. One that the past already used does not, except
        a third closing, which shows what the second one was. While nothing is undecided, releases
        and echoes do not matter either."""
        if self._is_read(event):
            boot_id, decided_us = event.body["boot"], (event.t_us or 0) + CONFIRM_US
            self._promised_us[boot_id] = max(decided_us, self._promised_us.get(boot_id, decided_us))
            _, place = self._places.get(event.n, (0, 0))
            return place == THIRD
        recognizer = self._recognizers.get(event.body["boot"])
        is_undecided = bool(self._waiting) or (recognizer is not None and recognizer.waits)
        return is_press(event) or is_undecided

    def _is_read(self, event: Entry) -> bool:
        """Return whether the past already used an event."""
        return event.n < len(self._consumed) and bool(self._consumed[event.n])

    def _is_of_an_input(self, entry: Entry) -> bool:
        """Return whether an entry may change a gesture: an edge that matters, or a muted channel."""
        if entry.kind != "event":
            return self._muting(entry) is not None
        kind = kind_named(entry.body["channel"])
        if kind is not None and kind.status:
            return False
        if not self._is_of_test(entry):
            self._note_run(entry)
        return self._is_to_read(entry)

    def _is_of_test(self, event: Entry) -> bool:
        """Return whether this is a press for a test of the board. A release never is: the press before it may count."""
        return is_press(event) and self.tests.covers(event.body["boot"], event.t_us or 0)

    def _muting(self, entry: Entry) -> Muting | None:
        return muting_of(entry, self._hello.get("channels", {}))

    def _note_run(self, event: Entry) -> None:
        """Track how soon a closing follows the last opening of its contact, also for events that
        are already read, so that a resumed session sees the same runs as the live one."""
        contact, t_us = (event.body["boot"], event.body["channel"]), event.t_us or 0
        if event.body["channel"] == HIT:
            return
        if not event.body["flags"] & wire.PRESSED:
            self._opened[contact] = t_us
            return
        opened_us = self._opened.pop(contact, None)
        if opened_us is not None:
            self._open_for_us[event.n] = t_us - opened_us
        soon = opened_us is not None and t_us - opened_us < SECOND_PRESS_US
        if not soon or contact not in self._run:
            self._run[contact] = event.n, 0
            return
        first, place = self._run[contact]
        self._run[contact] = self._places[event.n] = first, place + 1
        if place:
            self.last_run = first, event.n

    def _arm(self, entry: Entry) -> None:
        """Start with the first ARMED that answers this session, or that of the board that took
        over; an older one may still be in the board's ring."""
        if entry.body["seq"] < self._hello.get(NEXT_SEQ, 0):
            return
        boot_id, t_us = entry.body["boot"], entry.t_us or 0
        if not self._armed_from:
            self._armed_from[boot_id] = t_us
        if boot_id in self._took_over and self._took_over[boot_id] is None:
            self._took_over[boot_id] = t_us

    def _why_unread(self, event: Entry) -> str | None:
        """Return why an event is never read; empty if it is read, None if that is not known yet."""
        boot_id, t_us = event.body["boot"], event.t_us or 0
        ended = self._ended.get(boot_id, "")
        if boot_id in self._took_over:
            from_us = self._took_over[boot_id]
            if from_us is None and not ended:
                return None
            if from_us is None or t_us < from_us:
                return BEFORE_TAKING_OVER
        elif not self._armed_from or t_us < self._armed_from.get(boot_id, 0):
            return BEFORE_ARMING
        if not ended and self._is_of_test(event):
            return IN_TEST
        return ended

    def _feed_waiting(self) -> Iterator[Unread]:
        waiting, self._waiting = self._waiting, []
        unread: dict[str, list[Entry]] = {}
        for entry in waiting:
            boot_id = entry.body["boot"]
            why = self._why_unread(entry)
            muting = self._muting(entry)
            if why is None:
                self._waiting.append(entry)
            elif muting is not None:
                # Not dropped like edges from before arming: the channel is still muted.
                if boot_id not in self._ended:
                    self._recognizer(boot_id).mute(muting)
            elif why and self._is_read(entry):
                continue
            elif why:
                unread.setdefault(why, []).append(entry)
            else:
                read = edge(entry, self._meanings.get(entry.n), self._settings_of(entry))
                lock_us = (read.settings or self.settings).lock_us
                if lock_us is not None and self._open_for_us.get(entry.n, lock_us) < lock_us:
                    read = replace(read, locked=True)
                self._open_for_us.pop(entry.n, None)
                if entry.n in self._places:
                    first, place = self._places.pop(entry.n)
                    read = replace(read, place=place, run_from=first, read=self._is_read(entry))
                self._recognizer(boot_id).feed(read)
        for why, events in unread.items():
            yield from _unread(events, why)

    def _recognizer(self, boot_id: int) -> Recognizer:
        if boot_id not in self._recognizers:
            pm_us = self._hello.get("stamp_error_us", 0)
            errors_us = self._hello.get("errors_us", {})
            self._recognizers[boot_id] = Recognizer(
                clock_name(boot_id), pm_us, self.settings, errors_us
            )
        return self._recognizers[boot_id]

    def _settings_of(self, entry: Entry) -> GestureSettings | None:
        changed: GestureSettings | None = None
        for n, settings in reversed(self.readings):
            if n < entry.n:
                changed = settings
                break
        # Only for a hit below the board's threshold does its value matter.
        if not entry.body["flags"] & wire.BELOW_THRESHOLD:
            return changed
        threshold = self._threshold_before(entry)
        if threshold is None:
            return changed
        return replace(changed or self.settings, board_threshold=threshold)

    def _threshold_before(self, entry: Entry) -> int | None:
        """Return the hit threshold that the board of an event reported last; None if unknown."""
        for n, boot_id, threshold in reversed(self._thresholds):
            if boot_id == entry.body["boot"] and n < entry.n:
                return threshold
        return None

    def _end(self, boot_id: int, why: str) -> Iterator[Unread]:
        # First the events that can still be read; once the boot is marked as ended, the second call
        # yields the others as unread.
        yield from self._feed_waiting()
        self._ended[boot_id] = why
        yield from self._feed_waiting()
        recognizer = self._recognizers.pop(boot_id, None)
        if recognizer is not None:
            yield from recognizer.close(why)


def _unread(events: list[Entry], reason: str) -> Iterator[Unread]:
    """Yield one answer for all presses among `events`; a release or an echo means nothing by
    itself."""
    presses = tuple(entry.n for entry in events if is_press(entry))
    if presses:
        yield Unread(presses, reason)


def edge(
    entry: Entry, can_hold: bool | None = None, settings: GestureSettings | None = None
) -> Edge:
    """Return an `event` entry as an edge."""
    flags = entry.body["flags"]
    return Edge(
        entry.n,
        entry.body["channel"],
        bool(flags & wire.PRESSED),
        entry.t_us or 0,
        peak=entry.body["peak"],
        masked=bool(flags & wire.MASKED),
        below_threshold=bool(flags & wire.BELOW_THRESHOLD),
        glitch=bool(flags & wire.GLITCH),
        can_hold=can_hold,
        settings=settings,
    )
