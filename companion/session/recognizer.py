"""Device events to gestures: tap, hold, shot, dry pull, knock. Pure: time is passed in as the
watermark.

A recognizer is a small simulation in the board's time. Every decision happens at a time that only
the evidence determines - a tap when its press is confirmed, a hold when its time is up, a dry pull
when the window closes - and decisions are yielded in the order of these times. So the same evidence
gives the same gestures, no matter how late or in which pieces it arrived.
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
"""A contact that closes again within this time after it opened was not pressed again by a finger.
It is the longest lock time that a board can be set to."""
# A press is confirmed once the contact stayed closed longer than the board's glitch time (300 us by
# default).
CONFIRM_US = 1_000

# After each hit above its own threshold, the board masks the echoes. A table can choose a lower threshold
# (`GestureSettings.min_peak`); after a hit between the two, the echoes are masked here, for as long as a
# board does by default (`hit_mask_us` in PROTOCOL.md).
ECHO_US = 30_000

NOISE = "its wire was noisy: check it"
HIT_MUTED = "the hit sensor is muted"


@dataclass(frozen=True, slots=True)
class Unread:
    """Evidence that is not a gesture, with the reason; it is kept and shown, never dropped."""

    evidence: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge as recorded: entry number, channel name, stamp; `peak` and the flags matter for hits
    only.

    A run is a series of presses of one contact, each less than `SECOND_PRESS_US` after the contact
    opened: too fast for a finger, so the contact is worn or a wire loose. `place` is the position
    of a press in its run, 0 for the first; `run_from` is the entry of the first one.

    `can_hold`: whether a hold means something at this press. The record has it for presses that
    were undecided when the program ended; for others it is None, and the game is asked. `settings`
    are those that the table had chosen when this edge came; None: the recognizer's own. `read`: the
    record already has what became of this press. Such a press is fed because it also ends the press
    before it. `locked`: it came within the lock time that the table chose.
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


# The steps in which things are decided, and their order at the same time. An edge comes before a
# deadline, so that a hit at the very end of the window still counts. A knock comes last. If a hit was too
# weak to count, a dry pull near it takes it as its reason; only a weak hit that no dry pull took is a
# knock. A channel is muted before the edges of that time: they are the first of the noise.
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
    """Reads the edges of one boot of the board (`clock`). A stamp is accurate to plus or minus
    `errors_us` of its channel, or `pm_us` if the channel is not in it.

    A hit can come before the pull it belongs to: the sensor may be faster than the switch. So both
    wait for the other, for `GestureSettings.window_us`.
    """

    clock: str
    pm_us: int
    settings: GestureSettings = field(default_factory=GestureSettings)
    errors_us: Mapping[str, int] = field(default_factory=dict)
    _queue: list[_Item] = field(default_factory=list)
    _order: int = 0
    _presses: dict[str, Edge] = field(default_factory=dict)  # undecided presses, by channel
    # Press -> whether a hold meant something there.
    _can_hold: dict[int, bool] = field(default_factory=dict)
    # By channel: the second press of a possible run, with the gesture it is unless a third one follows.
    _second_presses: dict[str, tuple[Edge, Gesture]] = field(default_factory=dict)
    _pulls: list[Edge] = field(default_factory=list)
    _hits: list[Edge] = field(default_factory=list)
    _rejected: list[Edge] = field(default_factory=list)
    _echoes_until_us: int = -1
    # By channel: the last reported beginning or end of a muted time.
    _mutings: dict[str, Muting] = field(default_factory=dict)
    # By channel: when the last muted time began.
    _muted_from: dict[str, int] = field(default_factory=dict)

    def feed(self, edge: Edge) -> None:
        """Add an edge; nothing is decided before `advance`."""
        self._push(edge.t_us, "edge", edge)

    def mute(self, muting: Muting) -> None:
        """Add the beginning or end of a muted time.

        A decision that was made before the muting was reported stays: `Muting.from_us` is chosen
        later than the watermark of that moment.
        """
        at_us = muting.from_us if muting.begins else muting.last_us
        self._push(at_us, "mute", muting)

    def advance(
        self, settled_us: int, hold_means: Callable[[str], bool]
    ) -> Iterator[Gesture | Unread]:
        """Yield what is decided up to the watermark `settled_us`, in order.

        Lazy on purpose: `hold_means(channel)` is called at each press, after the caller has applied
        what came before it. A caller may stop after any result and continue with another call.
        """
        while self._queue and self._queue[0][0] <= settled_us:
            _, _, _, step, edge = self._queue[0]
            if isinstance(edge, Muting):
                heapq.heappop(self._queue)
                yield from self._apply_muting(edge)
                continue
            # A new press may decide an earlier press of its channel. Then that decision is yielded first, and
            # the new press stays in the queue: what it can mean is asked after the caller has applied the
            # decision.
            is_press = step == "edge" and edge.pressed and not edge.locked
            if is_press and edge.channel in self._presses:
                # The release was lost in a gap. The press was a tap, because this one came before its
                # hold time was up.
                press = self._presses.pop(edge.channel)
                yield from self._in_run(press, self._tap_on_press(press))
                continue
            if is_press and edge.channel in self._second_presses:
                _, second = self._second_presses.pop(edge.channel)
                if edge.place > 1:  # a third closing: the second was one of a run
                    second = replace(second, run_from=edge.run_from)
                yield second
                continue
            heapq.heappop(self._queue)
            if step == "edge":
                yield from self._edge(edge, hold_means)
            else:
                yield from self._at_deadline(step, edge)

    def _at_deadline(self, step: _Step, edge: Edge) -> Iterator[Gesture | Unread]:
        """Yield what is decided about an edge when its time is up."""
        if step == "second":
            if edge.channel in self._second_presses:
                press, gesture = self._second_presses[edge.channel]
                if press == edge:
                    del self._second_presses[edge.channel]
                    yield gesture
        elif step == "dry":
            yield from self._dry(edge)
        elif step == "knock":
            yield from self._knock(edge)
        elif self._presses.get(edge.channel) == edge:  # still undecided
            del self._presses[edge.channel]
            gesture = self._tap_on_press(edge)
            if step == "hold":
                gesture = self._gesture(GestureKind.HOLD, edge, (edge.entry,))
            yield from self._in_run(edge, gesture)

    def meanings(self, proposed: Iterable[int] = ()) -> dict[int, bool]:
        """Return, by entry, whether a hold means something: for each undecided press, and for the
        presses among `proposed`, except those of another boot of the board.

        `proposed` are the entries that pending proposals are based on: a press keeps its meaning
        until the table has answered, so the record needs it for those, too."""
        waiting = (*self._presses.values(), *(press for press, _ in self._second_presses.values()))
        known = (*(press.entry for press in waiting), *proposed)
        return {n: self._can_hold[n] for n in known if n in self._can_hold}

    @property
    def waits(self) -> bool:
        """Whether anything is undecided: only then can a release or an echo change something. Each
        undecided press, pull or hit has a deadline in the queue."""
        return bool(self._queue)

    def close(self, reason: str) -> Iterator[Unread]:
        """Yield what can never be decided any more (the board lost power) as unread, with the
        reason."""
        edges = [
            edge for *_, step, edge in self._queue if step == "edge" and isinstance(edge, Edge)
        ]
        undecided = [edge for edge in edges if edge.pressed and not edge.masked and not edge.read]
        undecided += self._presses.values()
        undecided += [press for press, _ in self._second_presses.values()]
        undecided += [*self._pulls, *self._hits, *self._rejected]
        for edge in sorted(undecided, key=lambda edge: (edge.t_us, edge.entry)):
            yield Unread((edge.entry,), reason)
        self._queue.clear()
        self._presses.clear()
        self._second_presses.clear()
        self._pulls.clear()
        self._hits.clear()
        self._rejected.clear()

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
        """Note that a channel is muted, or no longer. A pressed button is unread, because nobody
        will know whether it is a tap or a hold; a press just before may be the first edge of the
        noise."""
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
        """Return whether an edge belongs to the noise for which its channel was muted.

        A later edge of a contact shows that the board reads the contact again, even if the message
        that said so was lost in a full ring; so it ends the muted time. A later hit does not: hits
        are also read from samples, whether muted or not.
        """
        muting = self._mutings.get(edge.channel)
        if muting is None or not muting.begins:
            return False
        if edge.t_us > muting.last_us and edge.channel != HIT:
            self._mutings[edge.channel] = replace(muting, begins=False, last_us=edge.t_us)
        return muting.from_us <= edge.t_us <= muting.last_us

    def _was_muted(self, channel: str, from_us: int, until_us: int) -> bool:
        """Return whether the channel was muted at any time between these two times, both of which
        have passed."""
        muting = self._mutings.get(channel)
        began_us = self._muted_from.get(channel)
        if muting is None or began_us is None or began_us > until_us:
            return False
        return muting.begins or muting.last_us >= from_us

    def _settings_of(self, edge: Edge) -> GestureSettings:
        return edge.settings or self.settings

    def _is_gun(self, channel: str) -> bool:
        return channel == TRIGGER and self.settings.gun

    def _pull(self, trigger: Edge) -> Iterator[Gesture]:
        """Pair the pull with the last hit before it within the window, else wait for the window to
        close.

        If several hits wait, there was no pull for the earlier ones: those are knocks.
        """
        window_us = self._settings_of(trigger).window_us
        early = [hit for hit in self._hits if trigger.t_us - hit.t_us <= window_us]
        if early:
            self._hits.remove(early[-1])
            yield _flickering(trigger, self._shot(trigger, early[-1]))
        else:
            self._pulls.append(trigger)
            self._push(trigger.t_us + window_us, "dry", trigger)

    def _hit(self, hit: Edge) -> Iterator[Gesture]:
        """Pair the hit with the oldest waiting pull, else wait for a pull with a later stamp.

        In fast fire several pulls can wait: the first hit belongs to the first pull, and so on.
        """
        counts = self.settings.hit_sensor and self.settings.gun and hit.pressed
        if not counts or hit.masked or hit.t_us < self._echoes_until_us:
            return  # the end of a pulse, an echo of a counted hit, or a game without hits: it stays evidence
        settings = self._settings_of(hit)
        if settings.rejects(hit.peak, below_threshold=hit.below_threshold):
            # Wait two windows. A pull may come up to one window after this hit, and its own window must
            # close before it is dry. Then this hit is the reason of the dry pull, and no knock.
            self._rejected.append(hit)
            self._push(hit.t_us + 2 * settings.window_us, "knock", hit)
            return
        if hit.below_threshold:
            # It counts by the table's lower threshold, so the board masked nothing.
            self._echoes_until_us = hit.t_us + ECHO_US
        # Every waiting pull is still within its window. Otherwise its deadline ("dry"), which is earlier
        # than this hit, would have removed it.
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
            # The board cannot know whether there was a hit; let the table decide.
            kind, reason, doubt = GestureKind.SHOT, "", HIT_MUTED
        elif near:
            lag_ms = (near[0].t_us - trigger.t_us) / 1000
            threshold = self._settings_of(near[0]).threshold
            reason = f"the hit at {lag_ms:+.1f} ms had peak {near[0].peak}, below {threshold}"
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
            reason = f"no trigger pull within {window_us // 1000} ms"
            if muted:
                reason = "the trigger is muted"
        else:
            return
        yield self._gesture(GestureKind.KNOCK, hit, (hit.entry,), peak=hit.peak, reason=reason)

    def _release(self, edge: Edge) -> Iterator[Gesture | Unread]:
        press = self._presses.pop(edge.channel, None)
        if press is None and edge.channel in self._second_presses:
            self._push(edge.t_us + SECOND_PRESS_US, "second", self._second_presses[edge.channel][0])
        if press is None:
            return  # its press is already decided: a tap counted at the press, or a hold
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
        """Yield the first tap of a run at once, and the third and later ones with the run named.
        Hold back the second: only a third closing shows that it belongs to a run; otherwise it was
        a fast second press, which counts."""
        if press.place != 1 or gesture.kind is GestureKind.HOLD:
            yield replace(gesture, run_from=press.run_from if press.place > 1 else None)
            return
        self._second_presses[press.channel] = (press, gesture)
        if opened_us is None:
            # Still closed. The latest time at which it can open without being a hold; `_release` sets
            # an earlier deadline once it has opened.
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
    """Return the gesture of a pull; from the third closing of a run on, with the run it belongs to
    (a loose wire)."""
    return replace(gesture, run_from=pull.run_from) if pull.place > 1 else gesture
