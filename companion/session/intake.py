"""The way of evidence: from what the link hands over to entries of the record, and from entries to gestures.

Gestures are read from the record, never from the link: what a resumed session sees is what the live one saw.
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
"""The place of the third closing of a run, see `Edge.place`."""
NUMBERED = ("event", "state", "gap", "overrun")
RESET_REASONS = {0: "power on", 1: "watchdog", 2: "an exception", 3: "request"}
POWER_LOST = "the board lost power before it was decided"
REPLACED = "another board took over before it was decided"
# of a HELLO; it moves on from one HELLO to the next without being a contradiction
NEXT_SEQ = "next_seq"
BEFORE_ARMING = "pressed before this session began"
BEFORE_TAKING_OVER = "pressed before this board took over"


def hello_draft(hello: wire.Hello, boot_id: int) -> Draft:
    """Who the board is and how its channels are called; one entry for each boot."""
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
    """The board came back with another boot id: what happened in between is unknown."""
    body = {"previous": previous, "boot": boot_id}
    return Draft(Layer.EVIDENCE, "boot", body, BOARD, key=f"boot/{previous:04x}/{boot_id:04x}")


def note_draft(sentence: str) -> Draft:
    """What the link has to say about the board."""
    return Draft(Layer.EVIDENCE, "note", {"text": sentence}, BOARD)


def config_draft(configured: Configured) -> Draft:
    """What settings a boot of the board has from here on; without their values where nobody knows them."""
    body: dict[str, Any] = {} if configured.config is None else fields_of(configured.config)
    said = {"boot": configured.boot_id, "crc": configured.crc, "of_session": configured.of_session}
    return Draft(Layer.EVIDENCE, "config", {**body, **said, "told": configured.told}, BOARD)


def sync_draft(point: SyncPoint) -> Draft:
    """How the clocks lay to each other; host times are of the monotonic clock of this run of the companion."""
    body = {
        field: getattr(point, field)
        for field in ("epoch", "host_ns", "low_ns", "high_ns", "rtt_us")
    }
    return Draft(
        Layer.EVIDENCE, "sync", {"boot": point.boot_id, **body}, "companion", t_us=point.device_us
    )


def cue_draft(cue: CueGiven, boot_id: int) -> Draft:
    """When the board switched an output on, by its own clock; the same answer twice is one entry."""
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
    """One numbered message of the board as the record has it; its key, of uid, boot id and seq, is unique for ever.
    `promised_us` is up to where everything of that boot was decided before it came."""
    message = evidence.message
    said: dict[str, Any] = {name: getattr(message, name) for name in message.FIELDS}
    t_us = said.pop("t_us") if isinstance(message, wire.Event | wire.State) else said.pop("last_us")
    if isinstance(message, wire.Event):
        said["channel"] = channels.get(message.channel, f"channel-{message.channel}")
    elif isinstance(message, wire.Overrun):
        said |= source_fields(message.source, channels)
        if said["source"] == MUTED and promised_us is not None:
            said[PROMISED] = promised_us
    body = {"boot": evidence.boot_id, "seq": evidence.seq, **said}
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
    """What records a fact, at the end of the record or right behind entry `after`."""
    t_us = fact.at.us if fact.at is not None else None
    return Draft(Layer.FACT, fact.kind, body_of(fact), actor, causes, after, t_us, key)


def read_draft(fact: Fact, evidence: tuple[int, ...], after: int | None = None) -> Draft:
    """What records a fact that was read from evidence."""
    return fact_draft(fact, BOARD, evidence, after=after, key=fact_key(fact.kind, evidence))


def clash_draft(draft: Draft, standing: Entry) -> Draft | None:
    """What to record when a message comes under a number that `standing` has; None when it is the same message.

    Its key holds a digest of what it says: one that comes again is the same clash.
    """
    if (standing.kind, standing.t_us, _said(standing.body)) == (
        draft.kind,
        draft.t_us,
        _said(draft.body),
    ):
        return None
    said = {**draft.body, "kind": draft.kind, "clash_with": standing.n}
    digest = hashlib.sha256(repr((draft.t_us, sorted(said.items()))).encode()).hexdigest()[:16]
    return replace(draft, kind="clash", body=said, key=f"{draft.key}/clash/{digest}")


def _said(body: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in body.items() if field not in (NEXT_SEQ, PROMISED)}


class Marks:
    """The highest number of each boot in a record, kept up to date entry by entry."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._boots: dict[int, None] = {}
        self._of_boots: dict[int, LastEvidence] = {}
        for entry in entries:
            self.read(entry)

    def read(self, entry: Entry) -> None:
        """Take in the next entry of a record."""
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
                # A boot keeps its place: the first seen stands first.
                self._of_boots[boot_id] = LastEvidence(_uid_in(entry.key), boot_id, seq)

    @property
    def last(self) -> LastEvidence | None:
        """What a resumed session knows of its board: the mark of its last boot; None where none has spoken."""
        if not self._of_boots:
            return None
        mark = list(self._of_boots.values())[-1]
        left = {
            each.uid: (each.boot_id, each.seq)
            for each in self._of_boots.values()
            if each.uid != mark.uid
        }
        return replace(
            mark, earlier=tuple(boot for boot in self._boots if boot != mark.boot_id), left=left
        )

    @property
    def boards(self) -> frozenset[int]:
        """The numbers of all boards that the session has had."""
        return frozenset(mark.uid for mark in self._of_boots.values())


def _first_of(taking_over: Entry) -> LastEvidence:
    """The mark of a board that has taken over and said nothing yet: it stands before its first number."""
    body = taking_over.body
    first_seq = body.get("first_seq")
    seq = first_seq - 1 if isinstance(first_seq, int) else 0
    return LastEvidence(_uid_in(str(body.get("uid"))), body["boot"], seq)


def _uid_in(key: str | None) -> int:
    """The board's uid in the key of its message, which tells it also where the HELLO is lost; 0 without one."""
    try:
        return int((key or "").partition("/")[0], 16)
    except ValueError:
        return 0


@dataclass(slots=True)
class Intake:
    """Turns evidence entries into gestures, one recognizer for each boot of the board.

    Events stamped before the session first armed the board stay evidence and are never read; nor are those that a board
    stamped before it took over, or while another one had taken its place.
    """

    settings: GestureSettings = field(default_factory=GestureSettings)
    readings: Sequence[tuple[int, GestureSettings]] = ()
    """Where the table has changed how evidence is read: behind which entry, and to what; it grows with the record. A
    press keeps the settings of its own place, whether it is read now or after a crash."""
    boot_id: int | None = None
    """The boot that speaks now; None before the first HELLO of the session."""
    marks: Marks = field(default_factory=Marks)
    """What is known of the board."""
    last_run: tuple[int, int] | None = None
    """The first closing and the last so far of the run of at least three that came last; None where there was none."""
    _thresholds: list[tuple[int, int, int | None]] = field(default_factory=list)
    # for each entry of the past whether something rests on it
    _consumed: bytearray = field(default_factory=bytearray)
    _meanings: dict[int, bool] = field(default_factory=dict)
    _hello: Mapping[str, Any] = field(default_factory=dict)  # what the board said of itself last
    # of the boot that was armed first; empty before
    _armed_from: dict[int, int] = field(default_factory=dict)
    # Boots with which another board took over, and from when each was armed; None: not yet.
    _took_over: dict[int, int | None] = field(default_factory=dict)
    _promised_us: dict[int, int] = field(default_factory=dict)  # by boot
    _waiting: list[Entry] = field(default_factory=list)
    _recognizers: dict[int, Recognizer] = field(default_factory=dict)
    # boot -> why what it left undecided is not read
    _ended: dict[int, str] = field(default_factory=dict)
    # By boot and channel: when the contact opened last; and its run, as the first press and the place of the last.
    _opened: dict[tuple[int, str], int] = field(default_factory=dict)
    # before a press; None where nobody saw it open
    _open_for_us: dict[int, int] = field(default_factory=dict)
    _run: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)
    # run and place of presses that are not the first
    _places: dict[int, tuple[int, int]] = field(default_factory=dict)

    def remember(self, past: Sequence[Entry]) -> None:
        """Take note of the next entries of a resumed session, all before any is taken in: what its facts rest on
        is not read again, and a press whose meaning it holds keeps that meaning."""
        self._consumed.extend(bytes(past[-1].n + 1 - len(self._consumed) if past else 0))
        for entry in past:
            if is_control(entry, Control.READ_AS):
                self._meanings[entry.body["entry"]] = entry.body["can_hold"]
            elif entry.layer is not Layer.EVIDENCE:
                for cause in entry.causes:
                    self._consumed[cause] = True

    def take(self, entries: Iterable[Entry]) -> Iterator[Unread]:
        """Take evidence entries in; yield what can never become a gesture, with the reason."""
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
        """Return up to where everything of that boot is decided; None where nobody knows."""
        return self._promised_us.get(boot_id)

    def meanings(self, proposed: Collection[int]) -> list[Draft]:
        """Return what to record before the state changes, so that no press changes its meaning when the record is read
        again: for each finger that is down, and each press that a waiting proposal rests on, whether a hold meant
        something when it came down."""
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
        """Whether an event may still mean something: not what the past made something of, but for a third closing,
        which tells what the second was; and where nothing waits to be decided, neither a release nor an echo."""
        if self._is_read(event):
            boot_id, decided_us = event.body["boot"], (event.t_us or 0) + CONFIRM_US
            self._promised_us[boot_id] = max(decided_us, self._promised_us.get(boot_id, decided_us))
            _, place = self._places.get(event.n, (0, 0))
            return place == THIRD
        recognizer = self._recognizers.get(event.body["boot"])
        return bool(
            is_press(event) or self._waiting or (recognizer is not None and recognizer.waits)
        )

    def _is_read(self, event: Entry) -> bool:
        """Whether the past made something of an event."""
        return event.n < len(self._consumed) and bool(self._consumed[event.n])

    def _is_of_an_input(self, entry: Entry) -> bool:
        """Whether an entry may decide what hands do: an edge that means something, or a channel that is muted."""
        if entry.kind != "event":
            return self._muting(entry) is not None
        kind = kind_named(entry.body["channel"])
        if kind is not None and kind.status:
            return False
        self._note_run(entry)
        return self._is_to_read(entry)

    def _muting(self, entry: Entry) -> Muting | None:
        return muting_of(entry, self._hello.get("channels", {}))

    def _note_run(self, event: Entry) -> None:
        """Note how a closing follows the last opening of its contact, also of events that are read already: a resumed
        session sees the run that the live one saw."""
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
        """Begin with the first ARMED that answers this session, or the board that took over: an older one may still be
        in its ring."""
        if entry.body["seq"] < self._hello.get(NEXT_SEQ, 0):
            return
        boot_id, t_us = entry.body["boot"], entry.t_us or 0
        if not self._armed_from:
            self._armed_from[boot_id] = t_us
        if boot_id in self._took_over and self._took_over[boot_id] is None:
            self._took_over[boot_id] = t_us

    def _why_unread(self, event: Entry) -> str | None:
        """Why an event is never read; empty where it is read, None where nobody can say yet."""
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
                # A channel that was muted before the session armed the board is muted still.
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
            pm_us, errors_us = (
                self._hello.get("stamp_error_us", 0),
                self._hello.get("errors_us", {}),
            )
            self._recognizers[boot_id] = Recognizer(
                clock_name(boot_id), pm_us, self.settings, errors_us
            )
        return self._recognizers[boot_id]

    def _settings_of(self, entry: Entry) -> GestureSettings | None:
        changed = next((settings for n, settings in reversed(self.readings) if n < entry.n), None)
        # of a weak hit alone the board's own threshold is told
        if not entry.body["flags"] & wire.BELOW_THRESHOLD:
            return changed
        boot_id = entry.body["boot"]
        told = (
            known
            for n, boot, known in reversed(self._thresholds)
            if boot == boot_id and n < entry.n
        )
        threshold = next(told, None)
        return (
            changed
            if threshold is None
            else replace(changed or self.settings, board_threshold=threshold)
        )

    def _end(self, boot_id: int, why: str) -> Iterator[Unread]:
        yield from self._feed_waiting()
        self._ended[boot_id] = why
        yield from self._feed_waiting()
        recognizer = self._recognizers.pop(boot_id, None)
        if recognizer is not None:
            yield from recognizer.close(why)


def _unread(events: list[Entry], reason: str) -> Iterator[Unread]:
    """One answer for all presses among `events`; a release or an echo means nothing by itself."""
    presses = tuple(entry.n for entry in events if is_press(entry))
    if presses:
        yield Unread(presses, reason)


def edge(
    entry: Entry, can_hold: bool | None = None, settings: GestureSettings | None = None
) -> Edge:
    """Read an `event` entry as an edge."""
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
