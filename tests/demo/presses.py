"""What the players of a demo really did, held against the record: each press once, or known to be missing."""

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
    """One press or hit that was really made: on which start of the board, counted from 1, and that start's boot id; the
    channel, and the board's time of its first edge."""

    start: int
    boot_id: int
    channel: str
    t_us: int


class Witness(Hands):
    """Hands that remember in `made` every press and hit that they played; mixed into a board."""

    made: list[Press]

    def play(self, edges: Iterable[physics.Edge]) -> int:
        """Play raw edges, and remember the presses in them."""
        edges = list(edges)
        played = self.hand_over(edges)
        self.made += [
            Press(played.start, played.boot_id, channel, played.base_us + dt_us)
            for dt_us, channel in presses_in(edges)
        ]
        return played.base_us


class WitnessedBoard(Witness, VirtualBoard):
    """A virtual board whose presses are remembered."""

    def __init__(self, address: str, process: subprocess.Popen[bytes] | None, seed: int) -> None:
        super().__init__(address, process, seed)
        self.made = []


def presses_in(edges: Sequence[physics.Edge]) -> list[tuple[int, str]]:
    """Return when, and on which channel, presses and hits begin among raw edges: bounces are none."""
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
    """Where each press that was made is found: in the record, in the range of a GAP, in an interval that the record
    shows as unknown, more than once, or nowhere."""

    recorded: list[Press] = field(default_factory=list)
    in_gaps: list[Press] = field(default_factory=list)
    unknown: list[Press] = field(default_factory=list)
    twice: list[Press] = field(default_factory=list)
    lost: list[Press] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing was lost and nothing came twice."""
        return not self.twice and not self.lost

    def sentence(self) -> str:
        """Return the account in one line."""
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
    """The evidence of a session, ready to be asked about presses."""

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
        """Return the entries with that press; one, if all is well."""
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
        """Whether the record says that what the boot of that press did last is unknown."""
        return press.boot_id in self._ended or (
            press.boot_id not in self._met and bool(self._ended)
        )

    def account(self, made: Iterable[Press]) -> Account:
        """Return where each press is found. One is excused by a restart of the board only if nothing that came later on
        the same boot was recorded, and by a GAP only as far as its count goes."""
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
        """Whether no fact rests on these presses, and none can any more: each was not counted, or is known to be
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
