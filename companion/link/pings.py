"""When to PING, and which PONG proves what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_MS = 1_000_000
# Sixteen samples at once, so that the clocks are matched within half a second of connecting.
BURST = 16
BURST_NS = 20 * _MS
ARMED_NS = 100 * _MS
# A table that has been quiet for so long (no hold takes longer) is asked half as often: each PING costs a tenth of a
# percent of a core. Slower still, and fewer than 95 of 100 mapped times would be right to 200 us on USB frames of 1 ms.
QUIET_NS = 200 * _MS
QUIET_AFTER_NS = 3_000 * _MS
IDLE_NS = 500 * _MS
# A PING or its PONG was lost: the next comes as soon as this, so that a wire that loses frames is not taken for silent.
AGAIN_NS = 100 * _MS
# After an event the watermark is wanted soon: a tap waits for the next PONG, a shot for the first one behind its window
# of 30 ms. So each event is followed closely for a while, unless the board says SETTLED by itself.
FOLLOW_NS = 5 * _MS
FOLLOW_FOR_NS = 50 * _MS
# +-20 %: a fixed period could lock to the 1 ms frames of USB and see the same delay every time.
JITTER = 0.4
# A PONG later than this is as good as lost.
FORGET_NS = 2_000 * _MS


@dataclass(slots=True)
class _Outstanding:
    sent_ns: int
    clean: bool = True


class Pinger:
    """The schedule of one connection; `jitter` returns a number in [0, 1)."""

    def __init__(self, jitter: Callable[[], float]) -> None:
        self._jitter = jitter
        self._burst = 0
        self._id = 0
        self._outstanding: dict[int, _Outstanding] = {}
        self._slow_ns = 0
        self._follow_until_ns = 0
        self._quiet_from_ns = 0
        self._rest_until_ns = 0
        self.due_ns: int | None = None

    @property
    def bursting(self) -> bool:
        """Whether the first samples are still being taken."""
        return self._burst > 0

    def start(self, now_ns: int) -> None:
        """Begin with a burst; what was asked before is forgotten."""
        self._burst = BURST
        self._outstanding.clear()
        self._rest_until_ns = 0
        self.due_ns = now_ns

    def take(self, now_ns: int, armed: bool) -> int | None:
        """Return the id to PING now, None when it is not yet time."""
        if self.due_ns is None or now_ns < self.due_ns:
            return None
        period = self._period(now_ns, armed)
        self._burst = max(0, self._burst - 1)
        share = 1 - JITTER / 2 + JITTER * self._jitter()
        # No faster than the board answers: questions would pile up before it, and its answers before the next event.
        patience = min(max(period, 2 * self._slow_ns), AGAIN_NS)
        self.due_ns = now_ns + round(patience * share)
        self._rest_until_ns = now_ns + round(period * share)
        self._forget(now_ns)
        self._id = self._id % 0xFFFF + 1
        self._outstanding[self._id] = _Outstanding(now_ns)
        return self._id

    def _period(self, now_ns: int, armed: bool) -> int:
        if self._burst > 0:
            return BURST_NS
        if now_ns < self._follow_until_ns:
            return FOLLOW_NS
        if armed:
            return ARMED_NS if now_ns < self._quiet_from_ns else QUIET_NS
        return IDLE_NS

    def follow(self, now_ns: int, *, closely: bool) -> None:
        """An event came: the table is not quiet; `closely`: ask soon, and often for a while, how far the board's word
        reaches."""
        self._quiet_from_ns = now_ns + QUIET_AFTER_NS
        if self.due_ns is None or self._burst > 0 or not closely:
            return
        if now_ns >= self._follow_until_ns:
            self.due_ns = now_ns
            self._rest_until_ns = 0
        self._follow_until_ns = now_ns + FOLLOW_FOR_NS

    def hasten(self, now_ns: int) -> None:
        """Bring the next PING forward to the armed pace: the board was armed just now."""
        if self.due_ns is not None:
            self.due_ns = min(self.due_ns, now_ns + ARMED_NS)
            self._rest_until_ns = 0

    def ask(self, now_ns: int) -> None:
        """PING now, once the board is known."""
        if self.due_ns is not None:
            self.due_ns = now_ns

    def answered(self, ping_id: int, now_ns: int) -> int | None:
        """Return when the PING was sent; None when it is unknown, or a resend came between: it proves little."""
        if ping_id == self._id and self.due_ns is not None:
            self.due_ns = self._rest_until_ns or self.due_ns
        found = self._outstanding.pop(ping_id, None)
        if found is not None:
            self._slow_ns = max(now_ns - found.sent_ns, self._slow_ns * 7 // 8)
        return found.sent_ns if found is not None and found.clean else None

    def spoil(self) -> None:
        """A resend was seen: the round trips under way stood in its queue."""
        for outstanding in self._outstanding.values():
            outstanding.clean = False

    def _forget(self, now_ns: int) -> None:
        late = [key for key, ping in self._outstanding.items() if now_ns - ping.sent_ns > FORGET_NS]
        for key in late:
            del self._outstanding[key]
