"""The marshal's screen: the evidence as a time line beside the facts that were made of it. Pure."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from companion.journal.entries import CLOCK, Control, Entry, Layer, is_control
from companion.journal.fold import FoldOrder
from companion.rules.columns import plural
from companion.rules.facts import Moment, secret_kinds
from companion.rules.gestures import HIT, GestureSettings
from companion.session.accessories import CUE, LAMP_ERROR_US
from companion.session.clocks import clock_name
from companion.session.log import TABLES_WORD, evidence_text
from companion.session.muted import MutedInputs, Muting
from companion.session.projection import SessionProjection
from companion.session.tap_texts import tapped_text
from companion.session.views import Level
from firmware_protocol.messages import ARMED, BELOW_THRESHOLD, GLITCH, LATE, MASKED, PRESSED


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One piece of evidence: entry `n`, its text (`trigger down`, `hit, peak 212, below
    threshold`), when it was, and the entries that are based on it, empty if it had no effect.
    `number` is the one shown for it, None for its own."""

    n: int
    text: str
    at: Moment | None
    read_in: tuple[int, ...]
    number: int | None = None

    @property
    def shown(self) -> int:
        """The number that people see, which does not count private entries."""
        return self.n if self.number is None else self.number


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One fact in fold order, or evidence that was not counted (`kind` is `ignored`).

    `problem` is the clause it breaks and why, if it no longer makes sense; `why` and `who` are the
    reason and the person for its entry or removal. `body` is what an amendment starts from, empty
    if it is hidden. `original` is the fact that it replaces. `by_itself`: nobody entered it, it was
    due. `number`: see `EvidenceLine`. `tapped` says on which page's device it was entered, and when,
    empty if not on a page.
    """

    n: int
    kind: str
    body: Mapping[str, Any]
    text: str
    at: Moment | None
    causes: tuple[int, ...]
    stands: bool
    problem: str | None = None
    who: str = ""
    why: str = ""
    original: int | None = None
    by_itself: bool = False
    number: int | None = None
    tapped: str = ""

    @property
    def shown(self) -> int:
        """The number that people see, which does not count private entries."""
        return self.n if self.number is None else self.number


@dataclass(frozen=True, slots=True)
class MarshalView:
    """The evidence in the board's order, the rulings in fold order, how the evidence is read now,
    and the level of each kind of step by its name."""

    evidence: tuple[EvidenceLine, ...]
    rulings: tuple[RulingLine, ...]
    settings: GestureSettings
    levels: Mapping[str, Level]


_LOOKED_AT = 10  # entries for each line of `newest_evidence`: facts and controls are between


def marshal_view(record: SessionProjection, lock: threading.Lock | threading.RLock) -> MarshalView:
    """Return the view of a whole record, which may grow meanwhile, except while `lock` is held."""
    with lock:
        count, problems = len(record.entries), record.problems
        private = frozenset(n for n in range(1, count + 1) if record.is_private(n))
        settings, levels = record.settings, dict(record.levels)

    def sentence_of(n: int) -> str:
        with lock:
            return record.text(n)

    entries = record.entries[:count]
    board = _Board(_readers(entries))
    lines = sorted(filter(None, map(board.line, entries)), key=lambda placed: placed[0])
    rulings = _Rulings(entries, sentence_of, problems, secret_kinds(record.game.facts))
    evidence = (replace(line, number=record.number(line.n)) for _, line in lines)
    rulings_to_show = (line for line in rulings.lines(board.moments) if line.n not in private)
    numbered = (replace(line, number=record.number(line.n)) for line in rulings_to_show)
    return MarshalView(tuple(evidence), tuple(numbered), settings, levels)


def newest_evidence(entries: Sequence[Entry], most: int) -> tuple[str, ...]:
    """Return what the board reported last, newest first, at most `most` lines. It looks at the newest entries only, so
    it takes no longer on a long record."""
    texts = evidence_texts(entries[-_LOOKED_AT * most :])
    return tuple(reversed(texts[-most:]))


def evidence_texts(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return what the board reported in these entries; those that are no evidence have no text."""
    board = _Board({})
    return tuple(line[1].text for line in map(board.line, entries) if line is not None)


def _readers(entries: Iterable[Entry]) -> dict[int, list[int]]:
    """Return the facts and answers that are based on each entry."""
    readers: dict[int, list[int]] = defaultdict(list)
    for entry in entries:
        if entry.layer is Layer.FACT or is_control(entry, Control.IGNORED):
            for cause in entry.causes:
                readers[cause].append(entry.n)
    return readers


# -- the evidence


_Place = tuple[int, int, int]  # (rank of the boot, stamp, entry number)
_FLAGS = (
    (BELOW_THRESHOLD, "below threshold"),
    (MASKED, "echo of the hit before"),
    (GLITCH, "glitch"),
    (LATE, "late"),
)


@dataclass(slots=True)
class _Board:
    """Converts evidence to lines; tracks the boots, their channels and the errors of their stamps."""

    readers: Mapping[int, Sequence[int]]
    moments: dict[int, Moment] = field(default_factory=dict)
    _boots: dict[int, int] = field(default_factory=dict)
    _hellos: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    _thresholds: dict[int, int | None] = field(default_factory=dict)
    _latest: dict[int, int] = field(default_factory=dict)
    _boot_id: int = 0
    _muted: MutedInputs = field(default_factory=MutedInputs)

    def line(self, entry: Entry) -> tuple[_Place, EvidenceLine] | None:
        """Return the line of an entry and its place in the board's order, or None if it is not
        evidence."""
        if entry.layer is not Layer.EVIDENCE:
            return None
        self._muted.read((entry,))
        boot_id = self._boot_id = entry.body.get("boot", self._boot_id)
        if entry.kind == "hello":
            self._hellos[boot_id] = entry.body
        elif entry.kind == "config":
            self._thresholds[boot_id] = entry.body.get("hit_threshold")
        rank = self._boots.setdefault(boot_id, len(self._boots))
        latest = self._latest.get(boot_id, -1)
        t_us = latest if entry.t_us is None else entry.t_us
        self._latest[boot_id] = max(latest, t_us)
        at = self._moment(entry, boot_id)
        text, read_in = self._text(entry, boot_id), tuple(self.readers.get(entry.n, ()))
        return (rank, t_us, entry.n), EvidenceLine(entry.n, text, at, read_in)

    def _moment(self, entry: Entry, boot_id: int) -> Moment | None:
        if entry.t_us is None:
            return None
        hello = self._hellos.get(boot_id, {})
        pm_us = hello.get("errors_us", {}).get(
            entry.body.get("channel", ""), hello.get("stamp_error_us", 0)
        )
        if entry.kind == CUE:
            pm_us = max(pm_us, LAMP_ERROR_US)
        moment = Moment.model_construct(us=entry.t_us, pm=pm_us, clock=clock_name(boot_id))
        self.moments[entry.n] = moment
        return moment

    def _channels_of(self, boot_id: int) -> Mapping[str, str]:
        channels: Mapping[str, str] = self._hellos.get(boot_id, {}).get("channels", {})
        return channels

    def _text(self, entry: Entry, boot_id: int) -> str:
        body = entry.body
        match entry.kind:
            case "event":
                return _event(body, self._thresholds.get(boot_id))
            case "state":
                return _levels(body, self._channels_of(boot_id), self._muted.now)
            case "gap" | "overrun" | "boot" | "hello" | "config":
                return evidence_text(entry, self._channels_of(boot_id))
            case "sync":
                return f"the clocks are matched, give or take {(body['high_ns'] - body['low_ns']) / 2e6:.1f} ms"
            case "cue":
                return "the lamp is lit"
            case "clash":
                event = f": {_event(body)}" if body["kind"] == "event" else ""
                return f"clash: contradicts entry {body['clash_with']}, which counts{event}"
        return str(body.get("text", entry.kind))


def _event(body: Mapping[str, Any], threshold: int | None = None) -> str:
    flags, bounces = body["flags"], body["bounces"]
    marks: list[str] = []
    for flag, text in _FLAGS:
        if flags & flag:
            marks.append(text)
            if flag == BELOW_THRESHOLD and threshold is not None:
                marks[-1] += f" {threshold}"
    if body["channel"] != HIT:
        parts = [f"{body['channel']} {'pressed' if flags & PRESSED else 'released'}"]
        if bounces:
            parts.append(plural(bounces, "bounce"))
        return ", ".join((*parts, *marks))
    parts = ["hit", "no peak read"]
    if body["peak"] or flags & BELOW_THRESHOLD:
        parts[1] = f"peak {body['peak']}"
    if bounces:
        parts.append(f"{bounces} us wide")
    return ", ".join((*parts, *marks))


def _levels(body: Mapping[str, Any], channels: Mapping[str, str], muted: Iterable[Muting]) -> str:
    down: list[str] = []
    for number in range(body["levels"].bit_length()):
        if body["levels"] >> number & 1:
            down.append(channels.get(str(number), f"channel-{number}"))
    text = "armed" if body["flags"] & ARMED else "the contacts"
    text += f", pressed: {', '.join(down)}" if down else ", nothing pressed"
    unknown = ", ".join(muting.channel for muting in muted)
    if unknown:
        text += f"; unknown: {unknown}"
    return text


# -- the rulings


class _Rulings:
    """The facts of a record in fold order, with remarks, and which fact replaces which."""

    def __init__(
        self,
        entries: Sequence[Entry],
        sentence_of: Callable[[int], str],
        problems: Mapping[int, Exception],
        secret: Collection[str],
    ) -> None:
        self._entries, self._sentence_of = entries, sentence_of
        self._problems, self._secret = problems, secret
        self._order = FoldOrder()
        self._remarks: dict[int, Mapping[str, Any]] = {}
        self._taps: dict[int, Entry] = {}  # fact or void -> the tap that made it
        self._originals: dict[int, int] = {}
        step: set[int] = set()  # the facts that the current step takes back
        for entry in entries:
            self._order.add(entry)
            if not entry.joined:
                step.clear()
            if is_control(entry, Control.VOID):
                step.add(entry.body["entry"])
            elif is_control(entry, Control.REMARK):
                self._remarks.update(dict.fromkeys(entry.body["entries"], entry.body))
            elif is_control(entry, Control.TAPPED):
                self._taps.update(dict.fromkeys(entry.body["entries"], entry))
            elif entry.layer is Layer.FACT and entry.key is None and entry.after in step:
                self._originals[entry.n] = entry.after

    def lines(self, moments: Mapping[int, Moment]) -> Iterator[RulingLine]:
        """Yield the facts in fold order, and ignored evidence at the place where its fact would be."""
        unread: dict[int, list[RulingLine]] = defaultdict(list)  # before the fact at that index
        for entry in self._entries:
            if is_control(entry, Control.IGNORED):
                at = next((moments[cause] for cause in entry.causes if cause in moments), None)
                line = RulingLine(
                    entry.n,
                    entry.kind,
                    entry.body,
                    entry.body["reason"],
                    at,
                    entry.causes,
                    stands=True,
                )
                unread[self._order.index_of(entry.n)].append(line)
        for index, n in enumerate(self._order.facts):
            yield from unread[index]
            yield self._line(self._entries[n - 1])
        yield from unread[len(self._order.facts)]

    def _line(self, fact: Entry) -> RulingLine:
        body = {} if fact.kind in self._secret else fact.body
        stands = self._order.stands(fact.n)
        problem = None
        if stands and fact.n in self._problems:
            problem = str(self._problems[fact.n])
        who, why = self._reason_of(fact.n)
        return RulingLine(
            fact.n, fact.kind, body, self._sentence_of(fact.n), _at(fact.body), fact.causes,
            stands, problem, who, why, self._originals.get(fact.n), by_itself=fact.actor == CLOCK,
            tapped=self._tapped(fact.n),
        )  # fmt: skip

    def _tapped(self, n: int) -> str:
        """Return where and when fact `n` was tapped, empty if it was not."""
        tap = self._taps.get(n)
        return "" if tap is None else tapped_text(tap)

    def _reason_of(self, n: int) -> tuple[str, str]:
        """Return who entered fact `n` or took it back, and why, if recorded."""
        standing = [
            self._entries[void - 1] for void in self._order.voids_of(n) if self._order.stands(void)
        ]
        body = self._remarks.get(n, {})
        if standing:
            void = standing[-1]
            body = {**void.body, **self._remarks.get(void.n, {})}
        why = str(body.get("why") or body.get("reason", ""))
        if why == TABLES_WORD:  # the default reason, which says nothing
            why = ""
        return str(body.get("who", "")), why


def _at(body: Mapping[str, Any]) -> Moment | None:
    try:
        return Moment.model_validate(body["at"]) if body.get("at") is not None else None
    except ValidationError:  # in a foreign record; the fact is listed with its own problem
        return None
