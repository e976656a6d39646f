"""Events without anybody's action: what a game has due, and the end of an unanswered proposal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from math import ceil

from companion.journal.entries import CLOCK, Draft, Layer
from companion.rules.facts import Fact, Moment, Refused
from companion.rules.game import Due
from companion.rules.pauses import Pauses, between
from companion.rules.spans import KEY_ERROR_US
from companion.session.accessories import LAMP, LAMP_MS
from companion.session.board_side import BoardSide, TableParts
from companion.session.corrections import NotDone
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.intake import fact_draft
from companion.session.interpreter import UNANSWERED

# Events that the board stamped before the due time may still be on their way at that time.
GRACE_US = 100_000
# A connected lamp answers within a few milliseconds.
LAMP_ANSWERS_US = 500_000
# Delay from the companion's decision until somebody sees the change on the screen.
SCREEN_ERROR_US = KEY_ERROR_US


@dataclass(slots=True, eq=False)
class Alarm:
    """Computes how long to wait for what is due.

    `_host` returns the moment by the host's clock, `_board` that by the board's clock, None while
    no board is live; `_latest` returns the last known moment of a clock. A run measured by a clock
    of an earlier run of the program continues from that moment.
    """

    _host: Callable[[], Moment]
    _board: Callable[[], Moment | None]
    _latest: Callable[[str], Moment | None]
    _seen: tuple[Due, Moment, int] | None = None
    _seen_us: int = 0
    _lit: tuple[Due, int] | None = None
    _restarted: tuple[Due, Moment] | None = None

    def left_us(self, due: Due, pauses: Pauses) -> int:
        """Return in how many microseconds `due` needs attention, 0 or less for now. Call it only
        while the game's clock runs."""
        if self._lit is not None and self._lit[0] == due:
            return self._lit[1] + LAMP_ANSWERS_US - self._host().us
        now, run_us = self._run(due, pauses)
        left_us = due.us - run_us
        if due.lamp or now.clock == self._host().clock:
            return left_us
        return left_us + GRACE_US

    def light(self, due: Due) -> None:
        """Note that the lamp was switched on for `due`, so that its stamp is awaited."""
        self._lit = due, self._host().us

    def begin_anew(self, due: Due) -> None:
        """Restart the wait for `due`."""
        self._restarted, self._lit = (due, self._run(due, ())[0]), None

    def waits_for_lamp(self, due: Due | None) -> bool:
        """Return whether the lamp was switched on for `due`."""
        return due is not None and self._lit is not None and self._lit[0] == due

    def at(self, due: Due, pauses: Pauses) -> Moment:
        """Return the moment to record for `due` without a lamp: its own due time, or now for a
        signal on the screen."""
        now, run_us = self._run(due, pauses)
        if not due.lamp:
            return now.model_copy(update={"us": now.us - max(0, run_us - due.us)})
        # Readers give a moment by the host's clock the error of a key press, which includes this one.
        by_keys = now.clock == self._host().clock
        return now if by_keys else now.model_copy(update={"pm": now.pm + SCREEN_ERROR_US})

    def _run(self, due: Due, pauses: Pauses) -> tuple[Moment, int]:
        """Return the time by the clock that `due` is measured with, and how long that clock has run
        for it."""
        host = self._host()
        now = self._board() or host
        if due.since is not None and due.since.clock == host.clock:
            now = host
        since = due.since
        if self._restarted is not None and self._restarted[0] == due:
            since = self._restarted[1]
        run = between(since, now, pauses)
        if run is not None:
            return now, run.us
        now = self._board() or host
        if self._seen is None or self._seen[0] != due:
            self._seen = due, now, self._run_before_us(due, pauses)
        elif self._seen[1].clock != now.clock:
            # A board was connected or lost; how long that took is unknown, so count nothing for it.
            self._seen = due, now, self._seen_us
        # Pauses measured by another clock cannot be subtracted from a run by this one.
        own = tuple(
            pause for pause in pauses if all(at is None or at.clock == now.clock for at in pause)
        )
        seen = between(self._seen[1], now, own)
        self._seen_us = self._seen[2] + (0 if seen is None else seen.us)
        return now, self._seen_us

    def _run_before_us(self, due: Due, pauses: Pauses) -> int:
        """Return how long it had run at the last known moment of its clock."""
        latest = None if due.since is None else self._latest(due.since.clock)
        run = between(due.since, latest, pauses)
        return 0 if run is None else max(0, run.us)


PROPOSAL_LOOK_S = 0.25
"""How often a proposal is checked; its remaining seconds are shown."""
_SEARCHED = 1_000  # newest entries that are searched for the last moment of a clock


class ClockSide:
    """The effect of time on a table. `host` returns the moment by the host's clock; `append`
    records drafts, see `Consent`."""

    def __init__(
        self,
        parts: TableParts,
        board: BoardSide,
        host: Callable[[], Moment],
        append: Callable[[Draft], object],
    ) -> None:
        self._parts = parts
        self._board = board
        self._append = append
        self._alarm = Alarm(host, lambda: board.now(), self._latest)
        self._seconds_left = 0
        self._refused: Due | None = None
        self._was_stopped = False
        # Whether a notice about a hanging game waits to be published, outside the lock.
        self._is_hang_unpublished = False
        self._hung_in: object = None  # the state in which the game hung when asked what is due

    def tick(self) -> None:
        """Drop a proposal that nobody answered in time, and record what is due. Call it as
        `next_look_s` says."""
        parts = self._parts
        with parts.lock:
            entries = len(parts.journal.entries)
            shown = parts.interpreter.proposals.view()
            if not parts.closed and shown is not None and not shown.left_s:
                self.expire()
            due = self._due
            if due is not None and self._left_us(due) <= 0:
                unlit = due.lamp and not self._alarm.waits_for_lamp(due)
                self.come_due(unlit and self._board.cue(LAMP, LAMP_MS))
            proposal, before = parts.interpreter.proposals.view(), self._seconds_left
            self._seconds_left = 0 if proposal is None else ceil(proposal.left_s)
            changed = self._seconds_left != before or len(parts.journal.entries) != entries
        if changed or self._is_hang_unpublished:
            self._is_hang_unpublished = False
            parts.publish()

    def next_look_s(self) -> float | None:
        """Return in how many seconds `tick` has work, or None while nothing waits for a time."""
        with self._parts.lock:
            due = self._due
            looks: list[float] = []
            if self._parts.interpreter.proposals.shown is not None:
                looks.append(PROPOSAL_LOOK_S)
            if due is not None:
                looks.append(max(0.0, self._left_us(due) / 1e6))
        if self._is_hang_unpublished:
            self._is_hang_unpublished = False
            self._parts.publish()
        return min(looks, default=None)

    def expire(self) -> None:
        """Drop the proposal shown, because nobody answered in time; raise `NotDone` if there is
        none."""
        with self._parts.lock, self._parts.guarding_keys(), self._parts.observer.observe("expire"):
            self._parts.interpreter.drop(UNANSWERED)

    def come_due(self, lit: bool) -> None:
        """Record what is due now. `lit`: the lamp was switched on for it, so wait for its stamp
        instead. Raise `NotDone` if nothing is due. Does not publish; `tick` does."""
        with (
            self._parts.lock,
            self._parts.guarding_keys(),
            self._parts.observer.observe("come_due", lit),
        ):
            due = self._due
            if due is None:
                raise NotDone("nothing is due")
            if lit:
                self._alarm.light(due)
            else:
                at = self._alarm.at(due, self._parts.record.common.pauses)
                self._record_due(due, self._parts.observer.stamped(at))

    def lit(self, at: Moment, cue: int) -> None:
        """Record what is due with the moment when the lamp was lit, which entry `cue` has."""
        due = self._due
        if due is not None and self._alarm.waits_for_lamp(due):
            self._record_due(due, at, (cue,))

    def _record_due(self, due: Due, at: Moment, causes: tuple[int, ...] = ()) -> None:
        record = self._parts.record
        act = due.act
        if due.unlit and not causes:
            act = due.unlit
        try:
            fact = record.game.pressed(record.state, act)
            if not isinstance(fact, Fact):
                raise TypeError(
                    f"{due.act} takes something back, and nothing is taken back by itself"
                )
            stamped = fact.model_copy(update={"at": at})
            record.tried(stamped)
        except Refused as refusal:
            self._refused = due  # a fault of the game, which would be refused again at each tick
            self._parts.refused(refusal)
        else:
            begun = () if due.of is None else (due.of,)
            self._append(fact_draft(stamped, CLOCK, (*causes, *begun)))

    @property
    def _due(self) -> Due | None:
        """The act that is due, while the game's clock runs and no question waits for the people.
        What was recorded and undone does not come again. If the time of a lamp passed meanwhile,
        for example in a pause that was undone, its light would surprise everybody: the wait is
        restarted."""
        record = self._parts.record
        if self._parts.closed or record.timeline.steps.clock_undone:
            return None
        is_stopped = (
            record.common.paused
            or self._parts.waiting() is not None
            or record.game.ended(record.state)
        )
        was_stopped, self._was_stopped = self._was_stopped, is_stopped
        if is_stopped:
            return None
        due = self._due_by_game()
        if due is not None and due.lamp and was_stopped and self._left_us(due) <= 0:
            self._alarm.begin_anew(due)
        return None if due == self._refused else due

    def _due_by_game(self) -> Due | None:
        """The act that the game says is due. A foreign game that hung and was stopped is not asked
        again in the same state."""
        record = self._parts.record
        if record.state is self._hung_in:
            return None
        try:
            with aborted_as_stopped():
                return record.game.due(record.state)
        except GameStopped as stopped:
            self._hung_in = record.state
            self._parts.notices.say(
                f"{stopped} It was stopped: nothing happens automatically now.", refused=True
            )
            self._is_hang_unpublished = True
            return None

    def _left_us(self, due: Due) -> int:
        return self._alarm.left_us(due, self._parts.record.common.pauses)

    def _latest(self, clock: str) -> Moment | None:
        """Return the last moment of a clock among the newest entries."""
        for entry in islice(reversed(self._parts.journal.entries), _SEARCHED):
            at = entry.body.get("at") if entry.layer is Layer.FACT else None
            if isinstance(at, dict) and at.get("clock") == clock:
                return Moment.model_validate(at)
        return None
