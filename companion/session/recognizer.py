"""Device events to gestures: tap, hold, shot, dry pull, knock. Pure: time is passed in as the watermark.

A recognizer is a small simulation in the board's time. Every decision falls at an instant that the evidence alone
fixes - a tap when its press is confirmed, a hold when its time is up, a dry pull when the window closes - and decisions
come out in the order of these instants. So the same evidence gives the same gestures, however late or in whatever
pieces it arrived.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.rules.gestures import HIT, TRIGGER, Gesture, GestureKind, GestureSettings
from companion.session.muted import Muting
from firmware_protocol.board.settings import RANGES

SECOND_PRESS_US: int = {name: most for name, _, most in RANGES}["lock_us"]
"""A contact that closes again sooner after it opened is no second press by a finger: it is the longest lock time, which
a fast second press just survives."""
# A press is believed once the level has not come back within the board's glitch time (300 us by default).
CONFIRM_US = 1_000

# The board masks echoes behind the hits that it counts itself; behind one that it found weak and `min_peak` counts all
# the same, this does: the board's `hit_mask_us` by default (PROTOCOL.md).
ECHO_US = 30_000

NOISE = "its wire was noisy: check it"
HIT_MUTED = "the hit sensor is muted"


@dataclass(frozen=True, slots=True)
class Unread:
    """Evidence that is no gesture, with the reason; kept and shown, never dropped."""

    evidence: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge as the record holds it: entry number, channel name, stamp; `peak` and the flags matter for hits only.

    `can_hold` is whether a hold means something at this press, as an earlier run of the companion found; None: ask.
    `settings` is how this edge is read where the table has changed that; None: as all are. `place` is that of a press
    in a run of closings, each too soon after the contact opened for a finger; the first has 0. `run_from` is the entry
    of that first one. `read`: the past made something of this press, and it only tells what the one before was. One
    that is `locked` came within the lock time that the table chose.
    """

    entry: int
    channel: str
    pressed: bool
    t_us: int
    peak: int = 0
    masked: bool = False
    below_threshold: bool = False
    glitch: bool = False
    can_hold: bool | None = None
    settings: GestureSettings | None = None
    place: int = 0
    run_from: int | None = None
    read: bool = False
    locked: bool = False


# The instants at which something is decided. At the same instant an edge comes before a deadline, so that a hit at the
# very end of the window still counts; and a knock comes last, so that a dry pull a whole window behind a weak hit still
# names it. A channel is muted before the edges of that instant: they are the first of the noise.
_Step = Literal["mute", "edge", "confirm", "hold", "dry", "second", "knock"]
_Item = tuple[int, int, int, _Step, Edge | Muting]
_RANKS: Mapping[_Step, int] = {
    "mute": -1,
    "edge": 0,
    "confirm": 1,
    "hold": 1,
    "dry": 1,
    "second": 1,
    "knock": 2,
}


@dataclass(slots=True)
class Recognizer:
    """Reads the edges of one boot of the board (`clock`); stamps are good to `errors_us` by channel, else `pm_us`."""

    clock: str
    pm_us: int
    settings: GestureSettings = field(default_factory=GestureSettings)
    errors_us: Mapping[str, int] = field(default_factory=dict)
    _queue: list[_Item] = field(default_factory=list)
    _order: int = 0
    _presses: dict[str, Edge] = field(default_factory=dict)  # by channel
    # at each press, whether a hold meant something there
    _can_hold: dict[int, bool] = field(default_factory=dict)
    # by channel; the next closing decides
    _second_presses: dict[str, tuple[Edge, Gesture]] = field(default_factory=dict)
    _pulls: list[Edge] = field(default_factory=list)
    _hits: list[Edge] = field(default_factory=list)
    _rejected: list[Edge] = field(default_factory=list)
    _echoes_until_us: int = -1
    # by channel: the last end of a muted time
    _mutings: dict[str, Muting] = field(default_factory=dict)
    # by channel: when the last muted time began
    _muted_from: dict[str, int] = field(default_factory=dict)

    def feed(self, edge: Edge) -> None:
        """Take an edge in; nothing is decided before `advance`."""
        self._push(edge.t_us, "edge", edge)

    def mute(self, muting: Muting) -> None:
        """Take in that a channel is muted, or heard again. Nothing from `Muting.from_us` on was decided before that was
        said, so that whatever is decided at that instant or later knows of it."""
        self._push(muting.from_us if muting.begins else muting.last_us, "mute", muting)

    def advance(
        self, settled_us: int, hold_means: Callable[[str], bool]
    ) -> Iterator[Gesture | Unread]:
        """Yield what is decided up to the watermark `settled_us`, in order.

        Lazy on purpose: `hold_means(channel)` is asked at each press, after the caller has applied what came before it.
        A caller may leave off after any answer and go on with another call.
        """
        while self._queue and self._queue[0][0] <= settled_us:
            _, _, _, step, edge = self._queue[0]
            if isinstance(edge, Muting):
                heapq.heappop(self._queue)
                yield from self._apply_muting(edge)
                continue
            taken = step == "edge" and edge.pressed and not edge.locked
            if taken and edge.channel in self._presses:
                # The release was lost (a gap), and it was a tap: this press came before its hold time was up.
                press = self._presses.pop(edge.channel)
                yield from self._in_run(press, self._tap_on_press(press))
                continue
            if taken and edge.channel in self._second_presses:
                _, second = self._second_presses.pop(edge.channel)
                yield replace(second, run_from=edge.run_from if edge.place > 1 else None)
                continue
            heapq.heappop(self._queue)
            if step == "edge":
                yield from self._edge(edge, hold_means)
            else:
                yield from self._at_deadline(step, edge)

    def _at_deadline(self, step: _Step, edge: Edge) -> Iterator[Gesture | Unread]:
        """Yield what time alone decides of an edge."""
        if step == "second":
            if self._second_presses.get(edge.channel, (None,))[0] == edge:
                yield self._second_presses.pop(edge.channel)[1]
        elif step == "dry":
            yield from self._dry(edge)
        elif step == "knock":
            yield from self._knock(edge)
        elif self._presses.get(edge.channel) == edge:  # and has not been read as anything yet
            del self._presses[edge.channel]
            hold = step == "hold"
            gesture = (
                self._gesture(GestureKind.HOLD, edge, (edge.entry,))
                if hold
                else self._tap_on_press(edge)
            )
            yield from self._in_run(edge, gesture)

    def meanings(self, proposed: Iterable[int] = ()) -> dict[int, bool]:
        """Return, of the presses read but not decided yet, and of those of `proposed` that this run has read, whether a
        hold means something there, by entry."""
        waiting = (*self._presses.values(), *(press for press, _ in self._second_presses.values()))
        known = (*(press.entry for press in waiting), *proposed)
        return {n: self._can_hold[n] for n in known if n in self._can_hold}

    @property
    def waits(self) -> bool:
        """Whether anything is not decided yet, so that a release or an echo may matter."""
        return bool(self._queue)

    def close(self, reason: str) -> Iterator[Unread]:
        """Yield what can never be decided any more (the board lost power): unread, with the reason."""
        edges = [
            edge for *_, step, edge in self._queue if step == "edge" and isinstance(edge, Edge)
        ]
        unheard = [edge for edge in edges if edge.pressed and not edge.masked and not edge.read]
        undecided = (
            *unheard,
            *self._presses.values(),
            *(press for press, _ in self._second_presses.values()),
            *self._pulls,
            *self._hits,
            *self._rejected,
        )
        for edge in sorted(undecided, key=lambda edge: (edge.t_us, edge.entry)):
            yield Unread((edge.entry,), reason)
        for pending in (
            self._queue,
            self._presses,
            self._second_presses,
            self._pulls,
            self._hits,
            self._rejected,
        ):
            pending.clear()

    def _push(self, at_us: int, step: _Step, edge: Edge | Muting) -> None:
        self._order += 1
        heapq.heappush(self._queue, (at_us, _RANKS[step], self._order, step, edge))

    def _edge(self, edge: Edge, hold_means: Callable[[str], bool]) -> Iterator[Gesture | Unread]:
        if edge.read:
            return
        if self._is_noise(edge):
            if edge.pressed and not edge.masked:
                yield Unread((edge.entry,), NOISE)
        elif edge.locked:
            yield Unread(
                (edge.entry,),
                f"the contact had opened less than {_lock_ms(self._settings_of(edge))} ms before",
            )
        elif edge.channel == HIT:
            yield from self._hit(edge)
        elif not edge.pressed:
            yield from self._release(edge)
        elif self._is_gun(edge.channel) and self.settings.hit_sensor:
            yield from self._pull(edge)
        else:
            can_hold = edge.can_hold
            if can_hold is None:
                can_hold = not self._is_gun(edge.channel) and hold_means(edge.channel)
            edge = self._presses[edge.channel] = replace(edge, can_hold=can_hold)
            self._can_hold[edge.entry] = can_hold
            if can_hold:
                self._push(edge.t_us + self._settings_of(edge).hold_us, "hold", edge)
            else:
                self._push(edge.t_us + CONFIRM_US, "confirm", edge)

    def _apply_muting(self, muting: Muting) -> Iterator[Unread]:
        """Note that a channel is muted from here on, or heard again. Nobody will know whether a finger that is down
        taps or holds; and a press that came just before may be the first edge of the noise."""
        channel = muting.channel
        self._mutings[channel] = muting
        if not muting.begins:
            return
        self._muted_from[channel] = muting.from_us
        press = self._presses.pop(channel, None)
        if press is not None:
            unconfirmed = muting.from_us - press.t_us <= CONFIRM_US
            reason = NOISE if unconfirmed else "it was muted before it was let go: check its wire"
            yield Unread((press.entry,), reason)
        if channel in self._second_presses:
            _, gesture = self._second_presses.pop(channel)
            yield Unread(gesture.evidence, NOISE)
        for waiting in (self._pulls, self._hits, self._rejected):
            sudden = [
                edge
                for edge in waiting
                if edge.channel == channel and muting.from_us - edge.t_us <= CONFIRM_US
            ]
            for edge in sudden:
                waiting.remove(edge)
                yield Unread((edge.entry,), NOISE)

    def _is_noise(self, edge: Edge) -> bool:
        """Whether an edge is one of those for which its channel was muted. A later one of a contact tells that it is
        heard again, where a full ring refused the word of that; hits are read from samples too, muted or not."""
        muting = self._mutings.get(edge.channel)
        if muting is None or not muting.begins:
            return False
        if edge.t_us > muting.last_us and edge.channel != HIT:
            self._mutings[edge.channel] = replace(muting, begins=False, last_us=edge.t_us)
        return muting.from_us <= edge.t_us <= muting.last_us

    def _was_muted(self, channel: str, from_us: int, until_us: int) -> bool:
        """Whether the channel was muted at any time between these two instants, of which none is still to come."""
        muting = self._mutings.get(channel)
        if muting is None or self._muted_from.get(channel, until_us + 1) > until_us:
            return False
        return muting.begins or muting.last_us >= from_us

    def _settings_of(self, edge: Edge) -> GestureSettings:
        return edge.settings or self.settings

    def _is_gun(self, channel: str) -> bool:
        return channel == TRIGGER and self.settings.gun

    def _pull(self, trigger: Edge) -> Iterator[Gesture]:
        """Pair with a hit that came first, the nearest one; else wait for the window to close."""
        window_us = self._settings_of(trigger).window_us
        early = [hit for hit in self._hits if trigger.t_us - hit.t_us <= window_us]
        if early:
            self._hits.remove(early[-1])
            yield _flickering(trigger, self._shot(trigger, early[-1]))
        else:
            self._pulls.append(trigger)
            self._push(trigger.t_us + window_us, "dry", trigger)

    def _hit(self, hit: Edge) -> Iterator[Gesture]:
        read = self.settings.hit_sensor and self.settings.gun and hit.pressed
        if not read or hit.masked or hit.t_us < self._echoes_until_us:
            return  # the echo of a hit that was counted, or a gun whose hits nobody reads: evidence, nothing to decide
        settings = self._settings_of(hit)
        if settings.rejects(hit.peak, below_threshold=hit.below_threshold):
            # Twice the window: a pull that comes after a weak hit closes its own window first and names that hit.
            self._rejected.append(hit)
            self._push(hit.t_us + 2 * settings.window_us, "knock", hit)
            return
        if hit.below_threshold:
            self._echoes_until_us = hit.t_us + ECHO_US
        if self._pulls:
            pull = self._pulls.pop(0)
            yield _flickering(pull, self._shot(pull, hit))
        else:
            self._hits.append(hit)
            self._push(hit.t_us + settings.window_us, "knock", hit)

    def _shot(self, trigger: Edge, hit: Edge) -> Gesture:
        evidence = (trigger.entry, hit.entry)
        return self._gesture(
            GestureKind.SHOT, trigger, evidence, lag_us=hit.t_us - trigger.t_us, peak=hit.peak
        )

    def _dry(self, trigger: Edge) -> Iterator[Gesture]:
        if trigger not in self._pulls:
            return
        self._pulls.remove(trigger)
        window_us = self._settings_of(trigger).window_us
        kind, doubt = GestureKind.DRY_PULL, ""
        near = [hit for hit in self._rejected if abs(hit.t_us - trigger.t_us) <= window_us]
        if self._was_muted(HIT, trigger.t_us - window_us, trigger.t_us + window_us):
            # Nobody knows whether there was a hit: the table does.
            kind, reason, doubt = GestureKind.SHOT, "", HIT_MUTED
        elif near:
            lag_ms = (near[0].t_us - trigger.t_us) / 1000
            reason = f"the hit at {lag_ms:+.1f} ms had peak {near[0].peak}, below {self._settings_of(near[0]).threshold}"
        else:
            reason = f"no hit within {window_us // 1000} ms"
        evidence = (trigger.entry, *(hit.entry for hit in near))
        self._rejected = [hit for hit in self._rejected if hit not in near]
        yield _flickering(
            trigger, self._gesture(kind, trigger, evidence, reason=reason, doubt=doubt)
        )

    def _knock(self, hit: Edge) -> Iterator[Gesture]:
        window_us = self._settings_of(hit).window_us
        muted = self._was_muted(TRIGGER, hit.t_us - window_us, hit.t_us + window_us)
        if hit in self._rejected:
            self._rejected.remove(hit)
            pull = "the trigger is muted" if muted else "no trigger pull"
            reason = f"peak {hit.peak} below {self._settings_of(hit).threshold}, {pull}"
        elif hit in self._hits:
            self._hits.remove(hit)
            reason = (
                "the trigger is muted"
                if muted
                else f"no trigger pull within {window_us // 1000} ms"
            )
        else:
            return
        yield self._gesture(GestureKind.KNOCK, hit, (hit.entry,), peak=hit.peak, reason=reason)

    def _release(self, edge: Edge) -> Iterator[Gesture | Unread]:
        press = self._presses.pop(edge.channel, None)
        if press is None and edge.channel in self._second_presses:
            self._push(edge.t_us + SECOND_PRESS_US, "second", self._second_presses[edge.channel][0])
        if press is None:
            return  # its press was read already: a tap that fired on press, or a hold
        if edge.glitch:
            yield Unread(
                (press.entry, edge.entry),
                "glitch: the contact was closed for less than the glitch time",
            )
        elif press.can_hold:
            tap = self._gesture(GestureKind.TAP, press, (press.entry, edge.entry))
            yield from self._in_run(press, tap, opened_us=edge.t_us)
        else:
            yield from self._in_run(press, self._tap_on_press(press), opened_us=edge.t_us)

    def _in_run(
        self, press: Edge, gesture: Gesture, opened_us: int | None = None
    ) -> Iterator[Gesture]:
        """Yield the first of a run at once, and from the third on with the run named; the second waits for the
        next."""
        if press.place != 1 or gesture.kind is GestureKind.HOLD:
            yield replace(gesture, run_from=press.run_from if press.place > 1 else None)
            return
        self._second_presses[press.channel] = (press, gesture)
        if opened_us is None:  # its release moves this up
            opened_us = press.t_us + self._settings_of(press).hold_us
        self._push(opened_us + SECOND_PRESS_US, "second", press)

    def _tap_on_press(self, edge: Edge) -> Gesture:
        kind = GestureKind.SHOT if self._is_gun(edge.channel) else GestureKind.TAP
        return self._gesture(kind, edge, (edge.entry,))

    def _gesture(
        self,
        kind: GestureKind,
        edge: Edge,
        evidence: tuple[int, ...],
        *,
        lag_us: int | None = None,
        peak: int | None = None,
        reason: str = "",
        doubt: str = "",
    ) -> Gesture:
        pm_us = self.errors_us.get(edge.channel, self.pm_us)
        return Gesture(
            kind,
            edge.channel,
            edge.t_us,
            self.clock,
            pm_us,
            evidence,
            lag_us,
            peak,
            reason,
            doubt=doubt,
        )


def _lock_ms(settings: GestureSettings) -> int:
    return (settings.lock_us or 0) // 1_000


def _flickering(pull: Edge, gesture: Gesture) -> Gesture:
    """A pull of a gun with a hit sensor, from the third closing of a loose lead on with the run named."""
    return replace(gesture, run_from=pull.run_from) if pull.place > 1 else gesture
