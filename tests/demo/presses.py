"""The actual presses of a demo's players, compared with the record: each press once, or known to be missing."""

from __future__ import annotations

import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from companion.journal.entries import Control, Entry, Layer
from companion.link.order import BOOT_MASK
from firmware_protocol.board.words import EDGE_ERROR_US
from firmware_protocol.messages import PRESSED
from firmware_protocol.virtual import physics
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.hands import Hands

# A hit is reported once its scan is over, and so behind presses that were stamped later (PROTOCOL.md, Settings).
REPORTED_WITHIN_US = 10_000
# Longer than a contact bounces or a piezo rests between two waves, shorter than any two presses are apart.
QUIET_US = 8_000


@dataclass(frozen=True, slots=True)
class Press:
    """One press or hit that was really made.

    It has the start of the board it was on, counted from 1, with that start's boot id; the channel; and the board's
    time of its first edge.
    """

    start: int
    boot_id: int
    channel: str
    t_us: int


class PressRecorder(Hands):
    """Hands that record in `made` every press and hit they play; mixed into a board."""

    made: list[Press]

    def play(self, edges: Iterable[physics.Edge]) -> int:
        """Play raw edges, and record the presses in them."""
        edges = list(edges)
        played = self.hand_over(edges)
        self.made += [
            Press(played.start, played.boot_id, channel, played.base_us + dt_us)
            for dt_us, channel in presses_in(edges)
        ]
        return played.base_us


class RecordedBoard(PressRecorder, VirtualBoard):
    """A virtual board whose presses are recorded."""

    def __init__(self, address: str, process: subprocess.Popen[bytes] | None, seed: int) -> None:
        super().__init__(address, process, seed)
        self.made = []


def presses_in(edges: Sequence[physics.Edge]) -> list[tuple[int, str]]:
    """Return when, and on which channel, presses and hits begin among raw edges; bounces do not count."""
    begun: list[tuple[int, str]] = []
    last_us: dict[str, int] = {}
    for dt_us, channel, level in sorted(edges, key=lambda edge: edge[0]):
        if channel == physics.HIT_ADC:
            continue
        if level and dt_us - last_us.get(channel, -QUIET_US) >= QUIET_US:
            begun.append((dt_us, channel))
        last_us[channel] = dt_us
    return begun


@dataclass(slots=True)
class Account:
    """Where each press is found: in the record, in the range of a GAP, in an interval shown as unknown, twice, or
    nowhere."""

    recorded: list[Press] = field(default_factory=list)
    in_gaps: list[Press] = field(default_factory=list)
    unknown: list[Press] = field(default_factory=list)
    twice: list[Press] = field(default_factory=list)
    lost: list[Press] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """True if no press was lost and none is in the record twice."""
        return not self.twice and not self.lost

    def sentence(self) -> str:
        """The account in one line."""
        total = sum(map(len, (self.recorded, self.in_gaps, self.unknown, self.twice, self.lost)))
        parts = [f"{len(self.recorded)} in the record once each"]
        if self.in_gaps:
            parts.append(f"{len(self.in_gaps)} counted by a gap")
        if self.unknown:
            parts.append(f"{len(self.unknown)} in time shown as unknown")
        if not self.good:
            parts.append(f"{len(self.twice)} TWICE, {len(self.lost)} LOST")
        outcome = "nothing was lost" if self.good else "this must not happen"
        return f"{total} presses and hits: {', '.join(parts)}; {outcome}."


class Record:
    """The evidence of a session, indexed for questions about presses."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._presses: dict[tuple[int, str], list[Entry]] = defaultdict(list)
        self._gaps: list[Entry] = []
        self._ended: set[int] = set()
        self._met: set[int] = set()
        for entry in entries:
            if entry.layer is Layer.EVIDENCE:
                self._take(entry)

    def _take(self, entry: Entry) -> None:
        body = entry.body
        if (
            entry.kind in ("event", "clash")
            and body.get("flags", 0) & PRESSED
            and "channel" in body
        ):
            self._presses[body["boot"] & BOOT_MASK, body["channel"]].append(entry)
        elif entry.kind == "gap":
            self._gaps.append(entry)
        elif entry.kind == "boot":
            self._ended.add(body["previous"] & BOOT_MASK)
        elif entry.kind == "hello":
            self._met.add(body["boot"] & BOOT_MASK)

    def entries_of(self, press: Press) -> list[Entry]:
        """Return the entries with that press; there should be one."""
        entries = self._presses[press.boot_id, press.channel]
        return [entry for entry in entries if abs((entry.t_us or 0) - press.t_us) <= EDGE_ERROR_US]

    def gap_of(self, press: Press) -> int | None:
        """Return the number of the GAP whose range holds that press."""
        for entry in self._gaps:
            same = entry.body["boot"] & BOOT_MASK == press.boot_id
            if same and entry.body["first_us"] <= press.t_us <= (entry.t_us or 0):
                return entry.n
        return None

    def shows_unknown_after(self, press: Press) -> bool:
        """Return whether the record shows that the end of that press's boot is unknown."""
        return press.boot_id in self._ended or (
            press.boot_id not in self._met and bool(self._ended)
        )

    def account(self, made: Iterable[Press]) -> Account:
        """Return where each press is found.

        A restart excuses a press only if nothing later of the same boot was recorded, and a GAP only as many as its
        count.
        """
        account = Account()
        missing: list[Press] = []
        latest_us: dict[int, int] = {}
        for press in made:
            count = len(self.entries_of(press))
            {0: missing, 1: account.recorded}.get(count, account.twice).append(press)
            if count:
                latest_us[press.start] = max(latest_us.get(press.start, 0), press.t_us)
        room = Counter({entry.n: entry.body["count"] for entry in self._gaps})
        for press in missing:
            gap = self.gap_of(press)
            if gap is not None and room[gap] > 0:
                room[gap] -= 1
                account.in_gaps.append(press)
            elif self.shows_unknown_after(
                press
            ) and press.t_us + REPORTED_WITHIN_US > latest_us.get(press.start, 0):
                account.unknown.append(press)
            else:
                account.lost.append(press)
        return account

    def came_to_nothing(self, presses: Sequence[Press]) -> bool:
        """Return whether no fact is based on these presses, and none can be: each was not counted, or is known to be
        missing."""
        if not presses:
            return False
        numbers = {entry.n for press in presses for entry in self.entries_of(press)}
        missing = [press for press in presses if not self.entries_of(press)]
        if any(
            self.gap_of(press) is None and not self.shows_unknown_after(press) for press in missing
        ):
            return False
        ignored: set[int] = set()
        for entry in self.entries:
            if entry.layer is Layer.FACT and numbers.intersection(entry.causes):
                return False
            if entry.layer is Layer.CONTROL and entry.kind == Control.IGNORED:
                ignored.update(entry.causes)
        return numbers <= ignored
